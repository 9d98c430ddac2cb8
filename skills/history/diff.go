package history

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// DiffIn is the input of world.diff.
type DiffIn struct {
	Since uint64 `json:"since" jsonschema_description:"A revision that you have seen."`
}

// DiffOut is the output of world.diff.
type DiffOut struct {
	Revision uint64          `json:"revision" jsonschema_description:"The newest revision."`
	Changes  registry.Object `json:"changes" jsonschema_description:"created, changed and destroyed count entities; entities are the first of them, each with what is different, before and after; world names what changed of the whole world; more counts entities left out."`
}

// Diff is world.diff.
func Diff(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[DiffIn, DiffOut]{
		Name:  "world.diff",
		Title: "Before and after",
		Description: "Show how entities differ between a revision and now: for each what it had and what it has. For who did it use world.changes; to see what a call would do, call it with dryRun. " +
			`Example: {"since":41}`,
		Category:    "world",
		Keywords:    "compare before",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, in DiffIn) (DiffOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (DiffOut, error) {
				changes, err := tx.Diff(in.Since)
				return DiffOut{Revision: tx.View.Tick(), Changes: registry.Object(changes)}, registry.Under("since", err)
			})
		},
	})
}
