package terrain_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/terrain"
	"github.com/limina-mcp/limina/world"
)

func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(terrain.All(terrain.New(w, nil))...); err != nil {
		panic(err)
	}
	grants, err := profiles.Builtin().Resolve("terrain.author")
	if err != nil {
		panic(err)
	}
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: grants}
	for _, call := range [][2]string{
		{"world.generateRegion", `{"seed":1234,"type":"islands","bounds":{"minTx":0,"minTz":0,"maxTx":0,"maxTz":0}}`},
		{"terrain.sampleHeight", `{"seed":1234,"type":"islands","x":10,"z":20}`},
	} {
		res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: ann}, nil)
		fmt.Println(string(res.Output))
	}
	// Output:
	// {"regionId":"ent_0","tiles":1,"bodies":[1],"keys":["0,0"],"meshes":1,"relief":{"minY":-3.180260181427002,"maxY":0.6710889935493469},"lowest":[48,-3.180260181427002,27],"highest":[22.5,0.6710889935493469,0],"seaLevel":0}
	// {"y":-1.5840671459833782}
}
