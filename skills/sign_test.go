package skills_test

import (
	"encoding/json"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestSigns has the sign of each instance of a prefab be before its front, however that is turned.
func TestSigns(t *testing.T) {
	r := room(t)
	r.Do("prefab.define", `{"name":"stall","operations":[
		{"skill":"scene.createEntity","input":{"position":[0,1,0],"size":2},"as":"box"},
		{"skill":"ui.label","input":{"anchor":{"kind":"world","entity":"$box.entity","offset":[0,0.5,1.2]},"text":"Bread"}}]}`)
	r.Do("prefab.instantiate", `{"name":"stall","position":[10,0,0]}`)
	r.Do("prefab.instantiate", `{"name":"stall","position":[20,0,0],"rotationEuler":[0,1.570796,0]}`)
	r.Do("prefab.instantiate", `{"name":"stall","position":[30,0,0],"rotationEuler":[0,3.141593,0]}`)
	var out struct {
		Panels []struct{ Position world.Vec3 }
	}
	if err := json.Unmarshal([]byte(r.Do("ui.list", `{}`)), &out); err != nil || len(out.Panels) != 3 {
		t.Fatal(out, err)
	}
	for i, want := range []world.Vec3{{10, 1.5, 1.2}, {21.2, 1.5, 0}, {30, 1.5, -1.2}} {
		if at := out.Panels[i].Position; at.Dist(want) > 1e-4 {
			t.Errorf("sign %d is at %v, want %v", i, at, want)
		}
	}
}
