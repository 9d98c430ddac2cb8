package action

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Event is something that somebody may listen to. Its name is the caller's and nothing but a name.
type Event struct {
	Name   string
	Entity world.ID    // whom it is about; 0 for nobody
	At     *world.Vec3 // where it happens, if it is about nobody; nil for nowhere
	Data   registry.Object
	By     string // on whose behalf
	Depth  int    // how many events have led to it; [Actions.Emit] counts
}

// OnEmit has fn get the events that are emitted, once, where the world is put together. Without it nobody hears them.
func (a *Actions) OnEmit(fn func(tx *world.Tx, e *Event) error) { a.heard = fn }

// Emit hands an event to those who listen; what they do about it is done in a step. It fails with capacity_exceeded if too many events
// wait, or if more than [MaxChain] have led to it: an action that is being done is why it is emitted.
func (a *Actions) Emit(tx *world.Tx, e Event) error {
	if a.heard == nil || e.Name == "" {
		return nil
	}
	if e.Depth = a.depth; e.Depth > MaxChain {
		return registry.Errorf(registry.CodeCapacityExceeded, "%d events have led to one another, which is the most: do they go round in a circle?", MaxChain)
	}
	return a.heard(tx, &e)
}
