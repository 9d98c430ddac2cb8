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
func (f *field) absent(p pointer) bool { return f.omits(p) || isZero(f.value, p) }

// isEmpty is what encoding/json's omitempty means.
func isEmpty(v *value, p pointer) bool {
	switch v.typ.Kind() {
	case reflect.String:
		return *as[string](p) == ""
	case reflect.Slice:
		_, n := p.slice()
		return n == 0
	case reflect.Map:
		return reflected(v.typ, p).Len() == 0
	case reflect.Array:
		return v.typ.Len() == 0
	case reflect.Struct:
		return false
	}
	return isZero(v, p)
}

// zeroer is how a type says what zero means, to omitzero.
type zeroer interface{ IsZero() bool }

// isZero is what encoding/json's omitzero means.
func isZero(v *value, p pointer) bool {
	switch v.kind {
	case kindBool:
		return !*as[bool](p)
	case kindInt, kindUint:
		return loadUint(p, v.size) == 0
	case kindString:
		return *as[string](p) == ""
	}
	r := reflected(v.typ, p)
	if v.kind == kindPointer {
		if r.IsNil() {
			return true
		}
		z, ok := r.Interface().(zeroer)
		return ok && z.IsZero()
	}
	if z, ok := r.Addr().Interface().(zeroer); ok {
		return z.IsZero()
	}
	return r.IsZero()
}
