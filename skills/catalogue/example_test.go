package catalogue_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/catalogue"
)

// An agent finds a skill by words and calls it by the name that it found.
func Example() {
	type in struct {
		Kind string `json:"kind" validate:"oneof=clear rain snow"`
	}
	type out struct {
		OK bool `json:"ok"`
	}
	reg := registry.New(registry.Options{})
	err := reg.Register(append(catalogue.All(), registry.Define(registry.Spec[in, out]{
		Name: "world.setWeather", Description: "Let it rain or snow.", Permissions: []profiles.Permission{"world.write"},
		Handle: func(*registry.Call, in) (out, error) { return out{true}, nil },
	}))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	agent := &profiles.Principal{ID: "ada", Session: "s1", Grants: profiles.Grant("world.write")}
	call := func(name, input string) {
		res := reg.Invoke(context.Background(), &registry.Request{Name: name, Input: []byte(input), Principal: agent}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
		fmt.Println(string(res.Output))
	}
	call("skills.search", `{"query":"make it rain"}`)
	call("skills.call", `{"name":"world.setWether","input":{"kind":"rain"}}`)
	call("skills.call", `{"name":"world.setWeather","input":{"kind":"rain"}}`)
	// Output:
	// {"matches":[{"name":"world.setWeather","description":"Let it rain or snow.","category":"world"}]}
	// unknown skill: world.setWether. Nearest: world.setWeather
	// {"ok":true}
}
