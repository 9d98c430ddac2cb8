package world

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// JSONAppender is implemented by values that write their own JSON, which is faster than
// encoding/json does it. The text must depend on nothing but the value.
type JSONAppender interface {
	AppendJSON(dst []byte) []byte
}

// codec checks and writes the values of one type. What reflection has to say of the type is found out when it is
// first needed: for all that a program declares, it would be a tenth of its start.
type codec[T any] struct {
	name    string
	known   bool // the next five are
	nulls   bool // the JSON of a T may be null
	numbers bool // T may hold floats
	opaque  bool // whether a T can be written shows only when it is
	flat    bool // a T holds no more than its own bytes
	scratch *T   // where check looks at a value that is not in its place yet; used under the lock
	written []byte
}

func newCodec[T any](name string) codec[T] { return codec[T]{name: name} }

// know is called before what depends on T, under the lock. It panics if JSON has no way to say a T.
func (c *codec[T]) know() {
	if !c.known {
		c.look()
	}
}

func (c *codec[T]) look() {
	if err := c.writable(); err != nil {
		panic("world: " + err.Error())
	}
}

// writable reports whether JSON has a way to say a T. If it has, the codec knows T from then on. It is called under the lock.
func (c *codec[T]) writable() error {
	t := reflect.TypeFor[T]()
	var s survey
	s.look(t, make([]reflect.Type, 0, 8))
	if s.foreign != nil {
		return fmt.Errorf("%s cannot be written as JSON: it holds a %v", c.name, s.foreign)
	}
	c.known, c.nulls, c.numbers, c.opaque, c.flat, c.scratch = true, nulls(t), s.numbers, s.opaque, flat(t), new(T)
	return nil
}

// nulls reports whether the JSON of a t may be null.
func nulls(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice:
		return true
	}
	return writesItself(t)
}

// flat reports whether values of t hold no more than their own bytes.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice, reflect.String, reflect.UnsafePointer:
		return false
	}
	return true
}

// weigh says about how many bytes v keeps alive: its own, and the length of its JSON if there is more.
// It is called under the lock.
func (c *codec[T]) weigh(v *T) int {
	c.know()
	size := int(unsafe.Sizeof(*v))
	if c.flat {
		return size
	}
	return size + len(c.write(v))
}

// write returns the JSON of v, which is good until the next one is written.
func (c *codec[T]) write(v *T) []byte {
	text := c.append(c.written[:0], v)
	c.written = text
	if cap(text) > 1<<16 {
		c.written = nil
	}
	return text
}

// fitter is a value that looks at its own numbers, which is faster than reflection. What is wrong
// with them is not for it to say.
type fitter interface{ fits() bool }

// check reports what in v the world does not take.
func (c *codec[T]) check(v T) error {
	c.know()
	if !c.numbers && !c.opaque {
		return nil
	}
	var zero T
	*c.scratch = v
	defer func() { *c.scratch = zero }()
	if err := c.checkNumbers(c.scratch); err != nil || !c.opaque {
		return err
	}
	if _, err := json.Marshal(c.scratch); err != nil {
		return invalid("%s: cannot be written as JSON: %v", c.name, err)
	}
	return nil
}

// null reports whether the JSON of v, which check has passed, is null.
func (c *codec[T]) null(v T) bool {
	if !c.nulls {
		return false
	}
	var zero T
	*c.scratch = v
	text := c.write(c.scratch)
	*c.scratch = zero
	return string(text) == "null"
}

// checkNumbers is check for a value in its place, which is all of it unless T is opaque. It runs no code of other
// packages, so that it cannot panic. The codec knows its type.
func (c *codec[T]) checkNumbers(v *T) error {
	if !c.numbers {
		return nil
	}
	if f, ok := any(v).(fitter); ok && !c.opaque && f.fits() {
		return nil
	}
	if path, x, ok := finite(reflect.ValueOf(v).Elem()); !ok {
		return badNumber(c.name+path, x)
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

// survey is what values of a type may hold.
type survey struct {
	numbers bool         // floats
	opaque  bool         // something that decides for itself how, and if, it is written
	foreign reflect.Type // something that JSON does not have
}

// look adds what values of t may hold, inside of those above.
func (s *survey) look(t reflect.Type, above []reflect.Type) {
	if t == reflect.TypeFor[ID]() {
		return
	}
	if slices.Contains(above, t) {
		s.numbers, s.opaque = true, true
		return
	}
	above = append(above, t)
	own := writesItself(t)
	s.opaque = s.opaque || own
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		s.numbers = true
	case reflect.Interface:
		s.numbers, s.opaque = true, true
	case reflect.Map:
		if k := t.Key(); k.Kind() != reflect.String && k != reflect.TypeFor[ID]() {
			text := k.Implements(reflect.TypeFor[encoding.TextMarshaler]()) // a key has no address, and is never asked for JSON
			s.opaque = s.opaque || text
			if !text && !isInteger(k.Kind()) {
				s.foreign = t
			}
		}
		s.look(t.Elem(), above)
	case reflect.Slice, reflect.Array, reflect.Pointer:
		s.look(t.Elem(), above)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			part := survey{}
			part.look(f.Type, above)
			s.numbers, s.opaque = s.numbers || part.numbers, s.opaque || part.opaque
			if part.foreign != nil && (f.IsExported() || f.Anonymous) && f.Tag.Get("json") != "-" {
				s.foreign = part.foreign
			}
		}
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		s.foreign = t
	}
	if own {
		s.foreign = nil // whatever it holds
	}
}

func isInteger(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }

func writesItself(t reflect.Type) bool {
	if t.PkgPath() == "" && t.Kind() != reflect.Struct && t.Kind() != reflect.Interface {
		return false // what has no name, or one of the language's, has no methods
	}
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Marshaler]()) || p.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}
