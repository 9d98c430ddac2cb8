package raw

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
)

// The validator ends with the first thing that is wrong. part finds the others: it looks at each member of an object, and each item of a list, by
// itself, as far as the schema has them apart by properties, required, additionalProperties and items. What a schema says in other ways is told
// one at a time.
type part struct {
	whole    *jsonschema.Resolved // {"properties":{"value": the schema of the part}}; nil: it refers to what is not in the part
	members  map[string]*part
	required []string
	closed   bool // other members than these are refused
	items    *part
}

// parts returns the parts of a schema, taken apart when they are first asked for: most inputs are good.
func parts(text json.RawMessage) func() *part {
	return sync.OnceValue(func() *part {
		var root map[string]json.RawMessage
		if json.Unmarshal(text, &root) != nil {
			return new(part)
		}
		shared := map[string]json.RawMessage{}
		for _, name := range []string{"$schema", "$defs", "definitions"} {
			if d, ok := root[name]; ok {
				shared[name] = d
			}
		}
		return partOf(text, shared)
	})
}

// partOf takes a schema apart. shared are the definitions that it may refer to.
func partOf(text json.RawMessage, shared map[string]json.RawMessage) *part {
	p := &part{whole: resolve(text, shared)}
	var s struct {
		Properties           map[string]json.RawMessage `json:"properties"`
		PatternProperties    map[string]json.RawMessage `json:"patternProperties"`
		AdditionalProperties json.RawMessage            `json:"additionalProperties"`
		Required             []string                   `json:"required"`
		Items                json.RawMessage            `json:"items"`
		PrefixItems          []json.RawMessage          `json:"prefixItems"`
	}
	if json.Unmarshal(text, &s) != nil {
		return p // true, or false
	}
	p.required, p.closed = s.Required, string(s.AdditionalProperties) == "false" && len(s.PatternProperties) == 0
	p.members = make(map[string]*part, len(s.Properties))
	for name, sub := range s.Properties {
		p.members[name] = partOf(sub, shared)
	}
	if s.Items != nil && len(s.PrefixItems) == 0 {
		p.items = partOf(s.Items, shared)
	}
	return p
}

const inWhole = "value" // the member that a part is, for the validator

func resolve(text json.RawMessage, shared map[string]json.RawMessage) *jsonschema.Resolved {
	around := maps.Clone(shared)
	around["properties"], _ = json.Marshal(map[string]json.RawMessage{inWhole: text})
	whole, err := json.Marshal(around)
	if err != nil {
		return nil
	}
	var s jsonschema.Schema
	if json.Unmarshal(whole, &s) != nil {
		return nil
	}
	r, err := s.Resolve(nil)
	if err != nil {
		return nil
	}
	return r
}

// faults adds what is wrong with a value, which is at a path, up to [wire.MaxProblems].
func (p *part) faults(list wire.Errors, path string, value any) wire.Errors {
	if len(list) >= wire.MaxProblems {
		return list
	}
	var err error
	if p.whole != nil {
		if err = p.whole.Validate(map[string]any{inWhole: value}); err == nil {
			return list
		}
	}
	before := len(list)
	switch v := value.(type) {
	case map[string]any:
		list = p.membersOf(list, path, v)
	case []any:
		if p.items != nil {
			for i, item := range v {
				list = p.items.faults(list, path+"["+strconv.Itoa(i)+"]", item)
			}
		}
	}
	if len(list) == before && err != nil {
		found := problemOf(err)
		found.Path = path + strings.TrimPrefix(found.Path, inWhole)
		list = append(list, found)
	}
	return list[:min(len(list), wire.MaxProblems)]
}

func (p *part) membersOf(list wire.Errors, path string, value map[string]any) wire.Errors {
	for _, name := range p.required {
		if _, there := value[name]; !there {
			list = append(list, wire.Problem{Path: member(path, name), Message: "is required"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(value)) {
		switch m, known := p.members[name]; {
		case known:
			list = m.faults(list, member(path, name), value[name])
		case p.closed:
			allowed := slices.Sorted(maps.Keys(p.members))
			list = append(list, wire.Problem{Path: member(path, name), Message: fmt.Sprintf("unknown field, allowed: %s", strings.Join(allowed, ", "))})
		}
	}
	return list
}

func member(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
