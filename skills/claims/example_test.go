package claims_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/claims"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// While ann holds a region, bob builds elsewhere.
func Example() {
	w := world.New(world.Config{})
	reg := registry.New(registry.Options{Tick: w.Tick})
	if err := reg.Register(slices.Concat(scene.All(w), claims.All(w))...); err != nil {
		fmt.Println(err)
		return
	}
	call := func(who, skill, input string) {
		p := &profiles.Principal{ID: who, Grants: profiles.Grant("scene.read", "scene.write")}
		res := reg.Invoke(context.Background(), &registry.Request{Name: skill, Input: []byte(input), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
		fmt.Println(string(res.Output))
	}
	call("ann", "world.claim", `{"min":[0,0,0],"max":[9,9,9],"seconds":60,"reason":"the tower"}`)
	call("bob", "scene.createEntity", `{"position":[5,0,5]}`)
	call("bob", "scene.createEntity", `{"position":[50,0,5]}`)
	call("ann", "world.release", `{"claim":"claim_1"}`)
	// Output:
	// {"claim":"claim_1","holder":"ann","min":[0,0,0],"max":[9,9,9],"seconds":60,"reason":"the tower"}
	// ent_0, at [5 0 5], is in a region that ann holds, from [0 0 0] to [9 9 9] until step 3600, for "the tower". Nothing was changed; work elsewhere, or ask ann to world.release it
	// {"entity":"ent_0"}
	// {"ok":true}
}
