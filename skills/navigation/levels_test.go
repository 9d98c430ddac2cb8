package navigation_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// put makes a box with its middle at a place, turned about x, y, z.
func put(t testing.TB, s *server, p principal, at, size, turn world.Vec3) (id world.ID) {
	t.Helper()
	var out struct{ Entity world.ID }
	do(t, s, p, &out, "scene.createEntity", `{"position":[%v,%v,%v]}`, at[0], at[1], at[2])
	do(t, s, p, nil, "three.setTransform", `{"entity":%q,"rotationEuler":[%v,%v,%v],"scale":[%v,%v,%v]}`, out.Entity, turn[0], turn[1], turn[2], size[0], size[1], size[2])
	return out.Entity
}

// house has a room of 8 × 8 m, above it a floor whose top is at 3 m with a stairwell along z 0 to 2, and 16 stairs of 18.75 cm up to it, from x 1 on.
func house(t testing.TB, s *server, p principal) {
	t.Helper()
	put(t, s, p, world.Vec3{4, 2.9, 5}, world.Vec3{8, 0.2, 6}, world.Vec3{})
	put(t, s, p, world.Vec3{6.9, 2.9, 1}, world.Vec3{2.2, 0.2, 2}, world.Vec3{})
	for i := range 16 {
		high := 3.0 / 16 * float64(i+1)
		put(t, s, p, world.Vec3{1.15 + 0.3*float64(i), high / 2, 1}, world.Vec3{0.3, high, 1.6}, world.Vec3{})
	}
	put(t, s, p, world.Vec3{4, 3, -0.1}, world.Vec3{8, 6, 0.2}, world.Vec3{}) // a wall beside the stairs
}

const storeys = `{"bounds":{"minX":-2,"minZ":0,"maxX":8,"maxZ":8},"cellSize":0.25,"diagonal":true,"agentRadius":0.25,"levels":true}`

// TestOneLevel has a grid without levels asked for ways to and from an upper storey: it says that this did not count, and says nothing of who flies, and nothing
// once it has levels.
func TestOneLevel(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s := skilltest.New(t, all)
	house(t, s, p)
	walker, drone := put(t, s, p, world.Vec3{-1, 0.5, 5}, world.Vec3{0.5, 1, 0.5}, world.Vec3{}), put(t, s, p, world.Vec3{-1, 8, 3}, world.Vec3{0.5, 0.2, 0.5}, world.Vec3{})
	flat := strings.Replace(storeys, `,"levels":true`, ``, 1)
	for _, c := range []struct{ grid, skill, input, note string }{
		{flat, "navmesh.findPath", `{"from":[-1,0,4],"to":[4,3,5]}`, "the grid has one level, and to is 3 m above it: that did not count. For ways up stairs and over floors, navmesh.build it with levels true"},
		{flat, "navmesh.findPath", `{"from":[4,3,4],"to":[4,3,5]}`, "the grid has one level, and from is 3 m above it, to is 3 m above it: that did not count."},
		{flat, "navmesh.findPath", `{"from":[-1,0,4],"to":[4,-2,5]}`, "to is 2 m below it"},
		{flat, "navmesh.findPath", `{"from":[-1,0.9,4],"to":[4,1.7,5]}`, ""},
		{flat, "navmesh.isReachable", fmt.Sprintf(`{"entity":%q,"to":[4,3,5]}`, walker), "the grid has one level, and to is 3 m above it"},
		{flat, "navmesh.isReachable", fmt.Sprintf(`{"entity":%q,"to":[4,0,5]}`, walker), ""},
		{flat, "navmesh.moveTo", fmt.Sprintf(`{"entity":%q,"target":[4,3,5]}`, walker), "the grid has one level, and target is 3 m above it"},
		{flat, "navmesh.moveTo", fmt.Sprintf(`{"entity":%q,"target":[4,0,5]}`, walker), ""},
		{flat, "navmesh.moveTo", fmt.Sprintf(`{"entity":%q,"target":[-1,8,5]}`, drone), ""},
		{storeys, "navmesh.findPath", `{"from":[-1,0,4],"to":[4,3,5]}`, ""},
		{storeys, "navmesh.isReachable", fmt.Sprintf(`{"entity":%q,"to":[4,3,5]}`, walker), ""},
	} {
		do(t, s, p, nil, "navmesh.build", "%s", c.grid)
		var out struct{ Note, Reason string }
		do(t, s, p, &out, c.skill, "%s", c.input)
		if out.Reason != "" || !strings.Contains(out.Note, c.note) || c.note == "" && out.Note != "" {
			t.Errorf("%s %s: %+v, want %q", c.skill, c.input, out, c.note)
		}
	}
}

// Somebody goes up the stairs into the upper storey, at the height of the stairs, and down again.
func TestStairs(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s := skilltest.New(t, all)
	house(t, s, p)
	var built navigation.BuildOut
	do(t, s, p, &built, "navmesh.build", storeys)
	if built.Levels != 2 {
		t.Errorf("built %+v, want two floors above each other", built)
	}
	var way navigation.FindPathOut
	do(t, s, p, &way, "navmesh.findPath", `{"from":[4,0,7],"to":[4,3,7]}`)
	if !way.Reachable {
		t.Fatal(way.Reason)
	}
	sum, above, high := 0.0, 0.0, 0.0
	for i, at := range way.Path[1:] {
		sum += at.Dist(way.Path[i])
		above += math.Hypot(at[0]-way.Path[i][0], at[2]-way.Path[i][2])
	}
	if math.Abs(way.Length-sum) > 1e-6 || sum < above+0.8 { // the stairs are 4.8 m as seen from above, and 5.66 m along their slope
		t.Errorf("it is %v long, along its slope %v, as seen from above %v", way.Length, sum, above)
	}
	for i, at := range way.Path {
		if at[1] < high || at[1] > 0 && at[1] < 2.9 && (at[2] < 0.2 || at[2] > 1.8) {
			t.Errorf("%d: the way %v does not lead up the stairs", i, way.Path)
		}
		high = at[1]
	}

	id := put(t, s, p, world.Vec3{4, 0.9, 7}, world.Vec3{0.5, 1.8, 0.5}, world.Vec3{})
	do(t, s, p, nil, "navmesh.moveTo", `{"entity":%q,"target":[4,3,7],"speed":4}`, id)
	s.Steps(60 * 2)
	if at := position(t, s, id); at[1] < 1 || at[1] > 3.8 {
		t.Errorf("half way up he is at %v", at)
	}
	s.Steps(60 * 8)
	if at := position(t, s, id); at.Dist(world.Vec3{4, 3.9, 7}) > 1e-9 {
		t.Errorf("upstairs he is at %v", at)
	}
	do(t, s, p, nil, "navmesh.moveTo", `{"entity":%q,"target":[4,0,7],"speed":100}`, id)
	s.Steps(60)
	if at := position(t, s, id); at.Dist(world.Vec3{4, 0.9, 7}) > 1e-9 {
		t.Errorf("down again he is at %v", at)
	}

	// The same house is one of a single storey to who does not ask for more.
	built = navigation.BuildOut{}
	do(t, s, p, &built, "navmesh.build", "%s", strings.Replace(storeys, `"levels":true`, `"levels":false`, 1))
	if built.Levels != 0 {
		t.Errorf("without levels built %+v", built)
	}
}

// What is on another floor is another place, and answers say so.
func TestFloorsAreTold(t *testing.T) {
	built := func(t testing.TB, s *skilltest.Server, p principal) {
		t.Helper()
		house(t, s, p)
		put(t, s, p, world.Vec3{5, 3.25, 5}, world.Vec3{1, 0.5, 1}, world.Vec3{}) // a chest upstairs
		do(t, s, p, nil, "navmesh.build", storeys)
	}
	skilltest.Run(t, all, "navmesh.isReachable", []skilltest.Case{
		{Name: "downstairs", Setup: built, Input: `{"from":[-1,0,1],"to":[4,0,7]}`, Want: `{"reachable":true}`},
		{Name: "upstairs", Setup: built, Input: `{"from":[-1,0,1],"to":[4,3,7]}`, Want: `{"reachable":true}`},
		{Name: "by the middle of a body", Setup: built, Input: `{"from":[-1,0.9,1],"to":[4,3.9,7]}`, Want: `{"reachable":true}`},
		{Name: "where the chest is, and not below it", Setup: built, Input: `{"from":[-1,0,1],"to":[5,3,5]}`, Want: `{"reachable":false,"reason":"to is where nobody can stand at y 3; the nearest walkable place is x 4.875, y 3, z 4.125"}`},
		{Name: "below it", Setup: built, Input: `{"from":[-1,0,1],"to":[5,0,5]}`, Want: `{"reachable":true}`},
		{Name: "on the roof that is not there", Setup: built, Input: `{"from":[-1,0,1],"to":[4,9,7]}`, Want: `{"reachable":false,"reason":"to is where nobody can stand at y 9; the nearest walkable place is x 3.875, y 3, z 6.875"}`},
	})
	skilltest.Run(t, all, "navmesh.build", []skilltest.Case{
		{Name: "levels and obstacles", Input: `{` + ten + `,"cellSize":1,"levels":true,"obstacles":[]}`, Code: registry.CodeInvalidInput, Err: "obstacles: must be left out with levels, which go by what stands in the world"},
		{Name: "levels and heights", Input: `{` + ten + `,"cellSize":5,"levels":true,"heightField":{"heights":[0,0,0,0]}}`, Code: registry.CodeInvalidInput, Err: "heightField.heights: must be left out with levels, which go by what stands in the world"},
		{Name: "an empty world", Input: `{` + ten + `,"cellSize":1,"levels":true,"blockedCells":[[0,0]]}`, Want: `{"ok":true,"cols":10,"rows":10,"walkable":99,"blocked":1,"levels":1}`},
		{Name: "one storey of the house", Setup: house, Input: strings.Replace(storeys, `"levels"`, `"heightField":{"minY":2.9},"levels"`, 1), Want: `{"ok":true,"cols":40,"rows":32,"walkable":837,"blocked":443,"levels":1}`},
	})
}

// What one can climb, and what not.
func TestClimbing(t *testing.T) {
	ramp := func(degrees float64) func(testing.TB, *server, principal) {
		return func(t testing.TB, s *server, p principal) {
			t.Helper()
			a := degrees * math.Pi / 180
			long := 2 / math.Sin(a)
			// The upper side goes from x 0, y 0 up to y 2.
			put(t, s, p, world.Vec3{math.Cos(a)*long/2 + 0.1*math.Sin(a), 1 - 0.1*math.Cos(a), 2}, world.Vec3{long, 0.2, 3}, world.Vec3{0, 0, a})
			put(t, s, p, world.Vec3{math.Cos(a)*long + 2, 1, 2}, world.Vec3{4, 2, 3}, world.Vec3{})
		}
	}
	step := func(high float64) func(testing.TB, *server, principal) {
		return func(t testing.TB, s *server, p principal) {
			t.Helper()
			put(t, s, p, world.Vec3{10, high / 2, 2}, world.Vec3{16, high, 3}, world.Vec3{})
		}
	}
	for _, c := range []struct {
		name  string
		build func(testing.TB, *server, principal)
		to    world.Vec3
		want  bool
	}{
		{"a ramp", ramp(30), world.Vec3{6, 2, 2}, true},
		{"a steep ramp", ramp(44), world.Vec3{4, 2, 2}, true},
		{"too steep", ramp(48), world.Vec3{4, 2, 2}, false},
		{"nearly a wall", ramp(75), world.Vec3{4, 2, 2}, false},
		{"a kerb", step(0.34), world.Vec3{6, 0.34, 2}, true},
		{"a table", step(0.5), world.Vec3{6, 0.5, 2}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := skilltest.Caller(t, "ann", skilltest.Builder)
			for _, cell := range []float64{0.1, 0.25, 0.5} {
				s := skilltest.New(t, all)
				c.build(t, s, p)
				do(t, s, p, nil, "navmesh.build", `{"bounds":{"minX":-3,"minZ":0,"maxX":9,"maxZ":4},"cellSize":%v,"agentRadius":0.3,"levels":true}`, cell)
				var out navigation.IsReachableOut
				do(t, s, p, &out, "navmesh.isReachable", `{"from":[-2,0,2],"to":[%v,%v,%v]}`, c.to[0], c.to[1], c.to[2])
				if out.Reachable != c.want {
					t.Errorf("in cells of %v: %+v", cell, out)
				}
			}
		})
	}
}

// Where all that there is cannot be stepped onto, the ground of a grid with levels is that of one without.
func TestGroundIsTheSame(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	rapid.Check(t, func(rt *rapid.T) {
		s := skilltest.New(t, all)
		draw := func(lo, hi float64) float64 {
			return float64(rapid.IntRange(int(lo*100), int(hi*100)).Draw(rt, "n")) / 100
		}
		for range rapid.IntRange(1, 4).Draw(rt, "things") {
			put(t, s, p, world.Vec3{draw(0, 6), draw(0.3, 1), draw(0, 6)}, world.Vec3{draw(0.2, 4), draw(1, 4), draw(0.2, 4)}, world.Vec3{0, draw(0, 3) * float64(rapid.IntRange(0, 1).Draw(rt, "turned")), 0})
		}
		radius := draw(0, 0.6)
		ways := func(levels bool) (texts []string) {
			do(t, s, p, nil, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":6,"maxZ":6},"cellSize":0.75,"agentRadius":%v,"levels":%v,"diagonal":true}`, radius, levels)
			for x := 0.375; x < 6; x += 0.75 {
				for z := 0.375; z < 6; z += 0.75 {
					var out navigation.FindPathOut
					do(t, s, p, &out, "navmesh.findPath", `{"from":[0.375,0,0.375],"to":[%v,0,%v]}`, x, z)
					texts = append(texts, fmt.Sprint(x, " ", z, ": ", out.Path))
				}
			}
			return texts
		}
		flat, floors := ways(false), ways(true)
		for i := range flat {
			if flat[i] != floors[i] {
				rt.Fatalf("without levels %s, with levels %s", flat[i], floors[i])
			}
		}
	})
}

// Whatever stands about, on a way there is room, and no step is too high.
func TestFloorsAreWalkable(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	climbed := 0
	rapid.Check(t, func(rt *rapid.T) {
		s := skilltest.New(t, all)
		draw := func(lo, hi float64) float64 {
			return float64(rapid.IntRange(int(lo*100), int(hi*100)).Draw(rt, "n")) / 100
		}
		var ids []world.ID
		for range rapid.IntRange(1, 15).Draw(rt, "things") {
			turn := world.Vec3{0, draw(0, 3) * float64(rapid.IntRange(0, 1).Draw(rt, "turned")), draw(-1, 1) * float64(rapid.IntRange(0, 1).Draw(rt, "tilted"))}
			ids = append(ids, put(t, s, p, world.Vec3{draw(0, 6), draw(0, 0.9), draw(0, 6)}, world.Vec3{draw(0.5, 4), draw(0.05, 0.8), draw(0.5, 4)}, turn))
		}
		do(t, s, p, nil, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":6,"maxZ":6},"cellSize":0.3,"agentRadius":0.2,"levels":true}`)
		for range 20 {
			var way navigation.FindPathOut
			do(t, s, p, &way, "navmesh.findPath", `{"from":[%v,%v,%v],"to":[%v,%v,%v]}`, draw(0, 6), draw(0, 2), draw(0, 6), draw(0, 6), draw(0, 2), draw(0, 6))
			if len(way.Path) < 4 {
				continue
			}
			path := way.Path[1 : len(way.Path)-1]
			for _, at := range path {
				if at[1] > 0.36 {
					climbed++
				}
			}
			s.World.View(func(v *world.View) { walked(rt, s.World, v, ids, path) })
		}
	})
	if climbed == 0 {
		t.Error("no way led onto anything")
	}
}

// walked goes along a path in small strides and looks for the floor, and for what is in the way of a thin person.
func walked(t *rapid.T, w *world.World, v *world.View, ids []world.ID, path []world.Vec3) {
	var things []solid.Solid
	for _, id := range ids {
		thing, _ := solid.Of(w, v, id)
		things = append(things, thing)
	}
	const high = 0.36 + 0.16 // a step, and what the steepest slope here, of a radian, rises or falls in a tenth of a metre
	const most = 0.15        // metres, as seen from above: what is shorter along a way than a tenth may be missed, and what is too steep to stand on beside it
	floor, gap, within := path[0][1], 0.0, 0.0
	recent := []float64{floor} // in the last tenth of a metre: less than that one walks over
	for i := 1; i < len(path); i++ {
		n := int(path[i].Dist(path[i-1])/0.01) + 1
		stride := path[i].Flat(path[i-1]) / float64(n)
		for part := range n + 1 {
			at := path[i-1].Add(path[i].Sub(path[i-1]).Scale(float64(part) / float64(n)))
			tops, blocked := []float64{0}, false
			for _, thing := range things {
				if low, top, ok := thing.Column(at[0], at[2]); ok {
					tops = append(tops, top)
					blocked = blocked || low < floor+1.79 && top > floor+high && math.Abs(floor-at[1]) < 1e-9
				}
			}
			if within += stride; !blocked {
				within = 0
			}
			if within > most {
				t.Fatalf("at %v, floor %v, the way %v goes through something for %v m", at, floor, path, within)
			}
			slices.Sort(tops)
			for _, top := range slices.Backward(tops) {
				if top <= slices.Max(recent)+high {
					if min(floor, slices.Min(recent))-top <= high { // or off what was shorter
						floor, gap = top, 0
						recent = append(recent[max(0, len(recent)-10):], floor)
					} else if gap += stride; gap > most { // into less nobody falls
						t.Fatalf("at %v the way %v goes down from %v to %v", at, path, floor, top)
					}
					break
				}
			}
		}
		if math.Abs(floor-path[i][1]) > high { // what is too steep to stand on may lie over it
			t.Fatalf("the way %v is at %v on a floor at %v", path, path[i], floor)
		}
		floor = path[i][1]
		recent = append(recent, floor)
	}
}

// Who is sent on again and again on his way up keeps his height above the ground.
func TestSentAgain(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	for _, build := range []string{
		`{"bounds":{"minX":0,"minZ":0,"maxX":8,"maxZ":1},"cellSize":1,"heightField":{"heights":[0,0.5,1,1.5,2,2.5,3,3]}}`,
		`{"bounds":{"minX":0,"minZ":0,"maxX":8,"maxZ":1},"cellSize":0.25,"levels":true}`,
	} {
		s := skilltest.New(t, all)
		for i := range 16 {
			put(t, s, p, world.Vec3{4 + 0.25*float64(i), 0.1 * float64(i+1), 0.5}, world.Vec3{0.25, 0.2 * float64(i+1), 2}, world.Vec3{})
		}
		do(t, s, p, nil, "navmesh.build", "%s", build)
		id := put(t, s, p, world.Vec3{0.5, 0.9, 0.5}, world.Vec3{0.5, 1.8, 0.5}, world.Vec3{})
		var out navigation.MoveToOut
		for range 40 {
			do(t, s, p, &out, "navmesh.moveTo", `{"entity":%q,"target":[7.4,3,0.5],"speed":4}`, id)
			if !out.OK {
				t.Fatal(out.Reason)
			}
			s.Steps(4)
		}
		if at := position(t, s, id); at.Dist(world.Vec3{7.4, 3.9, 0.5}) > 1e-6 {
			t.Errorf("%s: he is at %v, want him 0.9 above 3", build, at)
		}
	}
}
