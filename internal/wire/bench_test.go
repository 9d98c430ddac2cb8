package wire_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/go-playground/validator/v10"

	"github.com/limina-mcp/limina/internal/wire"
)

// The call of ../shared/bench.
var (
	flatText = []byte(`{"shape":"box","size":1.5,"color":16746496,"position":[1,2,3],"dynamic":true,"material":"wood"}`)
	callText = []byte(`{"jsonrpc":"2.0","id":12345,"method":"tools/call","params":{"name":"scene.createEntity","arguments":` + string(flatText) + `}}`)
)

func run(b *testing.B, name string, f func() error) {
	b.Helper()
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := f(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkDecode reads and checks the six fields of scene.createEntity.
func BenchmarkDecode(b *testing.B) {
	in, plan, limits := new(flat), wire.PlanOf[flat](), validator.New()
	run(b, "wire", func() error {
		*in = flat{}
		return plan.Decode(flatText, in)
	})
	run(b, "encoding-json+validator", func() error {
		*in = flat{}
		d := json.NewDecoder(bytes.NewReader(flatText))
		d.DisallowUnknownFields()
		if err := d.Decode(in); err != nil {
			return err
		}
		return limits.Struct(in)
	})
	spaced := []byte(`{"position": [1.0, 2.0, 3.0], "dynamic": true, "shape": "box", "color": 16746496, "material": "wood", "size": 1.5}`)
	run(b, "wire-python-style", func() error {
		*in = flat{}
		return plan.Decode(spaced, in)
	})
	made, presets := new(create), wire.PlanOf[create]()
	few := []byte(`{"color":7,"position":[0.25,-4.5,12.125]}`)
	run(b, "wire-defaults", func() error {
		*made = create{}
		return presets.Decode(few, made)
	})
	looked, bubble := new(panel), wire.PlanOf[panel]()
	union := []byte(`{"anchor":{"kind":"world","entity":"ent_12"},"target":[1,2,3]}`)
	run(b, "wire-unions", func() error {
		*looked = panel{}
		return bubble.Decode(union, looked)
	})
	run(b, "wire-error", func() error {
		*in = flat{}
		if plan.Decode([]byte(`{"shpae":"box","size":70}`), in) == nil {
			b.Fatal("no error")
		}
		return nil
	})
}

func BenchmarkCheck(b *testing.B) {
	in, plan, limits := new(flat), wire.PlanOf[flat](), validator.New()
	if err := plan.Decode(flatText, in); err != nil {
		b.Fatal(err)
	}
	run(b, "wire", func() error { return plan.Check(in) })
	run(b, "validator", func() error { return limits.Struct(in) })
}

// BenchmarkAppend writes {"entity":"ent_12"}, the output of scene.createEntity, and
// its input.
func BenchmarkAppend(b *testing.B) {
	type output struct {
		Entity entity `json:"entity"`
	}
	var dst []byte
	out, plan := &output{12}, wire.PlanOf[output]()
	run(b, "wire", func() (err error) {
		dst, err = plan.Append(dst[:0], out)
		return err
	})
	run(b, "encoding-json", func() (err error) {
		dst, err = json.Marshal(out)
		return err
	})
	in, wide := new(flat), wire.PlanOf[flat]()
	if err := wide.Decode(flatText, in); err != nil {
		b.Fatal(err)
	}
	run(b, "wire-six-fields", func() (err error) {
		dst, err = wide.Append(dst[:0], in)
		return err
	})
	run(b, "encoding-json-six-fields", func() (err error) {
		dst, err = json.Marshal(in)
		return err
	})
}

// BenchmarkEnvelope takes a tools/call apart; BenchmarkDecode follows in the server.
func BenchmarkEnvelope(b *testing.B) {
	var e wire.Envelope
	run(b, "wire", func() error {
		if !wire.ParseEnvelope(callText, &e, nil) {
			b.Fatal("not taken")
		}
		return nil
	})
	run(b, "encoding-json", func() error {
		var m struct {
			JSONRPC string
			ID      json.RawMessage
			Method  string
			Params  struct {
				Name      string
				Arguments json.RawMessage
			}
		}
		return json.Unmarshal(callText, &m)
	})
}

func BenchmarkValid(b *testing.B) {
	run(b, "wire", func() error { return wire.Valid(callText) })
	run(b, "encoding-json", func() error {
		if !json.Valid(callText) {
			b.Fatal("not valid")
		}
		return nil
	})
	long, _ := json.Marshal(string(bytes.Repeat([]byte("Lorem ipsum. "), 100)))
	run(b, "wire-long-string", func() error { return wire.Valid(long) })
}

// BenchmarkCompile is what a skill's input costs at registration, and its schema when
// somebody asks for it.
func BenchmarkCompile(b *testing.B) {
	run(b, "plan", func() error {
		_, err := wire.Compile(reflect.TypeFor[create](), nil)
		return err
	})
	run(b, "plan+schema", func() error {
		plan, err := wire.Compile(reflect.TypeFor[create](), nil)
		if err == nil {
			plan.SchemaJSON()
		}
		return err
	})
}

func BenchmarkAppendString(b *testing.B) {
	var dst []byte
	for _, s := range []string{"box", "scene.createEntity", "a sentence of the usual length, as one says", "äöü and \"quotes\"\n"} {
		run(b, s[:3], func() error {
			dst = wire.AppendString(dst[:0], s)
			return nil
		})
	}
}
