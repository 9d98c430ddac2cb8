package approvals_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/approvals"
)

// A reviewer looks at what is held and grants it.
func Example() {
	gate := approval.NewGate(approval.Options{Profiles: []string{"builder.review"}})
	reg := registry.New(registry.Options{Gate: gate})
	type none struct{}
	err := reg.Register(append(approvals.All(gate), registry.Define(registry.Spec[none, none]{
		Name: "wall.paint", Description: "Paint the wall.", Permissions: []profiles.Permission{"scene.write"},
		Handle: func(*registry.Call, none) (none, error) { return none{}, nil },
	}))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	bob := &profiles.Principal{ID: "bob", Session: "s1", Profile: "builder.review", Grants: profiles.Grant("scene.write")}
	rita := &profiles.Principal{ID: "rita", Session: "s2", Profile: "reviewer", Grants: profiles.Grant("approval.review")}
	call := func(p *profiles.Principal, name, input string) {
		res := reg.Invoke(context.Background(), &registry.Request{Name: name, Input: []byte(input), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err.Code, res.Err)
			return
		}
		fmt.Println(string(res.Output))
	}
	call(bob, "wall.paint", `{}`)
	call(rita, "approval.list", `{}`)
	call(rita, "approval.grant", `{"approvalId":"apr_1"}`)
	// Output:
	// pending_approval apr_1
	// {"pending":[{"approvalId":"apr_1","skill":"wall.paint","agentId":"bob","profile":"builder.review","tick":0,"input":{}}]}
	// {"resolved":true,"applied":true,"error":null}
}
