package schemagen

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
)

// twice is the one way to spoil a tree that a schema cannot see.
const twice = "a key given twice"

// place is a node in a tree, with its schema and a way to put another in its place.
type place struct {
	path   string
	schema schema
	node   node
	set    func(node)
}

// spoil changes a tree in one place, in a way that the schema there mostly refuses.
func (m maker) spoil(s schema, tree node) (node, string) {
	var places []place
	collect(place{schema: s, node: tree, set: func(n node) { tree = n }}, &places)
	p := places[m.IntN(len(places))]
	changed, what := m.change(p.schema, p.node)
	p.set(changed)
	if p.path != "" && what != twice {
		what = p.path + ": " + what
	}
	return tree, what
}

// collect lists a place and all those below it. Below a union the branch is not
// known, so the schema there is whatever has the same property.
func collect(p place, places *[]place) {
	*places = append(*places, p)
	switch n := p.node.(type) {
	case array:
		items, _ := p.schema.sub("items")
		for i := range n {
			collect(place{p.path + "[" + strconv.Itoa(i) + "]", items, n[i], func(v node) { n[i] = v }}, places)
		}
	case object:
		for i := range n {
			sub, ok := p.schema.property(n[i].key)
			for _, branch := range p.schema.branches() {
				if !ok {
					sub, ok = branch.property(n[i].key)
				}
			}
			collect(place{p.path + "." + n[i].key, sub, n[i].value, func(v node) { n[i].value = v }}, places)
		}
	}
}

// change returns something else than n.
func (m maker) change(s schema, n node) (node, string) {
	switch m.IntN(10) {
	case 0:
		return nil, "null"
	case 1:
		return m.otherType(n), "another type"
	}
	switch n := n.(type) {
	case json.Number:
		return m.changeNumber(s, n)
	case string:
		return m.changeString(s, n)
	case array:
		return m.changeArray(s, n)
	case object:
		return m.changeObject(s, n)
	case bool:
		return !n, "the opposite"
	}
	return m.otherType(n), "another type"
}

func (m maker) otherType(n node) node {
	for {
		other := []node{
			json.Number("7"), "text", "", true,
			array{},
			object{},
			array{json.Number("1"), json.Number("2"), json.Number("3")},
			object{{"x", json.Number("1")}},
		}[m.IntN(8)]
		switch number, ok := n.(json.Number); {
		case ok && m.one(2, 1):
			return string(number) // the number in quotes, as models like to write it
		case jsonType(other) != jsonType(n):
			return other
		}
	}
}

func jsonType(n node) int {
	switch n.(type) {
	case string:
		return 1
	case json.Number:
		return 2
	case bool:
		return 3
	case array:
		return 4
	case object:
		return 5
	}
	return 0
}

func (m maker) changeNumber(s schema, n json.Number) (node, string) {
	switch m.IntN(6) {
	case 0:
		if f, ok := s.number("minimum"); ok {
			return beyond(f, -1), "below the minimum"
		}
		if n, ok := s["exclusiveMinimum"].(json.Number); ok {
			return n, "the excluded minimum"
		}
	case 1:
		if f, ok := s.number("maximum"); ok {
			return beyond(f, 1), "above the maximum"
		}
		if n, ok := s["exclusiveMaximum"].(json.Number); ok {
			return n, "the excluded maximum"
		}
	case 2:
		if _, typed := s["type"]; typed {
			huge := []json.Number{"1e39", "-1e39", "1e400", "-1e400", "123456789012345678901234567890", "9007199254740992", "-9007199254740992", "18446744073709551616", "-9223372036854775809"}
			return huge[m.IntN(len(huge))], "huge"
		}
	case 3:
		if !strings.ContainsAny(string(n), ".eE") {
			return n + ".0", "with a zero fraction"
		}
	case 4:
		if !strings.ContainsAny(string(n), ".eE") {
			return n + ".5", "with a fraction"
		}
	}
	tiny := []json.Number{"0", "-0", "0.0", "-1", "1e-300", "0e99", "1e-7", "0.1", "1e2"}
	return tiny[m.IntN(len(tiny))], "another number"
}

// beyond is a number on the other side of a bound.
func beyond(bound, direction float64) json.Number {
	next := bound + direction
	if next == bound {
		next = bound * 1.01
	}
	return floatNode(next).(json.Number)
}

func (m maker) changeString(s schema, text string) (node, string) {
	switch m.IntN(5) {
	case 0:
		return "", "empty"
	case 1:
		return text + strings.Repeat("ä", s.count("maxLength", 8)+1), "too long"
	case 2:
		return swapCase(text), "another case"
	case 3:
		if r := []rune(text); len(r) > 0 {
			return string(r[1:]), "without its first character"
		}
	}
	return text + "x", "with an x behind it"
}

func (m maker) changeArray(s schema, list array) (node, string) {
	list = append(array{}, list...)
	items, _ := s.sub("items")
	switch {
	case m.one(4, 1):
		return array{}, "emptied"
	case m.one(3, 1) && len(list) > 0:
		i := m.IntN(len(list))
		return append(list[:i:i], list[i+1:]...), "dropped an item"
	case m.one(2, 1) && len(list) > 0:
		return append(list, list[m.IntN(len(list))]), "repeated an item"
	}
	for range s.count("maxItems", len(list)+1) - len(list) + 1 {
		list = append(list, m.value(items))
	}
	return list, "too many items"
}

func (m maker) changeObject(s schema, o object) (node, string) {
	o = append(object{}, o...)
	if len(o) == 0 || m.one(4, 1) {
		return append(o, member{"another", json.Number("1")}), "an extra key"
	}
	i := m.IntN(len(o))
	switch m.IntN(4) {
	case 0:
		if required := s.required(); len(required) > 0 && m.one(2, 1) {
			for k := range o {
				if o[k].key == required[m.IntN(len(required))] {
					i = k
					break
				}
			}
		}
		return append(o[:i:i], o[i+1:]...), "without " + o[i].key
	case 1:
		o[i].key = swapCase(o[i].key)
		return o, "a key in another case"
	case 2:
		return append(o, o[i]), twice
	}
	o[i].key += "x"
	return o, "a key misspelt"
}

// swapCase changes the case of the last letter.
func swapCase(s string) string {
	r := []rune(s)
	for i := len(r) - 1; i >= 0; i-- {
		switch {
		case unicode.IsUpper(r[i]):
			r[i] = unicode.ToLower(r[i])
			return string(r)
		case unicode.IsLower(r[i]):
			r[i] = unicode.ToUpper(r[i])
			return string(r)
		}
	}
	return s
}

// breakText makes what is not JSON of a JSON object or array.
func (m maker) breakText(text []byte) ([]byte, string) {
	text = []byte(strings.TrimSpace(string(text)))
	switch m.IntN(5) {
	case 0:
		return text[:m.IntN(len(text))], "cut off"
	case 1:
		return append(text, "{}"...), "with something behind it"
	case 2:
		return append([]byte{0xef, 0xbb, 0xbf}, text...), "with a byte order mark"
	case 3:
		return append([]byte(`[`), text...), "with a bracket before it"
	}
	return append(text[:len(text)-1:len(text)-1], ","+string(text[len(text)-1])...), "with a trailing comma"
}
