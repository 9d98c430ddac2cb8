package combat

import (
	"slices"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/world"
)

// Belonging is what has to rest still when an agent comes back who was away ([agents.Agents.Keeps]): as long as when he went.
func (a *Arena) Belonging() agents.Belonging {
	return agents.Belongs("cooldowns", func(v *world.View, id world.ID) ([]cooldown, bool) {
		all, _ := a.cooldowns.Get(v, id)
		all = slices.DeleteFunc(slices.Clone(all), func(c cooldown) bool { return c.Ready <= v.Step() })
		return all, len(all) > 0
	}, func(tx *world.Tx, id world.ID, all []cooldown, w agents.While) error {
		return a.cooldowns.Set(tx, id, later(all, w.Away))
	})
}

// later is cooldowns that go on past steps later.
func later(all []cooldown, past uint64) []cooldown {
	all = slices.Clone(all)
	for i := range all {
		all[i].Ready += past
	}
	return all
}
