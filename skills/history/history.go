package history

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// HistoryIn is the input of world.history.
type HistoryIn struct {
	Limit int    `json:"limit" validate:"gte=1,lte=256" jsonschema:"default=20" jsonschema_description:"How many steps of each kind at most."`
	Agent string `json:"agent,omitempty" validate:"max=256" jsonschema_description:"Whose steps, if not yours: for that you need the permission approval.review."`
}

// HistoryOut is the output of world.history.
type HistoryOut struct {
	Revision uint64 `json:"revision" jsonschema_description:"The newest revision of the world."`
	Undo     []Step `json:"undo" jsonschema_description:"What world.undo takes back, newest first."`
	Redo     []Step `json:"redo" jsonschema_description:"What world.redo makes again, in the order in which it does."`
	Undoable int    `json:"undoable" jsonschema_description:"How many there are to undo in all."`
	Redoable int    `json:"redoable" jsonschema_description:"How many there are to redo in all."`
}

// History is world.history.
func History(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[HistoryIn, HistoryOut]{
		Name:  "world.history",
		Title: "List your steps",
		Description: "List what you can undo and redo: your own calls that changed something, newest first. For what others have changed use world.changes. " +
			`Example: {"limit":5}`,
		Category:    "world",
		Keywords:    "action did past made mine",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, in HistoryIn) (HistoryOut, error) {
			return world.Read(w, c, func(v *world.View) (HistoryOut, error) {
				agent, err := whose(c, in.Agent)
				if err != nil {
					return HistoryOut{}, err
				}
				undo, redo := v.History(agent)
				return HistoryOut{
					Revision: v.Tick(), Undoable: len(undo), Redoable: len(redo),
					Undo: steps(undo[:min(len(undo), in.Limit)]), Redo: steps(redo[:min(len(redo), in.Limit)]),
				}, nil
			})
		},
	})
}
