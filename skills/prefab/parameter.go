package prefab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/operations"
	"github.com/limina-mcp/limina/skills/internal/quote"
)

// Parameter is something that instances of a prefab may differ in.
type Parameter struct {
	Name        string   `json:"name" validate:"min=1,max=64" jsonschema_description:"A letter, then letters, digits or _. \"$name\" in an operation stands for its value."`
	Type        string   `json:"type" validate:"oneof=number integer string boolean" jsonschema:"default=number" jsonschema_description:"What its values are."`
	Default     Value    `json:"default,omitempty" jsonschema_description:"Its value where an instance is given none; without a default it has to be given one."`
	Min         *float64 `json:"min,omitempty" jsonschema_description:"The least that a number may be."`
	Max         *float64 `json:"max,omitempty" jsonschema_description:"The most that a number may be."`
	Options     []string `json:"options,omitempty" validate:"max=64,dive,max=256" jsonschema_description:"The texts that a string may be."`
	Description string   `json:"description,omitempty" validate:"omitempty,max=256" jsonschema_description:"What it is."`
}

// Value is a number, a string or a boolean, as JSON; nil is none.
type Value json.RawMessage

// UnmarshalJSON takes any of the three.
func (v *Value) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || bytes.IndexByte([]byte(`{[n`), data[0]) >= 0 {
		return wire.Errors{{Message: "must be a number, a string or a boolean"}}
	}
	if err := wire.Valid(data); err != nil {
		return err
	}
	*v = append((*v)[:0:0], data...)
	return nil
}

// MarshalJSON returns the value's text.
func (v Value) MarshalJSON() ([]byte, error) {
	if len(v) == 0 {
		return []byte("null"), nil
	}
	return v, nil
}

// JSONSchema describes the three.
func (Value) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "number", Description: "A number."}, {Type: "string", Description: "A text."}, {Type: "boolean", Description: "Yes or no."},
	}}
}

// numeric reports whether its values are numbers.
func (p *Parameter) numeric() bool { return p.Type == "number" || p.Type == "integer" }

// check says what is wrong with a parameter as it is defined.
func (p *Parameter) check() error {
	switch {
	case !operations.IsName(p.Name):
		return registry.Invalidf("name: want a letter, then letters, digits or _, got %q", quote.Clip(p.Name))
	case (p.Min != nil || p.Max != nil) && !p.numeric():
		return registry.Invalidf("min: is for numbers; %q is of type %s", p.Name, p.Type)
	case p.Min != nil && p.Max != nil && *p.Min > *p.Max:
		return registry.Invalidf("min: %v is more than max, %v", *p.Min, *p.Max)
	case len(p.Options) > 0 && p.Type != "string":
		return registry.Invalidf("options: are for strings; %q is of type %s", p.Name, p.Type)
	case p.Default == nil:
		return nil
	}
	if wrong := p.wrong(p.Default); wrong != "" {
		return registry.Invalidf("default: %s", wrong)
	}
	return nil
}

// wrong says what is wrong with a value, "" if it is good.
func (p *Parameter) wrong(v Value) string {
	got := ", got " + quote.Clip(string(v))
	switch p.Type {
	case "boolean":
		if s := string(v); s != "true" && s != "false" {
			return "must be true or false" + got
		}
	case "string":
		var s string
		switch {
		case json.Unmarshal(v, &s) != nil:
			return "must be a string" + got
		case len(s) > 1024:
			return fmt.Sprintf("must have at most 1024 bytes, got %d", len(s))
		case len(p.Options) > 0 && !slices.Contains(p.Options, s):
			return "must be one of " + strings.Join(p.Options, ", ") + got
		}
	default:
		x, err := strconv.ParseFloat(string(v), 64)
		switch {
		case err != nil:
			return "must be a number" + got
		case p.Type == "integer" && x != math.Trunc(x):
			return "must be an integer" + got
		case p.Min != nil && x < *p.Min:
			return fmt.Sprintf("must be at least %v%s", *p.Min, got)
		case p.Max != nil && x > *p.Max:
			return fmt.Sprintf("must be at most %v%s", *p.Max, got)
		}
	}
	return ""
}

// values returns what the parameters of an instance are: what it is given, else their defaults.
func values(list []Parameter, given registry.Object) (map[string]json.RawMessage, error) {
	raw, err := members(given)
	if err != nil {
		return nil, err
	}
	said := make(map[string]Value, len(raw))
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		var v Value
		if err := v.UnmarshalJSON(raw[name]); err != nil {
			return nil, registry.Invalidf("parameters.%s: must be a number, a string or a boolean, got %s", quote.Clip(name), quote.Clip(string(raw[name])))
		}
		said[name] = v
	}
	out := map[string]json.RawMessage{}
	for i := range list {
		p := &list[i]
		v, ok := said[p.Name]
		delete(said, p.Name)
		switch {
		case !ok && p.Default == nil:
			return nil, registry.Invalidf("parameters.%s: required, a %s: %s", p.Name, p.Type, p.Description)
		case !ok:
			v = p.Default
		default:
			if wrong := p.wrong(v); wrong != "" {
				return nil, registry.Invalidf("parameters.%s: %s", p.Name, wrong)
			}
		}
		out[p.Name] = json.RawMessage(v)
	}
	for _, name := range slices.Sorted(maps.Keys(said)) {
		return nil, registry.Invalidf("parameters.%s: there is no such parameter; %s", quote.Clip(name), named(list))
	}
	return out, nil
}

// members returns what an object has, by its names; nothing of nil.
func members(o registry.Object) (all map[string]json.RawMessage, err error) {
	if o != nil {
		err = json.Unmarshal(o, &all)
	}
	return all, err
}

// named says which parameters there are.
func named(list []Parameter) string {
	if len(list) == 0 {
		return "the prefab has none"
	}
	var names []string
	for i := range list {
		names = append(names, list[i].Name)
	}
	return "there are " + strings.Join(names, ", ")
}
