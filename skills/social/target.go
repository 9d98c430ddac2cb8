package social

import (
	"encoding/json"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// Target is whom or what an agent walks to: an entity or an agent by its id, or a point.
type Target struct {
	ID    string
	Point world.Vec3 // if ID is ""
}

// UnmarshalJSON takes a string or an array of three numbers.
func (t *Target) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '[':
		return wire.Unmarshal(data, &t.Point)
	case '"':
		if err := wire.Unmarshal(data, &t.ID); err != nil {
			return err
		}
		if t.ID != "" {
			return nil
		}
	}
	return wire.Errors{{Message: "must be " + t.JSONWords()}}
}

// JSONWords says what a target is.
func (Target) JSONWords() string { return "the id of an entity or agent, or a point [x, y, z]" }

// MarshalJSON writes the form that the target has.
func (t Target) MarshalJSON() ([]byte, error) {
	if t.ID != "" {
		return json.Marshal(t.ID)
	}
	return json.Marshal(t.Point)
}

// Check holds a target that Go code made to the limits of one that was read.
func (t Target) Check() error { return wire.PlanOf[world.Vec3]().Check(&t.Point) }

// JSONSchema describes both forms.
func (Target) JSONSchema() *jsonschema.Schema {
	point := *wire.PlanOf[world.Vec3]().Schema() // a copy: the plan's own is shared
	point.Description = "A point x, y, z in metres."
	one := uint64(1)
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "string", MinLength: &one, Description: "The id of an entity, such as ent_3, or of an agent with a body."},
		&point,
	}}
}

// find returns what the target is in the world: where it is now, and for the walk.
func (t *Target) find(v *world.View, a *agents.Agents) (at world.Vec3, to agents.Target, err error) {
	if t.ID == "" {
		return t.Point, agents.Target{Point: t.Point}, nil
	}
	id, ok := a.Body(v, t.ID)
	if !ok {
		if id, err = world.ParseID(t.ID); err != nil {
			return at, to, registry.Invalidf("target: %q is neither the id of an entity, such as ent_3, nor an agent with a body", quote.Clip(t.ID))
		}
	}
	if at, ok = v.Position(id); !ok {
		return at, to, v.Unknown(id)
	}
	return at, agents.Target{Entity: id}, nil
}
