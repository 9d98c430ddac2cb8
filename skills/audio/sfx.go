package audio

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// EffectLength is how long, in seconds, a named effect is taken to sound at most.
const EffectLength = 10

// effects are the words of a name of which the page of package viewer makes a sound, and others like these.
const effects = "alarm, applause, bell, break, cheer, click, coin, creak, door, drum, engine, error, explosion, fanfare, fire, growl, heal, hit, horn, jump, knock, laser, lose, magic, pickup, roar, shot, siren, splash, step, sword, teleport, thunder, tick, whistle, whoosh, win"

// PlaySFXIn is the input of audio.playSFX.
type PlaySFXIn struct {
	Name     string          `json:"name" validate:"min=1" jsonschema_description:"Name of the effect, as the viewers know it: \"door_creak\". The page at /view goes by the last word that it knows."`
	Position *world.Vec3     `json:"position,omitempty" jsonschema_description:"Where it comes from, [x, y, z] in metres. Without it everybody hears it alike."`
	Volume   float64         `json:"volume" validate:"gte=0,lte=1" jsonschema:"default=0.8" jsonschema_description:"0 is silent, 1 is full volume."`
	Config   registry.Object `json:"config,omitempty" jsonschema_description:"Handed to the viewers as it is."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Recorded with the call's event; changes nothing."`
}

// PlaySFXOut is the output of audio.playSFX.
type PlaySFXOut struct {
	OK     bool   `json:"ok" jsonschema_description:"True: the effect was handed to the viewers."`
	Handle Handle `json:"handle" jsonschema_description:"Names the sound in audio.stop and audio.setVolume, for as long as it sounds."`
}

// effect is what viewers get of it.
type effect struct {
	Handle Handle          `json:"handle"`
	Name   string          `json:"name"`
	Bus    Bus             `json:"bus"`
	Volume float64         `json:"volume"`
	Config registry.Object `json:"config,omitempty"`
}

// PlaySFX is audio.playSFX.
func PlaySFX(s *Sounds) registry.Skill {
	return registry.Define(registry.Spec[PlaySFXIn, PlaySFXOut]{
		Name:  "audio.playSFX",
		Title: "Play a sound effect",
		Description: "Play a sound effect by its name, at a place or for everybody. The page at /view knows " + effects + ", and words like these. Viewers that do not know the name stay silent. Use audio.play or audio.playAt for a plain tone, which every viewer can make." +
			` Example: {"name":"explosion","position":[0,1,5]}`,
		Keywords:    "explosion bang click footstep thunder bell fanfare jingle cheer applause",
		Permissions: []profiles.Permission{"audio.play"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in PlaySFXIn) (PlaySFXOut, error) {
			if err := checkText(in.Name, in.Config); err != nil {
				return PlaySFXOut{}, err
			}
			q := namedEffect(in.Position, in.Name, in.Volume, in.Config)
			q.meta = in.Meta
			h, err := s.play(c, q)
			return PlaySFXOut{OK: true, Handle: h}, err
		},
	})
}

func namedEffect(at *world.Vec3, name string, volume float64, config registry.Object) cue {
	return cue{at: at, volume: volume, secs: EffectLength, payload: func(h Handle) any {
		return effect{Handle: h, Name: name, Bus: BusSFX, Volume: volume, Config: config}
	}}
}
