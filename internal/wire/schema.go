package wire

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/invopop/jsonschema"
)

// schemaOf reflects a schema with invopop/jsonschema, which knows names, order and
// descriptions, and then writes into it what the plan knows: types, limits, defaults,
// what is required. So the limits have one source, and the traps of the reflection
// (boolean schemas, formats of Go types, shared sub-schemas) end here.
func schemaOf(v *value) *jsonschema.Schema {
	reflector := jsonschema.Reflector{
		Anonymous:      true,
		DoNotReference: true,
		Mapper:         ownSchema,
	}
	s := reflector.ReflectFromType(v.typ)
	s.Version, s.ID, s.Definitions = "", "", nil
	v.describe(s)
	return s
}

// ownSchema stops the reflection at types that bring a schema or travel as text. It
// returns a copy, because the reflection writes the field's description into what it
// gets.
func ownSchema(t reflect.Type) *jsonschema.Schema {
	own := reflect.New(t).Interface()
	made := new(jsonschema.Schema)
	if s, ok := own.(schemer); ok {
		*made = *s.JSONSchema()
		made.Version = ""
		return made
	}
	if k, err := kindOf(t); err != nil || k != kindText {
		return nil
	}
	made.Type = "string"
	if t == timeType {
		made.Format = "date-time"
	}
	if p, ok := own.(patterner); ok {
		made.Pattern = p.JSONSchemaPattern()
	}
	if e, ok := own.(interface{ JSONSchemaExtend(*jsonschema.Schema) }); ok {
		e.JSONSchemaExtend(made)
	}
	return made
}

var timeType = reflect.TypeFor[time.Time]()

// describe writes what the plan knows into the schema of the value.
func (v *value) describe(s *jsonschema.Schema) {
	l := &v.limits
	switch v.kind {
	case kindBool:
		s.Type = "boolean"
	case kindInt:
		s.Type = "integer"
		s.Minimum = json.Number(strconv.FormatInt(l.int.lo, 10))
		s.Maximum = json.Number(strconv.FormatInt(l.int.hi, 10))
		s.Enum = anys(l.ints)
	case kindUint:
		s.Type = "integer"
		s.Minimum = json.Number(strconv.FormatUint(l.uint.lo, 10))
		s.Maximum = json.Number(strconv.FormatUint(l.uint.hi, 10))
		s.Enum = anys(l.ints)
	case kindFloat64, kindFloat32:
		s.Type = "number"
		l.float.describe(s)
	case kindString:
		s.Type = "string"
		s.MinLength, s.MaxLength = lengths(l.length)
		s.Enum = anys(l.oneof)
	case kindArray:
		s.Type = "array"
		n := uint64(v.count)
		s.MinItems, s.MaxItems = &n, &n
		s.Items = v.elem.described(s.Items)
	case kindSlice:
		s.Type = "array"
		s.MinItems, s.MaxItems = lengths(l.length)
		s.Items = v.elem.described(s.Items)
	case kindMap:
		s.Type = "object"
		s.MinProperties, s.MaxProperties = lengths(l.length)
		if v.elem.kind == kindAny || v.elem.kind == kindRaw {
			s.AdditionalProperties = nil
		} else {
			s.AdditionalProperties = v.elem.described(s.AdditionalProperties)
		}
	case kindStruct:
		v.object.describe(s)
	case kindPointer:
		v.elem.describe(s)
	case kindAny, kindRaw:
		if s.Description == "" { // an empty schema would be written as true, which no client expects
			s.Description = "Any JSON value."
		}
	}
	if s.Description == "" { // the reflection took away what the type said of itself
		if own, ok := reflect.New(v.typ).Interface().(schemer); ok {
			s.Description = own.JSONSchema().Description
		}
	}
	if l.rest != nil {
		l.rest.describe(v, s)
	}
}

// described is describe for a part that the reflection may not have made, where a
// type brought its own schema.
func (v *value) described(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		s = new(jsonschema.Schema)
	}
	v.describe(s)
	return s
}

func (o *object) describe(s *jsonschema.Schema) {
	s.Type = "object"
	s.AdditionalProperties = jsonschema.FalseSchema
	s.Required = nil
	if s.Properties == nil {
		s.Properties = jsonschema.NewProperties()
	}
	for i := range o.fields {
		f := &o.fields[i]
		if o.required>>i&1 == 1 {
			s.Required = append(s.Required, f.name)
		}
		member, _ := s.Properties.Get(f.name)
		s.Properties.Set(f.name, f.describe(member))
	}
}

// describe writes what the plan knows into the schema of a field.
func (f *field) describe(s *jsonschema.Schema) *jsonschema.Schema {
	outer := s
	if f.value.nullable { // the reflection made oneOf of it; anyOf needs no proof that only one fits
		s = s.OneOf[0]
		outer = &jsonschema.Schema{
			AnyOf:       []*jsonschema.Schema{s, {Type: "null"}},
			Title:       s.Title,
			Description: s.Description,
		}
		s.Title, s.Description = "", ""
	}
	s = f.value.described(s)
	s.Default = nil
	if f.preset != nil {
		outer.Default = json.RawMessage(f.preset.text)
	}
	return outer
}

func (f floats) describe(s *jsonschema.Schema) {
	lo, hi := json.Number(floatText(f.lo)), json.Number(floatText(f.hi))
	s.Minimum, s.ExclusiveMinimum = lo, ""
	if f.above {
		s.Minimum, s.ExclusiveMinimum = "", lo
	}
	s.Maximum, s.ExclusiveMaximum = hi, ""
	if f.below {
		s.Maximum, s.ExclusiveMaximum = "", hi
	}
}

func (r *rest) describe(v *value, s *jsonschema.Schema) {
	s.UniqueItems = r.unique
	if r.ne == nil {
		return
	}
	not := make([]any, len(r.ne))
	for i, text := range r.ne {
		not[i] = json.Number(text)
		if v.kind == kindString {
			not[i] = text
		}
	}
	s.Not = &jsonschema.Schema{Enum: not}
}

// lengths are the bounds of a length, nil where there is none.
func lengths(s span[int]) (lo, hi *uint64) {
	if s.lo > 0 {
		n := uint64(s.lo)
		lo = &n
	}
	if s.hi < math.MaxInt {
		n := uint64(s.hi)
		hi = &n
	}
	return lo, hi
}

// anys are the values as any, nil if there are none.
func anys[T any](values []T) []any {
	var list []any
	for _, v := range values {
		list = append(list, v)
	}
	return list
}
