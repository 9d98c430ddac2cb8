package dialogue

import (
	"fmt"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// tree is what may be talked about. It is immutable.
type tree struct {
	Name  string  `json:"name"`
	Start string  `json:"start"`
	Nodes []node  `json:"nodes"`
	Range float64 `json:"maxRange,omitempty"` // metres; 0: any
	By    string  `json:"by"`                 // who wrote it
}

// node is what is said, and what may be answered.
type node struct {
	ID      string          `json:"id"`
	Text    string          `json:"text"`
	Name    string          `json:"name,omitempty"` // what the speaker is called
	Mood    string          `json:"mood,omitempty"`
	Choices []choice        `json:"choices,omitempty"`
	Effects registry.Object `json:"effects,omitempty"`
	Config  registry.Object `json:"config,omitempty"`
}

// choice is what may be answered.
type choice struct {
	Text    string          `json:"text"`
	Next    string          `json:"next,omitempty"` // "": it ends there
	If      string          `json:"if,omitempty"`
	Effects registry.Object `json:"effects,omitempty"`
}

// node returns a node of the tree, nil if there is none of that id.
func (t *tree) node(id string) *node {
	for i := range t.Nodes {
		if t.Nodes[i].ID == id {
			return &t.Nodes[i]
		}
	}
	return nil
}

// size is how many bytes a tree has.
func (t *tree) size() (n int) {
	for i := range t.Nodes {
		nd := &t.Nodes[i]
		n += len(nd.ID) + len(nd.Text) + len(nd.Name) + len(nd.Mood) + len(nd.Effects) + len(nd.Config)
		for j := range nd.Choices {
			c := &nd.Choices[j]
			n += len(c.Text) + len(c.Next) + len(c.If) + len(c.Effects)
		}
	}
	return n
}

// check reports what is wrong with how the nodes hang together.
func (t *tree) check() error {
	at, ids := map[string]int{}, make([]string, len(t.Nodes))
	for i := range t.Nodes {
		id := t.Nodes[i].ID
		if first, twice := at[id]; twice {
			return registry.Invalidf("nodes[%d].id: %q is the id of nodes[%d] too", i, quote.Clip(id), first)
		}
		at[id], ids[i] = i, id
	}
	find := func(field, id string) (int, error) {
		i, ok := at[id]
		if !ok {
			return 0, registry.Invalidf("%s: there is no node %q; %s", field, quote.Clip(id), quote.Others(id, ids))
		}
		return i, nil
	}
	start, err := find("startNode", t.Start)
	if err != nil {
		return err
	}
	seen, todo := make([]bool, len(t.Nodes)), []int{start}
	seen[start] = true
	for i := range t.Nodes {
		for j, c := range t.Nodes[i].Choices {
			if c.Next == "" {
				continue
			}
			if _, err := find(fmt.Sprintf("nodes[%d].choices[%d].nextNodeId", i, j), c.Next); err != nil {
				return err
			}
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		for _, c := range t.Nodes[todo[0]].Choices {
			if next, ok := at[c.Next]; ok && c.Next != "" && !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	for i, is := range seen {
		if !is {
			return registry.Invalidf("nodes[%d]: no choice leads from %q to %q: have one lead there, or leave the node out", i, quote.Clip(t.Start), quote.Clip(ids[i]))
		}
	}
	return nil
}

// find returns the tree that a caller names. The error says which there are.
func (t *Talks) find(v *world.View, id string) (*tree, error) {
	tr, err := shelf.Named(v, t.trees, "dialogue", "dialogue.define", id)
	return &tr, err
}
