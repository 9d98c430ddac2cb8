// Package scalar has the type of inputs that are a number, or true or false.
package scalar

import (
	"encoding/json"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
)

// Value is a number, or true or false.
type Value struct {
	Number float64
	Bool   bool
	IsBool bool
}

// UnmarshalJSON takes either.
func (v *Value) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "true", "false":
		*v = Value{Bool: string(data) == "true", IsBool: true}
		return nil
	}
	var number float64
	if err := wire.Unmarshal(data, &number); err != nil {
		return wire.Errors{{Message: "must be " + v.JSONWords()}}
	}
	*v = Value{Number: number}
	return nil
}

// JSONWords says what a value is.
func (Value) JSONWords() string { return "a number, true or false" }

// MarshalJSON writes the one it is.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.IsBool {
		return json.Marshal(v.Bool)
	}
	return json.Marshal(v.Number)
}

// Check holds a value that Go code made to the limits of one that was read.
func (v Value) Check() error { return wire.PlanOf[float64]().Check(&v.Number) }

// JSONSchema describes both.
func (Value) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "number", Description: "A number."}, {Type: "boolean", Description: "Yes or no."}}}
}
