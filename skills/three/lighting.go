package three

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// SetLightingIn is the input of three.setLighting.
type SetLightingIn struct {
	AmbientColor         uint32     `json:"ambientColor" validate:"gte=0,lte=16777215" jsonschema:"default=4210784" jsonschema_description:"Colour of the light that is everywhere, as 0xRRGGBB in decimal."`
	AmbientIntensity     float64    `json:"ambientIntensity" validate:"gte=0,lte=10" jsonschema:"default=1.2" jsonschema_description:"Strength of the light that is everywhere."`
	DirectionalColor     uint32     `json:"directionalColor" validate:"gte=0,lte=16777215" jsonschema:"default=16777215" jsonschema_description:"Colour of the sun, as 0xRRGGBB in decimal."`
	DirectionalIntensity float64    `json:"directionalIntensity" validate:"gte=0,lte=10" jsonschema:"default=3" jsonschema_description:"Strength of the sun."`
	Direction            world.Vec3 `json:"direction" jsonschema:"default=5 9 6" jsonschema_description:"Where the sun is, seen from the origin. Not all zeros."`
	CastShadow           bool       `json:"castShadow" jsonschema:"default=false" jsonschema_description:"Whether the sun throws shadows."`
	ShadowMapSize        int        `json:"shadowMapSize" validate:"gte=256,lte=4096" jsonschema:"default=2048" jsonschema_description:"Edge length of the shadow map in pixels."`
	ShadowCameraExtent   float64    `json:"shadowCameraExtent" validate:"gt=0,lte=500" jsonschema:"default=20" jsonschema_description:"How far from the origin shadows reach, in metres."`
	ShadowCameraNear     float64    `json:"shadowCameraNear" validate:"gt=0" jsonschema:"default=0.5" jsonschema_description:"Where the shadow camera begins to see, in metres from the sun."`
	ShadowCameraFar      float64    `json:"shadowCameraFar" validate:"gt=0" jsonschema:"default=120" jsonschema_description:"Where the shadow camera ceases to see, in metres; beyond shadowCameraNear."`
	ShadowBias           float64    `json:"shadowBias" validate:"gte=-0.01,lte=0.01" jsonschema:"default=-0.0008" jsonschema_description:"Offset against shadows that a surface throws on itself."`
}

// SetLighting is three.setLighting.
func SetLighting(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[SetLightingIn, Done]{
		Name:  "three.setLighting",
		Title: "Light the scene",
		Description: "Set the light of the whole scene: one that is everywhere and one sun. What is left out takes its default, not what it was before. " +
			`For the time of day use world.setTime. Example, a low warm sun with shadows: {"directionalColor":16766112,"direction":[-8,3,4],"castShadow":true}`,
		Keywords:    "lamp brighter darker dark ambient sun shadow",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetLightingIn) (Done, error) {
			switch {
			case in.Direction == world.Vec3{}:
				return Done{}, registry.Invalidf("direction: must not be all zeros")
			case in.ShadowCameraFar <= in.ShadowCameraNear:
				return Done{}, registry.Invalidf("shadowCameraFar: must be greater than shadowCameraNear, which is %g, got %g", in.ShadowCameraNear, in.ShadowCameraFar)
			}
			return world.Do(w, c, func(tx *world.Tx) (Done, error) {
				light := world.Lighting(in)
				if light == w.Environment.Lighting.Get(&tx.View) {
					return Done{OK: true}, nil
				}
				return Done{OK: true}, w.Environment.Lighting.Set(tx, light)
			})
		},
	})
}
