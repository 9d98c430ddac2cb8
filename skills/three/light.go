package three

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/given"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// SetLightIn is the input of three.setLight.
type SetLightIn struct {
	Entity    world.ID `json:"entity" jsonschema_description:"What shines: a bulb, a globe, or a group. The light comes from its middle and goes with it; its own shape is in no one's light and throws no shadow."`
	Kind      string   `json:"kind,omitempty" validate:"omitempty,oneof=point spot off" jsonschema_description:"point, that of a new lamp, shines all around, spot in a cone along the entity's front (+z), which scene.place facing turns to a target, up and down too, once it is a spot; off takes the light away."`
	Color     *uint32  `json:"color,omitempty" validate:"omitempty,gte=0,lte=16777215" jsonschema_description:"Colour of the light as 0xRRGGBB in decimal. A new lamp has a warm white, 16769212."`
	Intensity *float64 `json:"intensity,omitempty" validate:"omitempty,gte=0,lte=100" jsonschema_description:"How bright it makes what is beside it: 1, that of a new lamp, is as bright as day. It grows less to nothing at range."`
	Range     *float64 `json:"range,omitempty" validate:"omitempty,gt=0,lte=1000" jsonschema_description:"How far it reaches, in metres: a street lamp, and a new one, 12, a candle 3, a lighthouse 200."`
	Angle     *float64 `json:"angle,omitempty" validate:"omitempty,gt=0,lte=3.14" jsonschema_description:"Of a spot: how wide its cone is from edge to edge, in radians, 0.8 of a new one."`

	Toward *world.Vec3 `json:"toward,omitempty" jsonschema_description:"Of a spot, which a new lamp with it is: the place x, y, z that it shines at; the entity is turned so."`
}

// Lamp is a light that comes from an entity, as [SetLightIn] says it.
type Lamp struct {
	Kind      string  `json:"kind" validate:"oneof=point spot off" jsonschema:"default=point"`
	Color     uint32  `json:"color" validate:"gte=0,lte=16777215" jsonschema:"default=16769212"`
	Intensity float64 `json:"intensity" validate:"gte=0,lte=100" jsonschema:"default=1"`
	Range     float64 `json:"range" validate:"gt=0,lte=1000" jsonschema:"default=12"`
	Angle     float64 `json:"angle" validate:"gt=0,lte=3.14" jsonschema:"default=0.8"`
}

// Light makes an entity this lamp, or none. It fails if there is no such entity.
func (l *Lamp) Light(w *world.World, tx *world.Tx, id world.ID) error {
	if !tx.Exists(id) {
		return tx.Unknown(id)
	}
	if l.Kind == "off" {
		w.Lights.Remove(tx, id)
		return nil
	}
	light := world.Light{Kind: l.Kind, Color: l.Color, Intensity: l.Intensity, Range: l.Range}
	if l.Kind == "spot" {
		light.Angle = l.Angle
	}
	if was, ok := w.Lights.Get(&tx.View, id); ok && was == light {
		return nil
	}
	return w.Lights.Set(tx, id, light)
}

// SetLight is three.setLight.
func SetLight(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[SetLightIn, Done]{
		Name:  "three.setLight",
		Title: "Make a lamp",
		Description: "Make an entity a lamp that lights what is around it: a street lamp, a candle, a lantern, a spotlight. Of a lamp what is left out stays as it is. It shows best after dark, see world.setTime; " +
			`for the sun, and the light that is everywhere, use three.setLighting. Example: {"entity":"ent_3","color":16769212,"intensity":1,"range":12}`,
		Keywords:    "lamp bulb lantern candle torch point spot shine glow emissive light source",
		Sets:        "light lamp",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetLightIn) (Done, error) {
			return world.Do(w, c, func(tx *world.Tx) (Done, error) {
				was, _ := w.Lights.Get(&tx.View, in.Entity)
				lamp := in.over(was)
				if err := lamp.Light(w, tx, in.Entity); err != nil {
					return Done{}, err
				}
				switch {
				case in.Toward != nil && lamp.Kind != "spot":
					return Done{}, registry.Invalidf("toward: is for a spot, and this lamp is of the kind %s", lamp.Kind)
				case in.Toward != nil:
					return Done{OK: true}, turn(tx, in.Entity, *in.Toward)
				}
				return Done{OK: true, Note: level(&tx.View, in.Entity, lamp.Kind, was.Kind)}, nil
			})
		},
	})
}

// turn has the front of an entity be towards a place.
func turn(tx *world.Tx, id world.ID, place world.Vec3) error {
	at, _ := tx.WorldTransform(id)
	way := place.Sub(at.Position)
	if way.Len() < 1e-6 {
		return registry.Invalidf("toward: is where %s is; give a place that it can shine at", id)
	}
	at.Rotation = world.QuatBetween(world.Vec3{0, 0, 1}, way.Scale(1/way.Len()))
	own, _ := tx.Transform(id)
	own.Rotation = tx.InSpaceOf(tx.Parent(id), at).Rotation
	return tx.SetTransform(id, own)
}

// level says of a new spot that nobody has turned where it shines.
func level(v *world.View, id world.ID, is, was string) string {
	at, _ := v.WorldTransform(id)
	if is != "spot" || was == "spot" || at.Rotation != world.NoRotation() {
		return ""
	}
	below := at.Position
	below[1] = 0
	return fmt.Sprintf("it shines level, towards +z; toward [%v,%v,%v] has it shine at the ground below", shown.Number(below[0]), below[1], shown.Number(below[2]))
}

// over returns the lamp that is asked for, where there was a light, or none if that is zero.
func (in *SetLightIn) over(was world.Light) Lamp {
	lamp := registry.Default[Lamp]()
	if was.Kind != "" {
		lamp.Kind, lamp.Color, lamp.Intensity, lamp.Range = was.Kind, was.Color, was.Intensity, was.Range
	}
	if was.Kind == "spot" {
		lamp.Angle = was.Angle
	}
	switch {
	case in.Kind != "":
		lamp.Kind = in.Kind
	case in.Toward != nil && was.Kind == "":
		lamp.Kind = "spot"
	}
	given.Set(&lamp.Color, in.Color)
	given.Set(&lamp.Intensity, in.Intensity)
	given.Set(&lamp.Range, in.Range)
	given.Set(&lamp.Angle, in.Angle)
	return lamp
}
