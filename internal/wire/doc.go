// Package wire reads and writes JSON text: strictly, in one pass, by plans that
// are compiled once per Go type.
//
// [PlanOf] (or [Compile]) turns a struct type into a [Plan]. The plan decodes JSON
// into the struct and checks it at the same time, checks values that Go code made,
// writes them, and describes itself as a JSON Schema; all four from the same
// compiled limits, so that what a model reads in a schema is what the server
// enforces.
//
//	type In struct {
//		Shape string  `json:"shape,omitempty" validate:"oneof=box sphere" jsonschema:"default=box" jsonschema_description:"Visible shape."`
//		Size  float64 `json:"size" validate:"gt=0,lte=50" jsonschema_description:"Edge length in metres."`
//	}
//
//	plan := wire.PlanOf[In]()
//	var in In
//	err := plan.Decode([]byte(`{"size": 70, "shpae": "box"}`), &in)
//	// size: must be at most 50, got 70; shpae: unknown field, did you mean "shape"? allowed: shape, size
//
// # What is refused
//
// Unknown keys, keys in the wrong case, keys given twice, null for a value, missing
// keys that are required, anything after the value, invalid UTF-8, and values of any
// shape that nest deeper than [MaxDepth]. A key is required unless its json tag says omitempty or
// omitzero or its jsonschema tag gives a default. A jsonschema tag also=skill has the field
// given by that name, too; the schema does not say so. 1.0 is an integer. A float must
// lie within ±3.4e38 and an integer within ±9007199254740991 where the validate tag
// does not set another limit. Limits apply to every value that is present, to zero
// values too.
//
// # Unions
//
// A type with UnmarshalJSON, MarshalJSON and JSONSchema() is handed its raw value
// (trimmed, already known to be valid JSON) and may use the plans of its branches:
//
//	func (t *Target) UnmarshalJSON(data []byte) error {
//		if data[0] == '[' {
//			return wire.Unmarshal(data, &t.Point)
//		}
//		return wire.Unmarshal(data, &t.Entity)
//	}
//
// An [Errors] that it returns gets the field's path put in front. [Member] helps to
// tell objects apart; JSONSchema can join the [Plan.Schema] of the branches. A type
// that has a method Check() error is asked by [Plan.Check]; JSONWords() string says what
// is allowed, "a string or an array of three numbers", where a field is missing or, of a type that
// is text, something else than a string.
//
// # Text
//
// A type with UnmarshalText and AppendText or MarshalText is a string on the wire. It
// may describe it with JSONSchemaPattern() string, or as invopop/jsonschema has it.
//
// Everything here is safe for concurrent use; nothing here keeps what it was given.
package wire
