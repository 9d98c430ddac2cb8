package three

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/given"
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
				return Done{OK: true}, lamp.Light(w, tx, in.Entity)
			})
		},
	})
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
	if in.Kind != "" {
		lamp.Kind = in.Kind
	}
	given.Set(&lamp.Color, in.Color)
	given.Set(&lamp.Intensity, in.Intensity)
	given.Set(&lamp.Range, in.Range)
	given.Set(&lamp.Angle, in.Angle)
	return lamp
}
