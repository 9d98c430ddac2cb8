package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
)

// checkRaw checks a text that has to be one JSON object, by its schema if there is one.
func checkRaw(text []byte, check func(map[string]any) error) error {
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
	if check == nil {
		return nil
	}
	return check(v)
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
