package audio

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/handle"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// Zone is a ball of space that echoes: a row of the table "audio.reverb", by its id.
type Zone struct {
	Position world.Vec3 `json:"position"`
	Radius   float64    `json:"radius"`
	Size     float64    `json:"size"`
	Decay    float64    `json:"decay"`
	Damping  float64    `json:"damping"`
	By       string     `json:"by,omitempty"` // who made it
}

// zoneID names a zone: "rvb_<n>".
type zoneID = handle.Of[reverbZone]

type reverbZone struct{}

func (reverbZone) Prefix() string { return "rvb_" }
func (reverbZone) Noun() string   { return "zone" }

// SetReverbIn is the input of audio.setReverb.
type SetReverbIn struct {
	Position world.Vec3      `json:"position" jsonschema_description:"Middle of the zone, [x, y, z] in metres."`
	Radius   float64         `json:"radius" validate:"gt=0" jsonschema_description:"Sounds and listeners within this many metres of the middle are in the zone."`
	Size     float64         `json:"size" validate:"gt=0" jsonschema:"default=1" jsonschema_description:"How large the space sounds: 1 is a room, 10 a hall."`
	Decay    float64         `json:"decay" validate:"gt=0" jsonschema:"default=1" jsonschema_description:"How many seconds the echo takes to die away."`
	Damping  float64         `json:"damping" validate:"gte=0,lte=1" jsonschema:"default=0.5" jsonschema_description:"How much the walls swallow of the high tones: 0 is bare stone, 1 thick carpet."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Recorded with the call's event; changes nothing."`
}

// SetReverbOut is the output of audio.setReverb.
type SetReverbOut struct {
	ZoneID string `json:"zoneId" jsonschema_description:"Names the zone."`
}

// SetReverb is audio.setReverb.
func SetReverb(s *Sounds) registry.Skill {
	return registry.Define(registry.Spec[SetReverbIn, SetReverbOut]{
		Name:  "audio.setReverb",
		Title: "Set a reverb zone",
		Description: "Give a place its echo, like a hall or a cave. Calling it again with the same position and radius changes that zone and keeps its id. Use audio.ambient for a background sound." +
			` Example: {"position":[0,2,0],"radius":10,"decay":2.5}`,
		Keywords:    "echo",
		Permissions: []profiles.Permission{"audio.play"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetReverbIn) (SetReverbOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (SetReverbOut, error) {
				id, err := s.setZone(tx, Zone{in.Position, in.Radius, in.Size, in.Decay, in.Damping, c.Principal().ID})
				if err != nil {
					return SetReverbOut{}, err
				}
				return SetReverbOut{ZoneID: id.String()}, c.Emit(EventReverb, reverbSet{ZoneID: id, Meta: in.Meta})
			})
		},
	})
}

// setZone puts a zone in the place of the one that covers the same ball, or else adds it.
func (s *Sounds) setZone(tx *world.Tx, z Zone) (zoneID, error) {
	for id, old := range s.reverb.All(&tx.View) {
		if old.Position == z.Position && old.Radius == z.Radius {
			if z.By = old.By; old == z {
				return id, nil
			}
			return id, s.reverb.Set(tx, id, z)
		}
	}
	of := share.Kept{Most: MaxZones, What: "reverb zones", Free: "audio.stop takes one away, by its zoneId, or change one, by its position and radius"}
	if err := share.RoomIn(&tx.View, &of, s.reverb.All(&tx.View), z.By, func(z *Zone) string { return z.By }); err != nil {
		return 0, err
	}
	id := zoneID(s.reverb.Next(tx) - 1)
	return id, s.reverb.Set(tx, id, z)
}

// takeZone takes a zone away.
func (s *Sounds) takeZone(tx *world.Tx, id zoneID) error {
	if s.reverb.Delete(tx, id) {
		return nil
	}
	var all []zoneID
	for other := range s.reverb.All(&tx.View) {
		all = append(all, other)
	}
	if len(all) == 0 {
		return registry.Failf("there is no reverb zone %v; there is none at all", id)
	}
	return registry.Failf("there is no reverb zone %v; %s", id, handle.Nearest(all, id))
}
