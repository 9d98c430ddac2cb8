package action

import (
	"encoding/json"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
)

// Value is a text, a number, true or false, or an object, as its JSON; nil is none.
type Value json.RawMessage

// UnmarshalJSON takes any of them.
func (v *Value) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '[', 'n':
		return wire.Errors{{Message: "must be " + v.JSONWords()}}
	case '{', '"', 't', 'f':
		if err := wire.Free(data); err != nil {
			return err
		}
	default:
		var x float64
		if err := wire.Unmarshal(data, &x); err != nil {
			return err
		}
	}
	*v = append((*v)[:0:0], data...)
	return nil
}

// JSONWords says what a value is.
func (Value) JSONWords() string { return "a string, a number, a boolean or an object" }

// MarshalJSON returns the value's text.
func (v Value) MarshalJSON() ([]byte, error) {
	if len(v) == 0 {
		return []byte("null"), nil
	}
	return v, nil
}

// JSONSchema describes them.
func (Value) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "string", Description: "A text."},
		{Type: "number", Description: "A number."},
		{Type: "boolean", Description: "Yes or no."},
		{Type: "object", Description: "Anything else, under names of its own."},
	}}
}
