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
	word    typeWord // of *T
	root    *value
	free    bool                      // nothing that a Go value of it can be is wrong
	shallow bool                      // see Read
	schema  func() *jsonschema.Schema // made on first use: most schemas are never asked for
	text    func() []byte
}

// Compile makes the plan of a type, as a rule a struct. Its error names Type.Field
// and is a programmer's mistake: a kind that JSON cannot carry, a tag that does not
// parse, a type that contains itself. Rules of validate tags that the plan does not know are left
// to more; where that is nil they are such a mistake too.
func Compile(t reflect.Type, more Rules) (*Plan, error) {
	c := compiler{more: more}
	root, err := c.value(t, nil, t.String())
	if err != nil {
		return nil, err
	}
	p := &Plan{word: wordOf(reflect.PointerTo(t)), root: root, free: root.isFree(), shallow: root.isShallow(MaxReadDepth)}
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

// PlanOf returns the plan of T, compiling it on first use, without any rules but those that plans
// know. It panics where [Compile] gives an error.
func PlanOf[T any]() *Plan { return memo(planKey{reflect.TypeFor[T](), nil}) }

// Default sets what the jsonschema tags of T, and of structs inside, say that absent keys mean. It
// panics where [Compile] gives an error, but takes any rule.
func Default[T any](v *T) { memo(planKey{reflect.TypeFor[T](), unchecked{}}).Default(v) }

// memo is Compile, once for each key.
func memo(k planKey) *Plan {
	if p, ok := plans.Load(k); ok {
		return p.(*Plan)
	}
	p, err := Compile(k.t, k.more)
	if err != nil {
		panic(err)
	}
	kept, _ := plans.LoadOrStore(k, p)
	return kept.(*Plan)
}

// plans is what memo has compiled. It holds nothing that could change: a plan is a function of its
// key.
var plans sync.Map

type planKey struct {
	t    reflect.Type
	more Rules
}

// Unmarshal is PlanOf[T]().Decode, for the branches of a union.
func Unmarshal[T any](data []byte, v *T) error { return PlanOf[T]().Decode(data, v) }

// Type is the type that the plan was compiled from.
func (p *Plan) Type() reflect.Type { return p.root.typ }

// Object reports whether whatever the plan reads and writes is a JSON object, by its schema too.
func (p *Plan) Object() bool { return p.root.isObject() }

func (v *value) isObject() bool {
	switch v.kind {
	case kindStruct, kindMap:
		return true
	case kindPointer:
		return v.elem.isObject()
	case kindCustom:
		return ownSchema(v.typ).Type == "object"
	default:
		return false
	}
}

// Schema is the JSON Schema (2020-12) of the plan, without $schema, $id and $ref. It
// is made on first use and shared: do not change it.
func (p *Plan) Schema() *jsonschema.Schema { return p.schema() }

// SchemaJSON is Schema as JSON text. It is made on first use and shared: do not
// change it.
func (p *Plan) SchemaJSON() []byte { return p.text() }
