package wire

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxShown is how much of a value a message repeats, in bytes.
const maxShown = 48

// show is a scalar as it stands in the text, cut short if it is long.
func show(raw []byte) string {
	if len(raw) <= maxShown {
		return string(raw)
	}
	cut := maxShown
	for cut > 0 && !utf8.RuneStart(raw[cut]) {
		cut--
	}
	return string(raw[:cut]) + "…"
}

// got says what stands in the text: `the string "1.5"`, "70", "an array".
func got(raw []byte) string {
	switch raw[0] {
	case '"':
		return "the string " + show(raw)
	case '{':
		return "an object"
	case '[':
		return "an array"
	}
	return show(raw)
}

// hint says how to write a value of the wrong type that can only mean one thing: a colour as "#ff8800",
// "orange", [255,136,0] or {"r":255,"g":136,"b":0}, and an object or an array that was put into a string. It is empty for any other.
func (v *value) hint(raw []byte) string {
	switch v.kind {
	case kindInt, kindUint:
		if v.bounds() == colorBounds {
			if hint := ColorHint(raw); hint != "" {
				return hint
			}
		}
		if n, ok := hexOf(raw); ok && v.within(n) {
			return asInteger + strconv.FormatInt(n, 10)
		}
		return v.unquoted(raw)
	case kindBool, kindFloat64, kindFloat32:
		return v.unquoted(raw)
	case kindStruct, kindMap:
		if bytes.HasPrefix(raw, []byte(`"{`)) {
			return ": leave the quotes out"
		}
	case kindArray, kindSlice:
		if bytes.HasPrefix(raw, []byte(`"[`)) {
			return ": leave the quotes out"
		}
		return v.asArray(raw)
	}
	return ""
}

// takes reports whether a text is a good value.
func (v *value) takes(text []byte) bool {
	return v.decode(text, address(reflect.New(v.typ).Elem())) == nil
}

// unquoted says so of a string that holds a value that v takes.
func (v *value) unquoted(raw []byte) string {
	inner := bytes.Trim(raw, `"`)
	if raw[0] != '"' || len(inner) != len(raw)-2 || Valid(inner) != nil || !v.takes(inner) {
		return ""
	}
	return ": leave the quotes out"
}

// asArray says how to write as an array what is none: a vector as {"x": 1, "y": 2, "z": 3}, or one item alone.
func (v *value) asArray(raw []byte) string {
	items := raw
	if v.kind == kindArray {
		axes := []string{"x", "y", "z", "w"}
		if raw[0] != '{' || v.count > len(axes) {
			return ""
		}
		var parts [][]byte
		for _, axis := range axes[:v.count] {
			parts = append(parts, Member(raw, axis))
		}
		items = bytes.Join(parts, []byte(","))
	}
	text := slices.Concat([]byte("["), items, []byte("]"))
	if raw[0] == '[' || len(text) > maxShown || !v.takes(text) {
		return ""
	}
	return ": as an array that is " + string(text)
}

// angleBounds are the bounds of a number that is an angle in radians: a turn either way.
const angleBounds = "at least -6.3 and at most 6.3"

// turnHint says what a number beyond the bounds of an angle is in radians, if it is in degrees. It is empty for other numbers.
func (v *value) turnHint(got string) string {
	degrees, err := strconv.ParseFloat(got, 64)
	if err != nil || v.kind != kindFloat64 || v.bounds() != angleBounds {
		return ""
	}
	const places = 1e4
	return ": it is in radians, and " + got + " degrees are " + floatText(math.Round(degrees*math.Pi/180*places)/places)
}

// asInteger comes before an integer that is the same as what somebody wrote.
const asInteger = ": as an integer that is "

// colorBounds are the bounds of an integer that is a colour, and maxColor is the upper one.
const (
	colorBounds = "from 0 to 16777215"
	maxColor    = 0xFFFFFF
)

// ColorHint is the end of a message about raw, a JSON value that stands where a colour does and is no
// integer: which integer it would be. It is empty for what is no colour in any form.
func ColorHint(raw []byte) string {
	n, ok := hexOf(raw)
	if !ok {
		n, ok = colorOf(raw)
	}
	if !ok || n > maxColor {
		return ""
	}
	return asInteger + strconv.FormatInt(n, 10)
}

// hexOf reads "#ff8800" or "0xff8800".
func hexOf(raw []byte) (n int64, ok bool) {
	digits, hash := bytes.CutPrefix(raw, []byte(`"#`))
	digits, hex := bytes.CutPrefix(digits, []byte(`"0x`))
	digits, closed := bytes.CutSuffix(digits, []byte(`"`))
	if hash == hex || !closed || hash && len(digits) != 6 {
		return 0, false
	}
	u, err := strconv.ParseUint(string(digits), 16, 63)
	return int64(u), err == nil
}

// colorOf reads a colour as others write it: "red", "#f80", "rgb(255, 136, 0)", [255, 136, 0], {"r": 255, "g": 136, "b": 0}
// or, as fractions, [1, 0.5, 0].
func colorOf(raw []byte) (n int64, ok bool) {
	switch raw[0] {
	case '[':
		return mixOf(bytes.Trim(raw, "[]"))
	case '{':
		return mixOf(bytes.Join([][]byte{Member(raw, "r"), Member(raw, "g"), Member(raw, "b")}, []byte(",")))
	}
	text := bytes.ToLower(bytes.Trim(raw, `"`))
	for i := range colorNames {
		if c := &colorNames[i]; c.name == string(text) {
			return c.rgb, true
		}
	}
	if mix, ok := bytes.CutPrefix(text, []byte("rgb(")); ok {
		return mixOf(bytes.TrimSuffix(mix, []byte(")")))
	}
	const short = len("#f80")
	if len(text) != short || text[0] != '#' {
		return 0, false
	}
	u, err := strconv.ParseUint(string(text[1:]), 16, 12)
	const two = 0x11 // f is ff
	return int64(u>>8*two<<16 | u>>4&0xf*two<<8 | u&0xf*two), err == nil
}

// colorNames are the colours that are called by a name most often, as CSS has them. A map would be made at every start.
var colorNames = [...]struct {
	name string
	rgb  int64
}{
	{"beige", 0xF5F5DC},
	{"black", 0},
	{"blue", 0x0000FF},
	{"brown", 0xA52A2A},
	{"cyan", 0x00FFFF},
	{"gold", 0xFFD700},
	{"gray", 0x808080},
	{"green", 0x008000},
	{"grey", 0x808080},
	{"magenta", 0xFF00FF},
	{"navy", 0x000080},
	{"orange", 0xFFA500},
	{"pink", 0xFFC0CB},
	{"purple", 0x800080},
	{"red", 0xFF0000},
	{"silver", 0xC0C0C0},
	{"tan", 0xD2B48C},
	{"teal", 0x008080},
	{"turquoise", 0x40E0D0},
	{"violet", 0xEE82EE},
	{"white", 0xFFFFFF},
	{"yellow", 0xFFFF00},
}

// mixOf reads red, green and blue with commas between: whole numbers up to 255 or, if none is more than 1,
// fractions, for nobody means by 1, 0, 0 a black that is hardly red.
func mixOf(list []byte) (n int64, ok bool) {
	parts := bytes.Split(list, []byte(","))
	if len(parts) != 3 {
		return 0, false
	}
	var mix [3]float64
	scale := 255.0
	for i, part := range parts {
		f, err := strconv.ParseFloat(string(bytes.TrimSpace(part)), 64)
		if err != nil || !(f >= 0 && f <= 255) {
			return 0, false
		}
		if mix[i] = f; f > 1 {
			scale = 1
		}
	}
	for _, f := range mix {
		if scale == 1 && f != math.Trunc(f) {
			return 0, false
		}
		n = n<<8 | int64(math.Round(f*scale))
	}
	return n, true
}

// within reports whether an integer that is not negative is within the limits of v.
func (v *value) within(n int64) bool {
	l := &v.limits
	if v.kind == kindUint {
		return l.uint.has(uint64(n)) && l.allowsInt(n)
	}
	return l.int.has(n) && l.allowsInt(n)
}

// want says in a few words which values are allowed: "a number greater than 0 and at
// most 50". It is empty where only the schema can tell.
func (v *value) want() string {
	switch v.kind {
	case kindBool:
		return "true or false"
	case kindInt, kindUint:
		if v.limits.ints != nil {
			return v.bounds()
		}
		return join("an integer", " ", v.bounds())
	case kindFloat64, kindFloat32:
		return join("a number", " ", v.bounds())
	case kindString:
		if v.limits.oneof != nil {
			return v.bounds()
		}
		return join("a string", " of ", v.bounds())
	case kindArray, kindSlice:
		return join(join("an array", " of ", v.bounds()), ", each ", v.elem.want())
	case kindStruct:
		if w, ok := reflect.Zero(v.typ).Interface().(worded); ok {
			return w.JSONWords()
		}
		return v.object.want()
	case kindMap:
		return "an object"
	case kindPointer:
		if v.nullable {
			return join(v.elem.want(), " or ", "null")
		}
		return v.elem.want()
	}
	if w, ok := reflect.Zero(v.typ).Interface().(worded); ok {
		return w.JSONWords()
	}
	if v.kind == kindText {
		return "a string"
	}
	return ""
}

// maxListed is how many keys a message says may be left out of an object.
const maxListed = 8

// want names the keys of an object: those that must be there, and those that may.
func (o *object) want() string {
	var must, may []string
	for i, name := range o.names {
		if o.required>>i&1 != 0 {
			must = append(must, name)
		} else {
			may = append(may, name)
		}
	}
	if len(may) > maxListed {
		may = append(may[:maxListed], "…")
	}
	words := join("an object", " with ", strings.Join(must, ", "))
	if len(may) > 0 {
		words += " (optional: " + strings.Join(may, ", ") + ")"
	}
	return words
}

// worded is a type that says in a few words what it takes, for the messages about a field that is missing or of the wrong type: one that reads itself,
// as JSON or as text, or an object of which an example says more than the names of its fields.
type worded interface{ JSONWords() string }

// join puts two phrases together, if there are two.
func join(a, between, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + between + b
}

// bounds says what a value of the right kind must be: "from 0 to 10", "at most 64
// characters". It is empty if anything will do.
func (v *value) bounds() string {
	l := &v.limits
	switch v.kind {
	case kindInt, kindUint:
		if l.ints != nil {
			return "one of " + strings.Join(intTexts(l.ints), ", ")
		}
		if v.kind == kindUint {
			if l.uint.lo == 0 && l.uint.hi <= math.MaxUint32 { // "at most 9" would let -5 pass
				return "from 0 to " + strconv.FormatUint(l.uint.hi, 10)
			}
			return boundsOf(l.uint, widest(v.kind, v.typ).uint, strconv.FormatUint)
		}
		return boundsOf(l.int, widest(v.kind, v.typ).int, strconv.FormatInt)
	case kindFloat64, kindFloat32:
		return l.float.bounds()
	case kindString:
		if l.oneof != nil {
			return "one of " + quoted(l.oneof)
		}
		return join(boundsOf(l.length, span[int]{0, math.MaxInt}, formatInt), " ", things(l.length, "character"))
	case kindSlice, kindMap:
		return join(boundsOf(l.length, span[int]{0, math.MaxInt}, formatInt), " ", things(l.length, "item"))
	case kindArray:
		return strconv.Itoa(v.count) + " " + things(span[int]{v.count, v.count}, "item")
	}
	return ""
}

func boundsOf[T int | int64 | uint64](s, widest span[T], text func(T, int) string) string {
	lo, hi := text(s.lo, 10), text(s.hi, 10)
	switch {
	case s == widest:
		return ""
	case s.lo == s.hi:
		return "exactly " + lo
	case s.hi == widest.hi:
		return "at least " + lo
	case s.lo == widest.lo:
		return "at most " + hi
	}
	return "from " + lo + " to " + hi
}

func formatInt(n, _ int) string { return strconv.Itoa(n) }

func (f floats) bounds() string {
	var lo, hi string
	switch {
	case f.above:
		lo = "greater than " + floatText(f.lo)
	case f.lo != -maxFloat:
		lo = "at least " + floatText(f.lo)
	}
	switch {
	case f.below:
		hi = "less than " + floatText(f.hi)
	case f.hi != maxFloat:
		hi = "at most " + floatText(f.hi)
	}
	return join(lo, " and ", hi)
}

func floatText(f float64) string { return string(appendFloat(nil, f, 64)) }

// things is the plural or singular that fits behind a range, if there is a range.
func things(s span[int], thing string) string {
	switch {
	case s.lo == 0 && s.hi == math.MaxInt:
		return ""
	case s.hi == 1 || s.lo == 1 && s.hi == math.MaxInt:
		return thing
	}
	return thing + "s"
}

// quoted lists names in quotes.
func quoted(names []string) string {
	var b []byte
	for i, n := range names {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = AppendString(b, n)
	}
	return string(b)
}

func intTexts(ints []int64) []string {
	var texts []string
	for _, n := range ints {
		texts = append(texts, strconv.FormatInt(n, 10))
	}
	return texts
}
