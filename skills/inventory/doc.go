// Package inventory holds the skills of things that are owned: item.define says what kinds there are, inventory.create
// gives an entity slots to keep them in, inventory.add, remove and transfer move them, list, count and has ask, and
// item.equip and unequip say what somebody wears or holds.
//
// # What is kept
//
// An inventory has slots, numbered from 0. A slot holds a stack: items of one kind, as many as the kind allows, one of those that do
// not stack. What is worn is in no slot: it has a place of its own, such as "hand", with one item in it. It counts for inventory.count
// and has, and is not removed, transferred or dropped before item.unequip has put it back.
//
// Items are made by inventory.add and ended by inventory.remove, and by nothing else here: a transfer, or a change of
// clothes, is done as a whole or not at all, and an undo gives back what was there. Where an answer is no, ok is false, reason
// says why, and nothing has changed.
//
// What an entity holds goes with it when it is destroyed, and comes back with it. A copy of an entity has slots as
// the original has, and nothing in them, so nobody gets things by copying a chest.
//
// What is worn is part of the entity that viewers get (the component "equipment"); what is in slots is not, nor are the kinds.
//
// # Who may
//
// Anybody with the permission may give what there is; who makes items needs inventory.configure or item.configure too. What takes, or changes clothes, is refused of the body or character of
// another agent, but to who has scene.write, who could destroy it anyway. Who has neither scene.write nor inventory.configure plays: he takes from and gives to what
// is in his reach only ([Store.Play]).
package inventory

import (
	"iter"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/self"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// The bounds of what a world keeps.
const (
	MaxKinds       = 1024    // kinds of items
	MaxConfig      = 8 << 10 // bytes of the config of a kind
	MaxInventories = 4096    // entities with an inventory
	MaxWorn        = 16      // places in which one entity wears something
	MaxStack       = 1_000_000
	Capacity       = 20 // slots of an inventory, unless it is said otherwise
)

// Store is what entities of a world own. A world has one. Its methods read through a view and write through a transaction, and so
// may be called by whoever holds one.
type Store struct {
	w      *world.World
	acts   func(v *world.View, caller *profiles.Principal, id world.ID) error
	reach  Reach
	lives  func(v *world.View, id world.ID) bool
	kinds  *world.Table[string, Kind]
	by     *share.Owners[string] // of kinds
	rooms  *world.Component[room]
	items  *world.Component[[]stack] // in the order of their slots; nobody has an empty list
	worn   *world.Component[[]worn]  // in the order of their places; likewise
	self   self.Of
	named  shelf.Namer                                     // how many rules name a kind
	needed func(v *world.View) iter.Seq2[world.ID, string] // which entities need which kinds; nil: none
	got    []func(tx *world.Tx, id world.ID) error
}

// OnGot has fn told of each entity that has got items into its slots, where the world is put together. What fn does belongs to whatever gave them, and an
// error of it undoes that.
func (s *Store) OnGot(fn func(tx *world.Tx, id world.ID) error) { s.got = append(s.got, fn) }

// New declares in a world what is owned, once, where it is put together. acts reports why a caller may not have an entity act.
func New(w *world.World, acts func(v *world.View, caller *profiles.Principal, id world.ID) error) *Store {
	return &Store{
		w: w, acts: acts,
		kinds: world.NewTable[string, Kind](w, "items", MaxKinds, world.Private),
		by:    share.NewOwners[string](w, "items.owners", share.Kept{Most: MaxKinds, What: "kinds of items", Free: "item.remove takes one away"}),
		rooms: world.NewComponent[room](w, "inventory", world.Private),
		items: world.NewComponent[[]stack](w, "inventory.items", world.Private, world.Single),
		worn:  world.NewComponent[[]worn](w, "equipment", world.Single),
	}
}

// Reach says why a caller cannot take out of inventories, or put into them, from where he is: "" if he can. An error is that he never could.
type Reach func(v *world.View, caller *profiles.Principal, ids ...world.ID) (why string, err error)

// Play has functions say what those who play reach, and who is a body or a character, which gets its slots with the first thing that it is given. It is called
// once, where the world is put together; without it everybody reaches everything, and nobody lives.
func (s *Store) Play(reach Reach, lives func(v *world.View, id world.ID) bool) {
	s.reach, s.lives = reach, lives
}

// Self has a function say what a caller has of his own, whom skills mean that he calls without an entity. It is called once, where the world is put together.
func (s *Store) Self(of self.Of) { s.self = of }

// Pockets gives a body or character that has no inventory one of [Capacity] slots. It does nothing of others.
func (s *Store) Pockets(tx *world.Tx, id world.ID) error {
	if s.lives == nil || s.Keeps(&tx.View, id) || !s.lives(&tx.View, id) {
		return nil
	}
	return s.Open(tx, id, Capacity, nil)
}

// handle reports why a caller may not, or cannot, take something out of the first of several inventories, and what is to happen to it with the others.
func (s *Store) handle(v *world.View, caller *profiles.Principal, ids ...world.ID) (why string, err error) {
	if err := s.may(v, caller, ids[0]); err != nil {
		return "", err
	}
	if s.reach == nil || caller.Grants.Has("scene.write") || caller.Grants.Has(author) {
		return "", nil
	}
	return s.reach(v, caller, ids...)
}

// author is the permission of those who decide who has what.
const author = "inventory.configure"

// All returns the skills of the package.
func All(s *Store) []registry.Skill {
	return []registry.Skill{
		Create(s), Add(s), Remove(s), List(s), Count(s), Has(s), Transfer(s),
		Define(s), Undefine(s), Equip(s), Unequip(s),
	}
}

// room is how much an inventory holds.
type room struct {
	Capacity int      `json:"capacity"`
	Only     []string `json:"only,omitempty"` // categories; none: all
}

// takes reports whether a kind may be in it.
func (r *room) takes(k *Kind) bool { return len(r.Only) == 0 || slices.Contains(r.Only, k.Category) }

// Done is the output of the skills that can be answered with no.
type Done struct {
	OK     bool   `json:"ok" jsonschema_description:"Whether it was done; if not, nothing has changed."`
	Reason string `json:"reason,omitempty" jsonschema_description:"Why it was not done, and what would help."`
}

// answer is what a skill answers that was done, or not for a reason.
func answer(why string) Done { return Done{OK: why == "", Reason: why} }

// may reports why a caller may not take something from an entity, or have it change clothes.
func (s *Store) may(v *world.View, caller *profiles.Principal, id world.ID) error {
	if caller.Grants.Has("scene.write") {
		return nil
	}
	return s.acts(v, caller, id)
}

// room returns how much an entity holds. The error says what would give it an inventory.
func (s *Store) room(v *world.View, id world.ID) (room, error) {
	r, ok := s.rooms.Get(v, id)
	switch {
	case ok:
		return r, nil
	case !v.Exists(id):
		return r, v.Unknown(id)
	}
	return r, registry.Failf("%s has no inventory: inventory.create {\"entity\":%q} gives it one", id, id)
}

// Keeps reports whether an entity has an inventory.
func (s *Store) Keeps(v *world.View, id world.ID) bool { return s.rooms.Has(v, id) }

// Holds reports whether there is anything in an entity's inventory, or worn by it.
func (s *Store) Holds(v *world.View, id world.ID) bool {
	return s.items.Has(v, id) || s.worn.Has(v, id)
}

// Own returns how many items of a kind an entity has, and how many of them it wears.
func (s *Store) Own(v *world.View, id world.ID, kind string) (all, wears int) {
	list, _ := s.items.Get(v, id)
	for _, st := range list {
		if st.Item == kind {
			all += st.N
		}
	}
	on, _ := s.worn.Get(v, id)
	for _, w := range on {
		if w.Item == kind {
			wears++
		}
	}
	return all + wears, wears
}

// Count is how many items of a kind an entity has or wears, as a float64: a fact of conditions.
func (s *Store) Count(v *world.View, id world.ID, kind string) (any, bool) {
	all, _ := s.Own(v, id, kind)
	return float64(all), true
}

// Open gives an entity an inventory of so many slots, for items of some categories, or of all if only is empty. One that it has
// is changed, and keeps what is in it: it fails where that would have no place.
func (s *Store) Open(tx *world.Tx, id world.ID, capacity int, only []string) error {
	if !tx.Exists(id) {
		return tx.Unknown(id)
	}
	old, had := s.rooms.Get(&tx.View, id)
	if !had && s.rooms.Len(&tx.View) >= MaxInventories {
		return registry.Errorf(registry.CodeCapacityExceeded, "%d entities have an inventory, which is the most: destroy some", MaxInventories)
	}
	r := room{capacity, only}
	if had && old.Capacity == r.Capacity && slices.Equal(old.Only, r.Only) {
		return nil
	}
	list, _ := s.items.Get(&tx.View, id)
	for _, st := range list {
		if st.Slot >= capacity {
			return registry.Failf("capacity: slot %d of %s holds %d %q; inventory.remove or transfer empties it first", st.Slot, id, st.N, st.Item)
		}
		if err := s.fits(&tx.View, id, &r, st.Item); err != nil {
			return err
		}
	}
	on, _ := s.worn.Get(&tx.View, id)
	for _, w := range on {
		if err := s.fits(&tx.View, id, &r, w.Item); err != nil {
			return err
		}
	}
	return s.rooms.Set(tx, id, r)
}

func (s *Store) fits(v *world.View, id world.ID, r *room, item string) error {
	k, _ := s.kinds.Get(v, item)
	if r.takes(&k) {
		return nil
	}
	return registry.Failf("typeRestrictions: %s has %q, of the category %q, which they leave out; remove it first, or let the category in", id, item, k.Category)
}
