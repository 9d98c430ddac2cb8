package wire

import (
	"encoding/json"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// Decode reads data, one JSON value, into v, a *T that points at a zero T, and sets
// the defaults of keys that are absent. It reports all problems of a value that is
// well-formed, else where it is not; the error is an [Errors], and v is then partly
// filled. It keeps no part of data. It panics if v is not a *T.
//
// It checks the syntax as it goes, whoever has checked it before. A variant that
// trusted what ParseEnvelope had validated would take 184 ns for the bench's call
// instead of 196: a number must be read to its end and a string to its quote in any
// case. That is not worth a second, unsafe way in.
func (p *Plan) Decode(data []byte, v any) error {
	return p.root.decode(data, p.pointer(v))
}

func (v *value) decode(data []byte, p pointer) error {
	d := decoder{text: data}
	return d.whole(d.value(v, p, space(data, 0)))
}

// whole is what is wrong with a text whose value ends at i.
func (d *decoder) whole(i int) error {
	if i >= 0 {
		if i = space(d.text, i); i < len(d.text) {
			i = ^i
		}
	}
	if i < 0 {
		return Errors{{Message: syntaxMessage(d.text, ^i)}}
	}
	if d.list != nil {
		return d.list
	}
	return nil
}

// decoder is one pass over a text. Its methods take the index at which a value
// begins and return the index behind it, negative for a syntax error as in the
// scanner. Anything else that is wrong is added to the problems, and the pass goes
// on. It stays on the stack: nothing below may store it or hand it to an interface.
type decoder struct {
	text []byte
	problems
}

// value reads the value at i into p.
func (d *decoder) value(v *value, p pointer, i int) int {
	if i >= len(d.text) {
		return ^i
	}
	switch v.kind {
	case kindBool:
		return d.bool(v, p, i)
	case kindInt, kindUint:
		return d.integer(v, p, i)
	case kindFloat64, kindFloat32:
		return d.float(v, p, i)
	case kindString:
		return d.string(v, p, i)
	case kindArray:
		return d.array(v, p, i)
	case kindSlice:
		return d.slice(v, p, i)
	case kindMap:
		return d.mapping(v, p, i)
	case kindStruct:
		return d.object(v, p, i)
	case kindPointer:
		return d.pointed(v, p, i)
	case kindAny:
		return d.any(p, i)
	case kindRaw:
		return d.raw(p, i)
	case kindText:
		return d.textual(v, p, i)
	default:
		return d.custom(v, p, i)
	}
}

// mismatch passes over a value of the wrong JSON type.
func (d *decoder) mismatch(v *value, i int) int {
	end := skip(d.text, i)
	if end < 0 {
		return end
	}
	d.add("must be " + v.want() + ", got " + got(d.text[i:end]) + v.hint(d.text[i:end]))
	return end
}

func (d *decoder) bool(v *value, p pointer, i int) int {
	switch d.text[i] {
	case 't':
		*as[bool](p) = true
		i = skipWord(d.text, i, "true")
	case 'f':
		i = skipWord(d.text, i, "false")
	default:
		return d.mismatch(v, i)
	}
	if v.limits.rest != nil && i >= 0 {
		d.rest(v, p)
	}
	return i
}

func (d *decoder) float(v *value, p pointer, i int) int {
	if c := d.text[i]; c != '-' && !isDigit(c) {
		return d.mismatch(v, i)
	}
	n := readNumber(d.text, i)
	if n.end < 0 {
		return n.end
	}
	f := n.float(d.text[i:n.end])
	if !v.limits.float.has(f) {
		d.add(v.faultBounds(show(d.text[i:n.end])))
		return n.end
	}
	if v.kind == kindFloat64 {
		*as[float64](p) = f
	} else {
		// Rounded once, from the text, as encoding/json does it.
		f32, _ := strconv.ParseFloat(string(d.text[i:n.end]), 32)
		if !v.limits.float.single().has(f32) { // rounded to an end that is out
			d.add(v.faultBounds(show(d.text[i:n.end]) + ", which is " + string(appendFloat(nil, f32, 32)) + " in 32 bits"))
			return n.end
		}
		*as[float32](p) = float32(f32)
	}
	if v.limits.rest != nil {
		d.rest(v, p)
	}
	return n.end
}

func (d *decoder) integer(v *value, p pointer, i int) int {
	if c := d.text[i]; c != '-' && !isDigit(c) {
		return d.mismatch(v, i)
	}
	n := readNumber(d.text, i)
	if n.end < 0 {
		return n.end
	}
	mag, whole, over := n.mant, true, false
	if n.exp != 0 || n.flags&long != 0 {
		mag, whole, over = n.integer(d.text[i:n.end])
	}
	if !whole {
		d.add("must be an integer, got " + show(d.text[i:n.end]))
		return n.end
	}
	if over || !v.storeInteger(p, mag, n.flags&negative != 0) {
		d.add(v.faultBounds(show(d.text[i:n.end])))
		return n.end
	}
	if v.limits.rest != nil {
		d.rest(v, p)
	}
	return n.end
}

// storeInteger stores ±mag, if it is within the limits.
func (v *value) storeInteger(p pointer, mag uint64, minus bool) bool {
	l := &v.limits
	if v.kind == kindUint {
		if minus && mag != 0 || !l.uint.has(mag) || !l.allowsInt(int64(mag)) {
			return false
		}
		storeBits(p, mag, v.size)
		return true
	}
	n := int64(mag)
	if minus {
		n = -n
	}
	// With the sign bit in use the magnitude did not fit, save for the least integer.
	if (n < 0) != minus && n != 0 || !l.int.has(n) || !l.allowsInt(n) {
		return false
	}
	storeBits(p, uint64(n), v.size)
	return true
}

func (d *decoder) string(v *value, p pointer, i int) int {
	if d.text[i] != '"' {
		return d.mismatch(v, i)
	}
	end, escaped := scanString(d.text, i+1)
	if end < 0 {
		return end
	}
	text := d.text[i+1 : end]
	if escaped {
		text = unescape(text)
	}
	l := &v.limits
	if l.oneof != nil {
		for _, s := range l.oneof {
			if s == string(text) {
				*as[string](p) = s // the plan's own copy
				if l.rest != nil {
					d.rest(v, p)
				}
				return end + 1
			}
		}
		d.add(v.faultEnum(string(text)))
		return end + 1
	}
	// Never more characters than bytes: most strings need no counting.
	if l.length.lo > 0 || len(text) > l.length.hi {
		if n := utf8.RuneCount(text); !l.length.has(n) {
			d.add(v.faultLength(n))
			return end + 1
		}
	}
	*as[string](p) = string(text)
	if l.rest != nil {
		d.rest(v, p)
	}
	return end + 1
}

func (d *decoder) pointed(v *value, p pointer, i int) int {
	if v.nullable && d.text[i] == 'n' {
		return skipWord(d.text, i, "null")
	}
	made := reflect.New(v.elem.typ)
	end := d.value(v.elem, address(made.Elem()), i)
	reflected(v.typ, p).Set(made)
	return end
}

func (d *decoder) raw(p pointer, i int) int {
	end := d.free(i, MaxDepth) // whoever reads the text later may be less strict
	if end < 0 {
		return end
	}
	*as[json.RawMessage](p) = append(json.RawMessage(nil), d.text[i:end]...)
	return end
}

func (d *decoder) textual(v *value, p pointer, i int) int {
	if d.text[i] != '"' {
		return d.mismatch(v, i)
	}
	end, escaped := scanString(d.text, i+1)
	if end < 0 {
		return end
	}
	text := d.text[i+1 : end]
	if escaped {
		text = unescape(text)
	}
	if err := of(v.text.read, p).UnmarshalText(text); err != nil {
		d.addError(err)
	}
	return end + 1
}

func (d *decoder) custom(v *value, p pointer, i int) int {
	end := skip(d.text, i)
	if end < 0 || d.full() { // it may have much to say
		return end
	}
	raw := d.text[i:end]
	if raw[0] == 'n' { // many UnmarshalJSON methods take null for "leave it as it is"
		d.add("must not be null")
		return end
	}
	if err := reflected(v.typ, p).Addr().Interface().(json.Unmarshaler).UnmarshalJSON(raw); err != nil {
		d.addError(err)
	}
	return end
}

// rest checks what is rarely asked, on the value that was stored at p.
func (d *decoder) rest(v *value, p pointer) { v.checkRest(&d.problems, p) }
