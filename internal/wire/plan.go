package wire

import (
	"encoding/json"
	"reflect"
	"sync"

	"github.com/invopop/jsonschema"
)

// Plan is how one Go type is read, checked, written and described. It is compiled
// once, immutable and safe for concurrent use.
type Plan struct {
	ptr    reflect.Type // *T
	root   *value
	schema func() *jsonschema.Schema // made on first use: most schemas are never asked for
	text   func() []byte
}

// Compile makes the plan of a type, as a rule a struct. Its error names Type.Field
// and is a programmer's mistake: a kind that JSON cannot carry, a tag that does not
// parse, a type that contains itself.
func Compile(t reflect.Type) (*Plan, error) {
	var c compiler
	root, err := c.value(t, nil, t.String())
	if err != nil {
		return nil, err
	}
	p := &Plan{ptr: reflect.PointerTo(t), root: root}
	p.schema = sync.OnceValue(func() *jsonschema.Schema { return schemaOf(root) })
	p.text = sync.OnceValue(func() []byte {
		text, err := json.Marshal(p.schema())
		if err != nil {
			panic("wire: the schema of " + t.String() + ": " + err.Error())
		}
		return text
	})
	return p, nil
}

// PlanOf returns the plan of T, compiling it on first use. It panics where
// [Compile] gives an error.
func PlanOf[T any]() *Plan {
	t := reflect.TypeFor[T]()
	if p, ok := plans.Load(t); ok {
		return p.(*Plan)
	}
	p, err := Compile(t)
	if err != nil {
		panic(err)
	}
	kept, _ := plans.LoadOrStore(t, p)
	return kept.(*Plan)
}

// plans is the memo of PlanOf. It holds nothing that could change: a plan is a
// function of its type.
var plans sync.Map

// Unmarshal is PlanOf[T]().Decode, for the branches of a union.
func Unmarshal[T any](data []byte, v *T) error { return PlanOf[T]().Decode(data, v) }

// Type is the type that the plan was compiled from.
func (p *Plan) Type() reflect.Type { return p.root.typ }

// Schema is the JSON Schema (2020-12) of the plan, without $schema, $id and $ref. It
// is made on first use and shared: do not change it.
func (p *Plan) Schema() *jsonschema.Schema { return p.schema() }

// SchemaJSON is Schema as JSON text. It is made on first use and shared: do not
// change it.
func (p *Plan) SchemaJSON() []byte { return p.text() }
