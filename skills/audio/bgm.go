package audio

import (
	"bytes"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Music is the music that is wanted: the global "audio.music". Viewers play it, going over from what
// they played before within FadeSecs.
type Music struct {
	TrackID  string          `json:"trackId"` // a name that viewers resolve; "" for none
	Volume   float64         `json:"volume"`
	Loop     bool            `json:"loop"`
	Config   registry.Object `json:"config,omitempty"`
	FadeSecs float64         `json:"fadeSecs"`
	Since    uint64          `json:"since"` // simulation step from which on it is wanted
}

// same reports whether both want the same to be heard.
func (m Music) same(o Music) bool {
	return m.TrackID == o.TrackID && m.Volume == o.Volume && m.Loop == o.Loop && bytes.Equal(m.Config, o.Config)
}

// want sets the music, unless the same is wanted already.
func (s *Sounds) want(c *registry.Call, m Music, meta registry.Object) (DoneOut, error) {
	if err := checkText(m.TrackID, m.Config); err != nil {
		return DoneOut{}, err
	}
	return world.Do(s.w, c, func(tx *world.Tx) (DoneOut, error) {
		m.Since = tx.Step()
		if !m.same(s.music.Get(&tx.View)) {
			if err := s.music.Set(tx, m); err != nil {
				return DoneOut{}, err
			}
		}
		return DoneOut{OK: true}, c.Emit(EventMusic, musicSet{TrackID: m.TrackID, Volume: m.Volume, Loop: m.Loop, Meta: meta})
	})
}

// moods are the words of a track's name by which the page of package viewer makes music, and others like these.
const moods = "calm, happy, battle, dark, sad, mystery, epic"

// PlayBGMIn is the input of audio.playBGM.
type PlayBGMIn struct {
	TrackID string          `json:"trackId" validate:"min=1" jsonschema_description:"Name of the track, as the viewers know it: \"calm_forest\"."`
	Volume  float64         `json:"volume" validate:"gte=0,lte=1" jsonschema:"default=0.5" jsonschema_description:"0 is silent, 1 is full volume."`
	Loop    bool            `json:"loop" jsonschema:"default=true" jsonschema_description:"Begin again at the end."`
	Config  registry.Object `json:"config,omitempty" jsonschema_description:"Handed to the viewers as it is."`
	Meta    registry.Object `json:"meta,omitempty" jsonschema_description:"Recorded with the call's event; changes nothing."`
}

// PlayBGM is audio.playBGM.
func PlayBGM(s *Sounds) registry.Skill {
	return registry.Define(registry.Spec[PlayBGMIn, DoneOut]{
		Name:  "audio.playBGM",
		Title: "Play background music",
		Description: "Set the background music of the world, in the place of any other, at once. Tracks are names that viewers resolve: the page at /view makes music of any, in the mood that a word of it says, " + moods + " or one like these. Use audio.setBGM to cross-fade into another track, audio.ambient for a background sound that is no music." +
			` Example: {"trackId":"calm","volume":0.4}`,
		Permissions: []profiles.Permission{"audio.play"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in PlayBGMIn) (DoneOut, error) {
			return s.want(c, Music{TrackID: in.TrackID, Volume: in.Volume, Loop: in.Loop, Config: in.Config}, in.Meta)
		},
	})
}

// StopBGMIn is the input of audio.stopBGM.
type StopBGMIn struct {
	FadeMs float64         `json:"fadeMs" validate:"gte=0" jsonschema:"default=500" jsonschema_description:"Fade out over this many milliseconds."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Recorded with the call's event; changes nothing."`
}

// StopBGM is audio.stopBGM.
func StopBGM(s *Sounds) registry.Skill {
	return registry.Define(registry.Spec[StopBGMIn, DoneOut]{
		Name:  "audio.stopBGM",
		Title: "Stop the background music",
		Description: "Fade the background music out, if there is any. Use audio.stop for ambient beds and other sounds." +
			` Example: {"fadeMs":1000}`,
		Keywords:    "mute silence",
		Permissions: []profiles.Permission{"audio.play"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in StopBGMIn) (DoneOut, error) {
			return s.want(c, Music{FadeSecs: in.FadeMs / 1000}, in.Meta)
		},
	})
}

// SetBGMIn is the input of audio.setBGM.
type SetBGMIn struct {
	TrackID  string          `json:"trackId" validate:"min=1" jsonschema_description:"Name of the track, as the viewers know it: \"battle\"."`
	Duration float64         `json:"duration" validate:"gt=0" jsonschema:"default=1" jsonschema_description:"How many seconds the change takes."`
	Volume   float64         `json:"volume" validate:"gte=0,lte=1" jsonschema:"default=0.5" jsonschema_description:"0 is silent, 1 is full volume."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Recorded with the call's event; changes nothing."`
}

// SetBGM is audio.setBGM.
func SetBGM(s *Sounds) registry.Skill {
	return registry.Define(registry.Spec[SetBGMIn, DoneOut]{
		Name:  "audio.setBGM",
		Title: "Cross-fade the background music",
		Description: "Change to another track smoothly: the old one fades out while the new one, which loops, fades in. Use audio.playBGM to change at once or to play a track only once." +
			` Example: {"trackId":"battle","duration":2}`,
		Permissions: []profiles.Permission{"audio.play"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetBGMIn) (DoneOut, error) {
			return s.want(c, Music{TrackID: in.TrackID, Volume: in.Volume, Loop: true, FadeSecs: in.Duration}, in.Meta)
		},
	})
}
