// Package behavior holds the skills of characters that live by themselves: behavior.define writes a profile, remove takes it away, assign gives it to an entity, setGoal and
// onEvent add to it; npc.setRoutine, setAttitude, memorize and recall are about one entity. Simulation steps carry it out, and nobody has to call.
//
// # What is guaranteed
//
//   - All of it is state of the world, and follows from it: the same world goes on in the same way.
//   - An entity looks four times a second at what there is to do, each in steps of its own. Of the goals that have something to do it pursues the one of the highest priority; of equal
//     ones those that behavior.setGoal gave it, the newest first, then its routine, which has the priority 0, then those of its profile in order.
//   - A routine goes by the hour of the world (world.setTime): what it says for an hour is done when that begins, and a place or a thing that it names is gone to until it names another or leaves it free.
//   - Of the reactions to an event an entity has the one of the highest priority that does not rest, in the step after the event, or in the same one if the
//     event was emitted by an action before; it is about those who have one then. A step does [MaxReactions] of those that one author wrote, where he is alone, and of several each has as many as are left for all others: so nobody's
//     crowd keeps those of others from reacting. That more are not had is told once for each author, as the moment behavior.failed.
//   - Foes of a guard, a turret or who flees, and those whom somebody guides, are found where they are when a step first looks for them. Of a tag the oldest [MaxHerd] count, and of those
//     that are near the nearest 64 are asked a condition or looked for. A step looks at so much for one author that it stays short, as with reactions: who has to wait looks in the next.
//   - It walks as by navmesh.moveTo, around what is in the way where a grid is built, else straight, over generated ground if it stands on some. A step looks for as many ways as it has time for; who
//     has to wait is among the first of the next.
//   - What is done is done with the rights of whoever wrote the profile, or gave the goal, and held to the claims of others as his calls are. What cannot be done is told as the
//     moment behavior.failed, or by the component.
//   - Who has no health left, is stunned or frozen, does nothing.
//
// # Who sees what
//
// Who sees the entity gets the components "behavior", [Shown], and "attitudes". Profiles and memories are not shown. A clone of an entity has no behavior.
package behavior

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/combat"
	"github.com/limina-mcp/limina/skills/interaction"
	"github.com/limina-mcp/limina/skills/internal/action"
	quota "github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

// The bounds of what a world keeps.
const (
	MaxProfiles  = 256
	MaxData      = 32 << 10 // bytes of the data, config and texts of a profile
	MaxMinds     = 4096     // entities that have behavior, at a time
	MaxOwn       = 16       // goals, and reactions, that an entity has besides those of its profile
	MaxHeard     = 1024     // events of one agent that wait to be reacted to, where he is alone
	maxAllHeard  = 2048     // … and of all: one has as many as are left
	MaxReactions = 4096     // that a step has of one author, where he is alone; all have twice as many, and one has as many as are left
	maxLooks     = 16384    // conditions of reactions of one author that a step looks at, in the same way
	MaxAttitudes = 64       // of an entity
	MaxMemories  = 64       // of an entity
	MaxMemory    = 2 << 10  // bytes of one
	MaxRecalled  = 8 << 10  // bytes of all that an entity has
)

// Deps is what behavior stands on.
type Deps struct {
	World  *world.World
	Ways   *navigation.Mesh
	Social *social.Social
	Does   *action.Actions
	Things *interaction.Things
	Arena  *combat.Arena
	Stats  *stats.Stats

	// Players returns what agents play, bodies and characters, in id order.
	Players func(v *world.View) []world.ID

	// Acts reports why a caller may not have an entity act.
	Acts func(v *world.View, caller *profiles.Principal, id world.ID) error
}

// Minds are what has behavior in a world. A world has one Minds.
type Minds struct {
	Deps
	profiles *world.Table[string, profile]
	by       *quota.Owners[string] // of profiles
	minds    *world.Component[mind]
	states   *world.Component[state] // of those that have something to look after
	shown    *world.Component[Shown] // viewers get it as "behavior"
	rests    *world.Component[[]rest]
	feelings *world.Component[[]Feeling] // "attitudes"
	memories *world.Component[[]Memory]
	goals    *world.Global[uint64]            // goals that were given so far; it never goes back
	ahead    *world.Global[uint64]            // by how many steps those look ahead of the step that it is, see every
	ears     *world.Table[string, []world.ID] // who has a reaction of his own to what, in id order
	fans     *world.Table[string, []string]   // which profiles have one to what, in order
	members  *world.Table[string, []world.ID] // who has a profile, by share, in id order
	heard    *world.Table[uint64, heard]
	waiting  *quota.Shares // of heard
	named    shelf.Namer   // how many rules name a profile

	// What the step that is being taken has left to do.
	searches         int
	reactions, looks portion
	spent            map[string]bool // authors who have had as much as they may
	sights           portion
	herds            map[string]*herd // by tag; "": who plays

	// What the look that is being taken has found.
	last  sight
	blind bool // it could not look for all that it is to find
}

// New adds behavior to a world, once, where it is put together: after whatever emits in steps, and before the events that hear of it.
func New(d Deps) *Minds {
	w := d.World
	m := &Minds{
		Deps:     d,
		profiles: world.NewTable[string, profile](w, "behavior.profiles", MaxProfiles, world.Private),
		by:       quota.NewOwners[string](w, "behavior.owners", quota.Kept{Most: MaxProfiles, What: "profiles of behavior", Free: "behavior.remove takes one away"}),
		minds:    world.NewComponent[mind](w, "behavior.mind", world.Private, world.Single),
		states:   world.NewComponent[state](w, "behavior.state", world.Private, world.Single),
		shown:    world.NewComponent[Shown](w, "behavior", world.Single),
		rests:    world.NewComponent[[]rest](w, "behavior.rests", world.Private, world.Single),
		feelings: world.NewComponent[[]Feeling](w, "attitudes", world.Single),
		memories: world.NewComponent[[]Memory](w, "npc.memories", world.Private, world.Single),
		goals:    world.NewGlobal[uint64](w, "behavior.goals", 0, world.Private, world.Lasting),
		ahead:    world.NewGlobal[uint64](w, "behavior.ahead", 0, world.Private),
		ears:     world.NewTable[string, []world.ID](w, "behavior.ears", 0, world.Private, world.Derived),
		fans:     world.NewTable[string, []string](w, "behavior.fans", 0, world.Private, world.Derived),
		members:  world.NewTable[string, []world.ID](w, "behavior.members", 0, world.Private, world.Derived),
		heard:    world.NewTable[uint64, heard](w, "behavior.heard", maxAllHeard, world.Private),
		waiting:  quota.New(w, "behavior.waiting", maxAllHeard),
	}
	m.states.Resume(state.later)
	m.rests.Resume(func(rests []rest, past uint64) []rest {
		rests = slices.Clone(rests)
		for i := range rests {
			rests[i].Until += past
		}
		return rests
	})
	m.ahead.Resume(func(ahead, past uint64) uint64 { return (ahead + m.every() - past%m.every()) % m.every() })
	m.memories.Resume(func(list []Memory, past uint64) []Memory {
		list = slices.Clone(list)
		for i := range list {
			list[i].Tick += past
		}
		return list
	})
	d.Does.OnEmit(m.queue)
	d.Does.OnAsk(m.reacting)
	w.OnDestroy(m.bury)
	w.OnFollow(m.reindex)
	w.OnHolder(m.recount)
	w.OnStep("behavior", m.step, m.activity)
	return m
}

// All returns the skills of the package.
func All(m *Minds) []registry.Skill {
	return []registry.Skill{Define(m), Remove(m), Assign(m), SetGoal(m), OnEvent(m), SetRoutine(m), Memorize(m), Recall(m), SetAttitude(m)}
}

// OKOut is the output of the skills that have nothing else to say.
type OKOut struct {
	OK   bool   `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}
