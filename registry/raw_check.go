package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
)

// checkRaw checks a text that has to be one JSON object, by a schema if there is one.
func checkRaw(text []byte, s *jsonschema.Resolved) error {
	if err := wire.Valid(text); err != nil {
		return err
	}
	if err := checkKeys(text); err != nil {
		return err
	}
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil || v == nil {
		return errors.New("must be an object")
	}
	if s == nil {
		return nil
	}
	if err := s.Validate(v); err != nil {
		return wire.Errors{schemaProblem(err)}
	}
	return nil
}

// schemaProblem takes apart what the validator says. It says where in the schema it was:
//
//	validating root: validating /properties/a: validating /properties/a/items: type: 4 has type …
//
// which becomes where in the value that is: "a[]". What stands behind the last of these is the
// message.
func schemaProblem(err error) Problem {
	message := strings.ReplaceAll(err.Error(), "<invalid reflect.Value>", "null") // as the validator prints one
	path, last := "", ""
	for {
		at, ok := strings.CutPrefix(message, "validating ")
		at, rest, more := strings.Cut(at, ": ")
		if !ok || !more {
			return Problem{Path: strings.TrimPrefix(path, "."), Message: message}
		}
		message = rest
		if at == "root" {
			at = ""
		}
		if step, deeper := strings.CutPrefix(at, last); deeper {
			path += valuePath(step)
		}
		last = at
	}
}

// valuePath turns the part of a schema's place that is behind that of another schema into the way
// from the one's value to the other's.
func valuePath(step string) string {
	keyword, name, _ := strings.Cut(strings.TrimPrefix(step, "/"), "/")
	switch keyword {
	case "properties":
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		return "." + name
	case "items", "prefixItems", "contains", "unevaluatedItems", "additionalItems":
		return "[]"
	case "patternProperties", "additionalProperties", "unevaluatedProperties":
		return ".*"
	}
	return "" // about the value itself
}

// checkKeys refuses keys that an object has twice: who reads it next may take the other value. The
// text is known to be valid.
func checkKeys(text []byte) error {
	var open []container
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var in *container
		if len(open) > 0 {
			in = &open[len(open)-1]
		}
		if key, ok := token.(string); ok && in != nil && in.keys != nil && !in.value {
			in.key, in.value = key, true
			if in.keys[key] {
				return wire.Errors{{Path: pathTo(open), Message: "is given twice"}}
			}
			in.keys[key] = true
			continue
		}
		if in != nil {
			in.value = false
		}
		switch token {
		case json.Delim('{'):
			open = append(open, container{keys: map[string]bool{}})
		case json.Delim('['):
			open = append(open, container{})
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
	}
}

// container is an object or an array that is being read.
type container struct {
	keys  map[string]bool // nil for an array
	key   string          // the newest
	value bool            // its value comes next
}

func pathTo(open []container) string {
	path := ""
	for _, c := range open {
		if c.keys == nil {
			path += "[]"
		} else {
			path += "." + c.key
		}
	}
	return strings.TrimPrefix(path, ".")
}
