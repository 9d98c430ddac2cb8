package wire

import "reflect"

// omits reports whether encoding/json would leave the field at p out.
func (f *field) omits(p pointer) bool {
	switch f.omit {
	case whenEmpty:
		return isEmpty(f.value, p)
	case whenZero:
		return isZero(f.value, p)
	}
	return false
}

// absent reports whether the field at p, whose key may be left out, says nothing. It
// differs from omits for a zero struct or array, which omitempty does not leave out.
func (f *field) absent(p pointer) bool { return f.omits(p) || isPlainZero(f.value, p) }

// isEmpty is what encoding/json's omitempty means.
func isEmpty(v *value, p pointer) bool {
	switch v.typ.Kind() {
	case reflect.String:
		return *as[string](p) == ""
	case reflect.Slice:
		_, n := p.slice()
		return n == 0
	case reflect.Map:
		return p.target().nowhere() || reflected(v.typ, p).Len() == 0
	case reflect.Array:
		return v.typ.Len() == 0
	case reflect.Struct:
		return false
	}
	return isPlainZero(v, p)
}

// zeroer is how a type says what zero means, to omitzero and to nobody else.
type zeroer interface{ IsZero() bool }

var zeroerType = reflect.TypeFor[zeroer]()

// isZero is what encoding/json's omitzero means.
func isZero(v *value, p pointer) bool {
	if !v.saysZero {
		return isPlainZero(v, p)
	}
	if v.kind == kindPointer {
		r := reflected(v.typ, p)
		return r.IsNil() || r.Interface().(zeroer).IsZero()
	}
	return reflected(v.typ, p).Addr().Interface().(zeroer).IsZero()
}

// isPlainZero reports whether the value at p is its type's zero value.
func isPlainZero(v *value, p pointer) bool {
	switch v.typ.Kind() {
	case reflect.Bool:
		return !*as[bool](p)
	case reflect.String:
		return *as[string](p) == ""
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return loadUint(p, v.size) == 0
	case reflect.Float64:
		return *as[float64](p) == 0
	case reflect.Pointer, reflect.Map: // reflection would look for the type of a pointer to it
		return p.target().nowhere()
	}
	return reflected(v.typ, p).IsZero()
}

// saysZero reports whether omitzero asks the type.
func saysZero(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return t.Implements(zeroerType)
	}
	return mayHaveMethods(t) && reflect.PointerTo(t).Implements(zeroerType)
}
