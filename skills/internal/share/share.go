// Package share bounds what waits in a world, so that what one agent has waiting keeps nobody else's out: one may have as much
// as is left for all others. That is half of all for one alone, a third for each of two, and always some for one more. Agents of one token that is for many names are one, see
// [world.View.Holder]: rows say who has made them, and whom they count for is asked here.
package share

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/derived"
	"github.com/limina-mcp/limina/world"
)

// Shares are how many of the rows of a table are whose. They follow from the table: whoever changes it says so.
type Shares struct {
	most int // of all
	of   *world.Table[string, int]
}

// New adds shares to a world, once, where it is put together. most is how many rows there may be of all.
func New(w *world.World, name string, most int) *Shares {
	return &Shares{most, world.NewTable[string, int](w, name, most, world.Private, world.Derived)}
}

// Key is by whom a row counts that one agent has to be done because another one has brought it about: what somebody has the rules of another do leaves room for what
// others have them do, and the author himself. Without another, "", it is the agent. All names of one token are one agent ([world.View.Holder]).
func Key(v *world.View, agent, cause string) string {
	agent, cause = v.Holder(agent), v.Holder(cause)
	if cause == "" || cause == agent {
		return agent
	}
	return agent + between + cause
}

// between stands between two in a key.
const between = "\x00"

// Take counts one row more for an agent, where so many are there already. It fails with capacity_exceeded, and changes nothing, if the agent has as many as are
// left: what says what they are and do, "events wait to be heard".
func (s *Shares) Take(tx *world.Tx, agent string, there int, what string) error {
	has, _ := s.of.Get(&tx.View, agent)
	if !s.Room(&tx.View, agent, there) {
		return registry.Errorf(registry.CodeCapacityExceeded, "%d %s, which is the most", has, what)
	}
	return s.of.Set(tx, agent, has+1)
}

// Room reports whether there is one row more for an agent, where so many are there already.
func (s *Shares) Room(v *world.View, agent string, there int) bool {
	has, _ := s.of.Get(v, agent)
	return has < s.most-there
}

// Give counts one row less for an agent.
func (s *Shares) Give(tx *world.Tx, agent string) error {
	has, _ := s.of.Get(&tx.View, agent)
	if has <= 1 {
		s.of.Delete(tx, agent)
		return nil
	}
	return s.of.Set(tx, agent, has-1)
}

// Clear says that there are no rows any more.
func (s *Shares) Clear(tx *world.Tx) { s.of.Take(tx, nil) }

// Remake counts all rows anew, by whose they are.
func (s *Shares) Remake(tx *world.Tx, agents []string) error {
	want := map[string]int{}
	for _, agent := range agents {
		want[agent]++
	}
	return derived.Remake(tx, s.of, want, derived.Equal)
}
