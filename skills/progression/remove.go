package progression

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// RemoveIn is the input of progression.remove.
type RemoveIn struct {
	TreeID string          `json:"treeId" validate:"min=1,max=64" jsonschema_description:"Which skill tree, as progression.skillTree named it: magic."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event progression.treeRemoved."`
}

// RemoveOut is the output of progression.remove.
type RemoveOut struct {
	OK    bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Kept  int  `json:"kept" jsonschema_description:"How many entities have nodes of it, which they keep with what those have raised."`
	Rules int  `json:"rules" jsonschema_description:"How many rules name it still, which game.rules with mentions tells; what they do with it fails."`
}

// Named has a function say, where the world is put together, how many rules name a skill tree.
func (b *Book) Named(rules func(v *world.View, id string) int) { b.named = rules }

// Remove is progression.remove.
func Remove(b *Book) registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, RemoveOut]{
		Name:  "progression.remove",
		Title: "Remove what points buy",
		Description: "Remove a skill tree that progression.skillTree has defined: nobody can buy of it any more. Who has nodes of it keeps them. " +
			`Example: {"treeId":"magic"}`,
		Keywords:    "delete forget talent perk",
		Permissions: []profiles.Permission{author},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in RemoveIn) (RemoveOut, error) {
			return world.Do(b.w, c, func(tx *world.Tx) (out RemoveOut, err error) {
				t, err := shelf.Named(&tx.View, b.trees, "skill tree", "progression.skillTree", in.TreeID)
				if err != nil {
					return out, err
				}
				for _, s := range b.states.All(&tx.View) {
					if slices.ContainsFunc(s.Skills, func(has Skill) bool { return has.Tree == in.TreeID }) {
						out.Kept++
					}
				}
				out.Rules = b.named.Of(&tx.View, in.TreeID)
				out.OK = b.trees.Delete(tx, in.TreeID)
				return out, c.Emit("progression.treeRemoved", treeDefined{in.TreeID, len(t.Nodes), in.Meta})
			})
		},
	})
}
