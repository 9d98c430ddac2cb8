package environment

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// SetSkyIn is the input of world.setSky.
type SetSkyIn struct {
	Sky    string          `json:"sky" validate:"oneof=air space" jsonschema_description:"air: by the hour of the day and the weather. space: black all around, with stars, as on the moon or far from everything."`
	Ground *bool           `json:"ground,omitempty" jsonschema_description:"Whether level ground is shown at height 0, where there is no generated one. Left out: yes under air, no in space. Nothing stands on it: that takes a body."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event world.skySet."`
}

// skySet is the payload of EventSky.
type skySet struct {
	Sky    string          `json:"sky"`
	Ground bool            `json:"ground"`
	Meta   registry.Object `json:"meta,omitempty"`
}

// SetSky is world.setSky.
func SetSky(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[SetSkyIn, Done]{
		Name:  "world.setSky",
		Title: "Set what is behind everything",
		Description: "Set the sky of the world, and whether level ground is shown below it: for a space station, the moon, or islands that hang in the air. For the light use three.setLighting, for the hour world.setTime, for how things fall physics.setGravity. " +
			`Example, the moon: {"sky":"space","ground":true}; islands in the air: {"sky":"air","ground":false}`,
		Keywords:    "stars space background horizon universe void floor plane backdrop skybox",
		Permissions: []profiles.Permission{"world.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetSkyIn) (Done, error) {
			ground := in.Sky == "air"
			if in.Ground != nil {
				ground = *in.Ground
			}
			return world.Do(w, c, func(tx *world.Tx) (Done, error) {
				if err := set(tx, w.Environment.Sky, world.Sky{Kind: in.Sky, Bare: !ground}); err != nil {
					return Done{}, err
				}
				return Done{OK: true}, c.Emit(EventSky, skySet{in.Sky, ground, in.Meta})
			})
		},
	})
}
