package wire_test

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/schemagen"
	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry/rules"
)

type (
	loop   struct{ Next *loop }
	mutual struct {
		Others []struct{ Back map[string]mutual }
	}
	inner struct{ *base }
	self2 struct {
		Common
		Name string `json:"name"`
	}
	stamp    struct{ time.Time }
	mark     struct{ time.Time }
	halfText string
	readText string
	halfJSON string
	readJSON string
	noSchema string
)

func (halfText) MarshalText() ([]byte, error) { return nil, nil }
func (*readText) UnmarshalText([]byte) error  { return nil }
func (halfJSON) MarshalJSON() ([]byte, error) { return nil, nil }
func (*readJSON) UnmarshalJSON([]byte) error  { return nil }
func (*noSchema) UnmarshalJSON([]byte) error  { return nil }
func (noSchema) MarshalJSON() ([]byte, error) { return nil, nil }

type holdsChan struct{ C chan int }

func TestCompileRefuses(t *testing.T) {
	many := make([]reflect.StructField, 65)
	for i := range many {
		many[i] = reflect.StructField{Name: "F" + strings.Repeat("x", i), Type: reflect.TypeFor[int]()}
	}
	for _, tt := range []struct {
		typ  reflect.Type
		want string
	}{
		// Types.
		{reflect.TypeFor[struct{ C chan int }](), "struct { C chan int }.C: chan int is not supported: JSON cannot carry it"},
		{reflect.TypeFor[struct{ C complex128 }](), "complex128 is not supported"},
		{reflect.TypeFor[struct{ C func() }](), "func() is not supported"},
		{reflect.TypeFor[struct{ C error }](), "error is not supported"},
		{reflect.TypeFor[struct{ C []byte }](), "[]uint8 is not supported: use a string, or json.RawMessage for JSON"},
		{reflect.TypeFor[struct{ C map[int]string }](), "map[int]string is not supported: the keys of a map must be plain strings"},
		{reflect.TypeFor[struct{ C map[entity]string }](), "the keys of a map must be plain strings"},
		{reflect.TypeFor[struct{ C **int }](), "a pointer to a pointer"},
		{reflect.TypeFor[struct{ C url.URL }](), "url.URL is not supported: use a string"},
		{reflect.TypeFor[loop](), "wire_test.loop.Next: wire_test.loop contains itself"},
		{reflect.TypeFor[mutual](), "wire_test.mutual contains itself"},
		{reflect.TypeFor[inner](), "wire_test.inner.base: an embedded pointer is not supported"},
		{reflect.TypeFor[struct{ holdsChan }](), "holdsChan.C: chan int is not supported"},
		{reflect.TypeFor[self2](), `wire_test.self2.Name: a second field is called "name"`},
		{reflect.TypeFor[halfText](), "needs both UnmarshalText and MarshalText or AppendText"},
		{reflect.TypeFor[readText](), "needs both UnmarshalText and MarshalText or AppendText"},
		{reflect.TypeFor[map[readText]string](), "the keys of a map must be plain strings"},
		{reflect.TypeFor[readJSON](), "needs all of UnmarshalJSON, MarshalJSON and JSONSchema"},
		{reflect.TypeFor[halfJSON](), "needs all of UnmarshalJSON, MarshalJSON and JSONSchema"},
		{reflect.TypeFor[noSchema](), "needs all of UnmarshalJSON, MarshalJSON and JSONSchema"},
		{reflect.TypeFor[struct {
			stamp
			mark // its methods and those of stamp hide each other
		}](), "needs a json name here"},
		{reflect.StructOf(many), "more than 64 fields"},

		// The json tag.
		{reflect.TypeFor[struct {
			A int `json:"a,string"`
		}](), `json option "string" is not supported`},
		{reflect.TypeFor[struct {
			A int `json:"ä"`
		}](), `json name "ä": only printable ASCII`},
		{reflect.TypeFor[struct {
			A int `json:"a<b"`
		}](), `json name "a<b"`},

		// The validate tag.
		{reflect.TypeFor[struct {
			A int `validate:"gte=x"`
		}](), `A: validate tag: gte=x: strconv.ParseInt`},
		{reflect.TypeFor[struct {
			A uint `validate:"gte=-1"`
		}](), `gte=-1: strconv.ParseUint`},
		{reflect.TypeFor[struct {
			A float64 `validate:"lte=NaN"`
		}](), `lte=NaN: want a number`},
		{reflect.TypeFor[struct {
			A string `validate:"max=-1"`
		}](), `max=-1: want a length`},
		{reflect.TypeFor[struct {
			A int `validate:"gte=5,lte=4"`
		}](), `lte=4: no value of the type is left`},
		{reflect.TypeFor[struct {
			A int8 `validate:"lte=128"`
		}](), `lte=128: no value of the type is left`},
		{reflect.TypeFor[struct {
			A int64 `validate:"gt=9223372036854775807"`
		}](), `nothing is greater`},
		{reflect.TypeFor[struct {
			A uint64 `validate:"lt=0"`
		}](), `nothing is less`},
		{reflect.TypeFor[struct {
			A float64 `validate:"gt=1,lt=1"`
		}](), `lt=1: no value is left`},
		{reflect.TypeFor[struct {
			A bool `validate:"gte=1"`
		}](), `gte=1 is not a rule for bool`},
		{reflect.TypeFor[struct {
			A entity `validate:"min=1"`
		}](), `min=1 is not a rule for wire_test.entity`},
		{reflect.TypeFor[struct {
			A entity `validate:"email"`
		}](), `email is not a rule for wire_test.entity`},
		{reflect.TypeFor[struct {
			A vec3 `validate:"len=3"`
		}](), `len=3 is not a rule for wire_test.vec3`},
		{reflect.TypeFor[struct {
			A float64 `validate:"oneof=1 2"`
		}](), `oneof is for a string or an integer`},
		{reflect.TypeFor[struct {
			A int `validate:"oneof=1 x"`
		}](), `oneof=1 x: strconv.ParseInt`},
		{reflect.TypeFor[struct {
			A string `validate:"oneof="`
		}](), `want values separated by spaces`},
		{reflect.TypeFor[struct {
			A string `validate:"oneof='a b"`
		}](), `want values separated by spaces`},
		{reflect.TypeFor[struct {
			A string `validate:"oneof=a b,min=2"`
		}](), `A: validate tag: no value of the enumeration is left`},
		{reflect.TypeFor[struct {
			A uint8 `validate:"oneof=-1 256"`
		}](), `A: validate tag: no value of the enumeration is left`},
		{reflect.TypeFor[struct {
			A bool `validate:"ne=true"`
		}](), `ne=true: not a rule for bool`},
		{reflect.TypeFor[struct {
			A []part `validate:"unique"`
		}](), `unique is for a slice of strings, numbers or booleans`},
		{reflect.TypeFor[struct {
			A int `validate:"dive,gt=0"`
		}](), `A: dive: int has no items`},
		{reflect.TypeFor[struct {
			A string `validate:"nosuchrule"`
		}](), `nosuchrule is not a rule for string`},
		{reflect.TypeFor[struct {
			A string `validate:"eqfield=B"`
		}](), `eqfield=B looks at other fields`},
		{reflect.TypeFor[struct {
			A string `validate:"required_with=B"`
		}](), `required_with=B looks at other fields`},
		{reflect.TypeFor[struct {
			A string `json:",omitempty" validate:"required"`
		}](), `validate says required, but the key may be absent`},

		// The jsonschema tag.
		{reflect.TypeFor[struct {
			A int `jsonschema:"minimum=1"`
		}](), `jsonschema tag "minimum=1" is not supported: limits belong in the validate tag`},
		{reflect.TypeFor[struct {
			A int `jsonschema:"nullable"`
		}](), `nullable is for a pointer`},
		{reflect.TypeFor[struct {
			A int `validate:"gte=1" jsonschema:"default=0"`
		}](), `A: default=0: must be at least 1, got 0`},
		{reflect.TypeFor[struct {
			A int `jsonschema:"default=x"`
		}](), `default=x: not valid JSON`},
		{reflect.TypeFor[struct {
			A vec3 `jsonschema:"default=1 2"`
		}](), `default=1 2: must have 3 items, got 2`},
	} {
		if _, err := wire.Compile(tt.typ, rules.Validator()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Compile(%v): %v\nwant it to say %q", tt.typ, err, tt.want)
		}
	}
}

func TestPlanOfPanicsOnABadType(t *testing.T) {
	defer func() {
		if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), "wire_test.loop.Next") {
			t.Errorf("PlanOf[loop] panics with %v, want an error that names the field", err)
		}
	}()
	wire.PlanOf[loop]()
}

func TestPlanOfMayBeCalledAtOnce(t *testing.T) {
	type fresh struct {
		A int `json:"a"`
	}
	plans := make([]*wire.Plan, 8)
	var wg sync.WaitGroup
	for i := range plans {
		wg.Go(func() {
			plans[i] = wire.PlanOf[fresh]()
			var v fresh
			if err := plans[i].Decode([]byte(`{"a":1}`), &v); err != nil {
				t.Error(err)
			}
			_ = plans[i].SchemaJSON()
		})
	}
	wg.Wait()
	for _, p := range plans {
		if p != plans[0] {
			t.Error("PlanOf returned two plans of one type")
		}
	}
}

func TestTimeTravelsAsText(t *testing.T) {
	type event struct {
		At time.Time `json:"at"`
	}
	plan := wire.PlanOf[event]()
	var v event
	if err := plan.Decode([]byte(`{"at":"2026-11-20T12:00:00Z"}`), &v); err != nil || v.At.Hour() != 12 {
		t.Errorf("Decode = %v, %v", v, err)
	}
	if got, err := plan.Append(nil, &v); err != nil || string(got) != `{"at":"2026-11-20T12:00:00Z"}` {
		t.Errorf("Append = %s, %v", got, err)
	}
	if got, want := string(plan.SchemaJSON()), `{"properties":{"at":{"type":"string","format":"date-time"}},"additionalProperties":false,"type":"object","required":["at"]}`; got != want {
		t.Errorf("SchemaJSON = %s, want %s", got, want)
	}
}

// named is a map with a description of its own, as a free-form object may be.
type named map[string]any

func (named) JSONSchema() *jsonschema.Schema { return sharedSchema }

var sharedSchema = &jsonschema.Schema{Type: "object", Description: "Whatever you like."}

func TestSchema(t *testing.T) {
	type fields struct {
		Both  named           `json:"both,omitempty"`
		Other named           `json:"other,omitempty" jsonschema_description:"Its own words."`
		Hang  anchor          `json:"hang"`
		Any   any             `json:"any"`
		Raw   json.RawMessage `json:"raw" jsonschema_description:"Text."`
		Title string          `json:"title" jsonschema:"title=A title,example=x" jsonschema_description:"With, a comma."`
		Null  *int            `json:"null" validate:"gt=0" jsonschema:"nullable" jsonschema_description:"Or nothing."`
	}
	for _, tt := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[nothing](), `{"properties":{},"additionalProperties":false,"type":"object"}`},
		{reflect.TypeFor[create](), `{"properties":{` +
			`"shape":{"type":"string","enum":["box","sphere"],"description":"Visible shape.","default":"box"},` +
			`"collider":{"type":"string","enum":["box","sphere","capsule"]},` +
			`"size":{"type":"number","maximum":50,"exclusiveMinimum":0,"default":1},` +
			`"pbr":{"type":"boolean","default":false},` +
			`"color":{"type":"integer","maximum":16777215,"minimum":0,"default":16777215},` +
			`"position":{"items":{"type":"number","maximum":3.4e+38,"minimum":-3.4e+38},"type":"array","maxItems":3,"minItems":3,"default":[0,0,0]},` +
			`"scale":{"items":{"type":"number","maximum":3.4e+38,"minimum":-3.4e+38},"type":"array","maxItems":3,"minItems":3,"default":[1,1,1]},` +
			`"tags":{"items":{"type":"string","maxLength":8,"minLength":1},"type":"array","maxItems":4,"uniqueItems":true},` +
			`"layers":{"items":{"type":"integer","maximum":9007199254740991,"minimum":-9007199254740991},"type":"array","maxItems":3,"default":[1,2]},` +
			`"friction":{"type":"number","maximum":10,"minimum":0,"default":0.5},` +
			`"static":{"type":"boolean","default":true},` +
			`"meta":{"type":"object"}` +
			`},"additionalProperties":false,"type":"object"}`},
		{reflect.TypeFor[embedded](), `{"properties":{` +
			`"name":{"type":"string","minLength":2},` +
			`"rank":{"type":"integer","maximum":199,"minimum":0},` +
			`"depth":{"type":"integer","maximum":127,"minimum":-128},` +
			`"extra":{"type":"string","maxLength":3,"minLength":3},` +
			`"named":{"properties":{"name":{"type":"string","minLength":2},"rank":{"type":"integer","maximum":199,"minimum":0}},"additionalProperties":false,"type":"object","required":["name"]},` +
			`"NoTag":{"type":"boolean"}` +
			`},"additionalProperties":false,"type":"object","required":["name","named","NoTag"]}`},
		{reflect.TypeFor[fields](), `{"properties":{` +
			`"both":{"type":"object","description":"Whatever you like."},` +
			`"other":{"type":"object","description":"Its own words."},` +
			`"hang":{"anyOf":[` + string(wire.PlanOf[worldAnchor]().SchemaJSON()) + `,` + string(wire.PlanOf[screenAnchor]().SchemaJSON()) + `],"description":"Where it hangs."},` +
			`"any":{"description":"Any JSON value."},` +
			`"raw":{"description":"Text."},` +
			`"title":{"type":"string","title":"A title","description":"With, a comma.","examples":["x"]},` +
			`"null":{"anyOf":[{"type":"integer","maximum":9007199254740991,"minimum":1},{"type":"null"}],"description":"Or nothing."}` +
			`},"additionalProperties":false,"type":"object","required":["hang","any","raw","title","null"]}`},
	} {
		if diff := cmp.Diff(tt.want, string(compile(t, tt.typ).SchemaJSON())); diff != "" {
			t.Errorf("SchemaJSON of %v (-want +got):\n%s", tt.typ, diff)
		}
	}
	if sharedSchema.Description != "Whatever you like." {
		t.Error("the reflection wrote into the schema that a type shares")
	}
}

// Every schema compiles, stands alone, and has nothing that trips an MCP client.
func TestSchemasSuitClients(t *testing.T) {
	for _, in := range inputs {
		text := compile(t, in.typ).SchemaJSON()
		if _, err := schemagen.New(text); err != nil {
			t.Errorf("%s: %v", in.name, err)
		}
		if !strings.Contains(string(text), `"type":"object"`) || strings.Contains(string(text), `"$`) {
			t.Errorf("%s: no object, or a reference: %s", in.name, text)
		}
		var schema struct {
			Type       string
			Properties map[string]json.RawMessage
		}
		if err := json.Unmarshal(text, &schema); err != nil || schema.Type != "object" {
			t.Errorf("%s: type %q, %v", in.name, schema.Type, err)
		}
		for name, property := range schema.Properties {
			if property[0] != '{' {
				t.Errorf("%s: the schema of %s is %s, want an object", in.name, name, property)
			}
		}
	}
}
