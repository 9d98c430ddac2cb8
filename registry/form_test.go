package registry_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/limina-mcp/limina/registry"
)

const everyField = `{"type":"object","properties":{` +
	`"name":{"type":"string","title":"Name","minLength":2,"maxLength":3},` +
	`"n":{"type":"integer","minimum":-1,"maximum":5,"default":1},"x":{"type":"number","minimum":0.5},"y":{"type":"number","maximum":1},"yes":{"type":"boolean"},` +
	`"one":{"type":"string","enum":["a","b"],"enumNames":["A","B"]},"titled":{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"c","title":"C"}]},` +
	`"only":{"type":"string","enum":["a"]},"some":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["a","b"]}},` +
	`"titles":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}},"required":["name"]}`

// TestForm holds what a person may fill in against the same schema in jsonschema-go.
func TestForm(t *testing.T) {
	var schema jsonschema.Schema
	if err := json.Unmarshal([]byte(everyField), &schema); err != nil {
		t.Fatal(err)
	}
	oracle, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ content, want string }{
		{`{"name":"Ada"}`, ""},
		{`{"name":"äöü","n":5,"x":0.5,"y":1,"yes":false,"one":"b","titled":"c","some":["a","b"],"titles":["a"],"more":{"a":[1]}}`, ""},
		{`{"name":"Ada","n":-1.0,"titles":[]}`, ""},
		{`{}`, "name: is required"},
		{`{"name":7}`, "name: must be of type string, got 7"},
		{`{"name":null}`, "name: must be of type string, got null"},
		{`{"name":"A"}`, "name: must have at least 2 characters"},
		{`{"name":"Adas"}`, "name: must have at most 3 characters"},
		{`{"name":"Ada","n":1.5}`, "n: must be of type integer, got 1.5"},
		{`{"name":"Ada","n":6}`, "n: must be at most 5"},
		{`{"name":"Ada","n":-2}`, "n: must be at least -1"},
		{`{"name":"Ada","n":"1"}`, `n: must be of type integer, got "1"`},
		{`{"name":"Ada","x":0}`, "x: must be at least 0.5"},
		{`{"name":"Ada","y":1.5}`, "y: must be at most 1"},
		{`{"name":"Ada","yes":"true"}`, `yes: must be of type boolean, got "true"`},
		{`{"name":"Ada","one":"c"}`, "one: must be one of a, b"},
		{`{"name":"Ada","only":"a"}`, ""},
		{`{"name":"Ada","only":"b"}`, "only: must be one of a"},
		{`{"name":"Ada","titled":"b"}`, "titled: must be one of a, c"},
		{`{"name":"Ada","some":[]}`, "some: must have at least 1 items"},
		{`{"name":"Ada","some":["a","b","a"]}`, "some: must have at most 2 items"},
		{`{"name":"Ada","some":["c"]}`, "some: each must be one of a, b"},
		{`{"name":"Ada","some":"a"}`, `some: must be of type array, got "a"`},
		{`{"name":"Ada","titles":[1]}`, "titles: each must be one of a"},
	} {
		q := registry.Elicitation{Schema: []byte(everyField)}
		err := q.Answer([]byte(`{"action":"accept","content":` + tt.content + `}`))
		if got := strings.TrimPrefix(complaint(err), "content: "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.content, got, tt.want)
		}
		var v any
		if err := json.Unmarshal([]byte(tt.content), &v); err != nil {
			t.Fatal(err)
		}
		if bad := oracle.Validate(v); (bad == nil) != (tt.want == "") {
			t.Errorf("%s: jsonschema-go says %v", tt.content, bad)
		}
	}
}

func TestBadForm(t *testing.T) {
	for _, tt := range []struct{ schema, want string }{
		{`{"type":"string"}`, `the root must have type "object"`},
		{`{"type":"object","properties":{"a":{"type":"object"}}}`, "a: must be a string, a number"},
		{`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`, "a: must be a string, a number"},
		{`{"type":"object","properties":{"a":{"type":"string","pattern":"a"}}}`, `unknown field "pattern"`},
		{`{"type":"object"`, "unexpected EOF"},
	} {
		q := registry.Elicitation{Schema: []byte(tt.schema)}
		if got := complaint(q.Answer([]byte(`{"action":"accept"}`))); !strings.HasPrefix(got, "the form's own schema: ") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.schema, got, tt.want)
		}
		if _, err := q.Params(); !strings.Contains(complaint(err), tt.want) {
			t.Errorf("%s: it is asked, and the error is %v, want %q", tt.schema, err, tt.want)
		}
	}
	if _, err := new(registry.Elicitation).Params(); complaint(err) != "an elicitation needs a Schema or a URL" {
		t.Errorf("a question of nothing is asked: %v", err)
	}
	open := registry.Elicitation{Schema: []byte(`{"type":"object","additionalProperties":true}`)}
	for content, want := range map[string]string{`{"a":1}`: "", `{"a":1,"a":2}`: "content: a: is given twice", `[]`: "content: must be an object, got an array"} {
		if got := complaint(open.Answer([]byte(`{"action":"accept","content":` + content + `}`))); got != want {
			t.Errorf("%s: got %q, want %q", content, got, want)
		}
	}
	closed := registry.Elicitation{Schema: []byte(`{"type":"object","additionalProperties":false}`)}
	if got := complaint(closed.Answer([]byte(`{"action":"accept","content":{"a":1}}`))); got != "content: a: is not asked for" {
		t.Errorf("got %q", got)
	}
}

// TestNoAnswer gives questions what is no answer to them.
func TestNoAnswer(t *testing.T) {
	const sampled, roots = "must be an object with role, content and model", "must be an object with roots, an array of {uri, name}"
	for _, tt := range []struct {
		q          registry.Question
		said, want string
	}{
		{&registry.Sampling{}, `{"role":"assistant","model":"m","content":{"type":"text","text":"yes"}}`, ""},
		{&registry.Sampling{}, `{"role":"assistant","model":"m","content":[{"type":"text","text":"yes"}]}`, ""},
		{&registry.Sampling{}, `{"role":"assistant","model":"m"}`, sampled},
		{&registry.Sampling{}, `{"role":"assistant","model":"m","content":null}`, sampled},
		{&registry.Sampling{}, `{"role":"assistant","model":"m","content":"yes"}`, sampled},
		{&registry.Sampling{}, `7`, sampled},
		{&registry.RootsQuestion{}, `{"roots":[]}`, ""},
		{&registry.RootsQuestion{}, `{}`, roots},
		{&registry.RootsQuestion{}, `{"roots":[{"uri":"file:///a"}]}`, ""},
		{&registry.RootsQuestion{}, `{"roots":7}`, roots},
		{&registry.RootsQuestion{}, `{"roots":[{"uri":"file:///a"},{"name":"b"}]}`, roots},
		{&registry.RootsQuestion{}, `{"roots":[null]}`, roots},
		{&registry.Elicitation{}, `7`, "must be an object with action and content"},
		{&registry.Elicitation{}, `{}`, `action: must be accept, decline or cancel, got ""`},
	} {
		if got := complaint(tt.q.Answer([]byte(tt.said))); got != tt.want {
			t.Errorf("%T, %s: got %q, want %q", tt.q, tt.said, got, tt.want)
		}
	}
	for q, want := range map[*registry.Elicitation]registry.QuestionKind{{}: registry.AskForm, {URL: "https://example.com"}: registry.AskURL} {
		if got := q.Kind(); got != want {
			t.Errorf("%+v asks by %v, want %v", q, got, want)
		}
	}
	visit := registry.Elicitation{URL: "https://example.com"}
	if err := visit.Answer([]byte(`{"action":"accept","content":{"a":1}}`)); err != nil || visit.Answered.Content != nil || !visit.Answered.Accepted() {
		t.Errorf("what is visited is answered by %+v, %v", visit.Answered, err)
	}
	declined := registry.Elicitation{Schema: []byte(`{"type":"object"}`)}
	if err := declined.Answer([]byte(`{"action":"decline","content":{"a":1}}`)); err != nil || declined.Answered.Content != nil {
		t.Errorf("what is declined has %s, %v", declined.Answered.Content, err)
	}
}

// complaint is an error's text, "" for none.
func complaint(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
