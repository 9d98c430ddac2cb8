package replica

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// What the scanner takes apart is what encoding/json takes apart.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, ` { "a" : 1 , "b\\n" : [ ] , "a":"\\"}]" } `, `[1,-2,"x",{"y":[{}]},null , true]`, `"x"`, `5`, `{"":{}}`,
		`{"\u0061":1}`, `[[[[]]],[]]`, "[1\n,\t2\r]", `[1.5e3,9223372036854775807,-1]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		switch first(text) {
		case '{':
			var want, got map[string]json.RawMessage
			if err := json.Unmarshal(text, &want); err != nil {
				return // names that are no UTF-8 and the like
			}
			got = map[string]json.RawMessage{}
			if err := members(text, func(name, value []byte) error { got[string(name)] = value; return nil }); err != nil {
				t.Fatalf("members(%q) = %v", text, err)
			}
			if utf8.Valid(text) { // else encoding/json replaces what is not
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("members(%q) (-want +got):\n%s", text, diff)
				}
			}
		case '[':
			var want, got []json.RawMessage
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			got = []json.RawMessage{}
			if err := elements(text, func(value []byte) error { got = append(got, value); return nil }); err != nil {
				t.Fatalf("elements(%q) = %v", text, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("elements(%q) (-want +got):\n%s", text, diff)
			}
			var numbers []int64
			if list, err := integers(text, nil); err == nil && len(list) > 0 && (json.Unmarshal(text, &numbers) != nil || !cmp.Equal(numbers, list)) {
				t.Errorf("integers(%q) = %v, want %v", text, list, numbers)
			}
		default:
			if members(text, nil) == nil || elements(text, nil) == nil {
				t.Errorf("%q was taken for an object or an array", text)
			}
		}
	})
}
