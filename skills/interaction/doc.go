// Package interaction holds the skills of things that somebody can do something with: interaction.register says what and from how
// far, interaction.query what is near, and interact, pickup, drop, use, open, close and toggle do it.
//
// # Who acts, and from where
//
// Somebody acts with his body or character, or with a character that he may control. Another agent's body never acts for him. Who may
// register things (interaction.configure) may also have other entities act, and, if he has neither body nor character, do from nowhere what needs
// nobody: open, close, toggle and interact.
//
// How far away something is, is the gap between the box around who acts and the box around the thing, each with what is below it, as far as its first
// 256 parts. Who is too far away is answered with ok:false, how far it is, and what takes him there. So is who is near enough, but for a wall: whatever has a
// body is one, if there is no straight line past it (see wall). What lives and what can be picked up is none, and nothing that is
// a part of the thing, or in one group with it that is no larger than the thing's range: a door has its frame, and a house keeps its walls.
//
// # What moves no item makes or ends one
//
// A pickup puts its items into the inventory of who picks it up and destroys the entity, both or neither; it is left where there is no room
// for all of them, or where something else would be lost with it. A drop takes items out of the inventory and makes an entity that is
// a pickup of as many. A body or character without an inventory gets one of 20 slots with the first thing that it picks up or is handed. A copy of a pickup is another pickup.
//
// What is in a chest is taken out, and put in, by inventory.transfer: by who is in reach of it, when it is open, but for those who decide what there is.
//
// # What opens
//
// Whatever is registered with the type open, or with config.open, is open or closed: viewers get it as "open" of the component "interaction". With
// config.open it also moves, in simulation steps, with its body and all below it: about its own position or to another one. Where that is, is
// kept as the way from where it was when it was registered; so a door that is moved, or copied, opens where it is then. A call takes the first
// stride, so that its undo puts the thing back where it was.
//
// # Who hears of it
//
// All who see the place get a moment: interaction.interacted, pickedUp, dropped, used, opened, closed, toggled, locked. The action of a registration is the name of an event
// for those who listen, about the thing, or about who has picked it up. What opens, or is
// switched, emits a second one that says how it is now, such as door.opened; a door that is locked to somebody only door.locked. Who did it is the actorEntity of their data.
package interaction

import (
	"iter"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/dialogue"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// The bounds of what a world keeps.
const (
	MaxThings = 4096    // entities that are registered
	MaxConfig = 8 << 10 // bytes of the config of one, and of the data of a call
	MaxListed = 100     // things in an answer of interaction.query
	Range     = 3       // metres, where nothing else is said
)

// Things are the things of a world that somebody can do something with. A world has one Things.
type Things struct {
	w      *world.World
	owned  *inventory.Store
	cast   *player.Stage
	events *action.Actions
	looks  *solid.Index
	things *world.Component[Thing]
	setups *world.Component[setup]
	ajar   *world.Component[ajar]
	moving *world.Component[bool] // what is on its way: whether it opens
	talks  *dialogue.Talks        // nil: nobody talks
}

// Converse has those that are spoken to begin dialogues, where the world is put together.
func (t *Things) Converse(talks *dialogue.Talks) {
	t.talks = talks
	talks.Voiced(t.voiced)
}

// Deps is what things are used with.
type Deps struct {
	Owned  *inventory.Store
	Cast   *player.Stage
	Looks  *solid.Index    // what is in between
	Events *action.Actions // nil: nobody listens
}

// New declares in a world what can be done something with, once, where it is put together.
func New(w *world.World, d Deps) *Things {
	t := &Things{
		w: w, owned: d.Owned, cast: d.Cast, events: d.Events, looks: d.Looks,
		things: world.NewComponent[Thing](w, "interaction"),
		setups: world.NewComponent[setup](w, "interaction.setup", world.Private),
		ajar:   world.NewComponent[ajar](w, "interaction.ajar", world.Private),
		moving: world.NewComponent[bool](w, "interaction.moving", world.Private, world.Single),
	}
	d.Owned.Play(t.handles, t.cast.Lives)
	d.Owned.Needed(t.needed)
	w.OnStep("interaction", t.step, world.BusyWhile(func(v *world.View) bool { return t.moving.Len(v) > 0 }))
	return t
}

// needed yields the kinds of items that things are, or open with.
func (t *Things) needed(v *world.View) iter.Seq2[world.ID, string] {
	return func(yield func(world.ID, string) bool) {
		for id, s := range t.setups.All(v) {
			for _, kind := range [...]string{s.Item, s.Key} {
				if kind != "" && !yield(id, kind) {
					return
				}
			}
		}
	}
}

// Speakers yields the entities that begin a dialogue when they are spoken to, with which.
func (t *Things) Speakers(v *world.View) iter.Seq2[world.ID, string] {
	return func(yield func(world.ID, string) bool) {
		for id, s := range t.setups.All(v) {
			if s.Tree != "" && !yield(id, s.Tree) {
				return
			}
		}
	}
}

// Moves reports whether something is opening or closing. It may be called in any view.
func (t *Things) Moves(v *world.View, id world.ID) bool { return t.moving.Has(v, id) }

// Opened reports whether an entity is one that opens, and is open. It may be called in any view.
func (t *Things) Opened(v *world.View, id world.ID) bool {
	th, _ := t.things.Get(v, id)
	return th.Open
}

// All returns the skills of the package.
func All(t *Things) []registry.Skill {
	return []registry.Skill{Register(t), Unregister(t), Query(t), Interact(t), Pickup(t), Drop(t), Use(t), Open(t), Close(t), Toggle(t)}
}

// Thing is what viewers get of an entity that somebody can do something with.
type Thing struct {
	Prompt string  `json:"prompt"`
	Type   string  `json:"type"`
	Range  float64 `json:"maxRange"` // metres
	Open   bool    `json:"open,omitempty"`
	Active bool    `json:"active,omitempty"`
}

// setup is what else there is to know about it.
type setup struct {
	Action string          `json:"action,omitempty"`
	Config registry.Object `json:"config,omitempty"`
	Item   string          `json:"itemId,omitempty"` // of a pickup
	N      int             `json:"quantity,omitempty"`
	Key    string          `json:"key,omitempty"`    // an item without which it does not open
	Way    *way            `json:"way,omitempty"`    // how it opens; nil: it does not move
	Tree   string          `json:"treeId,omitempty"` // of what is spoken to: the dialogue that begins
}

// opens reports whether a thing is one that is open or closed.
func (s *setup) opens(th *Thing) bool { return th.Type == "open" || s.Way != nil }

// find returns a thing. The error says how to make one of the entity.
func (t *Things) find(v *world.View, id world.ID) (Thing, setup, error) {
	th, ok := t.things.Get(v, id)
	if !ok {
		if !v.Exists(id) {
			return th, setup{}, v.Unknown(id)
		}
		return th, setup{}, registry.Failf("%s is nothing that can be used: interaction.query lists what is, and interaction.register {\"entity\":%q,\"prompt\":\"…\"} makes it so", id, id)
	}
	s, _ := t.setups.Get(v, id)
	return th, s, nil
}
