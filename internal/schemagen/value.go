package schemagen

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// schema is a parsed JSON Schema.
type schema map[string]any

func (s schema) sub(key string) (schema, bool) {
	v, ok := s[key].(map[string]any)
	return v, ok
}

func (s schema) branches() []schema {
	var list []schema
	for _, key := range []string{"anyOf", "oneOf"} {
		items, _ := s[key].([]any)
		for _, item := range items {
			if branch, ok := item.(map[string]any); ok {
				list = append(list, branch)
			}
		}
	}
	return list
}

// number is the value of a numeric keyword.
func (s schema) number(key string) (float64, bool) {
	n, ok := s[key].(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

// count is the value of a keyword that counts, or other if it is absent.
func (s schema) count(key string, other int) int {
	if f, ok := s.number(key); ok {
		return int(f)
	}
	return other
}

func (s schema) required() []string {
	var names []string
	list, _ := s["required"].([]any)
	for _, name := range list {
		names = append(names, name.(string))
	}
	return names
}

// properties are the names that an object may have, in order.
func (s schema) properties() []string {
	props, _ := s.sub("properties")
	var names []string
	for name := range props {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// property is the schema of a key, if the object may have it.
func (s schema) property(name string) (schema, bool) {
	if props, ok := s.sub("properties"); ok {
		if p, ok := props.sub(name); ok {
			return p, true
		}
	}
	return s.sub("additionalProperties")
}

// value makes a value that the schema accepts, as a rule.
func (m maker) value(s schema) node {
	if list := s.branches(); len(list) > 0 {
		return m.value(list[m.IntN(len(list))])
	}
	if c, ok := s["const"]; ok {
		return toNode(c)
	}
	if list, ok := s["enum"].([]any); ok && len(list) > 0 {
		return toNode(list[m.IntN(len(list))])
	}
	switch s["type"] {
	case "boolean":
		return m.one(2, 1)
	case "integer":
		return m.integer(s)
	case "number":
		return m.number(s)
	case "string":
		return m.text(s)
	case "array":
		return m.array(s)
	case "object":
		return m.object(s)
	case "null":
		return nil
	}
	return m.anything(2)
}

// toNode converts what the schema holds.
func toNode(v any) node {
	switch v := v.(type) {
	case []any:
		list := array{}
		for _, item := range v {
			list = append(list, toNode(item))
		}
		return list
	case map[string]any:
		var o object
		for key, item := range v {
			o = append(o, member{key, toNode(item)})
		}
		slices.SortFunc(o, func(a, b member) int { return strings.Compare(a.key, b.key) })
		return o
	}
	return v
}

func (m maker) integer(s schema) node {
	lo, hi := s.bounds(1)
	if m.one(3, 2) { // near what is used, where possible
		lo, hi = max(lo, min(hi, -20)), min(hi, max(lo, 300))
	}
	n := int64(lo)
	if span := uint64(int64(hi)) - uint64(n); span > 0 {
		n += int64(m.Uint64N(span))
	}
	switch m.IntN(8) {
	case 0:
		n = int64(lo)
	case 1:
		n = int64(hi)
	case 2:
		return json.Number(strconv.FormatInt(n, 10) + ".0")
	case 3:
		if n%100 == 0 {
			return json.Number(strconv.FormatInt(n/100, 10) + "e2")
		}
	}
	return json.Number(strconv.FormatInt(n, 10))
}

// bounds are the least and the greatest allowed number, step away from what is
// excluded.
func (s schema) bounds(step float64) (lo, hi float64) {
	lo, hi = -1e15, 1e15
	if f, ok := s.number("minimum"); ok {
		lo = f
	}
	if f, ok := s.number("exclusiveMinimum"); ok {
		lo = f + step
	}
	if f, ok := s.number("maximum"); ok {
		hi = f
	}
	if f, ok := s.number("exclusiveMaximum"); ok {
		hi = f - step
	}
	return lo, hi
}

func (m maker) number(s schema) node {
	lo, hi := s.bounds(1e-9)
	switch m.IntN(8) {
	case 0:
		return floatNode(lo)
	case 1:
		return floatNode(hi)
	case 2:
		return floatNode(min(max(0, lo), hi))
	}
	if m.one(3, 2) {
		lo, hi = max(lo, min(hi, -100)), min(hi, max(lo, 100))
	}
	f := lo + m.Float64()*(hi/2-lo/2)*2
	if m.one(2, 1) {
		f = min(max(math.Round(f*4)/4, lo), hi)
	}
	return floatNode(f)
}

func floatNode(f float64) node {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		f = 0
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}

// alphabet has characters of one to four bytes, and some that need escapes.
var alphabet = []rune("abcdeXYZ 0189_-.\"\\\n/äß√漢😀<&\u2028")

func (m maker) text(s schema) node {
	if pattern, ok := s["pattern"].(string); ok {
		return m.match(pattern)
	}
	if s["format"] == "date-time" {
		return fmt.Sprintf("20%02d-0%d-1%dT0%d:30:00Z", m.IntN(100), 1+m.IntN(9), m.IntN(9), m.IntN(9))
	}
	lo := s.count("minLength", 0)
	hi := s.count("maxLength", lo+20)
	n := lo + m.IntN(min(hi-lo, 40)+1)
	switch m.IntN(8) {
	case 0:
		n = lo
	case 1:
		n = hi
	}
	var b strings.Builder
	for range n {
		b.WriteRune(alphabet[m.IntN(len(alphabet))])
	}
	return b.String()
}

func (m maker) array(s schema) node {
	lo := s.count("minItems", 0)
	hi := s.count("maxItems", lo+4)
	n := lo + m.IntN(min(hi-lo, 6)+1)
	if m.one(8, 1) {
		n = min(hi, lo+100)
	}
	items, _ := s.sub("items")
	list := array{}
	for range n {
		list = append(list, m.value(items))
	}
	return list
}

func (m maker) object(s schema) node {
	o := object{}
	required := s.required()
	for _, name := range s.properties() {
		if slices.Contains(required, name) || m.one(2, 1) {
			p, _ := s.property(name)
			o = append(o, member{name, m.value(p)})
		}
	}
	m.Shuffle(len(o), func(i, j int) { o[i], o[j] = o[j], o[i] })
	if s["additionalProperties"] == false {
		return o
	}
	lo := s.count("minProperties", 0)
	hi := s.count("maxProperties", lo+3)
	others, _ := s.sub("additionalProperties")
	for i := range lo + m.IntN(min(hi-lo, 4)+1) {
		o = append(o, member{fmt.Sprintf("key %d", i), m.value(others)})
	}
	return o
}

// anything makes any value, at most so deep.
func (m maker) anything(depth int) node {
	kinds := 5
	if depth == 0 {
		kinds = 3
	}
	switch m.IntN(kinds) {
	case 0:
		return m.text(nil)
	case 1:
		return m.number(schema{"minimum": json.Number("-1e6"), "maximum": json.Number("1e6")})
	case 2:
		return []node{nil, true, false}[m.IntN(3)]
	case 3:
		list := array{}
		for range m.IntN(3) {
			list = append(list, m.anything(depth-1))
		}
		return list
	}
	o := object{}
	for i := range m.IntN(3) {
		o = append(o, member{"k" + strconv.Itoa(i), m.anything(depth - 1)})
	}
	return o
}
