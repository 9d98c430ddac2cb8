package wire_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/schemagen"
	"github.com/limina-mcp/limina/internal/wire"
)

// typeOf is the T of a *T.
func typeOf(v any) reflect.Type { return reflect.TypeOf(v).Elem() }

func TestCheckSaysWhatIsWrong(t *testing.T) {
	five := 5
	for _, tt := range []struct {
		v    any
		want []string
	}{
		{&flat{Shape: "box", Size: 1}, nil},
		{&flat{Shape: "cone", Size: math.NaN(), Color: -1, Position: vec3{1, 2, math.Inf(1)}}, []string{
			`shape: must be one of "box", "sphere", got "cone"`,
			`size: must be a finite number, got NaN`,
			`color: must be from 0 to 16777215, got -1`,
			`position[2]: must be a finite number, got +Inf`,
		}},
		{&numbers{}, nil}, // all may be absent, and what is zero is
		{&numbers{I16: 8, U8: 200, Size: 5, F32: math.MaxFloat32, Neg: 1, U64: math.MaxUint64, U: math.MaxUint64}, []string{
			`i16: must not be 8`,
			`u: must be from 0 to 9007199254740991, got 18446744073709551615`,
			`f32: must be from -3.4e+38 to 3.4e+38, got 3.4028235e+38`,
			`size: must be one of 512, 1024, 2048, got 5`,
			`neg: must be at most -0.01, got 1`,
		}},
		{&numbers{Even: 4}, nil},
		{&numbers{Even: 6}, []string{`even: must not be 6`}},
		{&single{Thin: 0.1, Wide: 0.7, Off: 0.2, Only: 0.3}, nil},
		{&single{Thin: 0.1 + 1e-8, Wide: 0.6, Off: 0.1, Only: 0.3 + 1e-7}, []string{
			`thin: must be greater than 0 and at most 0.1, got 0.10000001`,
			`wide: must be at least 0.7 and less than 16777217, got 0.6`,
			`off: must not be 0.1`,
			`only: must be at least 0.3 and at most 0.3, got 0.3000001`,
		}},
		{&texts{Pick: "lower"}, []string{`pick: must not be lower`}},
		{&lists{}, []string{`lines: must have from 1 to 3 items, got 0`}},
		{&lists{Lines: []string{"äöüßé", "sixsix"}, Ptrs: []*int{&five, nil}, Numbers: []float64{1, 0, 1}}, []string{
			`lines[1]: must have at most 5 characters, got 6`,
			`numbers[1]: must not be 0`,
			`numbers: must not hold anything twice: items 0 and 2 are equal`,
			`ptrs[0]: must be at most 4, got 5`,
			`ptrs[1]: must not be nil`,
		}},
		{&maps{Hashes: map[string]string{"b": "12345", "a": "1"}, Raw: json.RawMessage(`{`)}, []string{
			`hashes.a: must have exactly 4 characters, got 1`,
			`hashes.b: must have exactly 4 characters, got 5`,
			`raw: not valid JSON: the text ends too early, at offset 1, after "{"`,
		}},
		{&pointers{}, []string{`preset: must not be nil`}},
		{&texts{Short: "a", Exact: "abcd", Not: "no", Choice: "up"}, []string{
			`short: must have from 2 to 4 characters, got 1`,
			`exact: must have exactly 3 characters, got 4`,
			`not: must not be no`,
			`choice: must be one of "left", "right", "top left", got "up"`,
		}},
		{&fallback{Mail: "nobody"}, []string{`mail: breaks the rule "email", got nobody`}},
		{&struct{ S self }{1}, nil},
		{&struct{ S self }{-1}, []string{`S: must not be negative`}},
	} {
		err := compile(t, typeOf(tt.v)).Check(tt.v)
		var got []string
		var problems wire.Errors
		errors.As(err, &problems)
		for _, p := range problems {
			got = append(got, p.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Check(%+v) (-want +got):\n%s", tt.v, diff)
		}
	}
}

// spot has floats and what Check has nothing to say about, all in one piece of memory: it is looked at without its plan.
type spot struct {
	Name string                      `json:"name,omitempty"`
	At   vec3                        `json:"at"`
	Box  struct{ Lo, Hi [2]float64 } `json:"box"`
	Tags []string                    `json:"tags"`
	Wide float64                     `json:"wide,omitempty"`
}

// TestCheckOfFloatsSideBySide puts what is no number in each place of values that hold little else.
func TestCheckOfFloatsSideBySide(t *testing.T) {
	type all struct {
		Spots []spot    `json:"spots"`
		Pair  [2]spot   `json:"pair"`
		Most  []float64 `json:"most"`
	}
	v := all{Spots: make([]spot, 3), Most: []float64{3.4e38, -3.4e38, 0}}
	v.Spots[1] = spot{"a", vec3{1, 2, 3}, struct{ Lo, Hi [2]float64 }{}, []string{"b"}, 3.4e38}
	plan := wire.PlanOf[all]()
	if err := plan.Check(&v); err != nil {
		t.Fatalf("Check(%+v) = %v, want nil", v, err)
	}
	places := map[string]*float64{
		"spots[0].at[0]": &v.Spots[0].At[0], "spots[1].at[2]": &v.Spots[1].At[2], "spots[2].wide": &v.Spots[2].Wide,
		"spots[1].box.Lo[1]": &v.Spots[1].Box.Lo[1], "pair[1].box.Hi[0]": &v.Pair[1].Box.Hi[0], "pair[0].wide": &v.Pair[0].Wide, "most[2]": &v.Most[2],
	}
	for path, place := range places {
		for _, bad := range []float64{math.NaN(), math.Inf(-1), 3.5e38} {
			before := *place
			*place = bad
			err := plan.Check(&v)
			*place = before
			var problems wire.Errors
			if errors.As(err, &problems); len(problems) != 1 || problems[0].Path != path {
				t.Errorf("%s = %v: Check = %v, want a problem there", path, bad, err)
			}
		}
	}
}

// self is a union that checks itself.
type self int

func (s self) Check() error {
	if s < 0 {
		return wire.Errors{{Message: "must not be negative"}}
	}
	return nil
}
func (s self) MarshalJSON() ([]byte, error)  { return json.Marshal(int(s)) }
func (s *self) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, (*int)(s)) }
func (self) JSONSchema() *jsonschema.Schema  { return &jsonschema.Schema{Type: "integer"} }

// emptyIsNil is for what omitempty leaves out. JSON text has a comparison of its own.
var emptyIsNil = cmp.FilterPath(func(p cmp.Path) bool {
	return p.Last().Type() != reflect.TypeFor[json.RawMessage]()
}, cmpopts.EquateEmpty())

// What was decoded passes Check, and writes a text that decodes to the same value.
func TestDecodedValuesCheckAndComeBack(t *testing.T) {
	for _, in := range inputs {
		t.Run(in.name, func(t *testing.T) {
			plan := compile(t, in.typ)
			g, err := schemagen.New(plan.SchemaJSON())
			if err != nil {
				t.Fatal(err)
			}
			for input := range g.Inputs(4, 500) {
				v, again := reflect.New(in.typ), reflect.New(in.typ)
				if plan.Decode(input.JSON, v.Interface()) != nil {
					continue
				}
				if err := plan.Check(v.Interface()); err != nil {
					t.Fatalf("Check of what %s decodes to: %v", input.JSON, err)
				}
				text, err := plan.Append(nil, v.Interface())
				if err != nil {
					t.Fatalf("Append of what %s decodes to: %v", input.JSON, err)
				}
				if err := plan.Decode(text, again.Interface()); err != nil {
					t.Fatalf("Decode of %s: %v", text, err)
				}
				if diff := cmp.Diff(v.Interface(), again.Interface(), sameValue, emptyIsNil); diff != "" {
					t.Fatalf("%s came back as something else (-before +after):\n%s", text, diff)
				}
			}
		})
	}
}

// What Check accepts, Append writes so that the schema accepts it: the rule for
// outputs. Types are those whose zero members are left out.
func TestCheckedValuesAreValid(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, typ := range []reflect.Type{reflect.TypeFor[flat](), reflect.TypeFor[numbers](), reflect.TypeFor[texts](), reflect.TypeFor[maps](), reflect.TypeFor[pointers](), reflect.TypeFor[embedded]()} {
		plan := compile(t, typ)
		g, err := schemagen.New(plan.SchemaJSON())
		if err != nil {
			t.Fatal(err)
		}
		valid := 0
		for input := range g.Inputs(5, 2000) {
			v := reflect.New(typ)
			if plan.Decode(input.JSON, v.Interface()) != nil {
				continue
			}
			if f := v.Elem().Field(r.IntN(typ.NumField())); f.CanSet() {
				fill(r, f)
			}
			checked := plan.Check(v.Interface())
			text, err := plan.Append(nil, v.Interface())
			if err != nil {
				continue
			}
			if g.Valid(text) != (checked == nil) {
				t.Fatalf("%s: Check says %v, the schema does not agree", text, checked)
			}
			if checked == nil {
				valid++
			}
		}
		t.Logf("%v: %d valid", typ, valid)
	}
}
