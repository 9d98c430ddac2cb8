package game

import (
	"encoding/json"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/expression"
	"github.com/limina-mcp/limina/skills/internal/lapse"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// Limits on what the world holds of a game.
const (
	MaxVariables  = 256
	MaxValue      = 4 << 10 // bytes of a variable
	MaxFlags      = 1024
	MaxCounters   = 1024
	MaxTimers     = 256
	MaxConditions = 256
	MaxName       = expression.MaxName // bytes
	MaxCount      = int64(1<<53 - 1)   // of a counter, and below 0 likewise
)

// Game is the state of the game in a world. All of it is in the world, so it is hashed, rolled back and replayed with
// the rest. A world has one Game.
type Game struct {
	w          *world.World
	does       *action.Actions
	status     *world.Global[Status]
	variables  *world.Table[string, action.Value]
	flags      *world.Table[string, bool]
	counters   *world.Table[string, int64]
	makers     *world.Table[string, string] // who set a flag, a counter or a variable first, by its kind and name
	timers     *world.Table[string, timer]
	due        *world.Table[string, uint64]     // the timers that run and end, and after which step
	seen       *world.Table[string, lapse.Seen] // when they were last seen to run
	conditions *world.Table[string, condition]
	holds      *world.Table[string, bool] // the conditions that are true

	// read are expressions that were read before: what they mean follows from their text.
	read map[string]*expression.Expression

	changed []expression.Ref // by actions that are being done, which belong together

	facts  map[string]Fact // by what they are of somebody
	parsed parsed          // conditions
	values parsed
}

// Status is how the game stands, as viewers get it.
type Status struct {
	State string `json:"state"`           // "running", "won", "lost"
	Since uint64 `json:"since,omitempty"` // which simulation step
	By    string `json:"by,omitempty"`    // who has brought it about
}

// New adds a game to a world, once, where it is put together: before the events that hear of it.
func New(w *world.World, does *action.Actions) *Game {
	g := &Game{
		w: w, does: does, read: map[string]*expression.Expression{}, facts: map[string]Fact{},
		status:     world.NewGlobal(w, "game", Status{State: running}),
		variables:  world.NewTable[string, action.Value](w, "game.variables", MaxVariables, world.Private),
		flags:      world.NewTable[string, bool](w, "game.flags", MaxFlags),
		counters:   world.NewTable[string, int64](w, "game.counters", MaxCounters),
		makers:     world.NewTable[string, string](w, "game.makers", 0, world.Private),
		timers:     world.NewTable[string, timer](w, "game.timers", MaxTimers),
		due:        world.NewTable[string, uint64](w, "game.due", MaxTimers, world.Private),
		seen:       world.NewTable[string, lapse.Seen](w, "game.timers.seen", MaxTimers, world.Private),
		conditions: world.NewTable[string, condition](w, "game.conditions", MaxConditions, world.Private),
		holds:      world.NewTable[string, bool](w, "game.holds", MaxConditions, world.Private, world.Derived),
	}
	w.Retire("game.seen")
	does.OnPlay(g.play)
	does.OnTogether(g.settle)
	does.Judge(g.Holds)
	does.Recall(g.variables.Get)
	does.Reckon(g.Compute)
	w.OnStep("game.timers", g.step, world.BusyWhile(func(v *world.View) bool { return g.due.Len(v) > 0 }))
	w.OnFollow(g.lookAgain)
	g.timers.Resume(func(t timer, past uint64) timer {
		if t.State == running {
			t.Start += past
		}
		t.Since += past
		return t
	})
	g.status.Resume(func(s Status, past uint64) Status {
		if s.Since != 0 {
			s.Since += past
		}
		return s
	})
	g.due.Resume(func(step, past uint64) uint64 { return step + past })
	g.seen.Resume(lapse.Seen.Later)
	return g
}

// announce tells viewers and listeners of an event on somebody's behalf; data, nil for none, goes with it. Without a name there is none.
func (g *Game) announce(tx *world.Tx, name, by string, data any) error {
	if name == "" {
		return nil
	}
	e := action.Event{Name: name, By: by}
	if data != nil {
		var err error
		if e.Data, err = json.Marshal(data); err != nil {
			return err
		}
	}
	return g.does.Announce(tx, e)
}

// checkEvent reports why a caller may not have an event announced: it is done later, when nobody is there to be told.
func checkEvent(c *registry.Call, field, name string) error {
	const need profiles.Permission = "event.write"
	if name != "" && !c.Principal().Grants.Has(need) {
		return registry.Errorf(registry.CodeForbidden, "missing permission: %s, which %s needs", need, field)
	}
	return action.CheckName(field, name)
}

// introduce notes who sets first what a table does not have yet, unless he has his share of it.
func introduce[T any](g *Game, tx *world.Tx, t *world.Table[string, T], what string, most int, key, by string) error {
	of := share.Kept{Most: most, What: what, Free: "set those that there are, or remove one; game.restart ends all"}
	if there := t.Len(&tx.View); !of.Ample(there) {
		has, is := 0, share.Like(&tx.View, by)
		for key := range t.All(&tx.View) {
			if maker, _ := g.makers.Get(&tx.View, what+":"+key); is(maker) {
				has++
			}
		}
		if err := of.Room(has, there); err != nil {
			return err
		}
	}
	return g.makers.Set(tx, what+":"+key, by)
}

// forget has a flag, a counter or a variable be as if it was never set, and returns the conditions that this makes true. It does nothing where it never was.
func forget[T any](g *Game, tx *world.Tx, t *world.Table[string, T], kind, key string) ([]string, error) {
	if !t.Delete(tx, key) {
		return nil, nil
	}
	g.makers.Delete(tx, kind+"s:"+key)
	return g.watch(tx, expression.Ref{Kind: kind, Name: key})
}

// missing is why something is not done that has a name which nothing of its kind has. t is all there is of that kind.
func missing[T any](v *world.View, t *world.Table[string, T], kind, name, maker string) error {
	near := near(v, t, name)
	switch {
	case t.Len(v) == 0:
		return registry.Failf("unknown %s %q; there is none: %s makes one", kind, quote.Clip(name), maker)
	case near == "":
		for first := range t.All(v) {
			return registry.Failf("unknown %s %q; there are %d, such as %q", kind, quote.Clip(name), t.Len(v), quote.Clip(first))
		}
	}
	return registry.Failf("unknown %s %q; the nearest is %q", kind, quote.Clip(name), quote.Clip(near))
}

// near returns a name in a table that may have been meant, "" if there is none.
func near[T any](v *world.View, t *world.Table[string, T], name string) string {
	var all []string
	for other := range t.All(v) {
		all = append(all, other)
	}
	return wire.Nearest(name, all)
}

// unset is what to say where something is read that was never set, "" if nothing.
func unset[T any](v *world.View, t *world.Table[string, T], kind, name string) string {
	text := "this " + kind + " was never set"
	if near := near(v, t, name); near != "" {
		text += "; did you mean \"" + quote.Clip(near) + "\"?"
	}
	return text
}
