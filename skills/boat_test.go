package skills_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// frontOf is where the front of an entity points, seen from above.
func frontOf(t *testing.T, r interface {
	Do(string, string, ...any) string
}, entity string,
) (front world.Vec3) {
	t.Helper()
	var out struct {
		Entities []struct {
			Details struct{ RotationEuler world.Vec3 }
		}
	}
	if err := json.Unmarshal([]byte(r.Do("scene.queryEntities", `{"entity":%q,"details":true}`, entity)), &out); err != nil || len(out.Entities) != 1 {
		t.Fatal(err, out)
	}
	turn := out.Entities[0].Details.RotationEuler
	return world.QuatFromEuler(turn[0], turn[1], turn[2]).Rotate(world.Vec3{0, 0, 1})
}

// TestTheDocsBoat runs the example of docs/games.md: the boat floats level and rests with somebody in it, goes by its motor, turns by an oar, and rests again.
func TestTheDocsBoat(t *testing.T) {
	r := moving(t)
	r.Example(t, r.Ann, "../docs/games.md", "### Boats")
	r.Steps(900)
	const who = "ent_4"
	afloat := func(when string) {
		t.Helper()
		if y := r.At(t, "ent_1")[1]; y < -0.2 || y > 0.2 {
			t.Errorf("%s the boat is at y %v", when, y)
		}
		if d := r.At(t, who).Sub(r.At(t, "ent_1")); d[1] < 0.9 || d[1] > 1.2 || d.Len() > 2.2 {
			t.Errorf("%s he is %v from the middle of the boat", when, d)
		}
		tick := r.World.Tick()
		if r.Steps(60); r.World.Tick() != tick {
			t.Errorf("%s the world does not rest", when)
		}
	}
	afloat("at first")
	r.Do("input.set", `{"name":"gas","value":1}`)
	r.Steps(300)
	if at := r.At(t, "ent_1"); at[2] < 4 || math.Abs(at[0]) > 1 {
		t.Errorf("after five seconds of gas the boat is at %v", at)
	}
	r.Do("input.set", `{"name":"gas","value":0}`)
	r.Steps(2400)
	afloat("having gone on")
	before := frontOf(t, r, "ent_1")
	for range 8 {
		r.Do("input.set", `{"name":"left","value":1}`)
		r.Steps(30)
		r.Do("input.set", `{"name":"left","value":0}`)
		r.Steps(30)
	}
	after := frontOf(t, r, "ent_1")
	if turn := after.Cross(before)[1]; before.Dot(after) > 0.95 || turn < 0 {
		t.Errorf("rowed on its left, its front went from %v to %v: it is to turn to the right", before, after)
	}
	r.Steps(2400)
	afloat("having turned")
}

// TestFloats has a builder say how dense things are, and hear of it; what is wrong is refused with what is right.
func TestFloats(t *testing.T) {
	r := moving(t)
	r.Do("world.addWater", `{"level":0,"size":100}`)
	r.Do("scene.createEntity", `{"position":[0,-6,0],"scale":[100,1,100],"static":true}`)
	wood := entityOf(t, r.Do("scene.createEntity", `{"position":[0,1,0],"material":"wood","dynamic":true}`))
	stone := entityOf(t, r.Do("scene.createEntity", `{"position":[4,1,0],"material":"stone","dynamic":true}`))
	heavy := entityOf(t, r.Do("scene.createEntity", `{"position":[8,1,0],"dynamic":true,"density":2000}`))
	r.Steps(600)
	if y := r.At(t, wood)[1]; math.Abs(y-0.1) > 0.03 {
		t.Errorf("wood is at y %v", y)
	}
	for _, id := range []string{stone, heavy} {
		if y := r.At(t, id)[1]; math.Abs(y+5) > 0.03 {
			t.Errorf("%s is at y %v, not on the bed", id, y)
		}
	}
	if got := r.Do("physics.setBody", `{"entity":%q,"density":700}`, heavy); !strings.Contains(got, `"density":700`) || !strings.Contains(got, `"floats":700`) {
		t.Error(got)
	}
	if got := r.Do("physics.setBody", `{"entity":%q,"mass":500}`, wood); strings.Contains(got, `"density"`) || !strings.Contains(got, `"floats":500`) {
		t.Error(got)
	}
	r.Steps(900)
	for id, y := range map[string]float64{wood: 0, heavy: -0.2} {
		if got := r.At(t, id)[1]; math.Abs(got-y) > 0.03 {
			t.Errorf("%s is at y %v, want %v", id, got, y)
		}
	}
	for input, says := range map[string]string{
		`{"entity":"` + wood + `","density":700,"mass":5}`:        "mass, density: give one",
		`{"entity":"` + wood + `","type":"static","density":700}`: "density: is for dynamic bodies",
		`{"entity":"` + wood + `","type":"none","density":700}`:   "type: none",
	} {
		if got, err := r.Call(r.Ann, "physics.setBody", input); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %s, %v", input, got, err)
		}
	}
	if got, err := r.Call(r.Ann, "physics.applyImpulse", fmt.Sprintf(`{"entity":%q,"impulse":[0,0,1],"at":[0,0,9]}`, wood)); err == nil || !strings.Contains(err.Error(), "at: is outside of") {
		t.Error(got, err)
	}
	before := r.At(t, wood)
	r.Do("three.setTransform", `{"entity":%q,"rotationEuler":[0,1.5707963,0]}`, wood)
	r.Do("physics.applyImpulse", `{"entity":%q,"impulse":[0,0,500],"own":true}`, wood)
	r.Steps(60)
	if d := r.At(t, wood).Sub(before); d[0] < 0.2 || math.Abs(d[2]) > 0.1 {
		t.Errorf("pushed to its own front, which is along x, it went %v", d)
	}
}
