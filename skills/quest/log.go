package quest

import (
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// How a quest stands in a log.
const (
	available = "available"
	active    = "active"
	completed = "completed"
	failed    = "failed"
)

// entry is a quest in somebody's log, as viewers get it. Values are immutable.
type entry struct {
	Quest       string   `json:"questId"`
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"` // while it is open, as those of objectives
	Status      string   `json:"status"`
	Objectives  []stride `json:"objectives"`
	Tracked     bool     `json:"tracked,omitempty"`
	Times       int      `json:"times,omitempty"` // how often it was completed
	Owed        int      `json:"owed,omitempty"`  // how often its rewards are still to be given, as whoever gives them was banned

	// In which simulation steps.
	Offered   *uint64 `json:"offeredTick,omitempty"`
	Accepted  *uint64 `json:"acceptedTick,omitempty"`
	Completed *uint64 `json:"completedTick,omitempty"`
	Failed    *uint64 `json:"failedTick,omitempty"`
}

// stride is how far an objective is.
type stride struct {
	ID          string `json:"id"`
	Description string `json:"description,omitempty"`
	Progress    int64  `json:"progress"`
	Required    int64  `json:"required"`
}

func (s *stride) done() bool { return s.Progress >= s.Required }

// open reports whether a quest is one that something can still come of.
func (e *entry) open() bool { return e.Status == available || e.Status == active }

// done reports whether all objectives are.
func (e *entry) done() bool {
	return !slices.ContainsFunc(e.Objectives, func(s stride) bool { return !s.done() })
}

// at returns where an objective is, -1 if it is not there.
func (e *entry) at(objective string) int {
	return slices.IndexFunc(e.Objectives, func(s stride) bool { return s.ID == objective })
}

// closed is what is kept of an entry that is over: what it was about is told no more.
func (e entry) closed() entry {
	e.Description, e.Tracked, e.Objectives = "", false, slices.Clone(e.Objectives)
	for i := range e.Objectives {
		e.Objectives[i].Description = ""
	}
	return e
}

// Status is how a quest stands with somebody, as a text: "available", "active", "completed" or "failed", and false if it is not in his log.
func (q *Quests) Status(v *world.View, of world.ID, questID string) (any, bool) {
	e, i := q.entry(v, of, questID)
	return e.Status, i >= 0
}

// entry returns a quest in somebody's log, and where it is, -1 if it is not there.
func (q *Quests) entry(v *world.View, id world.ID, questID string) (entry, int) {
	log, _ := q.logs.Get(v, id)
	i := slices.IndexFunc(log, func(e entry) bool { return e.Quest == questID })
	if i < 0 {
		return entry{}, -1
	}
	return log[i], i
}

// put puts an entry into a log, in the place of the one of its quest.
func (q *Quests) put(tx *world.Tx, id world.ID, e entry) error {
	log, has := q.logs.Get(&tx.View, id)
	if !has && q.logs.Len(&tx.View) >= MaxLogs {
		return tooManyLogs()
	}
	now := slices.Clone(log)
	i := slices.IndexFunc(now, func(o entry) bool { return o.Quest == e.Quest })
	switch {
	case i >= 0:
		now[i] = e
	case len(now) == MaxLog:
		return registry.Errorf(registry.CodeCapacityExceeded, "%s has %d quests in its log, which is the most", id, MaxLog)
	default:
		now = append(now, e)
	}
	return q.set(tx, id, now)
}

// set has somebody have a log; an empty one is none.
func (q *Quests) set(tx *world.Tx, id world.ID, now []entry) error {
	before, _ := q.logs.Get(&tx.View, id)
	if len(now) == 0 {
		q.logs.Remove(tx, id)
	} else if err := q.logs.Set(tx, id, now); err != nil {
		return err
	}
	return q.index(tx, id, before, now)
}

// find returns a quest that a caller names. The error says which there are.
func (q *Quests) find(v *world.View, questID string) (quest, error) {
	return shelf.Named(v, q.quests, "quest", "quest.define", questID)
}

// later is a log in which all has happened past steps later.
func later(log []entry, past uint64) []entry {
	log = slices.Clone(log)
	for i := range log {
		e := &log[i]
		for _, at := range [...]**uint64{&e.Offered, &e.Accepted, &e.Completed, &e.Failed} {
			if *at != nil {
				moved := **at + past
				*at = &moved
			}
		}
	}
	return log
}

// now is the step in which something is noted in a log.
func now(tx *world.Tx) *uint64 {
	n := tx.Step()
	return &n
}
