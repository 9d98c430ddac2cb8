package wire_test

import (
	"fmt"

	"github.com/limina-mcp/limina/internal/wire"
)

func Example() {
	type In struct {
		Shape string  `json:"shape,omitempty" validate:"oneof=box sphere" jsonschema:"default=box" jsonschema_description:"Visible shape."`
		Size  float64 `json:"size" validate:"gt=0,lte=50" jsonschema_description:"Edge length in metres."`
	}
	plan := wire.PlanOf[In]()

	var in In
	err := plan.Decode([]byte(`{"size": 70, "shpae": "box"}`), &in)
	fmt.Println(err)

	in = In{}
	err = plan.Decode([]byte(`{"size": 1.5}`), &in)
	fmt.Println(in, err)

	text, err := plan.Append(nil, &in)
	fmt.Println(string(text), err)
	fmt.Println(string(plan.SchemaJSON()))
	// Output:
	// size: must be greater than 0 and at most 50, got 70; shpae: unknown field, did you mean "shape"? allowed: shape, size
	// {box 1.5} <nil>
	// {"shape":"box","size":1.5} <nil>
	// {"properties":{"shape":{"type":"string","enum":["box","sphere"],"description":"Visible shape.","default":"box"},"size":{"type":"number","maximum":50,"exclusiveMinimum":0,"description":"Edge length in metres."}},"additionalProperties":false,"type":"object","required":["size"]}
}

func ExampleParseEnvelope() {
	line := []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"scene_inspect","arguments":{"sampleSize":2}}}`)
	var e wire.Envelope
	if wire.ParseEnvelope(line, &e, nil) {
		fmt.Printf("%s %s %s %s\n", e.ID, e.Method, e.Name, e.Arguments)
	}
	// Output: 7 tools/call scene_inspect {"sampleSize":2}
}
