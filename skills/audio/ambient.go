package audio

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// AmbientIn is the input of audio.ambient.
type AmbientIn struct {
	Bus    Bus      `json:"bus,omitempty" validate:"oneof=master sfx ambience voice" jsonschema_description:"Which sort of sound it is; ambience if left out."`
	Volume *float64 `json:"volume,omitempty" validate:"gte=0,lte=1" jsonschema_description:"0 is silent, 1 is full volume; 1 if left out."`
}

// Bed is an ambient bed: a row of the table "audio.beds", by its handle.
type Bed struct {
	Bus    Bus     `json:"bus"`
	Volume float64 `json:"volume"`
	Since  uint64  `json:"since"`        // simulation step at which it began
	By     string  `json:"by,omitempty"` // who began it
}

// Ambient is audio.ambient.
func Ambient(s *Sounds) registry.Skill {
	return registry.Define(registry.Spec[AmbientIn, SoundOut]{
		Name:  "audio.ambient",
		Title: "Start an ambient bed",
		Description: "Start a synthesised background sound, like wind, that goes on until audio.stop and that those who come later hear too. Use audio.playBGM for music." +
			` Example: {"bus":"ambience","volume":0.4}`,
		Keywords:    "wind rain noise atmosphere hear sea wave surf beach stream forest bird cricket crowd background",
		Permissions: []profiles.Permission{"audio.play"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in AmbientIn) (SoundOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (SoundOut, error) {
				by := c.Principal().ID
				of := share.Kept{Most: MaxBeds, What: "ambient beds", Free: "audio.stop ends one"}
				if err := share.RoomIn(&tx.View, &of, s.beds.All(&tx.View), by, func(b *Bed) string { return b.By }); err != nil {
					return SoundOut{}, err
				}
				h, err := s.next(tx)
				if err != nil {
					return SoundOut{}, err
				}
				bed := Bed{Bus: in.Bus.or(BusAmbience), Volume: loudness(in.Volume), Since: tx.Step(), By: by}
				if err := s.beds.Set(tx, h, bed); err != nil {
					return SoundOut{}, err
				}
				return SoundOut{Handle: h}, c.Emit(EventStarted, started{Handle: h, Skill: c.Skill().Name})
			})
		},
	})
}
