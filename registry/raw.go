package registry

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/limina-mcp/limina/profiles"
)

// RawSpec declares a skill whose input has no Go type: a tool that comes from elsewhere. Its
// fields mean what those of [Spec] mean.
type RawSpec struct {
	Name, Version, Title, Description, Category, Keywords string

	Core, Published bool
	Permissions     []profiles.Permission
	Effect          Effect
	Idempotent      bool
	Slow            bool
	Outward         bool
	Detach          Detach
	Attaches        bool
	Timeout         time.Duration

	InputSchema  json.RawMessage // JSON Schema 2020-12, type "object" at its root; required
	OutputSchema json.RawMessage // likewise; nil for any object

	// Handle gets the input's text, checked against InputSchema, and returns the output's: a JSON
	// object. It may keep neither beyond its return.
	Handle func(c *Call, input json.RawMessage) (json.RawMessage, error)
}

// A SchemaCompiler makes of a JSON Schema, whose root must be an object's, what checks values by it: JSON
// objects as encoding/json decodes them into any. Their errors are told to the caller.
type SchemaCompiler func(schema json.RawMessage) (check func(value map[string]any) error, err error)

// DefineRaw makes a raw skill whose schemas are compile's to judge; package [registry/raw] has one. It
// returns an error, because a raw declaration may come from outside: a bad schema, or bad metadata.
//
// [registry/raw]: https://pkg.go.dev/github.com/limina-mcp/limina/registry/raw
func DefineRaw(spec RawSpec, compile SchemaCompiler) (Skill, error) {
	s, err := newSkill(Info{
		Name: spec.Name, Version: spec.Version, Title: spec.Title, Description: spec.Description,
		Category: spec.Category, Keywords: spec.Keywords, Core: spec.Core, Published: spec.Published, Idempotent: spec.Idempotent,
		Slow: spec.Slow, Outward: spec.Outward, Detach: spec.Detach, Attaches: spec.Attaches, Permissions: spec.Permissions, Effect: spec.Effect,
	}, spec.Timeout)
	if err != nil {
		return Skill{}, err
	}
	if spec.Handle == nil {
		return Skill{}, fmt.Errorf("skill %s has no Handle", spec.Name)
	}
	in, err := compile(spec.InputSchema)
	if err != nil {
		return Skill{}, fmt.Errorf("skill %s: input schema: %w", spec.Name, err)
	}
	var out func(map[string]any) error
	if spec.OutputSchema != nil {
		if out, err = compile(spec.OutputSchema); err != nil {
			return Skill{}, fmt.Errorf("skill %s: output schema: %w", spec.Name, err)
		}
	}
	s.rawInput, s.rawOutput = spec.InputSchema, spec.OutputSchema
	s.rawFrame = func() frame { return &rawFrame{run: spec.Handle, checkIn: in, checkOut: out} }
	return Skill{s}, nil
}

// rawFrame is the frame of a raw skill.
type rawFrame struct {
	run      func(*Call, json.RawMessage) (json.RawMessage, error)
	checkIn  func(map[string]any) error
	checkOut func(map[string]any) error // nil: any object
	in, out  json.RawMessage
}

func (f *rawFrame) decode(input []byte) error {
	f.in = append(f.in[:0], input...)
	return checkRaw(input, f.checkIn)
}

func (f *rawFrame) read([]byte, int) (end int) { return -1 }

func (f *rawFrame) handle(c *Call) (err error) {
	f.out, err = f.run(c, f.in)
	return err
}

func (f *rawFrame) checkOutput() error { return checkRaw(f.out, f.checkOut) }

func (f *rawFrame) appendOutput(dst []byte) ([]byte, error) { return appendLine(dst, f.out), nil }

func (f *rawFrame) clear() { f.in, f.out = f.in[:0], nil }
