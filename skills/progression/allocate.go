package progression

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// AllocateIn is the input of progression.allocate.
type AllocateIn struct {
	Entity world.ID        `json:"entity,omitempty" jsonschema_description:"Who spends its points, such as ent_3: your own body or character, which it is if left out, or what is nobody's."`
	TreeID string          `json:"treeId" validate:"max=64" jsonschema_description:"The tree, as progression.skillTree has it: magic."`
	NodeID string          `json:"nodeId" validate:"max=64" jsonschema_description:"The node of it: fireball."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event progression.allocated."`
}

// AllocateOut is the output of progression.allocate.
type AllocateOut struct {
	OK          bool            `json:"ok" jsonschema_description:"Whether it was bought; if not, nothing has changed."`
	Reason      string          `json:"reason,omitempty" jsonschema_description:"Why it was not, and what would help."`
	Level       int64           `json:"level" jsonschema_description:"How often it has been bought."`
	SkillPoints int             `json:"skillPoints" jsonschema_description:"The points that are left."`
	Effects     registry.Object `json:"effects,omitempty" jsonschema_description:"What one level of it does, as progression.skillTree has it."`
	Raised      []Raised        `json:"raised,omitempty" jsonschema_description:"What of that is done: the stats that are higher now. All else is for you to do."`
}

// Raised is a stat that was raised.
type Raised struct {
	Stat  string  `json:"statName" jsonschema_description:"Which."`
	Value float64 `json:"value" jsonschema_description:"What it is now, without buffs."`
}

// Allocate is progression.allocate.
func Allocate(b *Book) registry.Skill {
	return registry.Define(registry.Spec[AllocateIn, AllocateOut]{
		Name:  "progression.allocate",
		Title: "Spend skill points",
		Description: "Have an entity buy a level of a node of a skill tree. What the node needs has to be at its highest level before, and there have to be points, of which each level brings one. Its effects on stats are done at once; the answer has the others. " +
			`Example: {"entity":"ent_3","treeId":"magic","nodeId":"fireball"}`,
		Keywords:    "buy learn talent perk upgrade skill point spend tech",
		Permissions: []profiles.Permission{"progression.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in AllocateIn) (AllocateOut, error) {
			return world.Do(b.w, c, func(tx *world.Tx) (AllocateOut, error) {
				if err := b.deps.Stats.Self(&tx.View, c.Principal(), "entity", &in.Entity); err != nil {
					return AllocateOut{}, err
				}
				if err := b.may(&tx.View, c.Principal(), in.Entity); err != nil {
					return AllocateOut{}, err
				}
				out, err := b.allocate(tx, c.Principal().ID, &in)
				if err != nil || !out.OK {
					return out, err
				}
				return out, c.Emit("progression.allocated", allocated{in.Entity, in.TreeID, in.NodeID, out.Level, in.Meta})
			})
		},
	})
}

type allocated struct {
	Entity world.ID        `json:"entity"`
	Tree   string          `json:"treeId"`
	Node   string          `json:"nodeId"`
	Level  int64           `json:"level"`
	Meta   registry.Object `json:"meta,omitempty"`
}

// bought is what those are told who hear of it.
type bought struct {
	Tree    string          `json:"treeId"`
	Node    string          `json:"nodeId"`
	Level   int64           `json:"level"`
	Effects registry.Object `json:"effects,omitempty"`
}

// may reports why a caller may not decide for an entity. Who may author may.
func (b *Book) may(v *world.View, caller *profiles.Principal, id world.ID) error {
	switch {
	case !v.Exists(id):
		return v.Unknown(id)
	case b.deps.Guard == nil || caller.Grants.Has(author):
		return nil
	}
	return b.deps.Guard(v, caller, id)
}

// allocate buys a level of a node.
func (b *Book) allocate(tx *world.Tx, by string, in *AllocateIn) (out AllocateOut, err error) {
	n, t, err := b.find(&tx.View, in.TreeID, in.NodeID)
	if err != nil {
		return out, err
	}
	s, err := b.state(&tx.View, in.Entity)
	if err != nil {
		return out, err
	}
	out.Level, out.SkillPoints = s.level(in.TreeID, n.ID), s.Points
	if out.Reason = s.unfit(in, n, t); out.Reason != "" {
		return out, nil
	}
	s.buy(in.TreeID, n)
	if err := b.keep(tx, in.Entity, s); err != nil {
		return out, err
	}
	out.OK, out.Level, out.SkillPoints, out.Effects = true, out.Level+1, s.Points, n.Effects
	if out.Raised, err = b.raise(tx, in.Entity, n.Effects); err != nil {
		return out, err
	}
	return out, b.deps.Does.Tell(tx, "progression", "allocated", n.ID, in.Entity, by, &bought{in.TreeID, n.ID, out.Level, n.Effects})
}

// find returns a node of a tree. The error names those that may be meant.
func (b *Book) find(v *world.View, treeID, nodeID string) (*node, *tree, error) {
	t, err := shelf.Named(v, b.trees, "skill tree", "progression.skillTree", treeID)
	if err != nil {
		return nil, nil, err
	}
	i := t.at(nodeID)
	if i < 0 {
		return nil, nil, registry.Failf("there is no node %q in the tree %q; %s", quote.Clip(nodeID), quote.Clip(treeID), quote.Others(nodeID, t.ids()))
	}
	return &t.Nodes[i], &t, nil
}

// unfit says why a node cannot be bought, "" if it can.
func (s *state) unfit(in *AllocateIn, n *node, t *tree) string {
	if has := s.level(in.TreeID, n.ID); has >= n.Most {
		return fmt.Sprintf("%q is at its highest level, %d", quote.Clip(n.ID), has)
	}
	for _, id := range n.Needs {
		need := &t.Nodes[t.at(id)]
		if has := s.level(in.TreeID, id); has < need.Most {
			return fmt.Sprintf("%q needs %q at its highest level, %d, and it is at %d", quote.Clip(n.ID), quote.Clip(id), need.Most, has)
		}
	}
	if n.Cost > int64(s.Points) {
		return fmt.Sprintf("it costs %d skill points, and %s has %d: each level brings one", n.Cost, in.Entity, s.Points)
	}
	return ""
}

// level is how often a node was bought.
func (s *state) level(treeID, nodeID string) int64 {
	if i, ok := s.skill(treeID, nodeID); ok {
		return s.Skills[i].Level
	}
	return 0
}

// skill returns where a node is among those that were bought, or would be.
func (s *state) skill(treeID, nodeID string) (int, bool) {
	return slices.BinarySearchFunc(s.Skills, Skill{Tree: treeID, Node: nodeID}, func(a, b Skill) int {
		return cmp.Or(cmp.Compare(a.Tree, b.Tree), cmp.Compare(a.Node, b.Node))
	})
}

// buy buys a level of a node that can be bought.
func (s *state) buy(treeID string, n *node) {
	i, has := s.skill(treeID, n.ID)
	s.Skills = slices.Clone(s.Skills)
	if !has {
		s.Skills = slices.Insert(s.Skills, i, Skill{Tree: treeID, Node: n.ID})
	}
	s.Skills[i].Level++
	s.Points -= int(n.Cost)
}

// raise does what effects do to stats, in the order of their names.
func (b *Book) raise(tx *world.Tx, id world.ID, effects registry.Object) (raised []Raised, err error) {
	if len(effects) == 0 {
		return nil, nil
	}
	var all map[string]any
	if err := json.Unmarshal(effects, &all); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		by, ok := all[name].(float64)
		if !ok {
			continue
		}
		value, has, err := b.deps.Stats.Raise(tx, id, name, world.Bounded(by))
		if err != nil {
			return nil, err
		}
		if has {
			raised = append(raised, Raised{name, value})
		}
	}
	return raised, nil
}
