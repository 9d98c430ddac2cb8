package save_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/save"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// What one server has saved another one with the same key goes on with.
func Example() {
	key := make([]byte, save.KeySize) // a real one is kept secret
	ann := &profiles.Principal{ID: "ann", Grants: profiles.Grant("scene.read", "scene.write", "save.write")}
	server := func() func(name, input string) string {
		w := world.New(world.Config{})
		reg := registry.New(registry.Options{Tick: w.Tick})
		saves := save.New(w, save.Options{Key: func() ([]byte, error) { return key, nil }})
		if err := reg.Register(slices.Concat(scene.All(w), save.All(saves))...); err != nil {
			panic(err)
		}
		return func(name, input string) string {
			res := reg.Invoke(context.Background(), &registry.Request{Name: name, Input: []byte(input), Principal: ann}, nil)
			if res.Err != nil {
				return res.Err.Error()
			}
			return string(res.Output)
		}
	}

	today := server()
	today("scene.createEntity", `{"position":[1,2,3]}`)
	today("save.export", `{"name":"evening"}`)
	var out struct{ Data string }
	if err := json.Unmarshal([]byte(today("save.slot", `{"action":"load","name":"evening"}`)), &out); err != nil {
		fmt.Println(err)
		return
	}

	tomorrow := server()
	fmt.Println(tomorrow("save.import", fmt.Sprintf(`{"data":%q}`, out.Data)))
	fmt.Println(tomorrow("scene.queryEntities", `{}`))
	// Output:
	// {"ok":true,"mode":"snapshot","entities":1,"idShift":0}
	// {"entities":[{"entity":"ent_0","position":[1,2,3],"distance":0}]}
}
