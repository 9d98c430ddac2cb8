package raw_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/registry/raw"
)

func Example() {
	k, err := raw.Define(registry.RawSpec{
		Name: "elsewhere.double", Description: "Double a number.", Permissions: []profiles.Permission{profiles.Anyone},
		InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`),
		Handle: func(_ *registry.Call, input json.RawMessage) (json.RawMessage, error) {
			var in struct{ N int }
			if err := json.Unmarshal(input, &in); err != nil {
				return nil, err
			}
			return json.Marshal(map[string]int{"n": 2 * in.N})
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := registry.New(registry.Options{})
	if err := r.Register(k); err != nil {
		fmt.Println(err)
		return
	}
	for _, input := range []string{`{"n":4}`, `{"n":"4"}`} {
		res := r.Invoke(context.Background(), &registry.Request{Name: "elsewhere.double", Input: []byte(input), Principal: new(profiles.Principal)}, nil)
		if res.Err != nil {
			fmt.Println(res.Err.Message)
			continue
		}
		fmt.Printf("%s\n", res.Output)
	}
	// Output:
	// {"n":8}
	// n: type: 4 has type "string", want "integer"
}
