package vfx

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// CreateIn is the input of vfx.create.
type CreateIn struct {
	Config Config          `json:"config" jsonschema_description:"What its particles are like; {} is a small white fountain."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event vfx.created."`
}

// CreateOut is the output of the skills that make an emitter.
type CreateOut struct {
	ID   Handle `json:"vfxId" jsonschema_description:"Names the emitter for vfx.play, vfx.attach and the like."`
	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

func (e *Effects) create() registry.Skill {
	return registry.Define(registry.Spec[CreateIn, CreateOut]{
		Name:  "vfx.create",
		Title: "Make a particle emitter",
		Description: "Make an emitter of particles: fire, smoke, sparks, a fountain, falling leaves. It is still until vfx.play, and stands at config.config.position until vfx.attach puts it at an entity. Viewers and scene.render show it. For an explosion that goes by itself use vfx.atPosition. " +
			`Example, a fire: {"config":{"startColor":[1,0.6,0.1,1],"endColor":[0.8,0.1,0,0],"startSize":0.3,"emissionRate":40,"lifetime":1,"gravity":1,"config":{"position":[0,0.2,0]}}}`,
		Keywords:    "particle particles fire flame smoke sparks fountain magic campfire torch steam dust snow bubbles effect",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in CreateIn) (CreateOut, error) {
			at, size, err := in.Config.extra()
			if err != nil {
				return CreateOut{}, err
			}
			return world.Do(e.w, c, func(tx *world.Tx) (CreateOut, error) {
				h, err := e.add(tx, c.Principal().Owner(), Emitter{Config: in.Config, Radius: size, Position: at})
				if err != nil {
					return CreateOut{}, err
				}
				return CreateOut{h, in.Config.doubt()}, c.Emit("vfx.created", event{h, in.Meta})
			})
		},
	})
}

// doubt says what of a config that is good may be a mistake, "" if nothing.
func (c *Config) doubt() string {
	switch {
	case c.EmissionRate == 0:
		return "it emits nothing: emissionRate is 0"
	case c.StartColor[3] <= 0 && c.EndColor[3] <= 0:
		return "nothing of it will be seen: the opacity of startColor and of endColor is 0"
	}
	return ""
}
