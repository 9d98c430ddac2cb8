// Package newest keeps rows of which there is one for each agent, and not more than some: those that were changed longest ago make room.
package newest

import "github.com/limina-mcp/limina/world"

// Keep gives an agent a row. If there would be more than most rows, the one whose step of its newest change, since, is the lowest goes; of
// equal ones the first.
func Keep[T any](tx *world.Tx, t *world.Table[string, T], most int, agent string, row T, since func(T) uint64) error {
	if _, there := t.Get(&tx.View, agent); !there && t.Len(&tx.View) >= most {
		t.Delete(tx, oldest(&tx.View, t, since))
	}
	return t.Set(tx, agent, row)
}

// oldest returns whose row was changed longest ago.
func oldest[T any](v *world.View, t *world.Table[string, T], since func(T) uint64) (agent string) {
	least := ^uint64(0)
	for name, row := range t.All(v) {
		if at := since(row); at < least {
			agent, least = name, at
		}
	}
	return agent
}
