// Package places reads where something is, or how far something reaches, in each of the forms in which those who call skills say so.
package places

import (
	"encoding/json"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/world"
)

// Spot is a place in the world: that of an entity, or a point.
type Spot struct {
	Entity world.ID
	Point  world.Vec3 // if Entity is 0
}

// At returns where that is now, or an error if there is no such entity.
func (s Spot) At(v *world.View) (world.Vec3, error) {
	if s.Entity == 0 {
		return s.Point, nil
	}
	at, ok := v.Position(s.Entity)
	if !ok {
		return at, v.Unknown(s.Entity)
	}
	return at, nil
}

// UnmarshalJSON takes an id or three numbers.
func (s *Spot) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '"':
		return wire.Unmarshal(data, &s.Entity)
	case '[':
		return wire.Unmarshal(data, &s.Point)
	}
	return wire.Errors{{Message: "must be " + s.JSONWords()}}
}

// JSONWords says what it is.
func (Spot) JSONWords() string { return "a place [x, y, z], or the id of an entity" }

// MarshalJSON writes the form that it has.
func (s Spot) MarshalJSON() ([]byte, error) {
	if s.Entity != 0 {
		return json.Marshal(s.Entity)
	}
	return json.Marshal(s.Point)
}

// Check holds one that Go code made to the limits of one that was read.
func (s Spot) Check() error {
	if s.Entity != 0 {
		return nil
	}
	return wire.PlanOf[world.Vec3]().Check(&s.Point)
}

// JSONSchema describes both forms.
func (Spot) JSONSchema() *jsonschema.Schema {
	point, id := *wire.PlanOf[world.Vec3]().Schema(), *wire.PlanOf[world.ID]().Schema() // copies: the plans' own are shared
	point.Description, id.Description = "A place x, y, z, in metres.", "The id of an entity, such as ent_3."
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{&point, &id}}
}
