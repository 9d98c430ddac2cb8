package terrain

import (
	"encoding/json"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/world"
)

// WaterOf is the generated ground that water is for: a region that is there, by its id, or what ground was generated from.
type WaterOf struct {
	ID   world.ID
	Land WaterRegion // if ID is 0
}

// UnmarshalJSON takes a string or an object.
func (o *WaterOf) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '"':
		return wire.Unmarshal(data, &o.ID)
	case '{':
		return wire.Unmarshal(data, &o.Land)
	}
	return wire.Errors{{Message: "must be " + o.JSONWords()}}
}

// JSONWords says what it is.
func (WaterOf) JSONWords() string {
	return "the id of a region, or an object with seed, type and bounds"
}

// MarshalJSON writes the form that it has.
func (o WaterOf) MarshalJSON() ([]byte, error) {
	if o.ID != 0 {
		return json.Marshal(o.ID)
	}
	return json.Marshal(o.Land)
}

// Check holds one that Go code made to the limits of one that was read.
func (o WaterOf) Check() error {
	if o.ID != 0 {
		return nil
	}
	return wire.PlanOf[WaterRegion]().Check(&o.Land)
}

// JSONSchema describes both forms.
func (WaterOf) JSONSchema() *jsonschema.Schema {
	id, land := *wire.PlanOf[world.ID]().Schema(), *wire.PlanOf[WaterRegion]().Schema() // copies: the plans' own are shared
	id.Description, land.Description = "The id of a region that is there, such as ent_3.", "What ground was generated from."
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{&id, &land}}
}
