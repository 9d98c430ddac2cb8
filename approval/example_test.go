package approval_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// The calls of a builder under review wait until a reviewer has granted them.
func Example() {
	gate := approval.NewGate(approval.Options{Profiles: []string{"builder.review"}})
	reg := registry.New(registry.Options{Gate: gate})
	type none struct{}
	if err := reg.Register(registry.Define(registry.Spec[none, none]{
		Name: "wall.paint", Description: "Paint the wall.", Permissions: []profiles.Permission{"scene.write"},
		Handle: func(c *registry.Call, _ none) (none, error) {
			fmt.Println("painted by", c.Principal().ID)
			return none{}, nil
		},
	})); err != nil {
		fmt.Println(err)
		return
	}

	bob := &profiles.Principal{ID: "bob", Session: "s1", Profile: "builder.review", Grants: profiles.Grant("scene.write")}
	rita := &profiles.Principal{ID: "rita", Session: "s2", Profile: "reviewer"}
	ctx := context.Background()
	res := reg.Invoke(ctx, &registry.Request{Name: "wall.paint", Principal: bob}, nil)
	fmt.Println(res.Err.Code, res.Err.Message)

	for _, held := range gate.List() {
		_, _, err := gate.Grant(ctx, held.ID, bob)
		fmt.Println(err)
		_, res, err := gate.Grant(ctx, held.ID, rita)
		fmt.Println(res.Err == nil, err)
	}
	// Output:
	// pending_approval apr_1
	// approvalId: apr_1 is your own call; another reviewer has to grant it
	// painted by bob
	// true <nil>
}
