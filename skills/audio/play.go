package audio

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// PlayIn is the input of audio.play.
type PlayIn struct {
	Freq   float64  `json:"freq" validate:"gt=0" jsonschema_description:"Pitch in hertz: 440 is concert A."`
	Secs   float64  `json:"secs" validate:"gt=0,lte=10" jsonschema_description:"Length in seconds."`
	Bus    Bus      `json:"bus,omitempty" validate:"oneof=master sfx ambience voice" jsonschema_description:"Which sort of sound it is; sfx if left out."`
	Volume *float64 `json:"volume,omitempty" validate:"gte=0,lte=1" jsonschema_description:"0 is silent, 1 is full volume; 1 if left out."`
}

// SoundOut is the output of the skills that start a sound.
type SoundOut struct {
	Handle Handle `json:"handle" jsonschema_description:"Names the sound in audio.stop and audio.setVolume, for as long as it sounds."`
}

// blip is what viewers get of a synthesised sound.
type blip struct {
	Handle      Handle   `json:"handle"`
	Freq        float64  `json:"freq"`
	Secs        float64  `json:"secs"`
	Bus         Bus      `json:"bus"`
	Volume      float64  `json:"volume"`
	MaxDistance *float64 `json:"maxDistance,omitempty"`
}

// Play is audio.play.
func Play(s *Sounds) registry.Skill {
	return registry.Define(registry.Spec[PlayIn, SoundOut]{
		Name:  "audio.play",
		Title: "Play a tone",
		Description: "Play one synthesised tone that everybody hears at the same volume, like a signal. Use audio.playAt for a tone that comes from a place, audio.playSFX for a named effect." +
			` Example: {"freq":880,"secs":0.3}`,
		Permissions: []profiles.Permission{"audio.play"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in PlayIn) (SoundOut, error) {
			volume := loudness(in.Volume)
			h, err := s.play(c, cue{volume: volume, secs: in.Secs, payload: func(h Handle) any {
				return blip{Handle: h, Freq: in.Freq, Secs: in.Secs, Bus: in.Bus.or(BusSFX), Volume: volume}
			}})
			return SoundOut{Handle: h}, err
		},
	})
}

// PlayAtIn is the input of audio.playAt.
type PlayAtIn struct {
	Freq        float64    `json:"freq" validate:"gt=0" jsonschema_description:"Pitch in hertz: 440 is concert A."`
	Secs        float64    `json:"secs" validate:"gt=0,lte=10" jsonschema_description:"Length in seconds."`
	Position    world.Vec3 `json:"position" jsonschema_description:"Where it comes from, [x, y, z] in metres."`
	Bus         Bus        `json:"bus,omitempty" validate:"oneof=master sfx ambience voice" jsonschema_description:"Which sort of sound it is; sfx if left out."`
	Volume      *float64   `json:"volume,omitempty" validate:"gte=0,lte=1" jsonschema_description:"0 is silent, 1 is full volume; 1 if left out."`
	MaxDistance *float64   `json:"maxDistance,omitempty" validate:"gte=0" jsonschema_description:"Nobody farther away than this many metres hears it."`
}

// PlayAt is audio.playAt.
func PlayAt(s *Sounds) registry.Skill {
	return registry.Define(registry.Spec[PlayAtIn, SoundOut]{
		Name:  "audio.playAt",
		Title: "Play a tone at a place",
		Description: "Play one synthesised tone that comes from a place in the world and fades with distance. Use audio.play for a tone that everybody hears alike." +
			` Example: {"freq":440,"secs":0.5,"position":[0,1,5]}`,
		Permissions: []profiles.Permission{"audio.play"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in PlayAtIn) (SoundOut, error) {
			volume := loudness(in.Volume)
			h, err := s.play(c, cue{at: &in.Position, volume: volume, secs: in.Secs, payload: func(h Handle) any {
				return blip{
					Handle: h, Freq: in.Freq, Secs: in.Secs, Bus: in.Bus.or(BusSFX), Volume: volume,
					MaxDistance: in.MaxDistance,
				}
			}})
			return SoundOut{Handle: h}, err
		},
	})
}

// loudness returns the volume, or full volume where nothing is said.
func loudness(volume *float64) float64 {
	if volume == nil {
		return 1
	}
	return *volume
}
