package schemagen_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/internal/schemagen"
)

const house = `{
	"type": "object",
	"properties": {
		"kind":   {"enum": ["hut", "tower"]},
		"id":     {"type": "string", "pattern": "^ent_(0|[1-9][0-9]*)$"},
		"floors": {"type": "integer", "minimum": 1, "maximum": 9},
		"width":  {"type": "number", "exclusiveMinimum": 0, "maximum": 50},
		"rooms":  {"type": "array", "items": {"type": "string", "maxLength": 4}, "minItems": 1, "maxItems": 3, "uniqueItems": true},
		"at":     {"anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}]},
		"notes":  {"type": "object", "additionalProperties": {"type": "boolean"}},
		"free":   {"description": "anything"}
	},
	"required": ["kind", "floors", "width"],
	"additionalProperties": false
}`

func generator(tb testing.TB, schema string) *schemagen.Generator {
	tb.Helper()
	g, err := schemagen.New([]byte(schema))
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func TestInputsAreGoodAndBadInMostWays(t *testing.T) {
	made := map[string]int{}
	valid := 0
	word := regexp.MustCompile(`^.*: |[0-9]+`)
	for in := range generator(t, house).Inputs(1, 5000) {
		if in.What == "good" && !in.Valid {
			t.Errorf("a good input is not valid: %s", in.JSON)
		}
		if in.Valid {
			valid++
		} else {
			made[word.ReplaceAllString(in.What, "")]++
		}
	}
	if valid < 2000 || valid > 4000 {
		t.Errorf("%d of 5000 inputs are valid, want about half", valid)
	}
	for _, what := range []string{
		"null", "another type", "below the minimum", "above the maximum", "the excluded minimum", "huge",
		"with a fraction", "too long", "another case", "dropped an item", "too many items", "repeated an item",
		"an extra key", "without floors", "a key in another case", "a key misspelt", "a key given twice",
		"cut off", "with something behind it", "with a trailing comma",
	} {
		if made[what] == 0 {
			t.Errorf("no bad input was made this way: %s; got %v", what, made)
		}
	}
}

func TestInputsAreTheSameForTheSameSeed(t *testing.T) {
	g := generator(t, house)
	list := func(seed uint64) (texts []string) {
		for in := range g.Inputs(seed, 50) {
			texts = append(texts, string(in.JSON))
		}
		return texts
	}
	if diff := cmp.Diff(list(7), list(7)); diff != "" {
		t.Errorf("Inputs(7, 50) differs between two runs:\n%s", diff)
	}
	if cmp.Equal(list(7), list(8)) {
		t.Error("Inputs does not depend on the seed")
	}
}

func TestNewRefuses(t *testing.T) {
	for _, schema := range []string{``, `{`, `true`, `[]`, `{"type":"house"}`, `{"$ref":"#/$defs/none"}`} {
		if _, err := schemagen.New([]byte(schema)); err == nil {
			t.Errorf("New(%s): no error", schema)
		}
	}
}

func Example() {
	g, err := schemagen.New([]byte(`{"type":"object","properties":{"on":{"type":"boolean"}},"required":["on"],"additionalProperties":false}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	decode := func(text []byte) bool { return string(text) == `{"on":true}` || string(text) == `{"on":false}` }
	for in := range g.Inputs(1, 1) {
		fmt.Println(decode(in.JSON) == in.Valid)
	}
	// Output: true
}
