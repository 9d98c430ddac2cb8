package wire

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Check holds v, a *T, to the limits of the plan: for values that Go code made. NaN
// and infinities are never allowed. A field whose json tag says omitempty or
// omitzero counts as absent when it is zero or empty, unless it has a default. Its error is an [Errors]. It
// panics if v is not a *T.
func (p *Plan) Check(v any) error {
	at := p.pointer(v)
	if p.free {
		return nil
	}
	var c checker
	c.value(p.root, at)
	if c.list != nil {
		return c.list
	}
	return nil
}

// selfChecker is an optional ability of a type that reads and writes itself: to say
// what is wrong with its value.
type selfChecker interface{ Check() error }

// checker walks a value and collects what is wrong with it.
type checker struct{ problems }

func (c *checker) value(v *value, p pointer) {
	l := &v.limits
	switch v.kind {
	case kindInt:
		if n := loadInt(p, v.size); !l.int.has(n) || !l.allowsInt(n) {
			c.add(v.faultBounds(strconv.FormatInt(n, 10)))
		}
	case kindUint:
		if n := loadUint(p, v.size); !l.uint.has(n) || !l.allowsInt(int64(n)) {
			c.add(v.faultBounds(strconv.FormatUint(n, 10)))
		}
	case kindFloat64:
		if f := *as[float64](p); !l.float.has(f) {
			c.float(v, f, 64)
		}
	case kindFloat32:
		if f := *as[float32](p); !l.float.single().has(float64(f)) {
			c.float(v, float64(f), 32)
		}
	case kindString:
		c.string(v, *as[string](p))
	case kindArray:
		c.items(v, p, v.count)
	case kindSlice:
		first, n := p.slice()
		if !l.length.has(n) {
			c.add(v.faultLength(n))
		}
		c.items(v, first, n)
	case kindMap:
		c.mapping(v, reflected(v.typ, p))
	case kindStruct:
		c.object(v.object, p)
	case kindPointer:
		c.pointed(v, p)
	case kindRaw:
		if raw := *as[json.RawMessage](p); raw != nil {
			if err := Valid(raw); err != nil {
				c.add(err.Error())
			}
		}
	case kindText, kindCustom:
		if v.check != nil {
			if err := of(v.check, p).Check(); err != nil {
				c.addError(err)
			}
		}
	}
	if l.rest != nil {
		v.checkRest(&c.problems, p)
	}
}

// float adds what is wrong with a float beyond its limits.
func (c *checker) float(v *value, f float64, bits int) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		c.add("must be a finite number, got " + strconv.FormatFloat(f, 'g', -1, 64))
		return
	}
	c.add(v.faultBounds(string(appendFloat(nil, f, bits))))
}

func (c *checker) string(v *value, s string) {
	l := &v.limits
	if l.oneof != nil {
		if !slices.Contains(l.oneof, s) {
			c.add(v.faultEnum(s))
		}
		return
	}
	if l.length.lo > 0 || len(s) > l.length.hi {
		if n := utf8.RuneCountInString(s); !l.length.has(n) {
			c.add(v.faultLength(n))
		}
	}
}

func (c *checker) items(v *value, first pointer, n int) {
	if v.elem.floats != nil && v.elem.fit(first, n) {
		return
	}
	for i := range n {
		before := len(c.list)
		c.value(v.elem, first.at(uintptr(i)*v.elem.size))
		if len(c.list) != before {
			c.under(before, index(i))
			if len(c.list) == MaxProblems {
				return
			}
		}
	}
}

// fit reports whether Check has nothing to say about n values, one after the other, of which it looks at floats only.
func (v *value) fit(first pointer, n int) bool {
	for i := range n {
		item := first.at(uintptr(i) * v.size)
		for _, offset := range v.floats {
			if !(math.Abs(*as[float64](item.at(offset))) <= maxFloat) {
				return false
			}
		}
	}
	return true
}

// onlyFloats returns where a value has float64s, none if Check has to look at anything else in it, or if they are very many. Those of what is in it are
// known.
func (v *value) onlyFloats() (offsets []uintptr) {
	const many = 64
	with := func(in *value, at uintptr) bool {
		for _, offset := range in.floats {
			offsets = append(offsets, at+offset)
		}
		return in.floats != nil && len(offsets) <= many
	}
	if v.limits.rest != nil {
		return nil
	}
	switch v.kind {
	case kindFloat64:
		if v.limits.float == widest(v.kind, v.typ).float {
			return []uintptr{0}
		}
	case kindArray:
		for i := range v.count {
			if !with(v.elem, uintptr(i)*v.elem.size) {
				return nil
			}
		}
	case kindStruct:
		for i := range v.object.fields {
			if f := &v.object.fields[i]; !f.free && !with(f.value, f.offset) {
				return nil
			}
		}
	}
	return offsets
}

func (c *checker) mapping(v *value, m reflect.Value) {
	if n := m.Len(); !v.limits.length.has(n) {
		c.add(v.faultLength(n))
	}
	item := reflect.New(v.elem.typ).Elem()
	for _, key := range sortedKeys(m) {
		before := len(c.list)
		item.Set(m.MapIndex(key))
		c.value(v.elem, address(item))
		c.under(before, keyStep(key.String()))
	}
}

func (c *checker) object(o *object, p pointer) {
	for _, i := range o.checked {
		u := &o.usual[i]
		if u.is(p) {
			continue
		}
		f := &o.fields[i]
		at := p.at(f.offset)
		if !u.exact && f.absent(at) {
			continue
		}
		before := len(c.list)
		c.value(f.value, at)
		if len(c.list) != before {
			c.under(before, f.name)
		}
	}
}

// isFree reports whether Check has nothing to say about any Go value of the type.
func (v *value) isFree() bool {
	l := &v.limits
	if l.rest != nil {
		return false
	}
	anyLength := l.length == span[int]{0, math.MaxInt}
	switch v.kind {
	case kindBool, kindAny:
		return true
	case kindString:
		return anyLength && l.oneof == nil
	case kindArray:
		return v.elem.isFree()
	case kindSlice, kindMap:
		return anyLength && v.elem.isFree()
	case kindStruct:
		return !slices.ContainsFunc(v.object.fields, func(f field) bool { return !f.free })
	case kindPointer:
		return v.nullable && v.elem.isFree()
	case kindText, kindCustom:
		return v.check == nil
	}
	return false
}

func (c *checker) pointed(v *value, p pointer) {
	switch to := p.target(); {
	case !to.nowhere():
		c.value(v.elem, to)
	case !v.nullable:
		c.add("must not be nil")
	}
}

// checkRest checks the rare limits of the value at p.
func (v *value) checkRest(problems *problems, p pointer) {
	rest, at := v.limits.rest, reflected(v.typ, p)
	if rest.ne != nil {
		if text := plainText(at); slices.Contains(rest.ne, text) {
			problems.add("must not be " + show([]byte(text)))
		}
	}
	if rest.unique {
		if i, j, twice := repeated(at); twice {
			problems.add("must not hold anything twice: items " + strconv.Itoa(i) + " and " + strconv.Itoa(j) + " are equal")
		}
	}
	if rest.fallback != "" {
		if r := rest.more.Broken(rest.fallback, at.Interface()); r != "" {
			problems.add("breaks the rule " + strconv.Quote(r) + ", got " + show([]byte(plainText(at))))
		}
	}
}

// plainText prints a string or a number as limits.canonical does.
func plainText(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.String:
		return v.String()
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.CanFloat():
		return string(appendFloat(nil, v.Float()+0, v.Type().Bits())) // -0 is 0
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	}
	return "this value"
}

// repeated finds two equal items in a slice of plain values.
func repeated(items reflect.Value) (i, j int, found bool) {
	seen := make(map[any]int, items.Len())
	for j = range items.Len() {
		item := items.Index(j).Interface()
		if i, found = seen[item]; found {
			return i, j, true
		}
		seen[item] = j
	}
	return 0, 0, false
}

// sortedKeys returns the keys of a map with string keys in order.
func sortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		switch {
		case a.String() < b.String():
			return -1
		case a.String() > b.String():
			return 1
		}
		return 0
	})
	return keys
}
