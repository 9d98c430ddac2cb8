package action

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// Event is something that somebody may listen to. Its name is the caller's and nothing but a name.
type Event struct {
	Name   string
	Entity world.ID    // whom it is about; 0 for nobody
	Actor  world.ID    // who has brought it about; 0 for Entity, or for nobody
	Nobody bool        // has brought it about
	At     *world.Vec3 // where it happens, if it is about nobody; nil for nowhere
	Data   registry.Object
	By     string // on whose behalf
	For    string // who has brought it about that it is emitted, "" for By
	Depth  int    // how many events have led to it; [Actions.Emit] counts
}

// OnEmit has fn get the events that are emitted, where the world is put together. Those that are given get each in that order; without any, nobody
// hears them.
func (a *Actions) OnEmit(fn func(tx *world.Tx, e *Event) error) { a.heard = append(a.heard, fn) }

// OnAsk has fn say how many entities react to an event that is emitted now, where the world is put together.
func (a *Actions) OnAsk(fn func(v *world.View, e *Event) int) { a.react = fn }

// Reacting returns how many entities react to an event that is emitted now, whatever the conditions of their reactions are then.
func (a *Actions) Reacting(v *world.View, e *Event) int {
	if a.react == nil {
		return 0
	}
	return a.react(v, e)
}

// Emit hands an event to those who listen; what they do about it is done in a step. It fails with capacity_exceeded if too many events
// wait, or if more than [MaxChain] have led to it: an action that is being done is why it is emitted.
func (a *Actions) Emit(tx *world.Tx, e Event) error {
	if len(a.heard) == 0 || e.Name == "" {
		return nil
	}
	if e.Depth = a.depth; e.Depth > MaxChain {
		return registry.Errorf(registry.CodeCapacityExceeded, "%d events have led to one another, which is the most: do they go round in a circle?", MaxChain)
	}
	if e.Actor == 0 && !e.Nobody {
		e.Actor = e.Entity
	}
	for _, hear := range a.heard {
		if err := hear(tx, &e); err != nil {
			return err
		}
	}
	return nil
}

// After runs fn as what depth events have led to, as [Event.Depth] counts them: for what is done later about an event that was heard.
func (a *Actions) After(depth int, fn func() error) error {
	before := a.depth
	a.depth = depth + 1
	defer func() { a.depth = before }()
	return fn()
}

// Together runs fn, which does the actions that one thing has brought about, a thing that depth events have led to. What follows from the state of all that
// they change ([Actions.OnTogether]) follows when all are done, not from what is so between two of them.
func (a *Actions) Together(tx *world.Tx, depth int, fn func() error) error {
	if a.amid {
		return fn()
	}
	a.amid = true
	err := func() error {
		defer func() { a.amid = false }()
		return fn()
	}()
	if err != nil {
		return err
	}
	return a.After(depth, func() error {
		for _, look := range a.after {
			if err := look(tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// Amid reports whether more actions may follow that belong together with the one that is being done.
func (a *Actions) Amid() bool { return a.amid }

// OnTogether has fn look at what actions have changed that belong together, when they are done, where the world is put together.
func (a *Actions) OnTogether(fn func(tx *world.Tx) error) { a.after = append(a.after, fn) }

// announced are the names of events that the server alone emits, so that who listens to them knows that they are true. With a colon and more behind it a name
// says of what: "quest.completed:dragon".
var announced = []string{
	"agent.joined", "agent.left",
	"behavior.arrived", "behavior.attacked", "behavior.noticed", "cutscene.ended", "dialogue.ended", "dialogue.started", "director.phase", "director.stopped", "game.lost", "game.restarted", "game.won", "joint.broke",
	"input.moved", "input.pressed", "input.released",
	"path.arrived", "path.ended", "path.left",
	"progression.allocated", "progression.levelUp", "progression.unlocked",
	"player.crushed", "player.fell", "player.left", "player.spawned",
	"quest.accepted", "quest.completed", "quest.declined", "quest.failed", "quest.objective", "quest.offered", "quest.rewarded",
}

// Known gives the names of the events that a world emits by itself, beside those that the server alone emits, where it is put together: who listens to what none
// of them is, but nearly, or sounds as what the server emits, is told so.
func (a *Actions) Known(emitted func(v *world.View) iter.Seq[string]) { a.emitted = emitted }

// Unheard says that nothing emits events of a name, if something emits some of nearly that name, or the server some that begin as it does, as far as a dot;
// else it is "".
func (a *Actions) Unheard(v *world.View, name string) string {
	var all []string
	if a.emitted != nil {
		all = slices.Collect(a.emitted(v))
	}
	own, of, more := strings.Cut(name, ":")
	if slices.Contains(all, name) || slices.Contains(announced, own) {
		return ""
	}
	near := ""
	if more {
		if near = wire.Nearest(own, announced); near != "" {
			near += ":" + of
		}
	}
	if near = cmp.Or(near, wire.Nearest(name, append(all, announced...))); near == "" {
		return akin(own, name)
	}
	return fmt.Sprintf("nothing in this world emits %q so far; did you mean %q?", quote.Clip(name), quote.Clip(near))
}

// akin says which events the server emits that begin as a name does, as far as a dot, if there are any.
func akin(own, name string) string {
	domain, _, dotted := strings.Cut(own, ".")
	if !dotted {
		return ""
	}
	var all []string
	for _, a := range announced {
		if strings.HasPrefix(a, domain+".") {
			all = append(all, a)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("nothing in this world emits %q so far; of %s the server emits %s", quote.Clip(name), domain, strings.Join(all, ", "))
}

// CheckName reports, from field on, that a caller may not name an event so: it is one that only the server emits.
func CheckName(field, name string) error {
	if of, _, _ := strings.Cut(name, ":"); slices.Contains(announced, of) {
		return registry.Invalidf("%s: %s is emitted by the server alone, when it is so: choose another name", field, name)
	}
	return nil
}

// Announce is Emit where no action tells viewers: they are told by the moment "event.emit".
func (a *Actions) Announce(tx *world.Tx, e Event) error {
	c := Cause{Kind: "event", Entity: e.Entity, At: e.At}
	if err := c.tell(tx, "emit", &told{Event: e.Name, By: e.By, Data: e.Data}); err != nil {
		return err
	}
	return a.Emit(tx, e)
}

// Tell says what has come about with an entity, and only the server can say: viewers get the moment "kind.what", which carries what data, a struct, has;
// those hear it who listen to "kind.what", or to "kind.what:of". That too many events wait stops nothing: viewers are told, and why nobody else is.
func (a *Actions) Tell(tx *world.Tx, kind, what, of string, about world.ID, by string, data any) error {
	return a.report(tx, &Cause{Kind: kind, Entity: about, Head: data}, what, of, about, by)
}

// TellAll is Tell for what all viewers are told, wherever they look: about is whom the actions of listeners are about, and no part of the moment.
func (a *Actions) TellAll(tx *world.Tx, kind, what, of string, about world.ID, by string, data any) error {
	return a.report(tx, &Cause{Kind: kind, Head: data}, what, of, about, by)
}

// report emits what c tells of.
func (a *Actions) report(tx *world.Tx, c *Cause, what, of string, about world.ID, by string) error {
	text, err := json.Marshal(c.Head)
	if err != nil {
		return err
	}
	t := told{By: by}
	name := c.Kind + "." + what
	for _, name := range [...]string{name, name + ":" + of} {
		if err := a.Emit(tx, Event{Name: name, Entity: about, Data: text, By: by}); err != nil {
			t.Error = registry.Said(err)
		}
	}
	return c.tell(tx, what, &t)
}
