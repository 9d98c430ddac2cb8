package skills_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestTheNewestOrderCounts has a character walk by navmesh.moveTo and be steered by player.move, one after the other: whichever came last is what it does.
func TestTheNewestOrderCounts(t *testing.T) {
	r := moving(t)
	r.Do("scene.createEntity", `{"scale":[60,1,60],"position":[0,-0.5,0],"static":true}`)
	r.Do("player.spawn", `{"position":[0,1,0]}`)
	r.Steps(30)
	r.Do("navmesh.build", `{"bounds":{"minX":-25,"minZ":-25,"maxX":25,"maxZ":25},"cellSize":0.5,"agentRadius":0.4}`)
	at := func() (x, z float64) {
		t.Helper()
		r.World.View(func(v *world.View) {
			p, _ := v.Position(2)
			x, z = p[0], p[2]
		})
		return x, z
	}
	r.Do("navmesh.moveTo", `{"entity":"ent_1","target":[20,0,0]}`)
	r.Steps(60)
	if x, _ := at(); x < 2 || x > 4 {
		t.Fatalf("it has walked to x %v in a second", x)
	}
	if got := r.Do("player.move", `{"entity":"ent_1","forward":1,"yaw":0,"seconds":2}`); !strings.Contains(got, `"halted":true`) {
		t.Errorf("steered on its way: %s", got)
	}
	before, _ := at()
	r.Steps(180)
	if x, z := at(); x < before-0.1 || x > before+0.1 || z < 5 {
		t.Errorf("steered to +z from x %v it is at %v, %v", before, x, z)
	}
	if got := r.Do("player.move", `{"entity":"ent_1","forward":1,"yaw":0,"seconds":60}`); strings.Contains(got, "halted") {
		t.Errorf("steered where it stood: %s", got)
	}
	r.Steps(30)
	r.Do("navmesh.moveTo", `{"entity":"ent_1","target":[0,0,0]}`)
	r.Steps(60 * 8)
	if x, z := at(); x*x+z*z > 0.5 {
		t.Errorf("sent back while it is steered it is at %v, %v", x, z)
	}
}
