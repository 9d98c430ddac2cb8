package world

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
)

// JSONAppender is implemented by component values that write their own JSON, which is faster than
// encoding/json. The text must depend on nothing but the value.
type JSONAppender interface {
	AppendJSON(dst []byte) []byte
}

// codec checks and writes the values of one type.
type codec[T any] struct {
	name    string
	appends bool // T is a JSONAppender
	numbers bool // T may hold floats
	opaque  bool // what T is as JSON shows only when it is written
	scratch *T   // where check looks at a value, so that it need not escape; guarded by the Tx
}

// newCodec panics if the zero value of T has no JSON.
func newCodec[T any](name string) codec[T] {
	var zero T
	if _, err := json.Marshal(zero); err != nil {
		panic("world: " + name + " cannot be written as JSON: " + err.Error())
	}
	t := reflect.TypeFor[T]()
	c := codec[T]{name: name, scratch: new(T)}
	_, c.appends = any(zero).(JSONAppender)
	c.numbers, c.opaque = survey(t, nil)
	return c
}

// check reports what in v the world does not take.
func (c *codec[T]) check(v T) error {
	if !c.numbers && !c.opaque {
		return nil
	}
	*c.scratch = v
	err := finite(reflect.ValueOf(c.scratch).Elem(), c.name)
	var zero T
	*c.scratch = zero
	if err != nil || !c.opaque {
		return err
	}
	if _, err := json.Marshal(v); err != nil {
		return invalid("%s: cannot be written as JSON: %v", c.name, err)
	}
	return nil
}

// append writes v, which check has passed.
func (c *codec[T]) append(dst []byte, v T) []byte {
	if c.appends {
		return any(v).(JSONAppender).AppendJSON(dst)
	}
	buf := bytes.NewBuffer(dst)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return append(dst, "null"...) // check has seen that v can be written
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// appendKey writes v as the key of a JSON object: always as a string.
func (c *codec[T]) appendKey(dst []byte, v T) []byte {
	n := len(dst)
	dst = c.append(dst, v)
	if dst[n] == '"' {
		return dst
	}
	return append(slices.Insert(dst, n, '"'), '"')
}

// survey tells whether values of a type may hold floats, and whether they hold anything that decides
// for itself how it is written.
func survey(t reflect.Type, seen []reflect.Type) (numbers, opaque bool) {
	if slices.Contains(seen, t) {
		return false, true
	}
	seen = append(seen, t)
	if t.Implements(reflect.TypeFor[json.Marshaler]()) {
		opaque = true
	}
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		return true, opaque
	case reflect.Interface:
		return true, true
	case reflect.Slice, reflect.Array, reflect.Pointer:
		n, o := survey(t.Elem(), seen)
		return n, o || opaque
	case reflect.Map:
		n, o := survey(t.Elem(), seen)
		return n, o || opaque
	case reflect.Struct:
		for i := range t.NumField() {
			n, o := survey(t.Field(i).Type, seen)
			numbers, opaque = numbers || n, opaque || o
		}
	}
	return numbers, opaque
}

// finite reports the first number in v that the world does not take, by its path.
func finite(v reflect.Value, path string) error {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if x := v.Float(); !fits(x) {
			return badNumber(path, x)
		}
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			return finite(v.Elem(), path)
		}
	case reflect.Slice, reflect.Array:
		return finiteList(v, path)
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if err := finite(it.Value(), path+"."+it.Key().String()); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if err := finite(v.Field(i), path); err != nil {
				return err
			}
		}
	}
	return nil
}

func finiteList(v reflect.Value, path string) error {
	switch v.Type().Elem().Kind() {
	case reflect.Uint8, reflect.String, reflect.Int, reflect.Uint64:
		return nil
	}
	for i := range v.Len() {
		if err := finite(v.Index(i), path); err != nil {
			return err
		}
	}
	return nil
}

// appendFloat writes x as encoding/json does.
func appendFloat(dst []byte, x float64) []byte {
	abs := x
	if abs < 0 {
		abs = -abs
	}
	if abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		dst = strconv.AppendFloat(dst, x, 'e', -1, 64)
		if n := len(dst); n >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
			dst[n-2] = dst[n-1]
			dst = dst[:n-1]
		}
		return dst
	}
	return strconv.AppendFloat(dst, x, 'f', -1, 64)
}

func appendFloats(dst []byte, xs []float64) []byte {
	dst = append(dst, '[')
	for i, x := range xs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendFloat(dst, x)
	}
	return append(dst, ']')
}
