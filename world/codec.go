package world

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// JSONAppender is implemented by values that write their own JSON, which is faster than
// encoding/json does it. The text must depend on nothing but the value, which is the one that the world keeps: nothing of it may be changed. It is called
// concurrently, as are MarshalJSON and MarshalText of values.
type JSONAppender interface {
	AppendJSON(dst []byte) []byte
}

// codec checks and writes the values of one type, which it is given by pointers. What reflection has to say of the type is found out when it is
// first needed: for all that a program declares, it would be a tenth of its start.
type codec struct {
	name    string
	values  vaultOf // knows the type
	known   bool    // the next five are
	nulls   bool    // the JSON of a value may be null
	numbers bool    // one may hold floats
	opaque  bool    // whether one can be written shows only when it is
	flat    bool    // one holds no more than its own bytes
	size    int
	written []byte
}

func newCodec(name string, values vaultOf) codec { return codec{name: name, values: values} }

// know is called before what depends on the type, under the lock. It panics if JSON has no way to say its values.
func (c *codec) know() {
	if !c.known {
		c.look()
	}
}

func (c *codec) look() {
	if err := c.writable(); err != nil {
		panic("world: " + err.Error())
	}
}

// writable reports whether JSON has a way to say values of the type. If it has, the codec knows the type from then on. It is called under the lock.
func (c *codec) writable() error {
	t := c.values.of()
	var s survey
	s.look(t, make([]reflect.Type, 0, 8))
	if s.foreign != nil {
		return fmt.Errorf("%s cannot be written as JSON: it holds a %v", c.name, s.foreign)
	}
	c.known, c.nulls, c.numbers, c.opaque, c.flat, c.size = true, nulls(t), s.numbers, s.opaque, flat(t), int(t.Size())
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
func (c *codec) weigh(v any) int {
	c.know()
	if c.flat {
		return c.size
	}
	return c.size + len(c.write(v))
}

// write returns the JSON of v, which is good until the next one is written.
func (c *codec) write(v any) []byte {
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

// plain reports whether it is known that the world takes every value of the type.
func (c *codec) plain() bool { return c.known && !c.numbers && !c.opaque }

// check reports what in v the world does not take. Of an opaque type it runs code of other packages, which may panic.
func (c *codec) check(v any) error {
	c.know()
	if err := c.checkNumbers(v); err != nil || !c.opaque {
		return err
	}
	if _, err := json.Marshal(v); err != nil {
		return invalid("%s: cannot be written as JSON: %v", c.name, err)
	}
	return nil
}

// null reports whether the JSON of v, which check has passed, is null.
func (c *codec) null(v any) bool { return c.nulls && string(c.write(v)) == "null" }

func (c *codec) checkNumbers(v any) error {
	if !c.numbers {
		return nil
	}
	if f, ok := v.(fitter); ok && !c.opaque && f.fits() {
		return nil
	}
	if path, x, ok := finite(reflect.ValueOf(v).Elem()); !ok {
		return badNumber(c.name+path, x)
	}
	return nil
}

// append writes v, which check has passed.
func (c *codec) append(dst []byte, v any) []byte {
	switch v := v.(type) {
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
func (c *codec) appendKey(dst []byte, v any) []byte {
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
