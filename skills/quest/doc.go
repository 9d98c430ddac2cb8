// Package quest holds the skills of quests: quest.define says what is to be done and what for; offer, accept and decline are how somebody comes to have one;
// update, complete and fail say how it goes; list and track read the log and mark what somebody is about.
//
// # What is kept
//
// A quest is a row of a private table. Who was offered one has it in his log, the component "quests", which viewers get: available, active, completed or
// failed, how far each objective is, and which one he is about. At most one is tracked. A clone has no log.
//
// # What the server does by itself
//
// Objectives of an active quest are advanced by simulation steps, when something happens that concerns them: a step in which nothing
// does costs nothing, however many quests there are.
//
//   - kill: who has the quest is the attacker of a blow (package stats) that takes the last of the health of something that is the target, or is called
//     so, or has it as a tag.
//   - collect: his slots hold items of the kind that the target names. The most that he has held at a time counts.
//   - reach: he is in the zone, or has passed through it within a step, or is near the entity or the place.
//   - talk: a dialogue that is between him and the target begins, or is over.
//   - custom: an event of the name in config is emitted, about him, or about nobody: then it counts for all. With a target it has to be about that, and
//     counts for the actorEntity in its data, if that names somebody, else for all.
//
// What happens between two steps is looked at in the next, in its order, for those who have the quest then. A step looks at what concerns [MaxStep], and
// leaves the rest to the next. [MaxWaiting] things wait for that; those beyond count for nothing.
//
// When all objectives of a quest are done it is completed, unless its config says that somebody has to do that. Then rewards are given, each by itself: one
// that cannot be is told, and the others are given. The quests that follow are offered.
//
// # Who hears of it
//
// Viewers get the moments quest.offered, accepted, declined, objective, completed and failed. Events of the same names are heard by package event, about who has
// the quest, and so are "quest.completed:dragon" and the like for one quest. Nobody else can emit them.
//
// Zones, listeners and whatever else has actions have somebody come to a quest by calling these skills: type call, see package action.
//
// # Who may
//
// Anybody with quest.write may offer. What decides for somebody, accept, decline, track, and what says how far he is, is refused of another agent's body and of
// somebody else's character, but to who has quest.configure. Who has no quest.write, as who only plays, accepts, declines and tracks for himself: what he
// plays. Rewards are given with the rights of who defined the quest, which are looked at when he does.
package quest

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/progression"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/world"
)

// Limits on what the world holds of quests.
const (
	MaxQuests     = 256
	MaxObjectives = 16             // of a quest
	MaxData       = 16 << 10       // bytes of all that a quest has in rewards and config
	MaxLogs       = 4096           // entities with a log
	MaxLog        = 64             // quests in a log
	MaxOpen       = 16             // of these, that are available or active
	MaxWaiting    = 4096           // things that have happened, until a step, that one agent emits, or that happen to one entity, where it is alone
	maxWaiting    = 2 * MaxWaiting // … and of all: each has as many as are left
	MaxStep       = 8192           // whom what a step looks at concerns, each as often as it does
)

// The permissions of those who decide for others, author, and for whatever nobody else plays, teller.
const (
	author profiles.Permission = "quest.configure"
	teller profiles.Permission = "quest.write"
)

// Quests are the quests of a world. Everything that decides anything is in the world, so it is hashed, rolled back and replayed with the rest. A world
// has one Quests.
type Quests struct {
	w      *world.World
	deps   Deps
	quests *world.Table[string, quest]
	logs   *world.Component[[]entry]          // viewers see it as "quests"
	news   *world.Table[uint64, news]         // what has happened, until the next step
	shares *share.Shares                      // of news
	hears  *world.Table[string, []world.ID]   // whom an event concerns, in order
	sought *world.Table[world.ID, []world.ID] // who has to come near an entity, in order
	named  shelf.Namer                        // how many rules name a quest

	// moved is what has moved since the last step looked. What a step does follows from the world alone: whoever is looked at without need is found
	// where he was.
	moved []world.ID
	seen  []world.ID // in the newest step; kept for its room
}

// Deps is what quests stand on.
type Deps struct {
	Does  *action.Actions
	Stats *stats.Stats     // who has killed whom, and what rewards raise
	Owned *inventory.Store // who has what
	Zones *trigger.Triggers
	Book  *progression.Book // where experience goes

	// Guard says who may decide for an entity; nil for anybody.
	Guard func(v *world.View, caller *profiles.Principal, id world.ID) error

	// Plays reports whether an entity is an agent's body or a character of his.
	Plays func(v *world.View, agent string, id world.ID) bool
}

// New adds quests to a world, once, where it is put together: after what they hear of, and before the events that hear of them.
func New(w *world.World, d Deps) *Quests {
	q := &Quests{
		w: w, deps: d,
		quests: world.NewTable[string, quest](w, "quest.quests", MaxQuests, world.Private),
		logs:   world.NewComponent[[]entry](w, "quests", world.Single),
		news:   world.NewTable[uint64, news](w, "quest.news", maxWaiting, world.Private),
		shares: share.New(w, "quest.shares", maxWaiting),
		hears:  world.NewTable[string, []world.ID](w, "quest.hears", MaxQuests*MaxObjectives, world.Private, world.Derived),
		sought: world.NewTable[world.ID, []world.ID](w, "quest.sought", MaxQuests*MaxObjectives, world.Private, world.Derived),
	}
	q.logs.Resume(later)
	d.Does.OnEmit(q.hear)
	d.Does.OnLimit(q.lookAtOwed)
	d.Stats.OnKilled(q.killed)
	d.Owned.OnGot(q.look)
	d.Zones.OnInside(q.entered)
	w.OnCommit(q.note)
	w.OnDestroy(func(tx *world.Tx, id world.ID) { q.forget(tx, id) })
	w.OnFollow(q.reindex)
	w.OnHolder(q.recount)
	w.OnStep("quests", q.step, world.BusyWhile(func(v *world.View) bool { return q.news.Len(v) > 0 || len(q.moved) > 0 }))
	return q
}

// All returns the skills of the package.
func All(q *Quests) []registry.Skill {
	return []registry.Skill{Define(q), Remove(q), Offer(q), Accept(q), Decline(q), Update(q), Complete(q), Fail(q), List(q), Track(q)}
}

// decides reports why a caller may not accept, decline or track quests of an entity.
func (q *Quests) decides(v *world.View, caller *profiles.Principal, id world.ID) error {
	if err := q.may(v, caller, id); err != nil || caller.Grants.Has(teller) || q.deps.Plays(v, caller.ID, id) {
		return err
	}
	return registry.Errorf(registry.CodeForbidden, "entity: %s is neither your body nor a character of yours, and for others decides who has the permission %s: leave it out to decide for yourself", id, teller)
}

// may reports why a caller may not decide for an entity. Who may author may.
func (q *Quests) may(v *world.View, caller *profiles.Principal, id world.ID) error {
	switch {
	case !v.Exists(id):
		return v.Unknown(id)
	case q.deps.Guard == nil || caller.Grants.Has(author):
		return nil
	}
	return q.deps.Guard(v, caller, id)
}
