package wire_test

import (
	"reflect"
	"testing"

	"github.com/limina-mcp/limina/internal/schemagen"
	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry/rules"
)

// What the schema accepts is what the decoder accepts: for each type on generated
// inputs, good ones and spoilt ones.
func TestSchemaAndDecoderAgree(t *testing.T) {
	for _, in := range inputs {
		t.Run(in.name, func(t *testing.T) {
			plan := compile(t, in.typ)
			g, err := schemagen.New(plan.SchemaJSON())
			if err != nil {
				t.Fatal(err)
			}
			good := 0
			for input := range g.Inputs(1, 1000) {
				v := reflect.New(in.typ)
				err := plan.Decode(input.JSON, v.Interface())
				if (err == nil) != input.Valid {
					t.Errorf("%s: %s\nschema says valid=%v, Decode: %v", input.What, input.JSON, input.Valid, err)
				}
				if input.Valid {
					good++
				}
			}
			t.Logf("%d of 1000 valid", good)
		})
	}
}

func compile(tb testing.TB, typ reflect.Type) *wire.Plan {
	tb.Helper()
	plan, err := wire.Compile(typ, rules.Validator())
	if err != nil {
		tb.Fatalf("Compile(%v): %v", typ, err)
	}
	return plan
}
