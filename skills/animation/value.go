package animation

import (
	"encoding/json"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
)

// Value is what a property has at a key: a number, or several.
type Value []float64

// UnmarshalJSON takes a number or an array of 1 to 16 numbers.
func (v *Value) UnmarshalJSON(data []byte) error {
	if data[0] == '[' {
		var all []float64
		if err := wire.Unmarshal(data, &all); err != nil {
			return err
		}
		if len(all) == 0 || len(all) > maxWide {
			return wire.Errors{{Message: "must be " + v.JSONWords()}}
		}
		*v = all
		return nil
	}
	var one float64
	if err := wire.Unmarshal(data, &one); err != nil {
		return wire.Errors{{Message: "must be " + v.JSONWords()}}
	}
	*v = Value{one}
	return nil
}

// JSONWords says what a value is.
func (Value) JSONWords() string { return "a number, or an array of 1 to 16 numbers" }

// MarshalJSON writes a number where there is one.
func (v Value) MarshalJSON() ([]byte, error) {
	if len(v) == 1 {
		return json.Marshal(v[0])
	}
	return json.Marshal([]float64(v))
}

// Check holds a value that Go code made to the limits of one that was read.
func (v Value) Check() error {
	if len(v) == 0 || len(v) > maxWide {
		return wire.Errors{{Message: "must be " + v.JSONWords()}}
	}
	all := []float64(v)
	return wire.PlanOf[[]float64]().Check(&all)
}

// JSONSchema describes both forms.
func (Value) JSONSchema() *jsonschema.Schema {
	one, most := uint64(1), uint64(maxWide)
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "number", Description: "One number."},
		{Type: "array", Description: "Several, as x, y, z.", Items: &jsonschema.Schema{Type: "number"}, MinItems: &one, MaxItems: &most},
	}}
}
