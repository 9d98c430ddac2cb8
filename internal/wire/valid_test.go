package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/limina-mcp/limina/internal/wire"
)

func TestValidBoundsDepth(t *testing.T) {
	for _, tt := range []struct {
		open, close string
		depth       int
		want        bool
	}{
		{"[", "]", wire.MaxDepth, true},
		{"[", "]", wire.MaxDepth + 1, false},
		{`{"a":`, "}", wire.MaxDepth - 1, true},
		{`{"a":`, "}", wire.MaxDepth, false},
		{`[{"a":`, "}]", wire.MaxDepth/2 - 1, true},
		{`[{"a":`, "}]", wire.MaxDepth / 2, false},
		{"[", "]", 1 << 20, false},
	} {
		text := strings.Repeat(tt.open, tt.depth) + "[]" + strings.Repeat(tt.close, tt.depth)
		if tt.open == "[" {
			text = strings.Repeat(tt.open, tt.depth) + strings.Repeat(tt.close, tt.depth)
		}
		err := wire.Valid([]byte(text))
		if (err == nil) != tt.want {
			t.Errorf("Valid of %d times %s: %v", tt.depth, tt.open, err)
		}
		if err != nil && !strings.Contains(err.Error(), "more than 128 arrays and objects inside each other") {
			t.Errorf("Valid of %d times %s: %v, want it to name the limit", tt.depth, tt.open, err)
		}
	}
}

func FuzzValid(f *testing.F) {
	for _, s := range []string{
		``, ` `, `null`, `true`, `false`, `nul`, `"a"`, `"\u00e4\n"`, `"\u12"`, `"\x"`, "\"\x01\"", "\"ä\xff\"", `"`, `-`, `-0`, `01`, `1.`, `1.5e+3`, `1e`, `.5`,
		`[]`, `[1,2]`, `[1,]`, `[,1]`, `{}`, `{"a":1,"b":[{}]}`, `{"a"}`, `{"a":1,}`, `{a:1}`, `[[]]]`, "\xef\xbb\xbf{}", "\u2028", `{"long key that needs more than a word":"long value that needs more than one"}`,
		string(callText),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if nesting(text) > wire.MaxDepth {
			return // encoding/json goes deeper
		}
		err := wire.Valid(text)
		if want := json.Valid(text) && utf8.Valid(text); (err == nil) != want {
			t.Errorf("Valid(%q) = %v, encoding/json and utf8 say %v", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("Valid(%q): %q has more than one line", text, err)
		}
	})
}

// What Valid refuses for its depth, ParseEnvelope leaves to it, wherever in the message it is.
func TestParseEnvelopeBoundsDepth(t *testing.T) {
	for _, format := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":%s}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"other":%s}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":%s}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":null,"_meta":%s}}`,
	} {
		outer := nesting([]byte(format))
		for depth := wire.MaxDepth - 3; depth < wire.MaxDepth+3; depth++ {
			line := fmt.Appendf(nil, format, strings.Repeat("[", depth)+strings.Repeat("]", depth))
			if got, want := wire.ParseEnvelope(line, new(wire.Envelope), nil), outer+depth <= wire.MaxDepth; got != want || (wire.Valid(line) == nil) != want {
				t.Errorf("ParseEnvelope of %d arrays in %s: %v, want %v; Valid: %v", depth, format, got, want, wire.Valid(line))
			}
		}
	}
}

// readFlat is a reader for ParseEnvelope.
func readFlat(_, line []byte, at int) (end int) {
	return wire.PlanOf[flat]().Read(line, at, new(flat))
}

// A reader is asked about the arguments of a tools/call, once, if the method and the name stand before them; what it
// does not read is passed over.
func TestParseEnvelopeReads(t *testing.T) {
	const good, bad = `{"shape":"box","size":1,"color":2,"position":[1,2,3],"dynamic":true}`, `{"size":[}`
	for _, tt := range []struct {
		line        string
		asked, read string // name and arguments, or none; what it read
		plain       bool
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":` + good + `}}`, "a", good, true},
		{`{"method":"tools/call","params":{"name":"a","arguments": ` + good + ` },"jsonrpc":"2.0","id":1}`, "a", good, true},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"size":1}}}`, "a", "", true},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":` + bad + `}}`, "a", "", false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":` + good + `,"arguments":` + good + `}}`, "a", good, false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":` + good + `}`, "a", good, false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":` + good + `,"name":"a"}}`, "", "", true},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7,"arguments":` + good + `}}`, "", "", false},
		{`{"jsonrpc":"2.0","id":1,"params":{"name":"a","arguments":` + good + `},"method":"tools/call"}`, "", "", true},
		{`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"a","arguments":` + good + `}}`, "", "", true},
	} {
		var asked, read string
		var e wire.Envelope
		plain := wire.ParseEnvelope([]byte(tt.line), &e, func(name, line []byte, at int) int {
			asked += string(name)
			end := readFlat(name, line, at)
			if end >= 0 {
				read += string(line[at:end])
			}
			return end
		})
		if plain != tt.plain || asked != tt.asked || read != tt.read {
			t.Errorf("ParseEnvelope(%s) = %v, asked about %q, which read %q; want %v, %q, %q", tt.line, plain, asked, read, tt.plain, tt.asked, tt.read)
		}
		if plain && read != "" && string(e.Arguments) != read {
			t.Errorf("ParseEnvelope(%s): arguments are %q, and %q was read", tt.line, e.Arguments, read)
		}
	}
}

func FuzzParseEnvelope(f *testing.F) {
	for _, s := range []string{
		string(callText),
		`{"method":"tools/call","params":{"_meta":{"progressToken":1},"name":"a","context":{},"arguments":null},"jsonrpc":"2.0","id":"x-1"}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"agentId":"a","sessionId":"s","profile":"p"}}`,
		`{"jsonrpc":"2.0","id":-5,"method":"ping","params":[]}`,
		`{"jsonrpc":"2.0","id":1.0,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"p\u0069ng"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"n\u0061me":"a"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"n\u0061me":"a","x":"\u00e4"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","task":{}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`,
		` { "jsonrpc" : "2.0" , "id" : 1 , "method" : "tools/call" , "params" : { "name" : "a" , "arguments" : { } } } ` + "\r\n",
		`{}`, `[]`, ``, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`, `{"jsonrpc":"2.0","id":01,"method":"a"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(checkEnvelope)
}

// TestSpoiltEnvelope leaves out and exchanges every byte of messages.
func TestSpoiltEnvelope(t *testing.T) {
	for _, text := range []string{
		`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"a.b","arguments":{"n":[1,"x"]},"_meta":{"progressToken":1},"context":{}}}`,
		` { "jsonrpc" : "2.0" , "id" : "x" , "method" : "tools/call" , "params" : { "arguments" : null , "name" : "a" } } `,
		`{"jsonrpc":"2.0","method":"notifications/x","params":[1,{"a":true}]}`,
	} {
		for line := range spoilt(text) {
			checkEnvelope(t, line)
		}
	}
}

// checkEnvelope holds ParseEnvelope to the oracle, for one line.
func checkEnvelope(t *testing.T, line []byte) {
	t.Helper()
	var got, again wire.Envelope
	ok := wire.ParseEnvelope(line, &got, nil)
	if wire.ParseEnvelope(line, &again, readFlat) != ok || ok && !reflect.DeepEqual(got, again) {
		t.Fatalf("ParseEnvelope(%q) = %v, %+v, and with a reader not, or %+v", line, ok, got, again)
	}
	if nesting(line) > wire.MaxDepth { // perhaps; the oracle does not count
		if ok && wire.Valid(line) != nil {
			t.Fatalf("ParseEnvelope(%q) takes what is not valid", line)
		}
		return
	}
	want, plain := envelopeOracle(line)
	if ok != plain {
		t.Fatalf("ParseEnvelope(%q) = %v, the oracle says %v", line, ok, plain)
	}
	if !ok {
		return
	}
	for _, span := range []struct {
		name      string
		got, want []byte
	}{
		{"id", got.ID, want.ID},
		{"method", got.Method, want.Method},
		{"params", got.Params, want.Params},
		{"name", got.Name, want.Name},
		{"arguments", got.Arguments, want.Arguments},
		{"_meta", got.Meta, want.Meta},
		{"context", got.Context, want.Context},
	} {
		if !bytes.Equal(span.got, span.want) || (span.got == nil) != (span.want == nil) {
			t.Errorf("ParseEnvelope(%q): %s is %q, want %q", line, span.name, span.got, span.want)
		}
	}
}

// envelopeOracle is ParseEnvelope on encoding/json.
func envelopeOracle(line []byte) (e wire.Envelope, plain bool) {
	if !json.Valid(line) || !utf8.Valid(line) {
		return e, false
	}
	members, ok := rawMembers(line)
	if !ok {
		return e, false
	}
	version := false
	for _, m := range members {
		switch m.key {
		case `"jsonrpc"`:
			version = string(m.value) == `"2.0"`
		case `"id"`:
			e.ID = m.value
			isString := e.ID[0] == '"' && !bytes.Contains(e.ID, []byte(`\`))
			if isNumber := e.ID[0] == '-' || e.ID[0] >= '0' && e.ID[0] <= '9'; !isString && !isNumber || isNumber && bytes.ContainsAny(e.ID, ".eE") {
				return e, false
			}
		case `"method"`:
			if m.value[0] != '"' || len(m.value) == 2 || bytes.Contains(m.value, []byte(`\`)) {
				return e, false
			}
			e.Method = m.value[1 : len(m.value)-1]
		case `"params"`:
			e.Params = m.value
		default:
			return e, false
		}
	}
	if !version || e.Method == nil || hasTwice(members) {
		return e, false
	}
	if string(e.Method) != "tools/call" {
		return e, true
	}
	members, ok = rawMembers(e.Params)
	if !ok || hasTwice(members) {
		return e, false
	}
	for _, m := range members {
		switch m.key {
		case `"name"`:
			if m.value[0] != '"' || bytes.Contains(m.value, []byte(`\`)) {
				return e, false
			}
			e.Name = m.value[1 : len(m.value)-1]
		case `"arguments"`:
			e.Arguments = m.value
		case `"_meta"`:
			e.Meta = m.value
		case `"context"`:
			e.Context = m.value
		default:
			return e, false
		}
	}
	return e, e.Name != nil
}

type rawMember struct {
	key   string // as it is spelt, with its quotes
	value json.RawMessage
}

func hasTwice(members []rawMember) bool {
	seen := map[string]bool{}
	for _, m := range members {
		if seen[m.key] {
			return true
		}
		seen[m.key] = true
	}
	return false
}

// rawMembers takes a valid JSON object apart.
func rawMembers(text []byte) (members []rawMember, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		before := d.InputOffset()
		if _, err := d.Token(); err != nil {
			return nil, false
		}
		key := strings.Trim(string(text[before:d.InputOffset()]), ", \t\r\n")
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, false
		}
		members = append(members, rawMember{key, value})
	}
	return members, true
}

func TestMember(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"kind":"screen"}`, `"screen"`},
		{` { "a" : {"kind":1} , "k\u0069nd" : [ 2 ] } `, `[ 2 ]`},
		{`{}`, ``},
		{`{"a":1}`, ``},
		{`["kind"]`, ``},
		{`"kind"`, ``},
		{``, ``},
		{`{"a":`, ``},
	} {
		if got := string(wire.Member([]byte(tt.text), "kind")); got != tt.want {
			t.Errorf("Member(%s) = %s, want %s", tt.text, got, tt.want)
		}
	}
}

// TestFree gives Free what [wire.Valid] takes, and some of which readers do not make the same.
func TestFree(t *testing.T) {
	many := `{"k0":0`
	for i := range 20 {
		many += fmt.Sprintf(`,"k%d":%d`, i+1, i)
	}
	for text, want := range map[string]string{
		` {"a":[1,{"b":null},"c"],"b":true} `: "",
		`[{"a":1},{"a":1},{"a":{"a":[]}}]`:    "",
		`7`:                                   "",
		many + `}`:                            "",
		strings.Repeat("[", 128) + strings.Repeat("]", 128): "",
		many + `,"k0":1}`:                      "k0: is given twice",
		many + `,"k7":1}`:                      "k7: is given twice",
		many + `,"k8":1}`:                      "k8: is given twice",
		many + `,"k20":1,"k21":1}`:             "k20: is given twice",
		`{"a":{"b":1,"\u0062":1,"b":[1e999]}}`: "a.b: is given twice; a.b: is given twice; a.b[0]: must be a number that 64 bits can hold, got 1e999",
		`[1,{"":-1e400}]`:                      `[1][""]: must be a number that 64 bits can hold, got -1e400`,
		`{"a":1,"a":2`:                         `not valid JSON: the text ends too early, at offset 12, after "{\"a\":1,\"a\":2"`,
		`{} {}`:                                `not valid JSON: unexpected '{' at offset 3, after "{} "`,
		strings.Repeat(`[`, 129) + strings.Repeat(`]`, 129):           `not valid JSON: more than 128 arrays and objects inside each other at offset 128, after "[[[[[[[[[[[[[[[[[[[[[[[["`,
		strings.Repeat(`[{"a":`, 65) + "1" + strings.Repeat("}]", 65): `not valid JSON: more than 128 arrays and objects inside each other at offset 384, after "[{\"a\":[{\"a\":[{\"a\":[{\"a\":"`,
	} {
		got := ""
		if err := wire.Free([]byte(text)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("Free(%s): %q, want %q", text, got, want)
		}
		compareFree(t, []byte(text))
	}
	plain := []byte(`{"a":[1,{"b":null},"c"],"b":{"a":1.5e10,"\u00e4":"\n"}}`)
	if got := testing.AllocsPerRun(100, func() { _ = wire.Free(plain) }); got > 1 { // the key with an escape
		t.Errorf("Free: %v allocations", got)
	}
}

// TestReads checks which plans know how deeply their values nest.
func TestReads(t *testing.T) {
	slices, structs, pointers := reflect.TypeFor[int](), reflect.TypeFor[int](), reflect.TypeFor[int]()
	for range wire.MaxReadDepth {
		slices, pointers = reflect.SliceOf(slices), reflect.SliceOf(reflect.PointerTo(pointers))
		structs = reflect.StructOf([]reflect.StructField{{Name: "A", Type: structs}})
	}
	for typ, want := range map[reflect.Type]bool{
		reflect.TypeFor[flat]():                true,
		reflect.TypeFor[map[string][]entity](): true,
		slices:                                 true,
		structs:                                true,
		pointers:                               true,
		reflect.SliceOf(slices):                false,
		reflect.ArrayOf(1, slices):             false,
		reflect.MapOf(reflect.TypeFor[string](), slices): false,
		reflect.SliceOf(structs):                         false,
		reflect.StructOf([]reflect.StructField{{Name: "A", Type: slices}, {Name: "B", Type: reflect.TypeFor[int]()}}): false,
		reflect.TypeFor[any]():               false,
		reflect.TypeFor[[]any]():             false,
		reflect.TypeFor[[1]any]():            false,
		reflect.TypeFor[*any]():              false,
		reflect.TypeFor[map[string]any]():    false,
		reflect.TypeFor[json.RawMessage]():   false,
		reflect.TypeFor[[]json.RawMessage](): false,
		reflect.TypeFor[struct {
			A int
			B []target
		}](): false,
	} {
		plan := compile(t, typ)
		if got := plan.Reads(); got != want {
			t.Errorf("the plan of %v reads: %v, want %v", typ, got, want)
		}
		if end := plan.Read([]byte(`[]`), 0, reflect.New(typ).Interface()); !want && end >= 0 {
			t.Errorf("the plan of %v has read to %d", typ, end)
		}
	}
}
