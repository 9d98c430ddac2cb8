package skills_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestUpstairs has a character walk up the stairs of houses, through the door, by the way that is found, and finds nothing wrong with them.
func TestUpstairs(t *testing.T) {
	for name, c := range map[string]struct {
		house   string
		storeys int
		height  float64
		speed   float64
	}{
		"along the back wall": {`{"storeys":3,"height":3,"width":9}`, 3, 3, 3},
		"along the left wall": {`{"storeys":3,"height":3,"width":7,"depth":9,"roofStyle":"flat","rotation":1.5707963267948966}`, 3, 3, 6},
		"slowly":              {`{"storeys":2,"width":9}`, 2, 3.2, 0.9},
		"as steep as can be":  {`{"storeys":2,"height":3,"width":5.95,"depth":5,"roofStyle":"flat"}`, 2, 3, 1.5},
	} {
		t.Run(name, func(t *testing.T) {
			r := moving(t)
			r.Do("scene.createEntity", `{"name":"ground","shape":"box","position":[0,-0.5,0],"scale":[60,1,60],"size":1,"static":true}`)
			r.Do("architecture.building", "%s", c.house)
			if got := r.Do("scene.validate", `{}`); !strings.Contains(got, `"findings":[]`) {
				t.Errorf("%s", got)
			}
			r.Do("navmesh.build", `{"bounds":{"minX":-8,"minZ":-8,"maxX":8,"maxZ":8},"cellSize":0.25,"diagonal":true,"agentRadius":0.35,"levels":true}`)
			who := entityOf(t, r.Do("player.spawn", `{"position":[6,1,6]}`))
			for storey := 1; storey < c.storeys; storey++ {
				floor := c.height * float64(storey)
				if got := r.Do("navmesh.moveTo", `{"entity":%q,"target":[0,%v,1],"speed":%v}`, who, floor, c.speed); !strings.Contains(got, `"ok":true`) {
					t.Fatalf("no way to storey %d: %s", storey+1, got)
				}
				r.Steps(60 * int(30/c.speed))
				if at := r.At(t, who); at.Dist(world.Vec3{0, floor + 0.87, 1}) > 0.05 {
					t.Fatalf("on the way to storey %d somebody is at %v", storey+1, at)
				}
			}
		})
	}
}

// entityOf returns the entity that an answer names.
func entityOf(t *testing.T, answer string) string {
	t.Helper()
	var out struct{ Entity world.ID }
	if err := json.Unmarshal([]byte(answer), &out); err != nil || out.Entity == 0 {
		t.Fatalf("%s names no entity: %v", answer, err)
	}
	return out.Entity.String()
}
