package physics

import (
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// Tell has it said of joints that they gave way, once, where the world is put together: the event "joint.broke" about who hung, and "joint.broke:ent_7" for him.
// Nobody else can emit them.
func Tell(p *bodies.Physics, does *action.Actions) {
	p.OnBroke(func(tx *world.Tx, b *bodies.Broken) error {
		return does.Tell(tx, "joint", "broke", b.Entity.String(), b.Entity, "", struct {
			From  world.ID   `json:"from,omitempty"` // what it hung on; none: a place
			Kind  string     `json:"kind"`
			At    world.Vec3 `json:"at"`
			Force float64    `json:"force"`
			Break float64    `json:"breakForce"`
		}{b.Joint.To, string(b.Joint.Kind), b.At, b.Force, b.Joint.Break})
	})
}
