// Package event holds the skills of events that have a name: event.listen says what is done when one is emitted, event.emit
// emits one, event.remove ends a listener.
//
// Listeners hear events of their name wherever they come from: event.emit, the emit actions of zones, of listeners and of
// whatever else has actions, and what the skills of games announce.
//
// # What is guaranteed
//
//   - Whoever listens when an event is emitted is what hears it, in the order in which the listeners were added. Its action is done by the
//     next simulation step, or by the one that is being taken if the event was emitted before listeners had their turn in it.
//   - An action is done as whoever attached it, see package trigger for what each does. Its target is, if it names none, the
//     entity that the event is about.
//   - An event that a listener's action emits is heard a step later: nothing goes round in a circle within a step. At most 64
//     events lead to one another; the action that would emit the next one fails, as the moment "event.failed" tells.
//   - A step does 8,192 actions of one agent, with those of zones and all others; those beyond it are not done. He has [MaxWaiting] events that wait. Of all there are
//     twice as many, and one has no more than are left for the others: whose listeners go round in circles keeps nobody's events out.
//   - Viewers are told of an event by the moment "event.emit", where it happens.
//
// A world without listeners keeps nothing of events; one in which none waits costs a step nothing.
package event

import "github.com/limina-mcp/limina/registry"

// All returns the skills of the package.
func All(e *Events) []registry.Skill {
	return []registry.Skill{Listen(e), Emit(e), Remove(e)}
}
