package skills_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// TestOnSlopes puts houses on generated ground, turned every way: no grass comes through the floor, nothing of the ground is seen under the walls, nothing is
// said of it, and a character walks in by the way that is found, up the steps if there are some. So it is after the house was rebuilt and turned.
func TestOnSlopes(t *testing.T) {
	stepped := false
	for _, at := range [][2]float64{{8, 5}, {-12, 14}, {-20, -9}} {
		for _, turn := range []float64{0, 1.5708, 3.1416, -1} {
			t.Run(fmt.Sprintf("%v, turned by %v", at, turn), func(t *testing.T) {
				r := moving(t)
				r.Do("world.generateRegion", `{"seed":7,"type":"hills","bounds":{"minTx":-1,"minTz":-1,"maxTx":0,"maxTz":0}}`)
				house := builtOf(t, r.Do("architecture.building", `{"position":[%v,0,%v],"rotation":%v,"width":9,"depth":7,"onGround":true,"floor":true}`, at[0], at[1], turn))
				if got := r.Do("scene.validate", `{}`); !strings.Contains(got, `"findings":[]`) {
					t.Errorf("%s", got)
				}
				for _, p := range house.Parts {
					stepped = stepped || p.Kind == "doorStep"
				}
				group := house.Group.String()
				floor := r.At(t, group)
				frame := func(x, y, z float64) world.Vec3 {
					return floor.Add(world.QuatFromEuler(0, turn, 0).Rotate(world.Vec3{x, y, z}))
				}
				low, deepest := math.Inf(1), floor[1]
				things := solid.NewLooks(r.World)
				r.World.View(func(v *world.View) {
					for x := -4.5; x <= 4.5; x += 0.1 {
						for z := -3.5; z <= 3.5; z += 0.1 {
							p := frame(x, 0, z)
							y, ok := things.Ground(v, p[0], p[2])
							if !ok || y > floor[1] {
								t.Fatalf("the ground is at %v, %v, and the floor at %v", y, ok, floor[1])
							}
							low = min(low, y)
						}
					}
				})
				for _, p := range house.Parts {
					if p.Kind == "foundation" {
						deepest = p.Position[1] - p.Size[1]/2
					}
				}
				if deepest > low-0.25 {
					t.Errorf("the foundation reaches down to %v, the ground to %v", deepest, low)
				}
				house = builtOf(t, r.Do("architecture.rebuild", `{"building":%q,"height":3.5}`, group))
				if !strings.Contains(fmt.Sprint(house.Parts), "foundation") {
					t.Error("it has lost its foundation")
				}
				walkIn(t, r, frame)
			})
		}
	}
	if !stepped {
		t.Error("no house had steps")
	}
}

// walkIn has a character walk from before the door of a house of 7 m to its back wall.
func walkIn(t *testing.T, r *skilltest.Room, frame func(x, y, z float64) world.Vec3) {
	t.Helper()
	mid := frame(0, 0, 0)
	r.Do("navmesh.build", `{"bounds":{"minX":%v,"minZ":%v,"maxX":%v,"maxZ":%v},"cellSize":0.15,"diagonal":true,"agentRadius":0.35,"levels":true}`, mid[0]-14, mid[2]-14, mid[0]+14, mid[2]+14)
	from, to := frame(1, 3, 11), frame(1, 0, -1)
	who := entityOf(t, r.Do("player.spawn", `{"position":[%v,%v,%v]}`, from[0], from[1], from[2]))
	r.Steps(120)
	if got := r.Do("navmesh.moveTo", `{"entity":%q,"target":[%v,%v,%v],"speed":3}`, who, to[0], to[1], to[2]); !strings.Contains(got, `"ok":true`) {
		t.Fatalf("no way in: %s", got)
	}
	r.Steps(60 * 9)
	if at := r.At(t, who); at.Dist(to.Add(world.Vec3{0, 0.88, 0})) > 0.06 {
		t.Errorf("on the way in somebody is at %v, was to come to %v", at, to)
	}
}

// built is what the tests of houses look at.
type built struct {
	Group world.ID
	Note  string
	Parts []struct {
		Kind           string
		Position, Size world.Vec3
	}
}

func builtOf(t *testing.T, answer string) (out built) {
	t.Helper()
	if err := json.Unmarshal([]byte(answer), &out); err != nil {
		t.Fatal(err)
	}
	if out.Note != "" {
		t.Errorf("noted: %s", out.Note)
	}
	return out
}
