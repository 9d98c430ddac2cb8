package input

import (
	"reflect"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
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
	w     *world.World
	rows  *world.Table[string, panel] // by agent: what they have named themselves
	given *world.Component[[]Given]   // by body or character: what games have named; viewers see it as "controls"
	at    *world.Component[[]float64] // … and what each of these is at; none where all are at 0
	deps  Deps
}

// Given is a button or an axis of whoever plays an entity, by its name and what it stands for, as a game has it. Viewers see them in the component
// "controls", by name.
type Given struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"` // action or axis
	Sources []string `json:"sources"`
}

// panel is what an agent plays with. Rows are immutable.
type panel struct {
	Controls []control `json:"controls"` // by name
	Since    uint64    `json:"since"`    // the step of the newest change
}

// control is a name and what it stands for.
type control struct {
	Given
	Value float64 `json:"value,omitempty"` // of a button 0 or 1
}

// New adds controls to a world, once, where it is put together.
func New(w *world.World) *Controls {
	return &Controls{
		w:     w,
		rows:  world.NewTable[string, panel](w, "input.controls", MaxAgents, world.Private),
		given: world.NewComponent[[]Given](w, "controls", world.Single),
		at:    world.NewComponent[[]float64](w, "input.at", world.Private, world.Single),
	}
}

// pad is where controls are kept together: an agent's own, or those of a body or a character.
type pad struct {
	agent    string
	entity   world.ID  // 0: they are the agent's own
	controls []control // by name; not to be changed
}

// index returns where a name is, or would be.
func (p *pad) index(name string) (int, bool) {
	return slices.BinarySearchFunc(p.controls, name, func(c control, name string) int { return strings.Compare(c.Name, name) })
}

// own returns what an agent has named himself.
func (k *Controls) own(v *world.View, agent string) pad {
	p, _ := k.rows.Get(v, agent)
	return pad{agent: agent, controls: p.Controls}
}

// of returns what a game has named for whoever plays an entity.
func (k *Controls) of(v *world.View, id world.ID) pad {
	given, _ := k.given.Get(v, id)
	at, _ := k.at.Get(v, id)
	s := pad{entity: id, controls: make([]control, len(given))}
	for i, g := range given {
		s.controls[i] = control{Given: g}
		if at != nil {
			s.controls[i].Value = at[i]
		}
	}
	return s
}

// all returns the pads that a caller plays with, those that games have given him first.
func (k *Controls) all(v *world.View, caller *profiles.Principal) []pad {
	var pads []pad
	if k.deps.Own != nil {
		for _, id := range k.deps.Own(v, caller) {
			if k.given.Has(v, id) {
				pads = append(pads, k.of(v, id))
			}
		}
	}
	return append(pads, k.own(v, caller.ID))
}

// find returns the control that a caller names. The error says which there are.
func (k *Controls) find(v *world.View, caller *profiles.Principal, name string) (pad, int, error) {
	pads := k.all(v, caller)
	for _, s := range pads {
		if i, ok := s.index(name); ok {
			return s, i, nil
		}
	}
	return pad{}, 0, unknown(name, "you have", pads)
}

// unknown is the error about a name that none of some pads has. Whose they are is said as in "you have".
func unknown(name, whose string, pads []pad) error {
	var names []string
	for _, s := range pads {
		for i := range s.controls {
			names = append(names, s.controls[i].Name)
		}
	}
	switch near := wire.Nearest(name, names); {
	case len(names) == 0:
		return registry.Failf("%q is not bound; %s bound nothing: input.bind {\"name\":%q,\"sources\":[\"Space\"]} does", quote.Clip(name), whose, quote.Clip(name))
	case near == "":
		return registry.Failf("%q is not bound; %s bound %d names, such as %q", quote.Clip(name), whose, len(names), quote.Clip(names[0]))
	default:
		return registry.Failf("%q is not bound; the nearest is %q", quote.Clip(name), quote.Clip(near))
	}
}

// keep puts the controls of a pad in place of what they were.
func (k *Controls) keep(tx *world.Tx, s pad) error {
	if s.entity == 0 {
		if len(s.controls) == 0 {
			k.rows.Delete(tx, s.agent)
			return nil
		}
		p := panel{Controls: s.controls, Since: tx.Step()}
		return newest.Keep(tx, k.rows, MaxAgents, s.agent, p, func(p panel) uint64 { return p.Since })
	}
	given, at := make([]Given, len(s.controls)), make([]float64, len(s.controls))
	rest := true
	for i, c := range s.controls {
		given[i], at[i] = c.Given, c.Value
		rest = rest && c.Value == 0
	}
	if was, _ := k.given.Get(&tx.View, s.entity); len(given) == 0 {
		k.given.Remove(tx, s.entity)
	} else if !reflect.DeepEqual(was, given) { // or else viewers are told of nothing
		if err := k.given.Set(tx, s.entity, given); err != nil {
			return err
		}
	}
	if rest {
		k.at.Remove(tx, s.entity)
		return nil
	}
	return k.at.Set(tx, s.entity, at)
}
