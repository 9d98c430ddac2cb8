package yamlfile_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/internal/yamlfile"
)

func TestAppendJSON(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"in the order of the file", "b: 1\na: two\n", `{"b":1,"a":"two"}`},
		{"nested", "a:\n  - x\n  - y: [1.5, true, null, ~]\n", `{"a":["x",{"y":[1.5,true,null,null]}]}`},
		{"JSON", "{\n\t\"a\": [\"b\\u0063\", -7]\n}", `{"a":["bc",-7]}`},
		{"text that looks like something else", `{a: "7", b: 'true', c: yes, d: 2026-11-23}`, `{"a":"7","b":"true","c":"yes","d":"2026-11-23"}`},
		{"several lines", "a: |\n  x\n  y\n", `{"a":"x\ny\n"}`},
		{"nothing", "a:\n", `{"a":null}`},
		{"no document", "# words\n", `null`},
	} {
		root, _, err := yamlfile.Parse([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got, err := root.AppendJSON([]byte(">")); err != nil || string(got) != ">"+tt.want {
			t.Errorf("%s: %s, %v, want %s", tt.name, got, err, tt.want)
		}
	}
}

func TestAppendJSONRefuses(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a: &x b\n", "1: an anchor or alias, which is not allowed here"},
		{"a: 1\nb: *x\n", "2: "},
		{"a:\n  <<: {b: c}\n", "2: an object: want a name for a key, got an anchor or alias"},
		{"a: 1\na: 2\n", `2: an object: key "a" stands here twice`},
		{"7: 1\n", "1: an object: want a name for a key, got 7"},
		{"a: b\nc: [.inf]\n", "2: .inf: JSON has no such number"},
	} {
		root, _, err := yamlfile.Parse([]byte(tt.text))
		if err == nil {
			_, err = root.AppendJSON(nil)
		}
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.want)
		}
	}
}
