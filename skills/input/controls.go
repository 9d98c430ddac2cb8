package input

import (
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/newest"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// Limits on what the world holds of controls.
const (
	MaxAgents  = 4096 // that have some; those whose were changed longest ago make room
	MaxNames   = 64   // of an agent
	MaxSources = 16   // of a name
	MaxText    = 128  // characters of a name or a source
)

// button is the type of the controls that are pressed or not.
const button = "action"

// pressed is the value from which on a button is.
const pressed = 0.5

// Controls are the controls of the agents of a world. All of it is in the world, so it is hashed, rolled back and replayed with the
// rest. A world has one Controls.
type Controls struct {
	w    *world.World
	rows *world.Table[string, panel] // by agent
	deps Deps
}

// panel is what an agent plays with. Rows are immutable.
type panel struct {
	Controls []control `json:"controls"` // by name
	Since    uint64    `json:"since"`    // the step of the newest change
}

// control is a name and what it stands for.
type control struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Sources []string `json:"sources"`
	Value   float64  `json:"value,omitempty"` // of a button 0 or 1
}

// New adds controls to a world, once, where it is put together.
func New(w *world.World) *Controls {
	return &Controls{w: w, rows: world.NewTable[string, panel](w, "input.controls", MaxAgents, world.Private)}
}

// index returns where a name is, or would be.
func (p *panel) index(name string) (int, bool) {
	return slices.BinarySearchFunc(p.Controls, name, func(c control, name string) int { return strings.Compare(c.Name, name) })
}

// find returns the control that an agent names. The error says which there are.
func (k *Controls) find(v *world.View, agent, name string) (panel, int, error) {
	p, _ := k.rows.Get(v, agent)
	i, ok := p.index(name)
	if ok {
		return p, i, nil
	}
	names := make([]string, len(p.Controls))
	for i := range p.Controls {
		names[i] = p.Controls[i].Name
	}
	switch near := wire.Nearest(name, names); {
	case len(names) == 0:
		return p, 0, registry.Failf("%q is not bound; you have bound nothing: input.bind {\"name\":%q,\"sources\":[\"Space\"]} does", quote.Clip(name), quote.Clip(name))
	case near == "":
		return p, 0, registry.Failf("%q is not bound; you have bound %d names, such as %q", quote.Clip(name), len(names), quote.Clip(names[0]))
	default:
		return p, 0, registry.Failf("%q is not bound; the nearest is %q", quote.Clip(name), quote.Clip(near))
	}
}

// keep gives an agent a panel.
func (k *Controls) keep(tx *world.Tx, agent string, p panel) error {
	p.Since = tx.Step()
	return newest.Keep(tx, k.rows, MaxAgents, agent, p, func(p panel) uint64 { return p.Since })
}
