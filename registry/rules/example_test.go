package rules_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/registry/rules"
)

func Example() {
	type in struct {
		Mail string `json:"mail" validate:"email" jsonschema_description:"Where the invitation goes: an e-mail address."`
	}
	type out struct{}
	r := registry.New(registry.Options{})
	err := r.Register(registry.Define(registry.Spec[in, out]{
		Name: "demo.invite", Description: "Invite somebody.", Permissions: []profiles.Permission{profiles.Anyone},
		Rules:  rules.Validator(),
		Handle: func(*registry.Call, in) (out, error) { return out{}, nil },
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, mail := range []string{"ada@example.com", "ada"} {
		_, err = registry.Invoke[in, out](context.Background(), r, nil, "demo.invite", in{Mail: mail})
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// mail: breaks the rule "email", got ada
}
