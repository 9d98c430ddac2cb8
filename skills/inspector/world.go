package inspector

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// World is what belongs to no entity.
type World struct {
	Tick        uint64          `json:"tick" jsonschema_description:"The number of the newest commit."`
	Step        uint64          `json:"step" jsonschema_description:"How many simulation steps were taken."`
	StepRate    int             `json:"stepRate" jsonschema_description:"How many steps make a second."`
	Environment registry.Object `json:"environment" jsonschema_description:"Time of day, weather, time scale, spawn point, lighting, and what render.enablePost does to pictures."`
}

func worldOf(v *world.View) World {
	w := v.World()
	return World{Tick: v.Tick(), Step: v.Step(), StepRate: w.StepRate(), Environment: registry.Object(scene.Environment(v))}
}

// Resources says what is loaded.
type Resources struct {
	Counts map[string]int    `json:"counts" jsonschema_description:"How many entities have a shape, a material, a body, a light."`
	Loaded []registry.Object `json:"loaded" jsonschema_description:"Files that were loaded."`
}

func (d Deps) resources(v *world.View) Resources {
	w := v.World()
	return Resources{Counts: map[string]int{
		"shapes": w.Shapes.Len(v), "materials": w.Materials.Len(v), "bodies": w.Bodies.Len(v), "lights": w.Lights.Len(v),
	}}
}
