package mcpfuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
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

// Seed has a fuzzer begin with inputs for a Mutator, of up to 256 bytes each, the same ones each time: one that begins with
// whole lines changes hardly any of them in more than one place, and chance does.
func Seed(f *testing.F) {
	f.Helper()
	rng := rand.New(rand.NewPCG(0, 28))
	for range 300 {
		data := make([]byte, 16+rng.IntN(240))
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		f.Add(data)
	}
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

// Message takes one of the lines, changes it in up to seven places, and may write it as nobody else does.
func (m *Mutator) Message(lines []string) []byte {
	text := []byte(lines[(m.Next()|m.Next()<<8)%len(lines)])
	places := m.Next()
	for range places % 8 {
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
	return disguise(text, places/8)
}

// Disguises is how many ways there are to write a message, as it is among them: bits 3 to 7 of a Message's third byte.
const Disguises = 17

// disguise writes a text in another way, of which 0 and those it has no name for are none. What it means is often
// the same, and never beyond encoding/json.
func disguise(text []byte, how int) []byte {
	switch how {
	case 1:
		return slices.Concat([]byte(" "), text)
	case 2:
		return slices.Concat([]byte("\t\r "), text, []byte(" \r\t"))
	case 3:
		return slices.Concat([]byte("[ "), text, []byte("\t]"))
	case 4:
		return slices.Concat([]byte(" ["), text, []byte(" , "), text, []byte("] "))
	case 5:
		return slices.Concat([]byte("\ufeff"), text)
	case 6:
		return append(slices.Clone(text), 0)
	case 7: // every token by itself
		var b bytes.Buffer
		if json.Indent(&b, text, "\r", "\t") == nil {
			return bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte(" "))
		}
	case 8: // every letter escaped
		if json.Valid(text) {
			return escaped(text)
		}
	case 9, 10, 11, 12, 13, 14, 15: // one member more, whose name may be there
		member := []string{
			`"id":"` + strings.Repeat("long é ", 60) + `"`,
			`"id":1` + strings.Repeat("0", 150),
			`"id":-0`,
			`"id":1e2`,
			`"params":` + strings.Repeat("[", 140) + strings.Repeat("]", 140),
			`"ID":7,"Method":"ping"`,
			`"jsonrpc":"2.0"`,
		}[how-9]
		if end := bytes.LastIndexByte(text, '}'); end > 0 {
			return slices.Concat(text[:end], []byte(","+member), text[end:])
		}
	case 16: // with an id that is as long as ids get
		var v map[string]json.RawMessage
		if json.Unmarshal(text, &v) == nil && v["id"] != nil {
			v["id"] = json.RawMessage(`"` + strings.Repeat("ab\u00e9", 100) + `"`)
			if changed, err := json.Marshal(v); err == nil {
				return changed
			}
		}
	}
	return text
}

// escaped returns JSON with the letters and digits in its strings written by their numbers.
func escaped(text []byte) []byte {
	var out []byte
	inside, kept := false, 0 // kept counts the bytes of an escape that are left
	for _, c := range text {
		switch {
		case kept > 0:
			kept--
			if c == 'u' && kept == 0 {
				kept = 4
			}
			out = append(out, c)
		case inside && c == '\\':
			kept = 1
			out = append(out, c)
		case c == '"':
			inside = !inside
			out = append(out, c)
		case inside && ('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'):
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = append(out, c)
		}
	}
	return out
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
