package inventory

import (
	"iter"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// UndefineIn is the input of item.remove.
type UndefineIn struct {
	ID   string          `json:"id" validate:"min=1,max=64" jsonschema_description:"Which kind, as item.define named it: gold_coin."`
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event item.removed."`
}

// UndefineOut is the output of item.remove.
type UndefineOut struct {
	OK    bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Rules int  `json:"rules" jsonschema_description:"How many rules name it still, which game.rules with mentions tells; what they do with it fails."`
}

// Named has a function say, where the world is put together, how many rules name a kind of items.
func (s *Store) Named(rules func(v *world.View, id string) int) { s.named = rules }

// Needed has a function say, where the world is put together, which entities need which kinds: what lies about as one, and what opens with one only.
func (s *Store) Needed(kinds func(v *world.View) iter.Seq2[world.ID, string]) { s.needed = kinds }

// Undefine is item.remove.
func Undefine(s *Store) registry.Skill {
	return registry.Define(registry.Spec[UndefineIn, UndefineOut]{
		Name:  "item.remove",
		Title: "Remove a kind of item",
		Description: "Remove a kind of item that item.define has made, for good. Refused while somebody has or wears one, while one lies about, or something opens with it. To take items out of an inventory use inventory.remove. What is kept of it for agents who are away they do not have when they come back. " +
			`Example: {"id":"gold_coin"}`,
		Keywords:    "delete undefine forget",
		Permissions: []profiles.Permission{"item.configure"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in UndefineIn) (UndefineOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (out UndefineOut, err error) {
				if _, err := s.Kind(&tx.View, in.ID); err != nil {
					return out, err
				}
				if err := s.unused(&tx.View, in.ID); err != nil {
					return out, err
				}
				out.Rules = s.named.Of(&tx.View, in.ID)
				s.by.Drop(tx, in.ID)
				out.OK = s.kinds.Delete(tx, in.ID)
				return out, c.Emit("item.removed", event{Item: in.ID, Meta: in.Meta})
			})
		},
	})
}

// unused reports where there is one of a kind still, and how that ends.
func (s *Store) unused(v *world.View, kind string) error {
	var has, wears, needs []world.ID
	for id, list := range s.items.All(v) {
		if slices.ContainsFunc(list, func(st stack) bool { return st.Item == kind }) {
			has = append(has, id)
		}
	}
	for id, list := range s.worn.All(v) {
		if slices.ContainsFunc(list, func(w worn) bool { return w.Item == kind }) {
			wears = append(wears, id)
		}
	}
	if s.needed != nil {
		for id, needed := range s.needed(v) {
			if needed == kind && !slices.Contains(needs, id) {
				needs = append(needs, id)
			}
		}
	}
	if err := shelf.Used("id", kind, has, "has", "have", `inventory.remove of all of it from %q`); err != nil {
		return err
	}
	if err := shelf.Used("id", kind, wears, "wears", "wear", `item.unequip of %q, and inventory.remove,`); err != nil {
		return err
	}
	return shelf.Used("id", kind, needs, "is, or opens with,", "are, or open with,", `scene.destroyEntity or interaction.unregister {"entity":%q}`)
}
