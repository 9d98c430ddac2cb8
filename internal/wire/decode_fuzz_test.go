package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/internal/schemagen"
	"github.com/limina-mcp/limina/internal/wire"
)

// compareWithOracle holds Decode to the oracle, for one text and type.
func compareWithOracle(t *testing.T, plan *wire.Plan, text []byte) {
	t.Helper()
	got := reflect.New(plan.Type())
	err := plan.Decode(text, got.Interface())
	compareRead(t, plan, text, got, err)
	compareFree(t, text)
	want, why := oracle(plan.Type(), text)
	if (err == nil) != (why == nil) {
		t.Fatalf("Decode(%s) into %v: %v\nthe oracle: %v", text, plan.Type(), err, why)
	}
	if err != nil {
		var problems wire.Errors
		if !errors.As(err, &problems) || len(problems) == 0 || len(problems) > wire.MaxProblems || strings.Contains(err.Error(), "\n") {
			t.Fatalf("Decode(%s): the error is %#v, want Errors on one line", text, err)
		}
		return
	}
	if diff := cmp.Diff(want.Interface(), got.Interface(), sameValue...); diff != "" {
		t.Fatalf("Decode(%s) into %v (-want +got):\n%s", text, plan.Type(), diff)
	}
}

// compareRead holds Read to what Decode says of the same text.
func compareRead(t *testing.T, plan *wire.Plan, text []byte, want reflect.Value, err error) {
	t.Helper()
	const before, behind = `{"a":`, `,"b":1}`
	value := bytes.Trim(text, " \t\r\n")
	line := slices.Concat([]byte(before), value, []byte(behind))
	got := reflect.New(plan.Type())
	end := plan.Read(line, len(before), got.Interface())
	if end < 0 {
		if err == nil && plan.Reads() {
			t.Fatalf("Read(%s) into %v does not read what Decode takes", value, plan.Type())
		}
		return
	}
	if read := line[len(before):end]; !bytes.Equal(read, value) { // the text was no value, but what Read took is one
		want = reflect.New(plan.Type())
		err = plan.Decode(read, want.Interface())
	}
	if err != nil {
		t.Fatalf("Read(%s) into %v ends at %d; Decode: %v", line, plan.Type(), end, err)
	}
	if diff := cmp.Diff(want.Interface(), got.Interface(), sameValue...); diff != "" {
		t.Fatalf("Read(%s) into %v (-Decode +Read):\n%s", line, plan.Type(), diff)
	}
}

// compareFree holds Free to what Decode says of the same text as any value.
func compareFree(t *testing.T, text []byte) {
	t.Helper()
	var v any
	if got, want := wire.Free(text), wire.Unmarshal(text, &v); !reflect.DeepEqual(got, want) {
		t.Fatalf("Free(%s): %v\nDecode: %v", text, got, want)
	}
}

// sameValue compares everything, unexported fields too, and JSON text by meaning.
var sameValue = cmp.Options{
	cmp.Exporter(func(reflect.Type) bool { return true }),
	cmp.Transformer("parsed", func(raw json.RawMessage) (v any) {
		_ = json.Unmarshal(raw, &v)
		return v
	}),
}

func TestDecodeAgreesWithOracle(t *testing.T) {
	for _, in := range inputs {
		t.Run(in.name, func(t *testing.T) {
			plan := compile(t, in.typ)
			g, err := schemagen.New(plan.SchemaJSON())
			if err != nil {
				t.Fatal(err)
			}
			for input := range g.Inputs(2, 500) {
				compareWithOracle(t, plan, input.JSON)
			}
		})
	}
}

// TestSingleAgreesWithOracle reads numbers about the limits of a float32, and what is rounded to them.
func TestSingleAgreesWithOracle(t *testing.T) {
	plan := compile(t, reflect.TypeFor[single]())
	near := []string{"0", "-0", "1e-60", "-1e-60", "1e-45", "7e-46", "0.1", "0.10", "1e-1", "0.10000000001", "0.0999999999", "0.09999999", "0.11", "0.3", "0.30000000001", "0.7", "0.69999999999", "0.6999999", "16777215.5", "16777215.6", "16777216", "16777217", "3.4e38"}
	for _, member := range []string{"thin", "wide", "off", "only"} {
		for _, number := range near {
			text := []byte(`{"` + member + `":` + number + `}`)
			compareWithOracle(t, plan, text)
			v := single{}
			if err := plan.Decode(text, &v); err != nil {
				continue
			}
			if err := plan.Check(&v); err != nil {
				t.Errorf("Check of what %s decodes to: %v", text, err)
			}
		}
	}
}

// spoilt yields text with each of its bytes left out, or with one of those that mean something to JSON in its place.
func spoilt(text string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := range len(text) {
			for _, c := range []string{"", `"`, ",", ":", "{", "}", "[", "]", "1", " ", "x", `\`} {
				if !yield([]byte(text[:i] + c + text[i+1:])) {
					return
				}
			}
		}
	}
}

// TestSpoiltText leaves out and exchanges every byte of texts that hold something of every kind.
func TestSpoiltText(t *testing.T) {
	for _, tt := range []struct {
		typ  reflect.Type
		text string
	}{
		{reflect.TypeFor[maps](), `{"hashes":{"a":"1234","b":"5678"},"parts":{"p":{"kind":"wall","weight":1},"q":{"kind":"wall","weight":2}},"free":{"k":[1,{"x":null},"s"],"l":true},"raw":[{"a":"b","c":-1e2}],"lists":{"l":[1,2.5],"m":[]}}`},
		{reflect.TypeFor[lists](), `{"lines":["a","\u0062c"],"grid":[[1,2],[3,-3]],"pairs":[["a","b"]],"numbers":[1.5,-2e1],"ptrs":[null,4]}`},
		{reflect.TypeFor[style](), `{"title":{"color":{"r":1,"g":2,"b":3},"scale":3},"maxLines":2,"padding":1.5,"runs":[{"text":"a","color":7,"scale":-1}]}`},
		{reflect.TypeFor[create](), `{"shape":"box","size":1.5,"pbr":true,"position":[1,0,-1],"tags":["a","b"],"layers":[],"meta":{"a":[1]}}`},
	} {
		plan := compile(t, tt.typ)
		compareWithOracle(t, plan, []byte(tt.text))
		for text := range spoilt(tt.text) {
			compareWithOracle(t, plan, text)
		}
	}
}

func FuzzDecode(f *testing.F) {
	var plans []*wire.Plan
	for k, in := range inputs {
		plan := compile(f, in.typ)
		plans = append(plans, plan)
		g, err := schemagen.New(plan.SchemaJSON())
		if err != nil {
			f.Fatal(err)
		}
		for input := range g.Inputs(3, 40) {
			f.Add(input.JSON, uint(k))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, k uint) {
		if nesting(text) > 100 {
			return // the oracle does not know the limit
		}
		compareWithOracle(t, plans[k%uint(len(plans))], text)
	})
}

// nesting is no less than the depth of a JSON text.
func nesting(text []byte) (deepest int) {
	depth := 0
	for _, c := range text {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		deepest = max(deepest, depth)
	}
	return deepest
}
