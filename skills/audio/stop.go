package audio

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/handle"
	"github.com/limina-mcp/limina/world"
)

// StopIn is the input of audio.stop.
type StopIn struct {
	Handle string `json:"handle" jsonschema_description:"Handle of the sound, as the skill that started it returned it, \"snd_3\", or the zoneId of a zone of audio.setReverb, \"rvb_0\", to take that away."`
}

// SoundingOut is the output of the skills that change a sound.
type SoundingOut struct {
	OK bool `json:"ok" jsonschema_description:"False if the sound has ended already, so that there was nothing to do."`
}

// Stop is audio.stop.
func Stop(s *Sounds) registry.Skill {
	return registry.Define(registry.Spec[StopIn, SoundingOut]{
		Name:  "audio.stop",
		Title: "Stop a sound",
		Description: "Stop a sound by its handle, an ambient bed too; take away a reverb zone by its zoneId. Use audio.stopBGM for music, and audio.setVolume to make a sound quieter." +
			` Example: {"handle":"snd_0"}`,
		Permissions: []profiles.Permission{"audio.play"},
		Effect:      registry.Destroys,
		Idempotent:  true,
		Handle: func(c *registry.Call, in StopIn) (SoundingOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (SoundingOut, error) {
				if zone, err := handle.Parse[reverbZone](in.Handle); err == nil {
					if err := s.takeZone(tx, zone); err != nil {
						return SoundingOut{}, err
					}
					return SoundingOut{OK: true}, c.Emit(EventStopped, stopped{zone.String()})
				}
				h, sounds, err := s.find(&tx.View, in.Handle)
				if err != nil || !sounds {
					return SoundingOut{}, err
				}
				if err := s.stop(tx, h); err != nil {
					return SoundingOut{}, err
				}
				return SoundingOut{OK: true}, c.Emit(EventStopped, stopped{h.String()})
			})
		},
	})
}

// stop ends a sound that sounds. Viewers see of a bed that it is gone; of anything else they have to
// be told.
func (s *Sounds) stop(tx *world.Tx, h Handle) error {
	if s.beds.Delete(tx, h) {
		return nil
	}
	s.once.Delete(tx, h)
	return moment(tx, "audio.stop", nil, stopped{h.String()})
}

// SetVolumeIn is the input of audio.setVolume.
type SetVolumeIn struct {
	Handle string  `json:"handle" jsonschema_description:"Handle of the sound, as the skill that started it returned it: \"snd_3\"."`
	Volume float64 `json:"volume" validate:"gte=0,lte=1" jsonschema_description:"0 is silent, 1 is full volume."`
}

// SetVolume is audio.setVolume.
func SetVolume(s *Sounds) registry.Skill {
	return registry.Define(registry.Spec[SetVolumeIn, SoundingOut]{
		Name:  "audio.setVolume",
		Title: "Set the volume of a sound",
		Description: "Set how loud one sound is, by its handle, while it sounds. Use audio.setBusVolume for all sounds of a sort." +
			` Example: {"handle":"snd_0","volume":0.2}`,
		Keywords:    "mute louder quieter loud quiet",
		Permissions: []profiles.Permission{"audio.play"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetVolumeIn) (SoundingOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (SoundingOut, error) {
				h, sounds, err := s.find(&tx.View, in.Handle)
				if err != nil || !sounds {
					return SoundingOut{}, err
				}
				if err := s.setVolume(tx, h, in.Volume); err != nil {
					return SoundingOut{}, err
				}
				return SoundingOut{OK: true}, c.Emit(EventVolume, volumeSet{h, in.Volume})
			})
		},
	})
}

// setVolume sets the volume of a sound that sounds.
func (s *Sounds) setVolume(tx *world.Tx, h Handle, volume float64) error {
	if bed, ok := s.beds.Get(&tx.View, h); ok {
		if bed.Volume == volume {
			return nil
		}
		bed.Volume = volume
		return s.beds.Set(tx, h, bed)
	}
	o, _ := s.once.Get(&tx.View, h)
	if o.Volume == volume {
		return nil
	}
	o.Volume = volume
	if err := s.once.Set(tx, h, o); err != nil {
		return err
	}
	return moment(tx, "audio.setVolume", nil, volumeSet{h, volume})
}
