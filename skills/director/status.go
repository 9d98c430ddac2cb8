package director

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// StatusOut is the output of director.status.
type StatusOut struct {
	Running        bool     `json:"running" jsonschema_description:"Whether it runs."`
	Phase          string   `json:"phase,omitempty" jsonschema_description:"build_up, sustain, fade or rest."`
	Tension        *float64 `json:"tension,omitempty" jsonschema_description:"From restLevel to peakLevel of director.configure."`
	PhaseTicksLeft *uint64  `json:"phaseTicksLeft,omitempty" jsonschema_description:"How many simulation steps the phase has left, 60 in a second; less of build_up and more of fade if somebody is hurt."`
}

func (d *Director) status() registry.Skill {
	return registry.Define(registry.Spec[struct{}, StatusOut]{
		Name:        "director.status",
		Title:       "How tense it is",
		Description: "Say whether the director of director.start runs, in which phase it is, how high the tension, and when the phase ends. To do something when a phase begins use event.listen with director.phase. Example: {}",
		Keywords:    "pacing tension intensity phase progress current",
		Permissions: []profiles.Permission{"agent.read"},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, _ struct{}) (StatusOut, error) {
			return world.Read(d.w, c, func(v *world.View) (StatusOut, error) {
				now := d.course.Get(v)
				if !now.runs() {
					return StatusOut{}, nil
				}
				tension, left := now.tension(d.w, v.Step()), now.left(d.w, v.Step())
				return StatusOut{true, now.Phase, &tension, &left}, nil
			})
		},
	})
}
