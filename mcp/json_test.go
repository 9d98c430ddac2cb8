package mcp

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/registry/raw"
)

// FuzzJSON holds the functions that take JSON apart against encoding/json.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		`{"a":1,"b":[{"c":"}"},"]\\"],"a":null,"\u0064":{}}`, ` [ 1 , "x\"" , [ ] , { "k" : [ 1 ] } ] `, `{}`, `[]`, `"\\\"\u2028"`,
		`{"a":{"b":{"c":1.5e-3}}}`, `[true,false,null,-0,1e400]`, "{\"a\"\t:\r\n1\n,\"b\":2}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if wire.Valid(text) != nil {
			return
		}
		text = bytes.TrimSpace(text)
		if end := skipValue(text, 0); end != len(text) {
			t.Errorf("skipValue(%q) = %d, want %d", text, end, len(text))
		}
		var quoted string
		if err := json.Unmarshal(append(appendQuoted([]byte{'"'}, text), '"'), &quoted); err != nil {
			t.Errorf("appendQuoted(%q): %v", text, err)
		} else if !same(quoted, string(text)) {
			t.Errorf("appendQuoted(%q) says %q", text, quoted)
		}
		flat := bytes.Clone(text)
		flatten(flat)
		if bytes.ContainsAny(flat, "\r\n") || !same(string(flat), string(text)) {
			t.Errorf("flatten(%q) = %q", text, flat)
		}
		switch text[0] {
		case '[':
			var want []json.RawMessage
			_ = json.Unmarshal(text, &want)
			got := elements(text, len(text))
			if len(got) != len(want) {
				t.Fatalf("elements(%q) = %q", text, got)
			}
			if few := elements(text, 2); len(few) != min(len(got), 3) {
				t.Errorf("elements(%q, 2) has %d", text, len(few))
			}
			for i := range got {
				if !bytes.Equal(got[i], want[i]) {
					t.Errorf("elements(%q)[%d] = %q, want %q", text, i, got[i], want[i])
				}
			}
		case '{':
			want := map[string]json.RawMessage{}
			_ = json.Unmarshal(text, &want)
			got := map[string]json.RawMessage{}
			eachMember(text, func(key string, value []byte) bool {
				got[key] = value
				return true
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("eachMember(%q) (-want +got):\n%s", text, diff)
			}
		case '"':
			var want string
			_ = json.Unmarshal(text, &want)
			if got, ok := stringValue(text); !ok || got != want {
				t.Errorf("stringValue(%q) = %q, %v", text, got, ok)
			}
		}
	})
}

// same reports whether two JSON texts differ in white space only.
func same(a, b string) bool {
	var ca, cb bytes.Buffer
	return json.Compact(&ca, []byte(a)) == nil && json.Compact(&cb, []byte(b)) == nil && ca.String() == cb.String()
}

func FuzzIsInteger(f *testing.F) {
	for _, text := range []string{"0", "-0", "1.0", "1.5", "1e2", "1e-1", "10e-1", "0.0e-99", "1.20e1", "1.20E+2", "123456789012345678901234567890.0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) || !isNumber([]byte(text)) {
			return
		}
		if _, e, ok := strings.Cut(strings.ToLower(text), "e"); ok && len(strings.TrimLeft(e, "+-0")) > 4 {
			return // big.Rat would take too long
		}
		r, ok := new(big.Rat).SetString(text)
		if ok && isInteger([]byte(text)) != r.IsInt() {
			t.Errorf("isInteger(%s) = %v", text, !r.IsInt())
		}
	})
}

func TestIsIntegerOfHugeExponents(t *testing.T) {
	for text, want := range map[string]bool{
		"1e999999999999": true, "1e-999999999999": false, "0e-999999999999": true, "0.0e999999999999": true, "1.5E+00000000000001": true,
	} {
		if got := isInteger([]byte(text)); got != want {
			t.Errorf("isInteger(%s) = %v, want %v", text, got, want)
		}
	}
}

// Cursors that peers make up do not fill the memory.
func TestMadeUpCursorsAreNotKept(t *testing.T) {
	core, err := New(registry.New(registry.Options{}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	grants := &profiles.Grants{}
	_, _ = core.lists.page(grants, "", 's', nil)
	for i := range 1000 {
		if page, e := core.lists.page(grants, encodeCursor(strings.Repeat("x", i+1)), 's', nil); e == nil {
			t.Fatalf("a cursor that was made up gave %s", page)
		}
	}
	if n := len(core.lists.kept); n != 1 {
		t.Errorf("%d lists are kept, want 1", n)
	}
}

// What is made for a list is made once, until the registry changes.
func TestListsAreKept(t *testing.T) {
	reg := registry.New(registry.Options{})
	core, err := New(reg, Options{})
	if err != nil {
		t.Fatal(err)
	}
	first := core.lists.native(nil)
	if second := core.lists.native(nil); &first[0] != &second[0] {
		t.Error("the list was made twice")
	}
	k, err := raw.Define(registry.RawSpec{
		Name: "a.b", Description: "d", Permissions: []profiles.Permission{profiles.Anyone}, InputSchema: json.RawMessage(`{"type":"object","$schema":"https://json-schema.org/draft/2020-12/schema"}`),
		Handle: func(*registry.Call, json.RawMessage) (json.RawMessage, error) { return nil, nil },
	})
	if err == nil {
		err = reg.Register(k)
	}
	if err != nil {
		t.Fatal(err)
	}
	if third := core.lists.native(nil); !strings.Contains(string(third), `"input_schema":{"type":"object","$schema":"https://json-schema.org/draft/2020-12/schema"}`) {
		t.Errorf("after a registration: %s", third)
	}
}

// Ids are the same if they are the same string or number, as encoding/json and math/big have it, and no others are.
func FuzzKeyOf(f *testing.F) {
	ids := []string{
		"0", "-0", "1", "1.0", "10e-1", "0.1e1", "100", "1e2", "1E+2", "-1", "-1.0", `"1"`, `"a"`, `"\u0061"`, `"\""`, `""`, "9007199254740993", "9007199254740992", "1e40", "1e39", "1e41",
		"12345678901234567890123456789012345678901", "1.2345678901234567890123456789012345678901e40", "1e999", "10e998", "0e99999999999999999999",
	}
	for i, a := range ids {
		f.Add(a, ids[(i+1)%len(ids)])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		var values [2]any
		for i, text := range []string{a, b} {
			if wire.Valid([]byte(text)) != nil || strings.TrimSpace(text) != text || len(text) > 400 || !isID([]byte(text)) {
				return
			}
			if text[0] == '"' {
				var s string
				if err := json.Unmarshal([]byte(text), &s); err != nil {
					return
				}
				values[i] = s
				continue
			}
			if _, exponent, _ := strings.Cut(strings.ToLower(text), "e"); len(exponent) > 4 {
				return // math/big would write it out
			}
			r, ok := new(big.Rat).SetString(text)
			if !ok {
				t.Fatalf("%s is no number", text)
			}
			values[i] = r.String()
		}
		if got, want := keyOf([]byte(a)) == keyOf([]byte(b)), values[0] == values[1]; got != want {
			t.Errorf("%s and %s are one id: %t, want %t (%s, %s)", a, b, got, want, keyOf([]byte(a)), keyOf([]byte(b)))
		}
	})
}
