package world

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
)

// JSONAppender is implemented by values that write their own JSON, which is faster than
// encoding/json does it. The text must depend on nothing but the value.
type JSONAppender interface {
	AppendJSON(dst []byte) []byte
}

// codec checks and writes the values of one type.
type codec[T any] struct {
	name    string
	numbers bool // T may hold floats
	opaque  bool // whether a T can be written shows only when it is
	scratch *T   // where check looks at a value, so that it need not escape; used under the lock
}

// newCodec panics if the zero value of T has no JSON.
func newCodec[T any](name string) codec[T] {
	c := codec[T]{name: name, scratch: new(T)}
	if _, err := json.Marshal(c.scratch); err != nil {
		panic("world: " + name + " cannot be written as JSON: " + err.Error())
	}
	c.numbers, c.opaque = survey(reflect.TypeFor[T](), nil)
	return c
}

// fitter is a value that looks at its own numbers, which is faster than reflection. What is wrong
// with them is not for it to say.
type fitter interface{ fits() bool }

// check reports what in v the world does not take.
func (c *codec[T]) check(v T) error {
	if !c.numbers && !c.opaque {
		return nil
	}
	var zero T
	*c.scratch = v
	defer func() { *c.scratch = zero }()
	if f, ok := any(c.scratch).(fitter); ok && !c.opaque && f.fits() {
		return nil
	}
	if path, x, ok := finite(reflect.ValueOf(c.scratch).Elem()); !ok {
		return badNumber(c.name+path, x)
	}
	if !c.opaque {
		return nil
	}
	if _, err := json.Marshal(c.scratch); err != nil {
		return invalid("%s: cannot be written as JSON: %v", c.name, err)
	}
	return nil
}

// append writes v, which check has passed.
func (c *codec[T]) append(dst []byte, v *T) []byte {
	switch v := any(v).(type) {
	case JSONAppender:
		return v.AppendJSON(dst)
	case *string:
		return appendString(dst, *v)
	case *[]string:
		return appendStrings(dst, *v)
	}
	return appendAny(dst, v)
}

// appendAny writes v as encoding/json does, with < and > as they are.
func appendAny(dst []byte, v any) []byte {
	buf := bytes.NewBuffer(dst)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return append(dst, "null"...) // not reached: check has seen that v can be written
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// appendKey writes v as the key of a JSON object: always as a string.
func (c *codec[T]) appendKey(dst []byte, v *T) []byte {
	n := len(dst)
	dst = c.append(dst, v)
	if dst[n] == '"' {
		return dst
	}
	return append(slices.Insert(dst, n, '"'), '"')
}

// survey tells whether values of a type may hold floats, and whether they hold anything that decides
// for itself how, and if, it is written.
func survey(t reflect.Type, above []reflect.Type) (numbers, opaque bool) {
	if t == reflect.TypeFor[ID]() {
		return false, false
	}
	if slices.Contains(above, t) {
		return true, true
	}
	above = append(above, t)
	opaque = writesItself(t)
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		numbers = true
	case reflect.Interface:
		return true, true
	case reflect.Slice, reflect.Array, reflect.Pointer, reflect.Map:
		n, o := survey(t.Elem(), above)
		return n, o || opaque
	case reflect.Struct:
		for i := range t.NumField() {
			n, o := survey(t.Field(i).Type, above)
			numbers, opaque = numbers || n, opaque || o
		}
	}
	return numbers, opaque
}

func writesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Marshaler]()) || p.Implements(reflect.TypeFor[interface {
		MarshalText() ([]byte, error)
	}]())
}
