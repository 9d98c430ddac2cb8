package trigger

import (
	"cmp"
	"maps"
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/handle"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// Limits on what the world holds of triggers.
const (
	MaxZones   = 1024
	MaxCarried = 256               // … that go with entities: each looks at what it passes in every step
	MaxActions = 16                // of one zone for one occasion
	MaxStep    = action.MaxStep    // actions of one agent that one step does, with those of others than zones
	MaxData    = action.MaxData    // bytes of the data of an action, and of the config of a zone
	MaxSpawned = action.MaxSpawned // entities that actions have made, at a time
)

// Triggers are the zones of a world. Everything that decides anything is in the world, so it is hashed,
// rolled back and replayed with the rest. A world has one Triggers.
type Triggers struct {
	w       *world.World
	does    *action.Actions
	zones   *world.Table[Handle, zone]
	cells   *world.Table[int64, []Handle]  // where the zones are
	stays   *world.Table[Handle, bool]     // the zones that do something about what stays in them
	carried *world.Table[Handle, world.ID] // the zones that go with entities
	left    *world.Table[uint64, gone]     // what was destroyed in zones since the last step
	inside  *world.Component[seats]        // of what is in zones, in the order of their handles

	// touched is what was changed since the last step looked. What a step does follows from the world
	// alone: whoever is looked at without need is found where he was.
	touched []world.ID
	paths   map[world.ID]path // of what the last step has moved and not looked at
	moving  map[world.ID]path // of what this one has
	most    int               // MaxSeats, but for tests

	back  map[Handle]bool                       // zones that the last reindex has found to be back
	plays func(v *world.View, id world.ID) bool // nil: nobody plays anything

	entered []func(tx *world.Tx, id world.ID, h Handle) error
}

// OnInside has fn told of each entity that is in a zone in which it was not, also because the zone is new, and of each that has passed through one, where the
// world is put together. An error of fn undoes what noticed it.
func (t *Triggers) OnInside(fn func(tx *world.Tx, id world.ID, h Handle) error) {
	t.entered = append(t.entered, fn)
}

// Played says what somebody plays, for zones that notice only that, where the world is put together. It is asked in steps, and in any view.
func (t *Triggers) Played(plays func(v *world.View, id world.ID) bool) { t.plays = plays }

// Inside reports whether an entity is in a zone, as the last step has noticed.
func (t *Triggers) Inside(v *world.View, id world.ID, h Handle) bool {
	seats, _ := t.inside.Get(v, id)
	return slices.ContainsFunc(seats, func(s seat) bool { return s.Zone == h })
}

// Check reports why there is no zone of that name. The error says which there are.
func (t *Triggers) Check(v *world.View, name string) error {
	_, _, err := t.find(v, name)
	return err
}

// New adds triggers to a world, once, where it is put together: after what moves entities in steps. Their
// sounds are among sounds.
func New(w *world.World, sounds *audio.Sounds) *Triggers { return On(w, action.New(w, sounds)) }

// On is New where other packages have actions too: those of a step are counted together, and events are heard.
func On(w *world.World, does *action.Actions) *Triggers {
	t := &Triggers{
		w: w, does: does, paths: map[world.ID]path{}, moving: map[world.ID]path{}, most: MaxSeats,
		zones:   world.NewTable[Handle, zone](w, "trigger.zones", MaxZones, world.Private),
		cells:   world.NewTable[int64, []Handle](w, "trigger.cells", MaxZones*maxCells+1, world.Private, world.Derived),
		stays:   world.NewTable[Handle, bool](w, "trigger.stays", MaxZones, world.Private),
		carried: world.NewTable[Handle, world.ID](w, "trigger.carried", MaxZones, world.Private),
		left:    world.NewTable[uint64, gone](w, "trigger.left", maxGone, world.Private),
		inside:  world.NewComponent[seats](w, "trigger.inside", world.Private, world.Single, world.Derived),
	}
	w.OnCommit(t.note)
	w.OnStep("triggers", t.step, t.activity)
	w.OnDestroy(t.drop)
	w.OnDestroy(t.bury)
	w.OnFollow(t.reindex)
	w.OnUndo(t.comeBack)
	t.inside.Resume(func(all seats, past uint64) seats {
		all = slices.Clone(all)
		for i := range all {
			all[i].Since += past
		}
		return all
	})
	return t
}

// note remembers what a commit has changed, as long as there is a zone that it could matter to.
func (t *Triggers) note(v *world.View, changes []world.Change) {
	if t.zones.Len(v) == 0 && t.inside.Len(v) == 0 {
		t.touched = t.touched[:0]
		return
	}
	for i := range changes {
		if changes[i].What&world.Destroyed == 0 {
			t.touched = append(t.touched, changes[i].ID)
		}
		if changes[i].What&(world.Changed|world.Created) != 0 { // whether a group is a building goes by its parts
			for up := range v.Up(v.Parent(changes[i].ID)) {
				t.touched = append(t.touched, up)
			}
		}
	}
	if len(t.touched) > 1024+4*v.Len() { // time stands still
		t.touched = t.tidy()
	}
}

// tidy returns what was touched in id order, nothing twice.
func (t *Triggers) tidy() []world.ID {
	slices.Sort(t.touched)
	return slices.Compact(t.touched)
}

// find returns the zone that a caller names. The error says which there are.
func (t *Triggers) find(v *world.View, name string) (Handle, zone, error) {
	h, err := handle.Parse[kind](name)
	if err == nil {
		if z, ok := t.zones.Get(v, h); ok {
			return h, z, nil
		}
	}
	var all []Handle
	for other := range t.zones.All(v) {
		all = append(all, other)
	}
	if len(all) == 0 {
		return 0, zone{}, registry.Failf("unknown trigger %s; there is none: trigger.create makes one", quote.Clip(name))
	}
	return 0, zone{}, registry.Failf("unknown trigger %s; %s", quote.Clip(name), handle.Nearest(all, h))
}

// leave has everything forget that it was in a zone.
func (t *Triggers) leave(tx *world.Tx, h Handle) error {
	for id, seats := range t.inside.All(&tx.View) {
		rest := slices.DeleteFunc(slices.Clone(seats), func(s seat) bool { return s.Zone == h })
		if len(rest) == len(seats) {
			continue
		}
		if err := t.sit(tx, id, rest); err != nil {
			return err
		}
	}
	return nil
}

// join has everything that is in a zone already be in it, without entering.
func (t *Triggers) join(tx *world.Tx, h Handle, z *zone) (joined int, err error) {
	half := z.half()
	for _, id := range tx.InBox(z.Center.Sub(half), z.Center.Add(half)) {
		if !slices.Contains(t.at(nil, &tx.View, id), h) {
			continue
		}
		seats, _ := t.inside.Get(&tx.View, id)
		i, there := slices.BinarySearchFunc(seats, h, func(s seat, h Handle) int { return cmp.Compare(s.Zone, h) })
		if there {
			continue
		}
		if err := t.inside.Set(tx, id, slices.Insert(slices.Clone(seats), i, seat{h, tx.Step()})); err != nil {
			return joined, err
		}
		joined++
		if err := t.inform(tx, id, h); err != nil {
			return joined, err
		}
	}
	return joined, nil
}

// inform tells those who asked for it that an entity is in a zone in which it was not.
func (t *Triggers) inform(tx *world.Tx, id world.ID, h Handle) error {
	for _, fn := range t.entered {
		if err := fn(tx, id, h); err != nil {
			return err
		}
	}
	return nil
}

// rejoin makes of what is in zones what it has to be after an undo: of zones that are back, all that is in them; of
// zones that are gone, nothing.
func (t *Triggers) rejoin(tx *world.Tx) error {
	for id, seats := range t.inside.All(&tx.View) {
		rest := slices.DeleteFunc(slices.Clone(seats), func(s seat) bool { _, ok := t.zones.Get(&tx.View, s.Zone); return !ok })
		if len(rest) == len(seats) {
			continue
		}
		if err := t.sit(tx, id, rest); err != nil {
			return err
		}
	}
	for _, h := range slices.Sorted(maps.Keys(t.back)) {
		z, _ := t.zones.Get(&tx.View, h)
		if _, err := t.join(tx, h, &z); err != nil {
			return err
		}
	}
	return nil
}

// comeBack has what an undo brings back in zones enter them: what was destroyed in them had left. Zones that come back with it have not seen that.
func (t *Triggers) comeBack(tx *world.Tx) error {
	var born []world.ID
	for _, c := range tx.Pending() {
		if c.What&world.Created != 0 && t.inside.Has(&tx.View, c.ID) {
			born = append(born, c.ID)
		}
	}
	for _, id := range born {
		seats, _ := t.inside.Get(&tx.View, id)
		if err := t.sit(tx, id, slices.DeleteFunc(slices.Clone(seats), func(s seat) bool { return !t.back[s.Zone] })); err != nil {
			return err
		}
	}
	return nil
}

// sit notes in which zones an entity is.
func (t *Triggers) sit(tx *world.Tx, id world.ID, seats []seat) error {
	if len(seats) == 0 {
		t.inside.Remove(tx, id)
		return nil
	}
	return t.inside.Set(tx, id, seats)
}
