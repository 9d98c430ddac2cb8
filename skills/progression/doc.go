// Package progression holds the skills of how entities come on: progression.xp and level, onLevelUp, unlock and isUnlocked, and skill trees, of
// which progression.allocate buys nodes.
//
// # Levels
//
// Everybody begins at level 1 with no experience. From level n to the next one lead 100 × 1.5^(n-1) points of experience, rounded down to a whole
// number: 100, 150, 225, 337, 506, … What is left over counts towards the next. A level brings a skill point. The highest is [MaxLevel]; what is
// gained there is kept, up to [MaxXP]. All of it is counted in whole numbers, so that nothing is lost or rounded twice.
//
// # What is guaranteed
//
//   - What an entity has come to is state, the component "progression", which viewers get and a clone has too.
//   - The actions of progression.onLevelUp are done with the simulation step after a level was reached, once for each level, in the order in which
//     they were attached, as whoever attached them; see package trigger for what each does. One that cannot be done is told as "progression.failed".
//   - A node is bought when all its prerequisites are at their highest level, if there are points. Of its effects, numbers that are named after a stat
//     of the entity raise that stat for good, its maximum too; what else there is is for whoever asked, and for viewers.
//   - Viewers are told by the moments progression.levelUp, unlocked and allocated. Events of these names are heard by package event, and so are
//     "progression.levelUp:5", "progression.unlocked:double_jump" and "progression.allocated:fireball". Nobody else can emit them.
package progression

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

// Limits on what the world holds of progression.
const (
	MaxEntities = 4096     // that have gained something, at a time; copies of them are not counted
	MaxUnlocked = 256      // of an entity
	MaxActions  = 16       // of an entity; their data together is no larger than that of one may be
	MaxTrees    = 64       // skill trees
	MaxNodes    = 64       // of a tree
	MaxData     = 32 << 10 // bytes of all that a tree has in effects and config
)

// author is the permission of those who decide for others.
const author profiles.Permission = "progression.configure"

// Book is how the entities of a world have come on. All of it is in the world, so it is hashed, rolled back and replayed with the rest. A world has
// one Book. Its methods read through a view and write through a transaction, and so may be called by whoever holds one.
type Book struct {
	w       *world.World
	deps    Deps
	states  *world.Component[state] // viewers see it as "progression"
	actions *world.Component[[]atLevel]
	due     *world.Component[[]int] // the levels that were reached, until the next step
	trees   *world.Table[string, tree]
	named   shelf.Namer // how many rules name a tree
}

// Deps is what a book stands on.
type Deps struct {
	Does  *action.Actions // what is done at a level is among them
	Stats *stats.Stats    // what effects raise

	// Guard says who may have an entity spend its points; nil for anybody.
	Guard func(v *world.View, caller *profiles.Principal, id world.ID) error
}

// New adds progression to a world, once, where it is put together: before the events that hear of it.
func New(w *world.World, d Deps) *Book {
	b := &Book{
		w: w, deps: d,
		states:  world.NewComponent[state](w, "progression"),
		actions: world.NewComponent[[]atLevel](w, "progression.onLevelUp", world.Private),
		due:     world.NewComponent[[]int](w, "progression.due", world.Private, world.Single),
		trees:   world.NewTable[string, tree](w, "progression.trees", MaxTrees, world.Private),
	}
	w.OnStep("progression", b.step, world.BusyWhile(func(v *world.View) bool { return b.due.Len(v) > 0 }))
	return b
}

// All returns the skills of the package.
func All(b *Book) []registry.Skill {
	return []registry.Skill{XP(b), Level(b), OnLevelUp(b), Unlock(b), IsUnlocked(b), SkillTree(b), Remove(b), Allocate(b)}
}

// state is what an entity has come to, as viewers get it. Values are immutable.
type state struct {
	Level    int      `json:"level"`
	XP       int64    `json:"xp"` // in its level
	ToNext   int64    `json:"xpToNext"`
	Points   int      `json:"skillPoints"`
	Unlocked []string `json:"unlocked,omitempty"` // in order
	Skills   []Skill  `json:"skills,omitempty"`   // by tree, then by node
}

// Skill is a node of a tree that an entity has.
type Skill struct {
	Tree  string `json:"treeId" jsonschema_description:"Of which tree."`
	Node  string `json:"nodeId" jsonschema_description:"Which node."`
	Level int64  `json:"level" jsonschema_description:"How often it was bought."`
}

// state returns what an entity has come to: who has gained nothing is at the beginning.
func (b *Book) state(v *world.View, id world.ID) (state, error) {
	s, ok := b.states.Get(v, id)
	switch {
	case ok:
		return s, nil
	case !v.Exists(id):
		return s, v.Unknown(id)
	}
	return state{Level: 1, ToNext: threshold(1)}, nil
}

// keep has an entity have come to something.
func (b *Book) keep(tx *world.Tx, id world.ID, s state) error {
	if !b.states.Has(&tx.View, id) && b.states.Len(&tx.View) >= MaxEntities {
		return registry.Errorf(registry.CodeCapacityExceeded, "%d entities have gained something, which is the most: destroy some", MaxEntities)
	}
	return b.states.Set(tx, id, s)
}

// has reports whether something is unlocked.
func (s *state) has(id string) bool {
	_, ok := slices.BinarySearch(s.Unlocked, id)
	return ok
}
