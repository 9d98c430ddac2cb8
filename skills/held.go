package skills

import (
	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/terrain"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// held is what claims are held against: the bounds of what is to be seen, water and what earthworks make of the ground; not an agent's own body
// and characters, with all that they carry, as a claim is for building and visitors come and go. Nothing is done for who is banned.
func held(w *world.World, lands *terrain.Lands, bodies *agents.Agents, cast *player.Stage, does *action.Actions) world.Holding {
	return world.Holding{
		Barred: does.Barred,
		Room: func(v *world.View, id world.ID) (lo, hi world.Vec3, ok bool) {
			if lo, hi, ok := lands.Reach(v, id); ok {
				return lo, hi, true
			}
			if water, ok := w.Waters.Get(v, id); ok {
				t, _ := v.WorldTransform(id)
				lo, hi = water.Box(&t)
				return lo, hi, true
			}
			s, ok := solid.Of(w, v, id)
			if !ok {
				return lo, hi, false
			}
			b := s.Bounds()
			return b.Lo, b.Hi, true
		},
		Own: func(v *world.View, id world.ID) (of []string) {
			for up := range v.Up(id) {
				if agent, ok := bodies.Agent(v, up); ok {
					of = append(of, agent)
				}
				if agent, ok := cast.Owner(v, up); ok {
					of = append(of, agent)
				}
			}
			return of
		},
	}
}
