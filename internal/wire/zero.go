package wire

import (
	"math/bits"
	"reflect"
)

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
func (f *field) absent(p pointer) bool {
	return f.omit != never && (f.omits(p) || isPlainZero(f.value, p))
}

// bare is how the zero value of a type looks in memory: what a call leaves out is most of most inputs, and the type itself would have to be asked through an interface.
type bare uint8

const (
	bareOther   bare = iota // ask reflection
	bareBits                // a bool or an integer
	bareFloat               // a float64: -0 is zero, too
	barePointer             // a pointer or a map
	bareText                // a string
	bareSlice
)

func bareOf(t reflect.Type) bare {
	switch t.Kind() {
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return bareBits
	case reflect.Float64:
		return bareFloat
	case reflect.Pointer, reflect.Map:
		return barePointer
	case reflect.String:
		return bareText
	case reflect.Slice:
		return bareSlice
	}
	return bareOther
}

// isEmpty is what encoding/json's omitempty means.
func isEmpty(v *value, p pointer) bool {
	switch v.bare {
	case bareSlice:
		_, n := p.slice()
		return n == 0
	case barePointer:
		return p.target().nowhere() || v.typ.Kind() == reflect.Map && reflected(v.typ, p).Len() == 0
	case bareOther:
		switch v.typ.Kind() {
		case reflect.Array:
			return v.typ.Len() == 0
		case reflect.Struct:
			return false
		}
	}
	return isPlainZero(v, p)
}

// usual is how a field looks in memory of which nothing is given, where one look tells: it has its default, or is left out. Check has nothing to say of it, and
// AppendGiven leaves it out.
type usual struct {
	word  uintptr // where the object has 8 bytes with what is looked at
	mask  uint64  // what of them is looked at; 0: one look does not tell
	want  uint64
	exact bool // else it may be usual though it looks otherwise
	omits bool // Append leaves the field out, too
}

// wordSize is the size of a pointer, and of a length.
const wordSize = bits.UintSize / 8

// usual returns how a field of an object of a size looks.
func (f *field) usual(whole uintptr) usual {
	v := f.value
	look := func(at, size uintptr, like pointer, exact bool) usual {
		u := usual{word: min(at, whole-8), exact: exact, omits: f.omit != never}
		u.mask, u.want = bytesAt(at-u.word, size, like)
		return u
	}
	length := func() usual { return look(f.offset+wordSize, wordSize, pointer{}, true) } // the second word of a string and of a slice
	switch {
	case whole < 8:
	case f.preset != nil && (f.omit != never || f.preset.from.nowhere()):
	case f.preset != nil && v.kind == kindString:
		if f.preset.zero {
			return length()
		}
	case f.preset != nil && v.size <= 8:
		return look(f.offset, v.size, f.preset.from, true)
	case f.preset != nil, f.omit == never, f.omit == whenZero && v.saysZero:
	case v.bare == bareBits, v.bare == barePointer && v.kind == kindPointer:
		return look(f.offset, v.size, pointer{}, true)
	case v.bare == bareFloat, v.bare == barePointer:
		return look(f.offset, v.size, pointer{}, false)
	case v.bare == bareText, v.bare == bareSlice && f.omit == whenEmpty:
		return length()
	}
	return usual{}
}

// is reports whether one look says that the field, of the object at p, is as usual.
func (u *usual) is(p pointer) bool { return u.mask != 0 && *as[uint64](p.at(u.word))&u.mask == u.want }

// unsaid reports whether the field at p, which does not look as usual, says nothing for all that: it has its default, or is left out.
func (f *field) unsaid(p pointer) bool {
	return f.preset != nil && f.value.isPreset(f.preset, p) || f.omit != never && f.omits(p)
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
	switch v.bare {
	case bareBits:
		return loadUint(p, v.size) == 0
	case bareFloat:
		return *as[float64](p) == 0
	case barePointer, bareSlice: // the first word of a slice is where its items are, which an empty one has, too
		return p.target().nowhere()
	case bareText:
		return *as[string](p) == ""
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
