package dev_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/dev"
)

// An operator lets the prices of a shop be read again while the server runs.
func Example() {
	sources := dev.NewSources()
	err := sources.Add(dev.TargetData, "prices", dev.SourceFunc(func(*registry.Call) ([]string, error) {
		fmt.Println("reading the prices")
		return []string{"prices"}, nil
	}))
	reg := registry.New(registry.Options{})
	if err == nil {
		err = reg.Register(dev.All(sources)...)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	ada := &profiles.Principal{ID: "ada", Grants: profiles.Grant("scene.read")}
	for _, input := range []string{`{"target":"data","name":"prices"}`, `{"target":"scene","name":"shop"}`} {
		res := reg.Invoke(context.Background(), &registry.Request{Name: "dev.reload", Input: []byte(input), Principal: ada}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			continue
		}
		fmt.Println(string(res.Output))
	}
	// Output:
	// reading the prices
	// {"ok":true,"target":"data","invalidated":["prices"]}
	// there is no source for scene shop; what can be reloaded: data prices
}
