package skills_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestUpstairs has a character walk up the stairs of houses, through the door, by the way that is found, and finds nothing wrong with them.
func TestUpstairs(t *testing.T) {
	for _, c := range []struct {
		house   string
		storeys int
		height  float64
		turn    float64
		cell    float64
		radius  float64
		speed   float64
	}{
		{`"storeys":3,"height":3,"width":9`, 3, 3, 0, 0.25, 0.4, 3},
		{`"storeys":3,"height":3,"width":7,"depth":9,"roofStyle":"flat"`, 3, 3, math.Pi / 2, 0.25, 0.4, 6}, // along the left wall
		{`"storeys":2`, 2, 3.2, 0, 0.25, 0.4, 0.9},
		{`"storeys":2`, 2, 3.2, 0.1, 0.12, 0.4, 0.5},
		{`"storeys":2`, 2, 3.2, 0.5236, 0.12, 0.4, 1.4},
		{`"storeys":2`, 2, 3.2, 0.7854, 0.12, 0.4, 3},
		{`"storeys":2`, 2, 3.2, 2, 0.12, 0.4, 2},
		{`"storeys":2,"height":3,"width":6.55,"depth":5,"roofStyle":"flat"`, 2, 3, 0, 0.25, 0.35, 1.5}, // as steep as can be
	} {
		t.Run(fmt.Sprintf("%v, turned by %v", c.house, c.turn), func(t *testing.T) {
			r := moving(t)
			r.Do("scene.createEntity", `{"name":"ground","shape":"box","position":[0,-0.5,0],"scale":[60,1,60],"size":1,"static":true}`)
			r.Do("architecture.building", `{"position":[0.06,0,0],"rotation":%v,%s}`, c.turn, c.house)
			if got := r.Do("scene.validate", `{}`); !strings.Contains(got, `"findings":[]`) {
				t.Errorf("%s", got)
			}
			r.Do("navmesh.build", `{"bounds":{"minX":-8,"minZ":-8,"maxX":8,"maxZ":8},"cellSize":%v,"diagonal":true,"agentRadius":%v,"levels":true}`, c.cell, c.radius)
			who := entityOf(t, r.Do("player.spawn", `{"position":[6,1,6]}`))
			for storey := 1; storey < c.storeys; storey++ {
				to := world.QuatFromEuler(0, c.turn, 0).Rotate(world.Vec3{0.06, c.height * float64(storey), 1})
				if got := r.Do("navmesh.moveTo", `{"entity":%q,"target":[%v,%v,%v],"speed":%v}`, who, to[0], to[1], to[2], c.speed); !strings.Contains(got, `"ok":true`) {
					t.Fatalf("no way to storey %d: %s", storey+1, got)
				}
				r.Steps(int(60 * 32 / c.speed))
				if at := r.At(t, who); at.Dist(to.Add(world.Vec3{0, 0.87, 0})) > 0.05 {
					t.Fatalf("on the way to storey %d somebody is at %v in the frame of the house", storey+1, world.QuatFromEuler(0, -c.turn, 0).Rotate(at))
				}
			}
		})
	}
}

// TestThroughRooms has a character walk through the doors of rooms, upstairs, too, and finds nothing wrong with the house.
func TestThroughRooms(t *testing.T) {
	r := moving(t)
	r.Do("scene.createEntity", `{"name":"ground","shape":"box","position":[0,-0.5,0],"scale":[60,1,60],"size":1,"static":true}`)
	r.Do("architecture.building", `{"storeys":2,"height":3,"width":10,"depth":9,"rotation":0.5,"partitions":[{"along":"width","at":0.5},{"along":"depth","at":2,"from":0.5},{"along":"depth","at":-2.5,"from":0.5,"to":2.5,"storey":2}]}`)
	if got := r.Do("scene.validate", `{}`); !strings.Contains(got, `"findings":[]`) {
		t.Errorf("%s", got)
	}
	r.Do("navmesh.build", `{"bounds":{"minX":-8,"minZ":-8,"maxX":8,"maxZ":8},"cellSize":0.15,"diagonal":true,"agentRadius":0.35,"levels":true}`)
	who := entityOf(t, r.Do("player.spawn", `{"position":[6,1,6]}`))
	for _, room := range []world.Vec3{{3.5, 0, 3}, {-3, 0, -0.5}, {3.5, 3, 3}, {-4, 3, 1.5}} {
		to := world.QuatFromEuler(0, 0.5, 0).Rotate(room)
		if got := r.Do("navmesh.moveTo", `{"entity":%q,"target":[%v,%v,%v],"speed":3}`, who, to[0], to[1], to[2]); !strings.Contains(got, `"ok":true`) {
			t.Fatalf("no way to %v: %s", room, got)
		}
		r.Steps(60 * 14)
		if at := r.At(t, who); at.Dist(to.Add(world.Vec3{0, 0.87, 0})) > 0.05 {
			t.Fatalf("on the way to %v somebody is at %v in the frame of the house", room, world.QuatFromEuler(0, -0.5, 0).Rotate(at))
		}
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

// TestSlowOverEdges has slow characters walk against what stands there: they come over steps, and neither up what is too steep nor faster than they were told to.
func TestSlowOverEdges(t *testing.T) {
	slope := func(angle float64) string {
		a := angle * math.Pi / 180
		return fmt.Sprintf(`{"shape":"box","position":[0,0,%v],"scale":[4,0.2,20],"size":1,"static":true,"rotationEuler":[%v,0,0]}`, 0.1/math.Sin(a)+1, -a)
	}
	step := func(high float64) string {
		return fmt.Sprintf(`{"shape":"box","position":[0,%v,2.5],"scale":[4,%v,2],"size":1,"static":true}`, high/2, high)
	}
	for _, c := range []struct {
		name, thing string
		over        bool
	}{
		{"a step of 0.2", step(0.2), true},
		{"a step of 0.3", step(0.3), true},
		{"a wall of 0.5", step(0.5), false},
		{"a slope of 47 degrees", slope(47), false},
		{"a slope of 57 degrees", slope(57), false},
		{"a slope of 70 degrees", slope(70), false},
		{"a log", `{"shape":"cylinder","position":[0,0.25,1.5],"scale":[0.5,4,0.5],"size":1,"static":true,"rotationEuler":[0,0,1.5708]}`, false},
	} {
		for _, speed := range []float64{0.5, 0.9, 2} {
			t.Run(fmt.Sprintf("%s at %v", c.name, speed), func(t *testing.T) {
				r := moving(t)
				r.Do("scene.createEntity", `{"name":"ground","shape":"box","position":[0,-0.5,0],"scale":[60,1,60],"size":1,"static":true}`)
				r.Do("scene.createEntity", "%s", c.thing)
				who := entityOf(t, r.Do("player.spawn", `{"position":[0,1,0]}`))
				r.Steps(30)
				at := r.At(t, who)
				from := at[1]
				r.Do("player.move", `{"entity":%q,"forward":%v,"seconds":%v}`, who, speed/4.5, 4.5/speed)
				for fast := 0; r.World.Steps() < uint64(30+60*4.5/speed); {
					r.Steps(1)
					now := r.At(t, who)
					if now.Dist(at)*60 > 1.3*speed+0.1 {
						fast++
					}
					if at = now; !c.over && (fast > 5 || at[1] > from+0.1) {
						t.Fatalf("%d steps were faster than %v m/s, the last to %v", fast, speed, at)
					}
				}
				if c.over != (at[2] > 2.5) {
					t.Errorf("it has come to %v", at)
				}
			})
		}
	}
}
