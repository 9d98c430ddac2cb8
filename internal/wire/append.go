package wire

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"

	"github.com/limina-mcp/limina/internal/decimal"
)

// Append writes v, a *T, after dst: the same bytes as encoding/json without HTML
// escapes, but a nil slice is [] and a nil map is {}. Its error, an [Errors], is
// about a value that JSON cannot carry (NaN, an infinity) or about a method of a
// type that failed; dst then comes back as it was. It allocates nothing but for
// maps, any, json.RawMessage and the methods of types. It panics if v is not a *T.
func (p *Plan) Append(dst []byte, v any) ([]byte, error) {
	var a appender
	return a.append(dst, p, v)
}

// AppendGiven is Append without the fields of objects that have their default: what Decode makes of it is the same value, and most of most inputs that Go
// code makes are defaults.
func (p *Plan) AppendGiven(dst []byte, v any) ([]byte, error) {
	a := appender{given: true}
	return a.append(dst, p, v)
}

// appender writes a value; problems collect as in the decoder.
type appender struct {
	problems
	given bool // leave defaults out
}

func (a *appender) append(dst []byte, p *Plan, v any) ([]byte, error) {
	out := a.value(dst, p.root, p.pointer(v))
	if a.list != nil {
		return dst, a.list
	}
	return out, nil
}

func (a *appender) value(dst []byte, v *value, p pointer) []byte {
	switch v.kind {
	case kindBool:
		return strconv.AppendBool(dst, *as[bool](p))
	case kindInt:
		return decimal.AppendInt(dst, loadInt(p, v.size))
	case kindUint:
		return decimal.Append(dst, loadUint(p, v.size))
	case kindFloat64:
		return a.float(dst, *as[float64](p), 64)
	case kindFloat32:
		return a.float(dst, float64(*as[float32](p)), 32)
	case kindString:
		return AppendString(dst, *as[string](p))
	case kindArray:
		return a.items(dst, v.elem, p, v.count)
	case kindSlice:
		first, n := p.slice()
		return a.items(dst, v.elem, first, n)
	case kindMap:
		return a.mapping(dst, v, reflected(v.typ, p))
	case kindStruct:
		return a.object(dst, v.object, p)
	case kindPointer:
		if to := p.target(); !to.nowhere() {
			return a.value(dst, v.elem, to)
		}
		return append(dst, "null"...)
	case kindAny:
		return a.any(dst, *as[any](p))
	case kindRaw:
		if raw := *as[json.RawMessage](p); raw != nil {
			return a.raw(dst, raw)
		}
		return append(dst, "null"...)
	case kindText:
		return a.text(dst, v, p)
	default:
		text, err := reflected(v.typ, p).Addr().Interface().(json.Marshaler).MarshalJSON()
		if err != nil {
			a.addError(err)
			return dst
		}
		return a.raw(dst, text)
	}
}

func (a *appender) float(dst []byte, f float64, bits int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		a.add("must be a finite number, got " + strconv.FormatFloat(f, 'g', -1, 64))
		return dst
	}
	return appendFloat(dst, f, bits)
}

func (a *appender) items(dst []byte, elem *value, first pointer, count int) []byte {
	dst = append(dst, '[')
	for i := range count {
		if i > 0 {
			dst = append(dst, ',')
		}
		n := len(a.list)
		dst = a.value(dst, elem, first.at(uintptr(i)*elem.size))
		if len(a.list) != n {
			a.under(n, index(i))
		}
	}
	return append(dst, ']')
}

func (a *appender) object(dst []byte, o *object, p pointer) []byte {
	start := len(dst)
	for i := range o.usual {
		if u := &o.usual[i]; !u.is(p) || !u.omits && !a.given {
			dst = a.field(dst, &o.fields[i], p, u.exact)
		}
	}
	if len(dst) == start {
		return append(dst, "{}"...)
	}
	dst[start] = '{' // in place of the first comma
	return append(dst, '}')
}

// field writes a field of the object at p, if it is to be written. exact says that it does not look as usual, and therefore is not.
func (a *appender) field(dst []byte, f *field, p pointer, exact bool) []byte {
	at := p.at(f.offset)
	if !exact && (a.given || f.omit != never) && f.unsaid(at) {
		return dst
	}
	n := len(a.list)
	dst = a.value(append(dst, f.lead...), f.value, at)
	if len(a.list) != n {
		a.under(n, f.name)
	}
	return dst
}

func (a *appender) mapping(dst []byte, v *value, m reflect.Value) []byte {
	dst = append(dst, '{')
	item := reflect.New(v.elem.typ).Elem()
	for i, key := range sortedKeys(m) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, key.String()), ':')
		item.Set(m.MapIndex(key))
		n := len(a.list)
		dst = a.value(dst, v.elem, address(item))
		a.under(n, keyStep(key.String()))
	}
	return append(dst, '}')
}

// any writes what has no plan through encoding/json.
func (a *appender) any(dst []byte, x any) []byte {
	w := writer{dst}
	e := json.NewEncoder(&w)
	e.SetEscapeHTML(false)
	if err := e.Encode(x); err != nil {
		a.add(err.Error())
		return dst
	}
	return w.text[:len(w.text)-1] // Encode ends with a new line
}

// writer appends what is written to it.
type writer struct{ text []byte }

func (w *writer) Write(p []byte) (int, error) {
	w.text = append(w.text, p...)
	return len(p), nil
}

// raw writes JSON that somebody else made, without its white space.
func (a *appender) raw(dst, text []byte) []byte {
	if err := Valid(text); err != nil {
		a.add(err.Error())
		return dst
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r':
		case '"':
			end, _ := scanString(text, i+1)
			dst = append(dst, text[i:end+1]...)
			i = end
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// text writes what a type says of itself, as a string.
func (a *appender) text(dst []byte, v *value, p pointer) []byte {
	if v.text.append == nil {
		text, err := of(v.text.write, p).MarshalText()
		if err != nil {
			a.addError(err)
			return dst
		}
		return AppendString(dst, string(text))
	}
	// Straight into place; if there is something to escape, once more.
	out, err := of(v.text.append, p).AppendText(append(dst, '"'))
	if err != nil {
		a.addError(err)
		return dst
	}
	text := out[len(dst)+1:]
	if needsEscape(text) {
		return AppendString(dst, string(text))
	}
	return append(out, '"')
}

// needsEscape reports whether a text is anything but plain ASCII.
func needsEscape(text []byte) bool { return plain(text, 0) < len(text) }

// appendThousandths writes n/1000, of which n is no multiple. As long as n has no more than 15 digits no
// shorter text means the same float.
func appendThousandths(dst []byte, n int64) []byte {
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	dst = append(decimal.AppendInt(dst, n/1000), '.')
	rest := n % 1000
	dst = append(dst, byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// appendFloat writes a finite float as encoding/json does: as ECMAScript would.
func appendFloat(dst []byte, f float64, bits int) []byte {
	if f == 0 && !math.Signbit(f) {
		return append(dst, '0')
	}
	// An integer of which the type has all neighbours too needs all its digits.
	if n := int64(f); float64(n) == f && n != 0 && -1e15 < f && f < 1e15 && (bits == 64 || -1<<24 < n && n < 1<<24) {
		return decimal.AppendInt(dst, n)
	}
	if n := int64(f * 1000); n != 0 && bits == 64 && -1e15 < f*1000 && f*1000 < 1e15 && float64(n)/1000 == f {
		return appendThousandths(dst, n)
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 {
		if bits == 64 && (abs < 1e-6 || abs >= 1e21) || bits == 32 && (float32(abs) < 1e-6 || float32(abs) >= 1e21) {
			format = 'e'
		}
	}
	dst = strconv.AppendFloat(dst, f, format, -1, bits)
	if n := len(dst); format == 'e' && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // e-09 is e-9
		dst = dst[:n-1]
	}
	return dst
}
