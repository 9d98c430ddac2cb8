package quest

import (
	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Belonging is the log that an agent has again who was away ([agents.Agents.Keeps]). How it is with him, what he has and where he is, is looked at in the next step.
func (q *Quests) Belonging() agents.Belonging {
	return agents.Belongs("quests", func(v *world.View, id world.ID) ([]entry, bool) {
		log, ok := q.logs.Get(v, id)
		return log, ok
	}, func(tx *world.Tx, id world.ID, log []entry, w agents.While) error {
		if q.logs.Len(&tx.View) >= MaxLogs {
			return tooManyLogs()
		}
		if err := q.set(tx, id, q.left(tx, later(log, w.Shift))); err != nil {
			return err
		}
		return q.look(tx, id)
	})
}

func tooManyLogs() error {
	return registry.Errorf(registry.CodeCapacityExceeded, "%d entities have quests, which is the most: destroy some", MaxLogs)
}
