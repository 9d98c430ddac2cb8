// Package director holds the skills of the pacing of a game for several: director.configure says how it goes, director.start and stop when, director.status
// how it stands. Tension rises, is held, falls and pauses, again and again, and faster the harder it is for who plays.
//
// # The model
//
// Tension is a number from restLevel to peakLevel. There are four phases, which follow one another in this order, round and round:
//
//   - build_up: it rises by buildRate in a second of the world's time, until it is at peakLevel.
//   - sustain: it stays there for sustainTicks simulation steps.
//   - fade: it falls by fadeRate in a second, until it is at restLevel.
//   - rest: it stays there for restTicks.
//
// A second has 60 steps ([world.Config]). Rates count seconds and durations count steps, because only so what is the default makes a game: 45 seconds up, three at
// the peak, 30 down and four of rest. By the step it would be three quarters of a second up, in which nobody comes to fight.
//
// What happens to who plays is pressure:
//
//   - of a blow that takes all of the health of one it is [OfHealth], of one that takes less so much less;
//   - the death of one is [OfDeath] more;
//   - what one of them kills is [OfKill].
//
// In each step pressure becomes (1 - pressureDamping) less, and in build_up and fade tension that much more. So what happens in build_up brings the
// peak nearer, and in fade keeps rest off until the fight is over. In sustain and rest it only passes. With the damping .9 half of a blow is felt within 7 steps, with .99 within
// 69; with 0 all of it is at once, and with 1 none ever. Pressure that waits is 1 at most. Those who play are the bodies of agents, and the
// characters of player.spawn that have no behavior ([Deps]).
//
// # What is guaranteed
//
//   - A step in which a phase begins announces "director.phase" and "director.phase:rest" and the like, with {phase, tension}, which listeners of package event hear in the
//     same step; so does director.start, heard in the next one. Viewers get the moment director.phase. A phase of no steps begins and ends in one. director.stop announces
//     "director.stopped". Nobody else can emit these.
//   - Tension follows from the step by a formula; nothing is written while nothing happens. A director that is stopped costs nothing.
//   - What is configured counts from the next step on, from the tension that there is.
//   - While nobody attends it waits. What a checkpoint or an undo brings back goes on where it was.
//
// Functions of this package are called as those of others that hold state of the world: [New] and [All] once, the skills by anybody, at any time.
package director

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

// Pressure, in units of tension.
const (
	OfHealth = 0.5  // all of the health of one who plays
	OfDeath  = 0.25 // his death, on top of that
	OfKill   = 0.05 // what he kills
)

// MaxWaiting is how much that is pressure waits for the next step; what is beyond counts for nothing.
const MaxWaiting = 1024

// Director paces a world. All of it is in the world, so it is hashed, rolled back and replayed with the rest. A world has one Director.
type Director struct {
	w      *world.World
	deps   Deps
	config *world.Global[Config]
	course *world.Global[course]
	felt   *world.Table[uint64, float64] // pressure that has come about since the last step
}

// Deps is what a director stands on.
type Deps struct {
	Does  *action.Actions
	Stats *stats.Stats // what is pressure

	// Plays reports whether an entity is one of those who play.
	Plays func(v *world.View, id world.ID) bool
}

// New adds a director to a world, once, where it is put together: after what does blows in steps, and before the events that hear of it.
func New(w *world.World, d Deps) *Director {
	dir := &Director{
		w: w, deps: d,
		config: world.NewGlobal(w, "director.config", usual, world.Private),
		course: world.NewGlobal(w, "director", course{}, world.Private),
		felt:   world.NewTable[uint64, float64](w, "director.felt", MaxWaiting, world.Private),
	}
	w.Retire("director.seen")

	dir.course.Resume(func(c course, past uint64) course {
		if c.runs() {
			c.At, c.Seen = c.At+past, c.Seen.Later(past)
		}
		return c
	})
	d.Stats.OnHurt(dir.feel)
	w.OnStep("director", dir.step, func(v *world.View) world.Activity {
		c := dir.course.Get(v)
		switch {
		case c.runs():
			return world.Waiting
		case dir.felt.Len(v) > 0:
			return world.Busy
		}
		return world.Idle
	})
	return dir
}

// All returns the skills of the package.
func All(d *Director) []registry.Skill {
	return []registry.Skill{d.configure(), d.start(), d.stop(), d.status()}
}
