package event

import (
	"cmp"
	"errors"
	"slices"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/derived"
	"github.com/limina-mcp/limina/skills/internal/handle"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// Limits on what the world holds of events.
const (
	MaxListeners = 1024
	MaxOf        = 64             // listeners to one name
	MaxWaiting   = 2048           // events that were emitted on behalf of one agent, where he is alone, and not heard yet
	maxAll       = 2 * MaxWaiting // … and of all: one has as many as are left
	MaxData      = action.MaxData
)

// Handle names a listener. The n-th of a world, counted from 0, is "lst_<n>". No handle names two listeners.
type Handle = handle.Of[kind]

type kind struct{}

func (kind) Prefix() string { return "lst_" }
func (kind) Noun() string   { return "listener" }

// Events are the listeners of a world and what waits to be heard. All of it is in the world, so it is hashed, rolled
// back and replayed with the rest. A world has one Events.
type Events struct {
	w         *world.World
	does      *action.Actions
	listeners *world.Table[Handle, listener]
	names     *world.Table[string, []Handle] // who listens to what, in order
	waiting   *world.Table[uint64, pending]
	shares    *share.Shares // of waiting
}

// listener is a row of the table of listeners. Rows are immutable.
type listener struct {
	Name string `json:"name"`
	action.Kept
}

// pending is an event that was emitted.
type pending struct {
	Name   string      `json:"name"`
	Entity world.ID    `json:"entity,omitempty"`
	Actor  world.ID    `json:"actor,omitempty"`
	At     *world.Vec3 `json:"at,omitempty"`
	Depth  int         `json:"depth,omitempty"`
	By     string      `json:"by,omitempty"`
	For    string      `json:"for,omitempty"` // who has brought it about, if that is not By
	To     []Handle    `json:"to"`
}

// key is by whom it is counted.
func (p *pending) key(v *world.View) string { return share.Key(v, p.By, p.For) }

// New adds events to a world, once, where it is put together: after whatever emits in steps, so that this is heard in the same one.
func New(w *world.World, does *action.Actions) *Events {
	e := &Events{
		w: w, does: does,
		listeners: world.NewTable[Handle, listener](w, "event.listeners", MaxListeners, world.Private),
		names:     world.NewTable[string, []Handle](w, "event.names", MaxListeners, world.Private, world.Derived),
		waiting:   world.NewTable[uint64, pending](w, "event.waiting", maxAll, world.Private),
		shares:    share.New(w, "event.shares", maxAll),
	}
	does.OnEmit(e.queue)
	w.OnStep("events", e.step, world.BusyWhile(e.Waiting))
	w.OnFollow(e.reindex)
	w.OnHolder(e.recount)
	return e
}

// Waiting reports whether somebody is yet to hear of something.
func (e *Events) Waiting(v *world.View) bool { return e.waiting.Len(v) > 0 }

// queue has those who listen hear an event when it is their turn.
func (e *Events) queue(tx *world.Tx, ev *action.Event) error {
	to, _ := e.names.Get(&tx.View, ev.Name)
	if len(to) == 0 {
		return nil
	}
	if err := e.shares.Take(tx, share.Key(&tx.View, ev.By, ev.For), e.waiting.Len(&tx.View), "events of yours wait to be heard"); err != nil {
		return err
	}
	at := ev.At
	if p, ok := tx.Position(ev.Entity); ok {
		at = &p
	}
	return e.waiting.Set(tx, e.waiting.Next(tx), pending{Name: ev.Name, Entity: ev.Entity, Actor: ev.Actor, At: at, Depth: ev.Depth, By: ev.By, For: ev.For, To: to})
}

// head is what viewers are told first of an action.
type head struct {
	Listener Handle `json:"listenerId"`
	On       string `json:"on"`
}

// step has what was emitted before it be heard.
func (e *Events) step(tx *world.Tx) error {
	events := e.waiting.Take(tx, nil)
	e.shares.Clear(tx)
	actions := 0
	for i := range events {
		actions += len(events[i].To)
	}
	if actions > action.MaxStep/8 { // perhaps more than a step does: what is done is its author's, whoever has it done
		share.Turns(events, func(p *pending) string { return p.key(&tx.View) })
	}
	for i := range events {
		if more, err := e.hear(tx, &events[i]); err != nil || !more {
			return err
		}
	}
	return nil
}

// hear does the actions of those who listen. It reports whether the step does more.
func (e *Events) hear(tx *world.Tx, p *pending) (more bool, err error) {
	err = e.does.Together(tx, p.Depth, func() error {
		more, err = e.all(tx, p)
		return err
	})
	return more, err
}

// all does them one by one.
func (e *Events) all(tx *world.Tx, p *pending) (more bool, err error) {
	for _, h := range p.To {
		l, ok := e.listeners.Get(&tx.View, h)
		if !ok {
			continue // removed since
		}
		c := action.Cause{Kind: "event", From: h.String(), Head: head{h, p.Name}, Entity: p.Entity, Actor: p.Actor, At: p.At, Depth: p.Depth, For: cmp.Or(p.For, p.By)}
		if more, err := e.does.Do(tx, &c, &l.Kept); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// index has a listener hear what it listens to.
func (e *Events) index(tx *world.Tx, h Handle, name string) error {
	return derived.Move(tx, e.names, h, nil, []string{name})
}

// unindex has a listener hear nothing more.
func (e *Events) unindex(tx *world.Tx, h Handle, name string) error {
	return derived.Move(tx, e.names, h, []string{name}, nil)
}

// reindex makes the names and the shares what follows from the listeners that there are, and from what waits.
func (e *Events) reindex(tx *world.Tx) error {
	want := map[string][]Handle{}
	for h, l := range e.listeners.All(&tx.View) {
		want[l.Name] = append(want[l.Name], h)
	}
	return errors.Join(e.recount(tx), derived.Remake(tx, e.names, want, slices.Equal))
}

// recount makes the shares what follows from what waits.
func (e *Events) recount(tx *world.Tx) error {
	var emitters []string
	for _, p := range e.waiting.All(&tx.View) {
		emitters = append(emitters, p.key(&tx.View))
	}
	return e.shares.Remake(tx, emitters)
}

// find returns the listener that a caller names. The error says which there are.
func (e *Events) find(v *world.View, name string) (Handle, listener, error) {
	h, err := handle.Parse[kind](name)
	if err == nil {
		if l, ok := e.listeners.Get(v, h); ok {
			return h, l, nil
		}
	}
	var all []Handle
	for other := range e.listeners.All(v) {
		all = append(all, other)
	}
	if len(all) == 0 {
		return 0, listener{}, registry.Failf("unknown listener %s; there is none: event.listen makes one", quote.Clip(name))
	}
	return 0, listener{}, registry.Failf("unknown listener %s; %s", quote.Clip(name), handle.Nearest(all, h))
}

// near returns a name that is listened to and that may have been meant, "" if there is none.
func (e *Events) near(v *world.View, name string) string {
	var all []string
	for other := range e.names.All(v) {
		all = append(all, other)
	}
	return wire.Nearest(name, all)
}
