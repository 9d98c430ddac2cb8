package audio

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Bus is a channel of the mixer: sounds of one sort, whose volume is set together. Everything goes
// through master in the end.
type Bus string

// The buses.
const (
	BusMaster   Bus = "master"
	BusSFX      Bus = "sfx"
	BusAmbience Bus = "ambience"
	BusVoice    Bus = "voice"
)

// or returns b, or what is meant where nothing is said.
func (b Bus) or(usual Bus) Bus {
	if b == "" {
		return usual
	}
	return b
}

// Mixer is the volume of each bus: the global "audio.mixer".
type Mixer struct {
	Master   float64 `json:"master"`
	SFX      float64 `json:"sfx"`
	Ambience float64 `json:"ambience"`
	Voice    float64 `json:"voice"`
}

// with returns the mixer with the volume of one bus set.
func (m Mixer) with(b Bus, volume float64) Mixer {
	switch b {
	case BusSFX:
		m.SFX = volume
	case BusAmbience:
		m.Ambience = volume
	case BusVoice:
		m.Voice = volume
	default:
		m.Master = volume
	}
	return m
}

// SetBusVolumeIn is the input of audio.setBusVolume.
type SetBusVolumeIn struct {
	Bus    Bus     `json:"bus" validate:"oneof=master sfx ambience voice" jsonschema_description:"Which sounds: effects, ambience, voices, or all of them (master)."`
	Volume float64 `json:"volume" validate:"gte=0,lte=1" jsonschema_description:"0 is silent, 1 is full volume."`
}

// DoneOut is the output of skills that set something.
type DoneOut struct {
	OK bool `json:"ok" jsonschema_description:"True: it is as asked for."`
}

// SetBusVolume is audio.setBusVolume.
func SetBusVolume(s *Sounds) registry.Skill {
	return registry.Define(registry.Spec[SetBusVolumeIn, DoneOut]{
		Name:  "audio.setBusVolume",
		Title: "Set the volume of a bus",
		Description: "Set how loud all sounds of one sort are, for everybody. Use audio.setVolume for a single sound." +
			` Example: {"bus":"ambience","volume":0.3}`,
		Keywords:    "mute louder quieter loud quiet",
		Permissions: []profiles.Permission{"audio.play"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetBusVolumeIn) (DoneOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (DoneOut, error) {
				old := s.mixer.Get(&tx.View)
				if m := old.with(in.Bus, in.Volume); m != old {
					if err := s.mixer.Set(tx, m); err != nil {
						return DoneOut{}, err
					}
				}
				return DoneOut{OK: true}, c.Emit(EventBus, busSet(in))
			})
		},
	})
}
