package history

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// UndoIn is the input of world.undo and world.redo.
type UndoIn struct {
	Steps int    `json:"steps" validate:"gte=1,lte=256" jsonschema:"default=1" jsonschema_description:"How many of your own steps. Each call that changed something is one; so is a whole batch."`
	Agent string `json:"agent,omitempty" validate:"max=256" jsonschema_description:"Whose steps, if not yours: for that you need the permission approval.review. It is as if the agent had done it itself."`
}

// UndoOut is the output of world.undo and world.redo.
type UndoOut struct {
	Revision  uint64     `json:"revision" jsonschema_description:"The revision of the world that this made."`
	Steps     []Step     `json:"steps" jsonschema_description:"What was taken back or made again, newest first."`
	Changed   int        `json:"changed" jsonschema_description:"How many entities were changed, made or removed by it."`
	Entities  []world.ID `json:"entities" jsonschema_description:"The first 10 of them."`
	Simulated []world.ID `json:"simulated,omitempty" jsonschema_description:"Those among them that the simulation had moved since, the first 10: they are where they were before your step."`
	Undoable  int        `json:"undoable" jsonschema_description:"How many steps can still be undone."`
	Redoable  int        `json:"redoable" jsonschema_description:"How many can be redone."`
}

const maxEntities = 10

// takesBack is the permission of those who take back what they did themselves. It is a right of its own, that authors have: who plays
// a game would have the potion again that he has drunk, and roll the dice until they suit him. Besides they need what the calls needed, see [entitled].
const takesBack profiles.Permission = "world.undo"

// Undo is world.undo.
func Undo(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[UndoIn, UndoOut]{
		Name:  "world.undo",
		Title: "Undo your last steps",
		Description: "Take back the last calls of yours that changed something, also after a mistake of a whole batch: what they destroyed is there again under its id, what they made is gone. " +
			"Refused, with who and what, if somebody else has changed the same things since. world.redo makes them again, world.history lists them. " +
			`Example: {"steps":1}`,
		Category:    "world",
		Keywords:    "mistake cancel earlier",
		Published:   true,
		Permissions: []profiles.Permission{takesBack},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in UndoIn) (UndoOut, error) {
			return in.take(w, c, (*world.Tx).UndoOf, -in.Steps)
		},
	})
}

// Redo is world.redo.
func Redo(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[UndoIn, UndoOut]{
		Name:  "world.redo",
		Title: "Redo what you undid",
		Description: "Take back your last undos, as long as you have changed nothing else since them: what they took back is there again. " +
			`What several steps were undone by in one call is one step here. Example: {"steps":1}`,
		Category:    "world",
		Permissions: []profiles.Permission{takesBack},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in UndoIn) (UndoOut, error) {
			return in.take(w, c, (*world.Tx).RedoOf, in.Steps)
		},
	})
}

// take has steps undone or redone by a method of a transaction; n is as [undone] has it.
func (in *UndoIn) take(w *world.World, c *registry.Call, step func(tx *world.Tx, agent string, n int) (world.Undone, error), n int) (UndoOut, error) {
	return world.Do(w, c, func(tx *world.Tx) (UndoOut, error) {
		agent, err := whose(c, in.Agent)
		if err == nil {
			err = current(c, &tx.View, agent)
		}
		if err != nil {
			return UndoOut{}, err
		}
		u, err := step(tx, agent, in.Steps)
		if err == nil {
			err = entitled(c, u.Steps)
		}
		return undone(tx, agent, u, err, n)
	})
}

// judge is the permission of those who decide about what others change.
const judge profiles.Permission = "approval.review"

// whose returns whose steps are meant: those of the agent that the caller names, if he may, or else his own.
func whose(c *registry.Call, agent string) (string, error) {
	p := c.Principal()
	if agent == "" || agent == p.ID {
		return p.ID, nil
	}
	if !p.Grants.Has(judge) {
		return "", registry.Errorf(registry.CodeForbidden, "agent: steps of others are for those with the permission %s; without agent your own are meant", judge)
	}
	return agent, nil
}

// entitled fails if the caller lacks a permission that the calls of the steps needed, and so would change by undo or redo what he may not change himself: he may have had more rights when he made
// them, with another token or profile. Those who decide about what others change need none.
func entitled(c *registry.Call, steps []world.Step) error {
	grants := c.Principal().Grants
	if grants.Has(judge) {
		return nil
	}
	for _, s := range steps {
		for _, name := range s.Skills {
			skill, ok := c.Registry().Lookup(name)
			if !ok {
				return registry.Errorf(registry.CodeForbidden, "steps: that of revision %d was made by %s, which is not there any more: only those with the permission %s take it back or make it again", s.Revision, name, judge)
			}
			if p, lacks := skill.Lacks(grants); lacks {
				return registry.Errorf(registry.CodeForbidden, "steps: that of revision %d was made by %s, which needs the permission %s, and you do not have it: those who do, or who have %s, take it back or make it again", s.Revision, name, p, judge)
			}
		}
	}
	return nil
}

// current fails if the call was held for a reviewer, and the agent has made or taken back steps since: which are meant the caller has said by when he called.
func current(c *registry.Call, v *world.View, agent string) error {
	asked, held := c.Held()
	if !held {
		return nil
	}
	undo, redo := v.History(agent)
	for _, s := range slices.Concat(undo, redo) {
		if s.Revision > asked {
			return registry.Failf("your newest step is another one than when you called: %s in revision %d came since; call again if you still mean it", s.Skill, s.Revision)
		}
	}
	return nil
}

// undone is the answer; the steps that can be undone and redone are counted as they will be after the
// commit, when n have gone to redo (below 0) or come back from it, as one.
func undone(tx *world.Tx, agent string, u world.Undone, err error, n int) (UndoOut, error) {
	if err != nil {
		return UndoOut{}, err
	}
	undo, redo := tx.History(agent)
	out := UndoOut{
		Revision: tx.Tick(), Steps: steps(u.Steps), Changed: len(u.Changed),
		Entities: u.Changed[:min(len(u.Changed), maxEntities)], Simulated: u.Simulated[:min(len(u.Simulated), maxEntities)],
		Undoable: len(undo) + 1, Redoable: len(redo) - n,
	}
	if n < 0 {
		out.Undoable, out.Redoable = len(undo)+n, len(redo)+1
	}
	return out, nil
}
