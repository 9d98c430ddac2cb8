package mcpfuzz

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Mutator makes messages, and whatever else a fuzzer needs to choose, of bytes.
type Mutator struct{ Data []byte }

// Next returns the next byte, 0 when there are no more.
func (m *Mutator) Next() int {
	if len(m.Data) == 0 {
		return 0
	}
	b := m.Data[0]
	m.Data = m.Data[1:]
	return int(b)
}

// oddities are what is put in the place of values.
var oddities = []any{
	nil, true, json.Number("-5"), json.Number("1.5"), json.Number("9007199254740993"), json.Number("1e400"), "", "x", "name", "2026-07-28",
	"2025-03-26", "\u0000\ufffd",
	[]any{},
	map[string]any{},
	[]any{[]any{nil}},
	map[string]any{"_meta": map[string]any{}},
	strings.Repeat("long ", 300),
}

// Message takes one of the lines and changes it in up to seven places.
func (m *Mutator) Message(lines []string) []byte {
	text := []byte(lines[(m.Next()|m.Next()<<8)%len(lines)])
	for range m.Next() % 8 {
		switch how := m.Next(); how % 8 {
		case 0: // of the text
			at := m.Next() * len(text) / 256
			text = slices.Concat(text[:at], []byte{byte(m.Next())}, text[min(at+1, len(text)):])
		case 1:
			at := m.Next() * len(text) / 256
			text = text[:at:at]
		default: // of the value
			d := json.NewDecoder(bytes.NewReader(text))
			d.UseNumber()
			var v any
			if d.Decode(&v) != nil {
				break
			}
			at := m.Next()
			v, _ = m.change(v, &at)
			if changed, err := json.Marshal(v); err == nil {
				text = changed
			}
		}
	}
	return text
}

// change changes the at-th value below v, counted in the order of the keys.
func (m *Mutator) change(v any, at *int) (changed any, gone bool) {
	if *at == 0 {
		*at = -1
		switch how := m.Next(); how % 3 {
		case 0:
			return nil, true
		default:
			return oddities[how/3%len(oddities)], false
		}
	}
	*at--
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if *at < 0 {
				break
			}
			if inner, gone := m.change(v[k], at); gone {
				delete(v, k)
			} else {
				v[k] = inner
			}
		}
	case []any:
		for i := range v {
			if *at < 0 {
				break
			}
			v[i], _ = m.change(v[i], at)
		}
	}
	return v, false
}
