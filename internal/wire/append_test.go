package wire_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/internal/wire"
)

// reference is what encoding/json writes, without HTML escapes.
func reference(tb interface {
	Helper()
	Fatalf(string, ...any)
}, v any,
) string {
	tb.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		tb.Fatalf("encoding/json: %v", err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func TestAppendWritesWhatEncodingJSONWrites(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, in := range inputs {
		t.Run(in.name, func(t *testing.T) {
			plan := compile(t, in.typ)
			for range 2000 {
				v := reflect.New(in.typ)
				fill(r, v.Elem())
				got, err := plan.Append([]byte("before "), v.Interface())
				if err != nil {
					t.Fatalf("Append(%+v): %v", v, err)
				}
				if diff := cmp.Diff("before "+reference(t, v.Interface()), string(got)); diff != "" {
					t.Fatalf("Append(%+v) (-encoding/json +wire):\n%s", v, diff)
				}
			}
		})
	}
}

// fill makes a value of v at random, with no nil slices and maps.
func fill(r *rand.Rand, v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *json.RawMessage:
		*x = json.RawMessage([]string{`null`, ` { "a" : [ 1 , "x y\n \u00e4" ] } `, `"<&>"`, `-0.50`}[r.IntN(4)])
		return
	case *any:
		*x = []any{nil, 1.5, "ä\u2028<", map[string]any{"b": []any{1e21, true}, "a": nil}}[r.IntN(4)]
		return
	case *anchor:
		if fill(r, reflect.ValueOf(&x.World).Elem()); x.World == nil {
			x.Screen = &screenAnchor{Kind: "screen"}
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{0, 1, -1, math.MinInt64, math.MaxInt64, r.Int64() - r.Int64()}[r.IntN(6)] >> (64 - v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint([]uint64{0, 1, math.MaxUint64, r.Uint64()}[r.IntN(4)] >> (64 - v.Type().Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(someFloat(r))
	case reflect.String:
		v.SetString(someString(r))
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 3))
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(4) {
			key, item := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(r, key)
			fill(r, item)
			v.SetMapIndex(key, item)
		}
	case reflect.Pointer:
		if v.SetZero(); r.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(r, v.Field(i))
			}
		}
	}
}

func someFloat(r *rand.Rand) float64 {
	switch r.IntN(6) {
	case 0:
		return []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e-6, 9.99e-7, 1e-9, 1e20, 1e21, 1e15, 1e15 + 1, 999999999999999, math.MaxFloat32, math.SmallestNonzeroFloat32, 1 << 53, -123456.75}[r.IntN(17)]
	case 1:
		return float64(r.IntN(2000) - 1000)
	case 2:
		return r.NormFloat64() * 100
	case 3:
		return float64(math.Float32frombits(r.Uint32() &^ (1 << 23))) // never all ones in the exponent
	case 4:
		return math.Round(r.NormFloat64()*1e5) / 1e3
	}
	return math.Ldexp(r.Float64(), r.IntN(200)-100)
}

func someString(r *rand.Rand) string {
	parts := []string{"", "a", "wall", `"`, `\`, "\n\r\t\b\f", "\x00\x1f\x7f", "<&>", "äß漢", "😀", "\u2028\u2029", "\xff", "\xc3", "\xed\xa0\x80", "\ufffd", "a long string of plain letters "}
	s := ""
	for range r.IntN(4) {
		s += parts[r.IntN(len(parts))]
	}
	return s
}

func TestAppendWritesEmptyForNil(t *testing.T) {
	for _, tt := range []struct {
		v    any
		want string
	}{
		{&lists{}, `{"lines":[],"points":[[0,0,0],[0,0,0]]}`},
		{&maps{}, `{"free":{}}`},
		{&pointers{}, `{"text":null,"point":null,"preset":null}`},
		{&struct {
			M map[string][]string
			N []map[string]int
		}{M: map[string][]string{"k": nil}, N: []map[string]int{nil}}, `{"M":{"k":[]},"N":[{}]}`},
		{&struct {
			A any
			R json.RawMessage
		}{}, `{"A":null,"R":null}`},
	} {
		got, err := compile(t, typeOf(tt.v)).Append(nil, tt.v)
		if err != nil || string(got) != tt.want {
			t.Errorf("Append(%+v) = %s, %v, want %s", tt.v, got, err, tt.want)
		}
	}
}

func TestAppendOmitsWhatEncodingJSONOmits(t *testing.T) {
	type zeroable struct {
		A []int          `json:"a,omitzero"`
		B vec3           `json:"b,omitzero"`
		C vec3           `json:"c,omitempty"`
		D part           `json:"d,omitzero"`
		E part           `json:"e,omitempty"`
		F float64        `json:"f,omitempty"`
		G moment         `json:"g,omitzero"`
		H *moment        `json:"h,omitzero"`
		I map[string]int `json:"i,omitempty"`
		J any            `json:"j,omitempty"`
		K [0]int         `json:"k,omitempty"`
		L entity         `json:"l,omitempty"`
		M bool           `json:"m,omitzero"`
		N string         `json:"n,omitzero"`
		O int32          `json:"o,omitzero"`
		P percent        `json:"p,omitzero"`
		Q percent        `json:"q,omitempty"`
	}
	plan := wire.PlanOf[zeroable]()
	for _, v := range []zeroable{
		{},
		{A: []int{}, F: math.Copysign(0, -1), G: moment{1}, H: &moment{1}, I: map[string]int{}, J: 0, P: 100, Q: 100},
		{A: []int{1}, B: vec3{1}, C: vec3{1}, D: part{Kind: "x"}, F: 1, G: moment{2}, H: &moment{2}, I: map[string]int{"a": 1}, L: 1, M: true, N: "n", O: 1},
	} {
		got, err := plan.Append(nil, &v)
		if want := reference(t, &v); err != nil || string(got) != want {
			t.Errorf("Append(%+v) = %s, %v, want %s", v, got, err, want)
		}
	}
}

type percent int

func (p percent) IsZero() bool { return p == 100 }

// moment says itself what zero means.
type moment struct {
	T int `json:"t"`
}

func (m moment) IsZero() bool { return m.T == 1 }

func TestAppendRefuses(t *testing.T) {
	type deep struct {
		Points []vec3             `json:"points,omitempty"`
		Raw    json.RawMessage    `json:"raw,omitempty"`
		Any    any                `json:"any,omitempty"`
		Map    map[string]float64 `json:"map,omitempty"`
		F32    float32            `json:"f32"`
	}
	plan := wire.PlanOf[deep]()
	for _, tt := range []struct {
		v    deep
		want string
	}{
		{deep{Points: []vec3{{}, {0, math.NaN(), 0}}}, "points[1][1]: must be a finite number, got NaN"},
		{deep{Map: map[string]float64{"a b": math.Inf(-1)}}, `map["a b"]: must be a finite number, got -Inf`},
		{deep{Raw: json.RawMessage(`{"a":}`)}, `raw: not valid JSON: unexpected '}' at offset 5, after "{\"a\":"`},
		{deep{Any: make(chan int)}, "any: json: unsupported type: chan int"},
		{deep{F32: float32(math.Inf(1))}, "f32: must be a finite number, got +Inf"},
	} {
		got, err := plan.Append([]byte("before"), &tt.v)
		if err == nil || err.Error() != tt.want || string(got) != "before" {
			t.Errorf("Append(%+v) = %s, %v\nwant before, %s", tt.v, got, err, tt.want)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 50 {
		f.Add(someString(r))
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(wire.AppendString(nil, s)), reference(t, s); got != want {
			t.Errorf("AppendString(%q) = %s, want %s", s, got, want)
		}
	})
}

// TestAppendGiven leaves out defaults only: what is read of both texts is the same value.
func TestAppendGiven(t *testing.T) {
	plan := wire.PlanOf[create]()
	var all create
	if err := plan.Decode([]byte(`{"color":7}`), &all); err != nil {
		t.Fatal(err)
	}
	if text, err := plan.AppendGiven(nil, &all); err != nil || string(text) != `{"color":7,"layers":[1,2]}` { // a slice is not looked at
		t.Errorf("AppendGiven = %s, %v; want what was given", text, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := []byte{'{'}
		for _, field := range [][]string{
			{"shape", "", `"box"`, `"sphere"`},
			{"size", "", "1", "2.5"},
			{"color", "", "0", "16777215", "5"},
			{"scale", "", "[1,1,1]", "[1,-0,1]", "[2,1,1]"},
			{"friction", "", "0.5", "0", "-0"},
			{"static", "", "true", "false"},
			{"layers", "", "[]", "[1,2]", "[3]"},
		} {
			if given := rapid.SampledFrom(field[1:]).Draw(t, field[0]); given != "" {
				text = append(text, `"`+field[0]+`":`+given+`,`...)
			}
		}
		text = append(bytes.TrimSuffix(text, []byte(",")), '}')
		var want, got create
		if err := plan.Decode(text, &want); err != nil {
			t.Fatalf("Decode(%s): %v", text, err)
		}
		short, err := plan.AppendGiven(nil, &want)
		if err != nil {
			t.Fatal(err)
		}
		if err := plan.Decode(short, &got); err != nil {
			t.Fatalf("Decode(%s): %v", short, err)
		}
		if a, b := reference(t, want), reference(t, got); a != b {
			t.Errorf("of %s AppendGiven makes %s:\n%s\n%s", text, short, a, b)
		}
	})
}
