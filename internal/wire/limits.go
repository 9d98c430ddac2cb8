package wire

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Where a validate tag says nothing: what a float32 can hold, as numbers beyond it
// would reach viewers as infinities; and what every JSON reader holds exactly.
const (
	maxFloat = 3.4e38
	maxInt   = 1<<53 - 1
)

// limits say which values are allowed. Only those of the value's kind count; an
// absent limit is the widest, so that checking needs no flags.
type limits struct {
	float  floats
	int    span[int64]
	uint   span[uint64]
	length span[int] // code points of a string, items of a slice or a map

	oneof []string // of a string; nil if any will do
	ints  []int64  // the same of an integer

	rest *rest // what is rare, nil as a rule
}

// span is an inclusive range.
type span[T int | int64 | uint64] struct{ lo, hi T }

func (s span[T]) has(x T) bool { return s.lo <= x && x <= s.hi }

// floats is a range of floats, each end of it in or out.
type floats struct {
	lo, hi       float64
	above, below bool // lo, hi themselves are out
}

func (f floats) has(x float64) bool {
	// Written so that NaN is out.
	return (x > f.lo || x == f.lo && !f.above) && (x < f.hi || x == f.hi && !f.below)
}

// single is the range for what a float32 stores, whose ends are rounded as what it stores is.
func (f floats) single() floats {
	f.lo, f.hi = float64(float32(f.lo)), float64(float32(f.hi))
	return f
}

// rest are limits that are checked after the value has been stored.
type rest struct {
	ne       []string // texts that a string or number must not be, numbers as strconv prints them
	unique   bool     // no two items of a slice may be equal
	fallback string   // rules that only more knows
	more     Rules
}

// widest are the limits of a kind without any rule.
func widest(k kind, t reflect.Type) limits {
	l := limits{
		float:  floats{lo: -maxFloat, hi: maxFloat},
		length: span[int]{0, math.MaxInt},
	}
	switch k {
	case kindInt:
		all := allInts(t)
		l.int = span[int64]{max(all.lo, -maxInt), min(all.hi, maxInt)}
	case kindUint:
		l.uint = span[uint64]{0, min(allUints(t).hi, maxInt)}
	}
	return l
}

// allInts is what a signed type can hold.
func allInts(t reflect.Type) span[int64] {
	hi := int64(math.MaxInt64) >> (64 - t.Bits())
	return span[int64]{-hi - 1, hi}
}

// allUints is what an unsigned type can hold.
func allUints(t reflect.Type) span[uint64] {
	return span[uint64]{0, math.MaxUint64 >> (64 - t.Bits())}
}

// apply narrows the limits of v by one rule of a validate tag. What it does not know is for more to know.
func (v *value) apply(r rule, more Rules) error {
	l := &v.limits
	switch r.name {
	case "required", "omitempty", "omitzero": // the json tag decides who may be absent
		return nil
	case "unique":
		if v.kind != kindSlice || r.param != "" || !plainItem(v.elem) {
			return errors.New("unique is for a slice of strings, numbers or booleans")
		}
		l.ensureRest().unique = true
		return nil
	case "oneof":
		return v.applyOneof(r)
	case "ne":
		if err := v.acceptNumberOrString(r); err != nil {
			return err
		}
		rest := l.ensureRest()
		rest.ne = append(rest.ne, v.canonical(r.param))
		return nil
	case "eq", "len", "min", "max", "gt", "gte", "lt", "lte":
		return v.applyBound(r)
	}
	switch v.kind {
	case kindBool, kindInt, kindUint, kindFloat64, kindFloat32, kindString, kindSlice, kindMap:
		return l.addFallback(r, v.typ, more)
	}
	return fmt.Errorf("%s is not a rule for %v", r, v.typ)
}

func (l *limits) ensureRest() *rest {
	if l.rest == nil {
		l.rest = new(rest)
	}
	return l.rest
}

func plainItem(v *value) bool {
	switch v.kind {
	case kindBool, kindInt, kindUint, kindFloat64, kindFloat32, kindString:
		return true
	}
	return false
}

func (v *value) applyOneof(r rule) error {
	words, err := splitWords(r.param)
	if err != nil || len(words) == 0 {
		return fmt.Errorf("%s: want values separated by spaces", r)
	}
	switch v.kind {
	case kindString:
		v.limits.oneof = words
		return nil
	case kindInt, kindUint:
		for _, w := range words {
			n, err := strconv.ParseInt(w, 10, 64)
			if err != nil {
				return fmt.Errorf("%s: %w", r, err)
			}
			v.limits.ints = append(v.limits.ints, n)
		}
		return nil
	}
	return fmt.Errorf("oneof is for a string or an integer, not for %v", v.typ)
}

// acceptNumberOrString checks that the rule's parameter is of the value's kind.
func (v *value) acceptNumberOrString(r rule) (err error) {
	switch v.kind {
	case kindString:
	case kindInt:
		_, err = strconv.ParseInt(r.param, 0, 64)
	case kindUint:
		_, err = strconv.ParseUint(r.param, 0, 64)
	case kindFloat64, kindFloat32:
		_, err = strconv.ParseFloat(r.param, 64)
	default:
		err = fmt.Errorf("not a rule for %v", v.typ)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r, err)
	}
	return nil
}

// canonical is how the value of a parameter prints.
func (v *value) canonical(param string) string {
	switch v.kind {
	case kindInt:
		n, _ := strconv.ParseInt(param, 0, 64)
		return strconv.FormatInt(n, 10)
	case kindUint:
		n, _ := strconv.ParseUint(param, 0, 64)
		return strconv.FormatUint(n, 10)
	case kindFloat64, kindFloat32:
		bits := v.typ.Bits()
		f, _ := strconv.ParseFloat(param, bits)
		return string(appendFloat(nil, f+0, bits)) // -0 is 0
	}
	return param
}

// applyBound narrows a range: of the value itself for a number, of the length for a
// string, a slice or a map.
func (v *value) applyBound(r rule) error {
	l := &v.limits
	switch v.kind {
	case kindInt:
		n, err := strconv.ParseInt(r.param, 0, 64)
		if err != nil {
			return fmt.Errorf("%s: %w", r, err)
		}
		return narrow(&l.int, r, n, allInts(v.typ))
	case kindUint:
		n, err := strconv.ParseUint(r.param, 0, 64)
		if err != nil {
			return fmt.Errorf("%s: %w", r, err)
		}
		return narrow(&l.uint, r, n, allUints(v.typ))
	case kindFloat64, kindFloat32:
		f, err := strconv.ParseFloat(r.param, 64)
		if err != nil || math.IsNaN(f) {
			return fmt.Errorf("%s: want a number", r)
		}
		return l.float.narrow(r, f)
	case kindString:
		if r.name == "eq" {
			l.oneof = []string{r.param}
			return nil
		}
	case kindSlice, kindMap:
	default:
		return fmt.Errorf("%s is not a rule for %v", r, v.typ)
	}
	n, err := strconv.Atoi(r.param)
	if err != nil || n < 0 {
		return fmt.Errorf("%s: want a length", r)
	}
	return narrow(&l.length, r, n, span[int]{0, math.MaxInt})
}

// narrow applies a bound to a range of integers. A declared bound may lie outside of
// what is allowed without one, but not outside of what the type can hold.
func narrow[T int | int64 | uint64](s *span[T], r rule, x T, all span[T]) error {
	switch r.name {
	case "eq", "len":
		s.lo, s.hi = x, x
	case "gt":
		if x == all.hi {
			return fmt.Errorf("%s: nothing is greater", r)
		}
		s.lo = x + 1
	case "lt":
		if x == all.lo {
			return fmt.Errorf("%s: nothing is less", r)
		}
		s.hi = x - 1
	case "gte", "min":
		s.lo = x
	case "lte", "max":
		s.hi = x
	}
	if s.lo > s.hi || s.lo < all.lo || s.hi > all.hi {
		return fmt.Errorf("%s: no value of the type is left", r)
	}
	return nil
}

func (f *floats) narrow(r rule, x float64) error {
	switch r.name {
	case "eq", "len":
		f.lo, f.hi, f.above, f.below = x, x, false, false
	case "gt", "gte", "min":
		if x >= f.lo {
			f.lo, f.above = x, r.name == "gt"
		}
	case "lt", "lte", "max":
		if x <= f.hi {
			f.hi, f.below = x, r.name == "lt"
		}
	}
	if f.lo > f.hi || f.lo == f.hi && (f.above || f.below) {
		return fmt.Errorf("%s: no value is left", r)
	}
	return nil
}

// settle takes out of an enumeration what another limit of the value refuses, so that what stands there
// needs no more looking at.
func (l *limits) settle(k kind) error {
	if l.oneof == nil && l.ints == nil {
		return nil
	}
	l.oneof = slices.DeleteFunc(l.oneof, func(s string) bool { return !l.length.has(utf8.RuneCountInString(s)) })
	l.ints = slices.DeleteFunc(l.ints, func(n int64) bool {
		if k == kindUint {
			return n < 0 || !l.uint.has(uint64(n))
		}
		return !l.int.has(n)
	})
	if len(l.oneof)+len(l.ints) == 0 {
		return errors.New("no value of the enumeration is left")
	}
	return nil
}

// allowsInt reports whether an integer is in the enumeration, if there is one.
func (l *limits) allowsInt(n int64) bool {
	return l.ints == nil || slices.Contains(l.ints, n)
}

// splitWords splits at spaces; 'single quotes' hold a word with spaces together.
func splitWords(s string) ([]string, error) {
	var words []string
	for {
		s = strings.TrimLeft(s, " ")
		if s == "" {
			return words, nil
		}
		if s[0] != '\'' {
			w, rest, _ := strings.Cut(s, " ")
			words, s = append(words, w), rest
			continue
		}
		w, rest, ok := strings.Cut(s[1:], "'")
		if !ok {
			return nil, errors.New("a quote is not closed")
		}
		words, s = append(words, w), rest
	}
}
