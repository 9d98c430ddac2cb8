package registry

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
)

// Object is a free-form JSON object that a skill hands on as it is: `meta`, `config`, `payload`.
// Its text is valid JSON once decoded; nil is the absent object.
type Object json.RawMessage

// UnmarshalJSON takes any JSON object, but for keys that are there twice and numbers beyond 64 bits: of those its readers
// would not all make the same.
func (o *Object) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' {
		message := "must be an object"
		if bytes.HasPrefix(data, []byte(`"{`)) {
			message += ", not a string that holds one: leave the quotes out"
		}
		return wire.Errors{{Message: message}}
	}
	if err := wire.Free(data); err != nil {
		return err
	}
	*o = append((*o)[:0:0], data...)
	return nil
}

// MarshalJSON returns the object's text, {} for nil. It fails if the text is that of something else: an output with it
// would not be what its schema says.
func (o Object) MarshalJSON() ([]byte, error) {
	if len(o) == 0 {
		return []byte("{}"), nil
	}
	if text := bytes.TrimSpace(o); len(text) == 0 || text[0] != '{' {
		return nil, errors.New("an Object is not the text of an object")
	}
	return o, nil
}

// JSONSchema describes any object.
func (Object) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "object"} }
