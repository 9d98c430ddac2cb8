package three

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// SetLightIn is the input of three.setLight.
type SetLightIn struct {
	Entity    world.ID `json:"entity" jsonschema_description:"What shines: a bulb, a globe, or a group. The light comes from its middle and goes with it; its own shape is in no one's light and throws no shadow."`
	Kind      string   `json:"kind" validate:"oneof=point spot off" jsonschema:"default=point" jsonschema_description:"point shines all around, spot in a cone along the entity's front (+z), which scene.place facing turns to a target, up and down too, once it is a spot; off takes the light away."`
	Color     uint32   `json:"color" validate:"gte=0,lte=16777215" jsonschema:"default=16769212" jsonschema_description:"Colour of the light as 0xRRGGBB in decimal. The default is a warm white."`
	Intensity float64  `json:"intensity" validate:"gte=0,lte=100" jsonschema:"default=1" jsonschema_description:"How bright it makes what is beside it: 1 is as bright as day. It grows less to nothing at range."`
	Range     float64  `json:"range" validate:"gt=0,lte=1000" jsonschema:"default=12" jsonschema_description:"How far it reaches, in metres: a street lamp 12, a candle 3, a lighthouse 200."`
	Angle     float64  `json:"angle" validate:"gt=0,lte=3.14" jsonschema:"default=0.8" jsonschema_description:"Of a spot: how wide its cone is from edge to edge, in radians."`
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
		Description: "Make an entity a lamp that lights what is around it: a street lamp, a candle, a lantern, a spotlight. Calling it again changes the lamp. It shows best after dark, see world.setTime; " +
			`for the sun, and the light that is everywhere, use three.setLighting. Example: {"entity":"ent_3","color":16769212,"intensity":1,"range":12}`,
		Keywords:    "lamp bulb lantern candle torch point spot shine glow emissive light source",
		Sets:        "light lamp",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetLightIn) (Done, error) {
			return world.Do(w, c, func(tx *world.Tx) (Done, error) {
				lamp := Lamp{in.Kind, in.Color, in.Intensity, in.Range, in.Angle}
				return Done{OK: true}, lamp.Light(w, tx, in.Entity)
			})
		},
	})
}
