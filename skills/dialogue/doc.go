// Package dialogue holds the skills of conversations: dialogue.define writes one as a tree of nodes and choices, remove takes it away, start, choose and end hold it, get
// says where it is; npcSay has an entity say something outside of one, setMood says in which mood it is.
//
// # What is guaranteed
//
//   - The server runs a conversation: what is said, which choices there are, and what they bring about is decided when a node is entered or a
//     choice is made, all of it or nothing.
//   - A listener is in one conversation at a time; a speaker may be in many. It ends by a choice that leads nowhere, at a node without a choice, by dialogue.end, when
//     the speaker or the listener is no more, and, where the tree has a range, when the two are farther apart.
//   - Who listens is the caller's own: his body, a character that he may control, or what is nobody's. So nobody is drawn into a conversation. Who speaks may be anybody's whom the
//     caller or whoever wrote the tree may control: nobody can have another agent's body say what that agent has not written. Where things are registered for a tree, those
//     alone speak by it to who plays, and to who reaches them.
//   - What a node does is done with the rights of whoever wrote the tree.
//   - Listeners and steps of other packages hear of it by the events dialogue.started and dialogue.ended, which the server alone emits, about the
//     listener.
//
// # Who sees what
//
// What a node says is said by the speaker as by social.say: those who see the place hear it. Who sees the listener gets the component "dialogue", [Talk]: the node and its choices. Moods
// are the component "mood". Trees, and what was said before, are not shown.
package dialogue

import (
	"iter"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/game"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/self"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

// The bounds of what a world keeps.
const (
	MaxTrees  = 256
	MaxNodes  = 256      // of a tree
	MaxTree   = 64 << 10 // bytes of the texts, effects and config of a tree
	MaxTalks  = 1024     // at a time; who begins them has a share
	MaxVisits = 256      // that are remembered of a conversation, the newest
)

// Deps is what conversations stand on.
type Deps struct {
	World  *world.World
	Agents *agents.Agents
	Social *social.Social
	Game   *game.Game       // what conditions read
	Does   *action.Actions  // who hears of events, and changes the game
	Owned  *inventory.Store // what is given and taken
	Stats  *stats.Stats     // what is added and taken

	// Gain gives an entity experience on somebody's behalf.
	Gain func(tx *world.Tx, id world.ID, amount int64, by string) error

	// Self is what a caller has of his own, who names nobody. Nil: nobody has anything.
	Self self.Of

	// Acts reports why a caller may not have an entity act.
	Acts func(v *world.View, caller *profiles.Principal, id world.ID) error
}

// Talks are the conversations of a world, and what they may be about. All of it is in the world. A world has one Talks.
type Talks struct {
	Deps
	trees *world.Table[string, tree]
	talks *world.Component[Talk] // of listeners
	pasts *world.Component[past]
	moods *world.Component[string]

	named    shelf.Namer                                     // how many rules name a dialogue
	speakers func(v *world.View) iter.Seq2[world.ID, string] // which entities begin which; nil: none

	voiced func(v *world.View, caller *profiles.Principal, tree string, speaker, listener world.ID) (why string, err error) // nil: anything speaks by any tree
}

// author is the permission of those who write dialogues.
const author profiles.Permission = "dialogue.configure"

// Voiced has a function say, where the world is put together, why a listener does not talk with a speaker by a tree, whose caller has not [author]: "" if he may. Else who plays
// would choose with whom, and where, he has what an author gives in a conversation.
func (t *Talks) Voiced(fn func(v *world.View, caller *profiles.Principal, tree string, speaker, listener world.ID) (why string, err error)) {
	t.voiced = fn
}

// New adds conversations to a world, once, where it is put together: before the events that hear of them.
func New(d Deps) *Talks {
	w := d.World
	t := &Talks{
		Deps:  d,
		trees: world.NewTable[string, tree](w, "dialogue.trees", MaxTrees, world.Private),
		talks: world.NewComponent[Talk](w, "dialogue", world.Single),
		pasts: world.NewComponent[past](w, "dialogue.past", world.Private, world.Single),
		moods: world.NewComponent[string](w, "mood"),
	}
	t.talks.Resume(func(k Talk, past uint64) Talk {
		k.Since += past
		return k
	})
	w.OnDestroy(t.bury)
	w.OnStep("dialogue", t.step, t.activity)
	return t
}

// All returns the skills of the package.
func All(t *Talks) []registry.Skill {
	return []registry.Skill{Define(t), Remove(t), Start(t), Choose(t), End(t), Get(t), NPCSay(t), SetMood(t)}
}
