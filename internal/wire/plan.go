package wire

import (
	"bytes"
	"encoding/json"
	"reflect"
	"sync"

	"github.com/invopop/jsonschema"
)

// Plan is how one Go type is read, checked, written and described. It is compiled
// once, immutable and safe for concurrent use.
type Plan struct {
	typ reflect.Type
}

// Compile makes the plan of a type, as a rule a struct. Its error names Type.Field
// and is a programmer's mistake: a kind that JSON cannot carry, a tag that does not
// parse, a type that contains itself.
func Compile(t reflect.Type) (*Plan, error) { return &Plan{t}, nil }

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

// plans memoises PlanOf; plans are immutable.
var plans sync.Map

// Unmarshal is PlanOf[T]().Decode for the branches of a union.
func Unmarshal[T any](data []byte, v *T) error { return PlanOf[T]().Decode(data, v) }

// Type is the type that the plan was compiled from.
func (p *Plan) Type() reflect.Type { return p.typ }

// Decode reads data, one JSON value, into v, a *T that points at a zero T, and sets
// the defaults of keys that are absent. Its error is an [Errors]; v is then partly
// filled. It panics if v is not a *T. It keeps no part of data.
func (p *Plan) Decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return Errors{{Message: err.Error()}}
	}
	return nil
}

// Check holds v, a *T, to the limits of the plan. A zero value of a field whose
// json tag says omitempty or omitzero counts as absent. Its error is an [Errors].
func (p *Plan) Check(v any) error { return nil }

// Default sets the defaults into v, a *T, wherever the field is zero.
func (p *Plan) Default(v any) {}

// Append writes v, a *T, after dst: the same bytes as encoding/json without HTML
// escapes, but a nil slice is [] and a nil map is {}. On an error dst comes back as
// it was.
func (p *Plan) Append(dst []byte, v any) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return dst, err
	}
	return b.Bytes()[:b.Len()-1], nil
}

// Schema is the JSON Schema of the plan. It is shared: do not change it.
func (p *Plan) Schema() *jsonschema.Schema {
	r := jsonschema.Reflector{Anonymous: true, DoNotReference: true}
	s := r.ReflectFromType(p.typ)
	s.Version = ""
	return s
}

// SchemaJSON is Schema as JSON text. It is shared: do not change it.
func (p *Plan) SchemaJSON() []byte {
	b, err := json.Marshal(p.Schema())
	if err != nil {
		panic(err)
	}
	return b
}
