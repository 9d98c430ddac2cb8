package agents

import (
	"fmt"
	"iter"

	"github.com/limina-mcp/limina/world"
)

// maxAgents is how many agents may have bodies at once.
const maxAgents = 1 << 14

// maxAgentID is how many bytes an agent's id may have.
const maxAgentID = 256

// Agents knows the bodies in one world. Its methods read through a View and write through a Tx, and
// so may be called by whoever holds one.
type Agents struct {
	bodies *world.Table[string, world.ID] // agent → its body
	owners *world.Component[string]       // body → its agent; viewers see it as "agent"
	walks  *world.Component[walk]         // bodies that are on their way
	stride float64                        // metres in a step
	pace   func(v *world.View, body world.ID) float64
	spoken *world.Table[uint64, Spoken] // what was said lately, in that order
	presence
}

// Hinder has a function say how much of its speed a body has that walks, 0 to 1. It is given once, where the world is put together, and
// goes by the world alone.
func (a *Agents) Hinder(pace func(v *world.View, body world.ID) float64) { a.pace = pace }

// New declares what agents need in w and has its steps move their bodies. It is called once for a
// world, where it is put together.
func New(w *world.World) *Agents {
	a := &Agents{
		bodies: world.NewTable[string, world.ID](w, "agents.bodies", maxAgents, world.Private),
		owners: world.NewComponent[string](w, "agent", world.Single),
		walks:  world.NewComponent[walk](w, "agents.walk", world.Private, world.Single),
		spoken: world.NewTable[uint64, Spoken](w, "agents.spoken", MaxSpoken, world.Private, world.Lasting),
		stride: Speed / float64(w.StepRate()),
	}
	a.presence = newPresence(w)
	w.OnUndo(a.miss)
	w.OnRestore(func(tx *world.Tx, _ uint64) error { return a.miss(tx) })
	w.OnDestroy(a.bury)
	w.OnStep("agents.walk", a.step, world.BusyWhile(func(v *world.View) bool { return a.walks.Len(v) > 0 }))
	return a
}

// Embody makes an entity the body of an agent, instead of the one it has. It fails if the entity is
// unknown or another agent's body.
func (a *Agents) Embody(tx *world.Tx, agent string, body world.ID) error {
	if agent == "" || len(agent) > maxAgentID {
		return refuse("invalid_input", "agent: must have 1 to %d bytes, got %d", maxAgentID, len(agent))
	}
	if owner, ok := a.owners.Get(&tx.View, body); ok {
		if owner == agent {
			return nil
		}
		return refuse("handler_error", "%s is the body of another agent, %s", body, owner)
	}
	if !tx.Exists(body) {
		return tx.Unknown(body)
	}
	a.Release(tx, agent)
	if err := a.bodies.Set(tx, agent, body); err != nil {
		return err
	}
	return a.owners.Set(tx, body, agent)
}

// Release takes an agent's body from it and reports whether it had one. The entity stays, and stands
// still.
func (a *Agents) Release(tx *world.Tx, agent string) bool {
	body, ok := a.bodies.Get(&tx.View, agent)
	if !ok {
		return false
	}
	a.bodies.Delete(tx, agent)
	a.owners.Remove(tx, body)
	a.walks.Remove(tx, body)
	return true
}

// bury releases the agent whose body dies.
func (a *Agents) bury(tx *world.Tx, body world.ID) {
	if agent, ok := a.owners.Get(&tx.View, body); ok {
		a.Release(tx, agent)
	}
}

// Body returns an agent's body, and false if it has none.
func (a *Agents) Body(v *world.View, agent string) (world.ID, bool) {
	return a.bodies.Get(v, agent)
}

// Agent returns whose body an entity is, and false if nobody's.
func (a *Agents) Agent(v *world.View, body world.ID) (string, bool) {
	return a.owners.Get(v, body)
}

// Bodies yields what is somebody's body, in id order.
func (a *Agents) Bodies(v *world.View) iter.Seq[world.ID] {
	return func(yield func(world.ID) bool) {
		for id := range a.owners.All(v) {
			if !yield(id) {
				return
			}
		}
	}
}

// bodyOf is Body with a refusal that says what to do.
func (a *Agents) bodyOf(v *world.View, agent string) (world.ID, error) {
	body, ok := a.bodies.Get(v, agent)
	if !ok {
		return 0, refuse("handler_error", "agent %q has no body; agent.embody gives it one", agent)
	}
	return body, nil
}

func refuse(code, format string, args ...any) error {
	return &world.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}
