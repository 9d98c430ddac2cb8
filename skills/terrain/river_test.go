package terrain_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

const peaks = `{"seed":7,"type":"mountains","bounds":{"minTx":-2,"minTz":-2,"maxTx":2,"maxTz":2}}`

func pointsOf(list any) (points []world.Vec3) {
	for _, one := range list.([]any) {
		var p world.Vec3
		for i, x := range one.([]any) {
			p[i] = x.(float64)
		}
		points = append(points, p)
	}
	return points
}

// level returns how high the water is at a place, NaN where none is.
func (s *site) level(x, z float64) float64 {
	y := math.NaN()
	s.World.View(func(v *world.View) {
		if level, ok := s.World.WaterLevel(v, x, z); ok {
			y = level
		}
	})
	return y
}

// TestRiver has a river find its way from a mountain to the sea: it falls all the way, lies in its bed between banks that are higher, and ends level with the sea,
// into which it builds no dam. Without it the ground is as it was.
func TestRiver(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", peaks)
	const sea = -7.0
	s.do("world.addWater", `{"regionId":"ent_0","level":-7}`)
	before := map[world.Vec3]float64{}
	river := s.do("terrain.shape", `{"form":"river","center":[90,-60],"to":[90,60],"radius":4}`)
	course := pointsOf(river["course"])
	first, last := course[0], course[len(course)-1]
	if first[1] < 10 || math.Abs(last[1]-sea) > 1e-4 || len(course) != 24 {
		t.Errorf("it flows by %v", course)
	}
	if first.Flat(world.Vec3{90, 0, -60}) > 6 {
		t.Errorf("its source is at %v", first)
	}
	for i := 2; i < len(course)-1; i++ {
		p, q := course[i-1], course[i]
		if q[1] > p[1]+1e-6 {
			t.Errorf("it flows up from %v to %v", p, q)
		}
		if i == len(course)-2 {
			continue // the banks end at the sea
		}
		near(t, fmt.Sprintf("the water at %v", q), s.level(q[0], q[2]), q[1])
		if bed := s.height(q[0], q[2]); bed > q[1]-0.8 {
			t.Errorf("at %v the bed is %v high", q, bed)
		}
		way := course[i+1].Sub(p).Mul(world.Vec3{1, 0, 1})
		way = way.Scale(4.6 / way.Len())
		for _, beside := range []world.Vec3{{q[0] - way[2], 0, q[2] + way[0]}, {q[0] + way[2], 0, q[2] - way[0]}} {
			if bank := s.height(beside[0], beside[2]); bank < q[1]-0.35 {
				t.Errorf("at %v the water is %v high, and its bank at %v is %v", q, q[1], beside, bank)
			}
		}
	}
	over := s.do("terrain.shape", `{"form":"river","center":[-60,-60],"to":[-20,60],"radius":3}`)
	course2 := pointsOf(over["course"])
	if end := course2[len(course2)-1]; math.Abs(end[1]-sea) > 1e-4 || end[2] > 0 || !strings.Contains(over["note"].(string), "it ends in the water at") {
		t.Errorf("a river over the sea ends at %v, and is said: %v", end, over["note"])
	}
	if y := s.height(-20, 40); y < 0 {
		t.Errorf("beyond the sea the land is %v high", y)
	}
	s.do("scene.destroyEntity", `{"entity":%q}`, over["entity"])
	s.do("scene.destroyEntity", `{"entity":%q}`, river["entity"])
	for x := 70.0; x <= 110; x += 2 {
		for z := 20.0; z <= 60; z += 2 {
			before[world.Vec3{x, 0, z}] = s.height(x, z)
		}
	}
	again := s.do("terrain.shape", `{"form":"river","center":[90,-60],"to":[90,60],"radius":4}`)
	for p, y := range before {
		if now := s.height(p[0], p[2]); y < sea-0.5 && now > sea-0.2 {
			t.Errorf("at %v the bed of the sea was %v high, and is %v", p, y, now)
		}
	}
	s.do("scene.destroyEntity", `{"entity":%q}`, again["entity"])
	for p, y := range before {
		if now := s.height(p[0], p[2]); now != y {
			t.Errorf("without the river the ground at %v is %v high, and was %v", p, now, y)
		}
	}
	if y := s.level(course[5][0], course[5][2]); y != sea {
		t.Errorf("the water is at %v without the river", y)
	}
}

// TestRiverThroughPoints has a river go through points, from the end that is higher, or as high as it is told, out of a lake that is there.
func TestRiverThroughPoints(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", peaks)
	up := s.do("terrain.shape", `{"form":"river","points":[[90,20],[80,-20],[90,-60]],"radius":3,"depth":1}`)
	course := pointsOf(up["course"])
	if last := course[len(course)-1]; course[0][1] < last[1]+5 || last.Flat(world.Vec3{90, 0, 20}) > 6 || !strings.Contains(up["note"].(string), "it flows from the end that is higher") {
		t.Errorf("it flows by %v, and is said: %v", course, up["note"])
	}
	if !strings.Contains(up["note"].(string), "with center and to in place of points it finds its own way around") {
		t.Errorf("of its gorge is said %v", up["note"])
	}
	s.do("world.undo", `{}`)
	told := s.do("terrain.shape", `{"form":"river","points":[[0,30,0],[20,26,0],[40,22,0]],"radius":3,"depth":1}`)
	course = pointsOf(told["course"])
	for _, p := range course[1 : len(course)-1] {
		if want := 30 - p[0]/5 - 0.25; math.Abs(p[1]-want) > 0.1 {
			t.Errorf("the water at %v is not as high as it was told, %v", p, want)
		}
	}
	s.do("world.undo", `{}`)
	lake := s.do("terrain.shape", `{"form":"basin","center":[90,-60],"radius":12,"water":true}`)
	out := pointsOf(s.do("terrain.shape", `{"form":"river","center":[90,-60],"to":[90,20],"radius":3}`)["course"])
	if near(t, "the river where it leaves the lake", out[0][1], lake["waterLevel"].(float64)); out[len(out)-1][1] > out[0][1]-5 {
		t.Errorf("it flows by %v", out)
	}
	if off := out[0].Flat(world.Vec3{90, 0, -60}); off < 6 || off > 13 {
		t.Errorf("it leaves the lake %v m from its middle", off)
	}
}

// TestSpilledRiver tells who takes the bank of a river away that he does.
func TestSpilledRiver(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", peaks)
	s.do("world.addWater", `{"regionId":"ent_0","level":-7}`)
	river := s.do("terrain.shape", `{"form":"river","center":[90,-60],"to":[90,60],"radius":4}`)
	at := pointsOf(river["course"])[10]
	for name, c := range map[string]struct {
		y, aside float64
		told     bool
	}{"a quay as high as its banks": {at[1] + 0.5, 14, false}, "a quay below its water": {at[1] - 1.5, 14, true}, "a pit far away": {at[1] - 1.5, 40, false}} {
		note, _ := s.do("terrain.shape", `{"center":[%v,%v],"radius":10,"y":%v}`, at[0]+c.aside, at[2], c.y)["note"].(string)
		if told := strings.Contains(note, "the bank of the river ent_28 is lower now than its water at x"); told != c.told {
			t.Errorf("%s: is said %q", name, note)
		}
		s.do("world.undo", `{}`)
	}
}

// TestNoRiver has a river that cannot be say why.
func TestNoRiver(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", peaks)
	s.do("world.addWater", `{"regionId":"ent_0","level":-7}`)
	for input, want := range map[string]string{
		`{"form":"river","center":[0,0],"radius":3}`:                                 "to: is required of a river",
		`{"form":"river","center":[0,0],"to":[3,0],"radius":3}`:                      "to: must be at least 8 m from center",
		`{"form":"river","center":[90,-60],"to":[90,20],"radius":3,"y":4}`:           "y: a river falls with its land",
		`{"form":"river","center":[90,-60],"to":[90,20],"toY":1,"radius":3}`:         "toY: a river falls with its land",
		`{"form":"river","points":[[0,0],[20,0],[20,20]],"closed":true,"radius":3}`:  "closed: a river flows from its source",
		`{"form":"river","points":[[90,100],[110,110]],"radius":3}`:                  "points: all of the river is under water",
		`{"form":"river","points":[[90,-60],[90,-60]],"radius":3}`:                   "points: must be apart",
		`{"form":"river","center":[90,-60],"to":[500,20],"radius":3}`:                "to: no generated ground leads there",
		`{"form":"river","center":[900,-60],"to":[990,20],"radius":3}`:               "center: there is no generated ground within reach",
		`{"form":"river","points":[[90,-60],[90,20]],"radius":3,"depth":2,"rise":2}`: "depth: is in place of rise",
		`{"form":"mound","center":[90,-60],"radius":3,"depth":2}`:                    "depth: is of a basin or a river",
		`{"form":"mound","center":[90,-60],"radius":3,"water":true}`:                 "water: only a basin or a river is filled",
		`{"form":"river","points":[[90,1,-60],[90,20]],"radius":3}`:                  "points[1]: must have 3 numbers",
	} {
		if _, err := s.Call(s.ann, "terrain.shape", input); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", input, err, want)
		}
	}
}
