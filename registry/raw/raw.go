// Package raw declares skills whose input has no Go type but a JSON Schema: tools that come from
// elsewhere.
//
//	k, err := raw.Define(registry.RawSpec{
//		Name: "files.read", Description: "Read a file.", Permissions: ...,
//		InputSchema: schema, // as the other server has listed it
//		Handle: func(c *registry.Call, input json.RawMessage) (json.RawMessage, error) { ... },
//	})
//	...
//	err = reg.Register(k)
//
// Inputs and outputs are checked by google/jsonschema-go. What is wrong with each field is told in one answer, as it is by
// skills with Go types, where the schema has fields apart by properties, required, additionalProperties and items. The package stands by itself because a program
// that links that library compiles its regular expressions at every start; Limina's own skills have Go
// types and do without.
package raw

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
)

// Define compiles a raw skill. It returns an error, because a raw declaration may come from outside: a
// bad schema, one with remote references or with one that leads back to itself, or bad metadata.
//
// What it takes to check an input is the schema's matter. One that applies itself twice to the same member, as by an
// allOf of two branches, takes twice as long for each level that an input is deep, and nothing ends it before.
// Inputs nest 128 deep at most.
func Define(spec registry.RawSpec) (registry.Skill, error) {
	return registry.DefineRaw(spec, compile)
}

// compile is a [registry.SchemaCompiler].
func compile(text json.RawMessage) (func(map[string]any) error, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Type != "object" {
		return nil, fmt.Errorf(`the root must have type "object"`)
	}
	read, err := json.Marshal(&s) // what it was read as: the library takes $Ref for $ref
	if err != nil {
		return nil, err
	}
	if err := checkRefs(read); err != nil {
		return nil, err
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, err
	}
	apart := parts(read)
	return func(value map[string]any) error {
		err := resolved.Validate(value)
		if err == nil {
			return nil
		}
		if all := apart().faults(nil, "", value); len(all) > 0 {
			return all
		}
		return wire.Errors{problemOf(err)}
	}, nil
}
