package progression

import (
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// tree is a row of the table of skill trees, by its id. Rows are immutable.
type tree struct {
	Name   string          `json:"name"`
	Nodes  []node          `json:"nodes"`
	Config registry.Object `json:"config,omitempty"`
	By     string          `json:"by"` // who defined it
}

// node is something that can be bought.
type node struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Needs       []string        `json:"prerequisites,omitempty"`
	Cost        int64           `json:"cost"`
	Most        int64           `json:"maxLevel"`
	Effects     registry.Object `json:"effects,omitempty"`
	Config      registry.Object `json:"config,omitempty"`
}

// NodeIn is a node of a skill tree.
type NodeIn struct {
	ID            string          `json:"id" validate:"min=1,max=64" jsonschema_description:"What progression.allocate calls it: fireball."`
	Name          string          `json:"name" validate:"min=1,max=64" jsonschema_description:"What people call it: Fireball."`
	Description   string          `json:"description,omitempty" validate:"omitempty,max=500" jsonschema_description:"What it is good for."`
	Prerequisites []string        `json:"prerequisites,omitempty" validate:"omitempty,max=16,dive,min=1,max=64" jsonschema_description:"The ids of the nodes of this tree that have to be at their highest level before."`
	Cost          int64           `json:"cost" validate:"gte=1" jsonschema:"default=1" jsonschema_description:"How many skill points a level of it costs."`
	MaxLevel      int64           `json:"maxLevel" validate:"gte=1" jsonschema:"default=1" jsonschema_description:"How often it can be bought."`
	Effects       registry.Object `json:"effects" jsonschema_description:"What each level of it does. A number that is named after a stat of who buys it raises that stat for good, and its maximum: {\"hp\":10,\"defense\":1}. All else progression.allocate answers with, for you to make something of."`
	Config        registry.Object `json:"config,omitempty" jsonschema_description:"Whatever belongs to it, such as where it is drawn; changes nothing."`
}

// SkillTreeIn is the input of progression.skillTree.
type SkillTreeIn struct {
	ID     string          `json:"id" validate:"min=1,max=64" jsonschema_description:"What progression.allocate calls it: magic. One of that id is replaced; who has nodes of it keeps them."`
	Name   string          `json:"name" validate:"min=1,max=64" jsonschema_description:"What people call it: Magic."`
	Nodes  []NodeIn        `json:"nodes" validate:"min=1,max=64" jsonschema_description:"What can be bought, in any order."`
	Config registry.Object `json:"config,omitempty" jsonschema_description:"Whatever belongs to it; changes nothing."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event progression.treeDefined."`
}

// SkillTreeOut is the output of progression.skillTree.
type SkillTreeOut struct {
	OK   bool   `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// SkillTree is progression.skillTree.
func SkillTree(b *Book) registry.Skill {
	return registry.Define(registry.Spec[SkillTreeIn, SkillTreeOut]{
		Name:  "progression.skillTree",
		Title: "Define a skill tree",
		Description: "Define what skill points buy: nodes that cost some, need others before, and raise stats. A level brings a point (progression.xp); progression.allocate spends it. " +
			`Example: {"id":"magic","name":"Magic","nodes":[{"id":"focus","name":"Focus","maxLevel":2,"effects":{"mana":10}},{"id":"fireball","name":"Fireball","prerequisites":["focus"],"cost":2,"effects":{"ability":"fireball"}}]}`,
		Keywords:    "talent perk tech ability node upgrade rpg class",
		Permissions: []profiles.Permission{author},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in SkillTreeIn) (SkillTreeOut, error) {
			t, err := in.tree(c.Principal().ID)
			if err != nil {
				return SkillTreeOut{}, err
			}
			return world.Do(b.w, c, func(tx *world.Tx) (SkillTreeOut, error) {
				if _, there := b.trees.Get(&tx.View, in.ID); !there {
					of := share.Kept{Most: MaxTrees, What: "skill trees", Free: "progression.remove takes one away"}
					if err := share.RoomIn(&tx.View, &of, b.trees.All(&tx.View), t.By, func(t *tree) string { return t.By }); err != nil {
						return SkillTreeOut{}, err
					}
				}
				if err := b.trees.Set(tx, in.ID, t); err != nil {
					return SkillTreeOut{}, err
				}
				return SkillTreeOut{true, t.beyond()}, c.Emit("progression.treeDefined", treeDefined{in.ID, len(t.Nodes), in.Meta})
			})
		},
	})
}

type treeDefined struct {
	ID    string          `json:"id"`
	Nodes int             `json:"nodes"`
	Meta  registry.Object `json:"meta,omitempty"`
}

// tree returns what is kept of the input.
func (in *SkillTreeIn) tree(by string) (tree, error) {
	t := tree{Name: in.Name, Nodes: make([]node, len(in.Nodes)), Config: in.Config, By: by}
	bytes := len(in.Config)
	for i := range in.Nodes {
		n := &in.Nodes[i]
		if t.at(n.ID) >= 0 {
			return t, registry.Invalidf("nodes[%d].id: %q is there twice", i, quote.Clip(n.ID))
		}
		bytes += len(n.Effects) + len(n.Config)
		t.Nodes[i] = node{n.ID, n.Name, n.Description, n.Prerequisites, n.Cost, n.MaxLevel, n.Effects, n.Config}
	}
	if err := config.Fits("nodes", bytes, MaxData); err != nil {
		return t, err
	}
	return t, t.sound()
}

// at returns where a node is, -1 if it is not there.
func (t *tree) at(id string) int {
	return slices.IndexFunc(t.Nodes, func(n node) bool { return n.ID == id })
}

// ids returns the ids of the nodes.
func (t *tree) ids() []string {
	ids := make([]string, len(t.Nodes))
	for i := range t.Nodes {
		ids[i] = t.Nodes[i].ID
	}
	return ids
}

// sound reports what nodes need that is not there, and what goes round in a circle, so that nobody could ever buy it.
func (t *tree) sound() error {
	for i := range t.Nodes {
		for j, need := range t.Nodes[i].Needs {
			if t.at(need) >= 0 {
				continue
			}
			return registry.Invalidf("nodes[%d].prerequisites[%d]: there is no node %q in this tree; %s", i, j, quote.Clip(need), quote.Others(need, t.ids()))
		}
	}
	bought := map[string]bool{}
	for more := true; more; {
		more = false
		for i := range t.Nodes {
			n := &t.Nodes[i]
			if !bought[n.ID] && !slices.ContainsFunc(n.Needs, func(id string) bool { return !bought[id] }) {
				bought[n.ID], more = true, true
			}
		}
	}
	for i := range t.Nodes {
		if !bought[t.Nodes[i].ID] {
			return registry.Invalidf("nodes[%d].prerequisites: %q can never be bought: what it needs goes round in a circle", i, quote.Clip(t.Nodes[i].ID))
		}
	}
	return nil
}

// beyond says which nodes nobody can come to, because there are not so many points; "" if there are none.
func (t *tree) beyond() string {
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Cost >= MaxLevel {
			return fmt.Sprintf("nodes[%d].cost: levels bring %d points in all, so nobody can ever buy %q", i, MaxLevel-1, quote.Clip(n.ID))
		}
	}
	return ""
}
