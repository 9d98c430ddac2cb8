package navigation_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

const ten = `"bounds":{"minX":0,"minZ":0,"maxX":10,"maxZ":10}`

func TestBuild(t *testing.T) {
	skilltest.Run(t, all, "navmesh.build", []skilltest.Case{
		{Name: "an empty world", Input: `{` + ten + `,"cellSize":1}`, Want: `{"ok":true,"cols":10,"rows":10,"walkable":100,"blocked":0}`},
		{Name: "cells that do not fit go beyond", Input: `{` + ten + `,"cellSize":3}`, Want: `{"ok":true,"cols":4,"rows":4,"walkable":16,"blocked":0}`},
		{Name: "a tenth is a tenth", Input: `{"bounds":{"minX":0,"minZ":0,"maxX":0.3,"maxZ":0.1},"cellSize":0.1}`, Want: `{"ok":true,"cols":3,"rows":1,"walkable":3,"blocked":0}`},
		{Name: "obstacles block what they cover", Input: `{` + ten + `,"cellSize":1,"obstacles":[{"minX":2,"minZ":2,"maxX":3.5,"maxZ":3}]}`, Want: `{"ok":true,"cols":10,"rows":10,"walkable":98,"blocked":2}`},
		{Name: "and what is near them", Input: `{` + ten + `,"cellSize":1,"agentRadius":0.4,"obstacles":[{"minX":2,"minZ":2,"maxX":3.5,"maxZ":3}]}`, Want: `{"ok":true,"cols":10,"rows":10,"walkable":91,"blocked":9}`},
		{Name: "beside the grid they do nothing", Input: `{` + ten + `,"cellSize":1,"obstacles":[{"minX":-3e38,"minZ":11,"maxX":3e38,"maxZ":3e38}]}`, Want: `{"ok":true,"cols":10,"rows":10,"walkable":100,"blocked":0}`},
		{Name: "cells", Input: `{` + ten + `,"cellSize":1,"blockedCells":[[0,0],[9,9],[9,9]]}`, Want: `{"ok":true,"cols":10,"rows":10,"walkable":98,"blocked":2}`},
		{Name: "heights", Input: `{"bounds":{"minX":0,"minZ":0,"maxX":2,"maxZ":2},"cellSize":1,"heightField":{"heights":[0,1,2,3],"minY":0.5,"maxY":2.5}}`, Want: `{"ok":true,"cols":2,"rows":2,"walkable":2,"blocked":2}`},
		{
			Name: "what stands in the world", Input: `{` + ten + `,"cellSize":1}`, Want: `{"ok":true,"cols":10,"rows":10,"walkable":93,"blocked":7}`,
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				do(t, s, p, nil, "scene.createEntity", `{"position":[5,-25,5],"size":50,"static":true}`)     // the ground
				do(t, s, p, nil, "scene.createEntity", `{"position":[2.5,0.5,2.5],"size":1}`)                // one cell
				do(t, s, p, nil, "scene.createEntity", `{"position":[6,0.5,2.5],"size":1,"static":true}`)    // across two
				do(t, s, p, nil, "scene.createEntity", `{"position":[2.5,0.1,6.5],"size":0.2}`)              // stepped over
				do(t, s, p, nil, "scene.createEntity", `{"position":[4.5,2.5,6.5],"size":1}`)                // walked under
				do(t, s, p, nil, "scene.createEntity", `{"position":[6.5,0.5,6.5],"size":1,"dynamic":true}`) // moves by itself
				do(t, s, p, nil, "scene.createEntity", `{"position":[8,0.8,8],"size":1.4}`)                  // a thin one across four
				do(t, s, p, nil, "three.setTransform", `{"entity":"ent_6","rotationEuler":[0,0.7853981633974483,0],"scale":[0.05,1,1]}`)
				do(t, s, p, nil, "agent.embody", `{"position":[1.5,0.5,8.5]}`)
			},
		},
		{
			Name: "but for what is ignored", Input: `{` + ten + `,"cellSize":1,"ignore":["ent_0"]}`, Want: `{"ok":true,"cols":10,"rows":10,"walkable":100,"blocked":0}`,
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				do(t, s, p, nil, "scene.createEntity", `{"position":[2.5,0.5,2.5]}`)
			},
		},
		{
			Name: "a slope in degrees", Input: `{"bounds":{"minX":0,"minZ":0,"maxX":2,"maxZ":1},"cellSize":1,"heightField":{"heights":[0,1],"maxSlope":45}}`,
			Want: `{"ok":true,"cols":2,"rows":1,"walkable":2,"blocked":0,"note":"heightField.maxSlope is height for distance, and was taken so: 45 is 88.7 degrees. If degrees were meant, give 1"}`,
		},
		{Name: "nobody to ignore", Input: `{` + ten + `,"cellSize":1,"ignore":["ent_0"]}`, Err: "unknown entity ent_0; the world has none"},
		{Name: "too many cells", Input: `{` + ten + `,"cellSize":0.01}`, Code: registry.CodeCapacityExceeded, Err: "cellSize: 0.01 makes 1000 × 1000 cells, at most 262144 are allowed: take larger cells or smaller bounds"},
		{Name: "far too many", Input: `{` + ten + `,"cellSize":1e-300}`, Code: registry.CodeCapacityExceeded, Err: "cellSize: 1e-300 makes more than 262144 cells along X: take larger cells or smaller bounds"},
		{Name: "bounds as others have them", Input: `{"bounds":{"min":[-5,0,-4],"max":[5,3,4]},"cellSize":0.5}`, Want: `{"ok":true,"cols":20,"rows":16,"walkable":320,"blocked":0}`},
		{Name: "as seen from above", Input: `{"bounds":{"min":[-5,-4],"max":[5,4]},"cellSize":0.5}`, Want: `{"ok":true,"cols":20,"rows":16,"walkable":320,"blocked":0}`},
		{Name: "as spatial.bounds answers", Input: `{"bounds":{"min":[-5,0,-4],"max":[5,3,4],"center":[0,1.5,0],"size":[10,3,8]},"cellSize":0.5}`, Want: `{"ok":true,"cols":20,"rows":16,"walkable":320,"blocked":0}`},
		{Name: "about a middle", Input: `{"bounds":{"center":[10,0,0],"size":[10,3,8]},"cellSize":0.5}`, Want: `{"ok":true,"cols":20,"rows":16,"walkable":320,"blocked":0}`},
		{
			Name: "in no form", Input: `{"bounds":{"x":1,"y":2},"cellSize":0.5}`, Code: registry.CodeInvalidInput,
			Err: "bounds: must be an object with minX, minZ, maxX, maxZ, or with min and max, each [x, y, z], or with center and size",
		},
		{Name: "half a box", Input: `{"bounds":{"min":[-5,0,-4]},"cellSize":0.5}`, Code: registry.CodeInvalidInput, Err: "bounds.max: is required: an array of 3 items, each a number"},
		{
			Name: "what is there", Input: `{}`, Want: `{"ok":true,"cols":60,"rows":55,"walkable":3210,"blocked":90,"bounds":{"min":[-4,0,-5],"max":[8,2,6]},"cellSize":0.2}`,
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				do(t, s, p, nil, "scene.createEntity", `{"position":[2,1,0.5],"scale":[1,2,1]}`)
			},
		},
		{Name: "nothing is there", Input: `{}`, Code: registry.CodeInvalidInput, Err: `bounds: nothing stands here that it could go by: give {"min":[-20,0,-20],"max":[20,0,20]}, or build first`},
		{
			Name: "much is there", Input: `{}`,
			Want: `{"ok":true,"cols":511,"rows":511,"walkable":261121,"blocked":0,"bounds":{"min":[-505,-1,-505],"max":[505,0,505]},"cellSize":1.98,"note":"cells of 1.98 m are the finest that cover that, and lead through gaps from 4.76 m on: with smaller bounds they are 0.2, and lead through doors of 1.2 m"}`,
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				do(t, s, p, nil, "scene.createEntity", `{"position":[0,-0.5,0],"scale":[1000,1,1000]}`)
			},
		},
		{Name: "no ground", Input: `{"bounds":{"minX":0,"minZ":0,"maxX":10,"maxZ":0},"cellSize":1}`, Code: registry.CodeInvalidInput, Err: "bounds.maxZ: must be above minZ, 0, got 0"},
		{Name: "a cell that is not there", Input: `{` + ten + `,"cellSize":1,"blockedCells":[[1,1],[10,0]]}`, Code: registry.CodeInvalidInput, Err: "blockedCells[1]: must be a cell of the 10 × 10 that there are, got [10 0]"},
		{Name: "heights of another grid", Input: `{` + ten + `,"cellSize":1,"heightField":{"heights":[1]}}`, Code: registry.CodeInvalidInput, Err: "heightField.heights: must have 100 numbers, one for each of 10 × 10 cells, got 1"},
	})
	skilltest.Needs(t, all, "navmesh.build", `{`+ten+`,"cellSize":1}`, "nav.configure", "builder.readWrite")
}

func TestFindPath(t *testing.T) {
	hills := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		do(t, s, p, nil, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":3,"maxZ":2},"cellSize":1,"diagonal":true,"heightField":{"heights":[0,5,0,0,0.5,1],"maxSlope":1}}`)
	}
	skilltest.Run(t, all, "navmesh.findPath", []skilltest.Case{
		{Name: "around a wall", Setup: yard, Input: `{"from":[0.2,1,1],"to":[1,0,9]}`, Want: `{"path":[[0.2,1,1],[1.5,1,1.5],[1.5,1,4.5],[8.5,1,4.5],[8.5,1,6.5],[1.5,1,6.5],[1,0,9]],"reachable":true,"length":22.942349}`},
		{Name: "in one cell", Setup: yard, Input: `{"from":[0.2,1,1],"to":[0.8,0,1.1]}`, Want: `{"path":[[0.2,1,1],[0.8,0,1.1]],"reachable":true,"length":0.608276}`},
		{Name: "over hills", Setup: hills, Input: `{"from":[0,7,0],"to":[3,7,0]}`, Want: `{"path":[[0,7,0],[0.5,0,1.5],[1.5,0.5,1.5],[2.5,1,1.5],[3,7,0]],"reachable":true,"length":5.688036,"note":"the grid has one level, and from is 7 m above it, to is 7 m above it: that did not count. For ways up stairs and over floors, navmesh.build it with levels true"}`},
		{Name: "into a wall", Setup: yard, Input: `{"from":[0.2,1,1],"to":[1,0,5.5]}`, Want: `{"path":[],"reachable":false,"reason":"to is in a blocked cell; the nearest walkable place is x 0.5, z 4.5","nearest":[0.5,0,4.5]}`},
		{Name: "from beside the grid", Setup: yard, Input: `{"from":[-1,1,1],"to":[1,0,9]}`, Want: `{"path":[],"reachable":false,"reason":"from is beside the grid, which goes from x 0, z 0 to x 10, z 10; the nearest walkable place is x 0.5, z 0.5"}`},
		{
			Name: "no way", Input: `{"from":[0,0,0],"to":[10,0,10]}`, Want: `{"path":[],"reachable":false,"reason":"no way leads from the one to the other: what is between them is blocked or too steep","nearest":[9.5,0,4.5]}`,
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				do(t, s, p, nil, "navmesh.build", `{`+ten+`,"cellSize":1,"obstacles":[{"minX":0,"minZ":5,"maxX":10,"maxZ":6}]}`)
			},
		},
		{Name: "no grid", Input: `{"from":[0,0,0],"to":[1,0,1]}`, Err: "there is no grid to find ways on yet: navmesh.build makes one"},
	})
	skilltest.Run(t, all, "navmesh.isReachable", []skilltest.Case{
		{Name: "by an entity", Setup: yard, Input: `{"entity":"ent_0","to":[1,0,9]}`, Want: `{"reachable":true}`},
		{Name: "out of a wall", Setup: walled, Input: `{"entity":"ent_0","to":[1,0,9]}`, Want: `{"reachable":true}`},
		{Name: "over cells of a tenth", Setup: func(t testing.TB, s *skilltest.Server, p principal) {
			t.Helper()
			do(t, s, p, nil, "navmesh.build", `{"bounds":{"minX":0.1,"minZ":0.1,"maxX":1.2,"maxZ":1.2},"cellSize":0.1}`)
		}, Input: `{"from":[0.5,0,0.5],"to":[1.12,0,9]}`, Want: `{"reachable":false,"reason":"to is beside the grid, which goes from x 0.1, z 0.1 to x 1.2, z 1.2; the nearest walkable place is x 1.15, z 1.15"}`},
		{Name: "from a point", Setup: yard, Input: `{"from":[1,0,5.5],"to":[1,0,9]}`, Want: `{"reachable":false,"reason":"from is in a blocked cell; the nearest walkable place is x 0.5, z 4.5"}`},
		{Name: "by nobody", Setup: yard, Input: `{"entity":"ent_7","to":[1,0,9]}`, Err: "unknown entity ent_7; the nearest are ent_0"},
		{Name: "from two", Setup: yard, Input: `{"entity":"ent_0","from":[0,0,0],"to":[1,0,9]}`, Code: registry.CodeInvalidInput, Err: "entity, from: give one of the two"},
	})
	skilltest.Needs(t, all, "navmesh.findPath", `{"from":[0,0,0],"to":[1,0,1]}`, "nav.read", "builder.readWrite", "npc.agent", "player.full", "player.limited")
}

func TestMoveTo(t *testing.T) {
	after := func(steps int, want world.Vec3) func(testing.TB, *skilltest.Server, *profiles.Principal) {
		return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			s.Steps(steps)
			if got := position(t, s, 1); got.Dist(want) > 1e-9 {
				t.Errorf("after %d steps it is at %v, want %v", steps, got, want)
			}
		}
	}
	skilltest.Run(t, all, "navmesh.moveTo", []skilltest.Case{
		{Name: "a stride", Setup: yard, Input: `{"entity":"ent_0","target":[8.5,1.5,0.5],"dt":1}`, Want: `{"ok":true,"arrived":false,"position":[3.5,0.5,0.5],"remaining":5}`, Check: after(60, world.Vec3{3.5, 0.5, 0.5})},
		{Name: "as fast as one likes", Setup: yard, Input: `{"entity":"ent_0","target":[8.5,1.5,0.5],"dt":0.5,"speed":2}`, Want: `{"ok":true,"arrived":false,"position":[1.5,0.5,0.5],"remaining":7}`},
		{Name: "around the corner", Setup: yard, Input: `{"entity":"ent_0","target":[8.5,0,9.5],"dt":3}`, Want: `{"ok":true,"arrived":false,"position":[8.5,0.5,1.5],"remaining":8}`},
		{Name: "until it is there", Setup: yard, Input: `{"entity":"ent_0","target":[1.5,0,0.5],"dt":1}`, Want: `{"ok":true,"arrived":true,"position":[1.5,0.5,0.5],"remaining":0}`},
		{Name: "from elsewhere", Setup: yard, Input: `{"entity":"ent_0","target":[8.5,1.5,2.5],"dt":1,"from":[0.5,2,2.5]}`, Want: `{"ok":true,"arrived":false,"position":[3.5,2,2.5],"remaining":5}`},
		{Name: "by itself", Setup: yard, Input: `{"entity":"ent_0","target":[8.5,0,9.5]}`, Want: `{"ok":true,"arrived":false,"position":[0.5,0.5,0.5],"remaining":17}`, Check: after(180, world.Vec3{8.5, 0.5, 1.5})},
		{Name: "as far as it wants", Setup: yard, Input: `{"entity":"ent_0","target":[8.5,0,9.5],"speed":8.5}`, Want: `{"ok":true,"arrived":false,"position":[0.5,0.5,0.5],"remaining":17}`, Check: after(200, world.Vec3{8.5, 0.5, 9.5})},
		{Name: "where it is", Setup: yard, Input: `{"entity":"ent_0","target":[0.5,0,0.5]}`, Want: `{"ok":true,"arrived":true,"position":[0.5,0.5,0.5],"remaining":0}`},
		{Name: "into a wall", Setup: yard, Input: `{"entity":"ent_0","target":[0.5,0,5.5]}`, Want: `{"ok":false,"arrived":false,"reason":"to is in a blocked cell; the nearest walkable place is x 0.5, z 4.5"}`, Check: after(60, world.Vec3{0.5, 0.5, 0.5})},
		{Name: "out of a wall", Setup: walled, Input: `{"entity":"ent_0","target":[0.5,0,0.5]}`, Want: `{"ok":true,"arrived":false,"position":[0.5,0.5,5.25],"remaining":4.75}`, Check: after(90, world.Vec3{0.5, 0.5, 0.75})},
		{Name: "out of a wall at once", Setup: walled, Input: `{"entity":"ent_0","target":[0.5,0,0.5],"dt":0.25}`, Want: `{"ok":true,"arrived":false,"position":[0.5,0.5,4.5],"remaining":4}`},
		{Name: "from a wall", Setup: walled, Input: `{"entity":"ent_0","target":[0.5,0,0.5],"from":[0.5,0.5,5.25]}`, Want: `{"ok":false,"arrived":false,"reason":"from is in a blocked cell; the nearest walkable place is x 0.5, z 4.5"}`},
		{Name: "out of the middle of a house", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
			t.Helper()
			yard(t, s, p)
			do(t, s, p, nil, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":10,"maxZ":10},"cellSize":1,"obstacles":[{"minX":0,"minZ":0,"maxX":4,"maxZ":4}]}`)
		}, Input: `{"entity":"ent_0","target":[9.5,0,9.5]}`, Want: `{"ok":false,"arrived":false,"reason":"from is in a blocked cell; the nearest walkable place is x 4.5, z 0.5"}`},
		{Name: "nobody", Setup: yard, Input: `{"entity":"ent_9","target":[0.5,0,5.5]}`, Err: "unknown entity ent_9; the nearest are ent_0"},
		{
			Name: "a wall", Input: `{"entity":"ent_1","target":[0.5,0,5.5]}`, Err: "ent_1 has a static body, which does not walk: three.setTransform moves it",
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				yard(t, s, p)
				do(t, s, p, nil, "scene.createEntity", `{"static":true}`)
			},
		},
		{
			Name: "somebody else", Input: `{"entity":"ent_1","target":[0.5,0,5.5]}`, Err: "ent_1 is the body of another agent, bob, who alone moves it",
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				yard(t, s, p)
				do(t, s, skilltest.Caller(t, "bob", skilltest.Builder), nil, "agent.embody", `{}`)
			},
		},
		{Name: "no grid", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
			t.Helper()
			do(t, s, p, nil, "scene.createEntity", `{}`)
		}, Input: `{"entity":"ent_0","target":[0.5,0,5.5]}`, Err: "there is no grid to find ways on yet: navmesh.build makes one"},
	})
	skilltest.Run(t, all, "navmesh.setSpeed", []skilltest.Case{
		{
			Name: "a walk follows", Input: `{"entity":"ent_0","speed":1}`, Want: `{"ok":true}`, Check: after(60, world.Vec3{1.5, 0.5, 0.5}),
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				yard(t, s, p)
				do(t, s, p, nil, "navmesh.moveTo", `{"entity":"ent_0","target":[8.5,0,0.5]}`)
			},
		},
		{Name: "nobody", Setup: yard, Input: `{"entity":"ent_9","speed":1}`, Err: "unknown entity ent_9; the nearest are ent_0"},
	})
	skilltest.Needs(t, all, "navmesh.moveTo", `{"entity":"ent_0","target":[0,0,0]}`, "nav.write", "builder.readWrite", "npc.agent", "player.full", "player.limited")
}

// TestPace holds what is said of how fast an entity walks to where it is on its way.
func TestPace(t *testing.T) {
	var m *navigation.Mesh
	s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		m = navigation.New(w, a)
		return slices.Concat(scene.All(w), three.All(w), navigation.All(m))
	})
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	yard(t, s, p)
	for _, c := range []struct {
		steps int
		call  string
		want  float64
	}{{0, "", 0}, {0, `{"entity":"ent_0","target":[8.5,0,0.5]}`, navigation.DefaultSpeed}, {30, `{"entity":"ent_0","target":[8.5,0,0.5],"speed":1.5}`, 1.5}, {60 * 20, "", 0}} {
		s.Steps(c.steps)
		if c.call != "" {
			do(t, s, p, nil, "navmesh.moveTo", "%s", c.call)
		}
		s.World.View(func(v *world.View) {
			if got := m.Pace(v, 1); got != c.want {
				t.Errorf("after %s: it walks at %v m/s, want %v", c.call, got, c.want)
			}
		})
	}
}

// TestWalkOverHills keeps an entity at its height above the ground.
func TestWalkOverHills(t *testing.T) {
	s, p := skilltest.New(t, all), skilltest.Caller(t, "ann", skilltest.Builder)
	do(t, s, p, nil, "scene.createEntity", `{"position":[0.5,1,0.5]}`)
	do(t, s, p, nil, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":4,"maxZ":1},"cellSize":1,"ignore":["ent_0"],"heightField":{"heights":[0,1,2,2.5],"maxSlope":1}}`)
	var out navigation.MoveToOut
	do(t, s, p, &out, "navmesh.moveTo", `{"entity":"ent_0","target":[3.5,0,0.5]}`)
	for range 300 {
		s.Steps(1)
		at := position(t, s, 1)
		ground := min(at[0]-0.5, 2+(at[0]-2.5)/2)
		if d := at[1] - ground - 1; d > 1e-9 || d < -1e-9 {
			t.Fatalf("at %v it is %v above where it belongs", at, d)
		}
	}
	if at := position(t, s, 1); at.Dist(world.Vec3{3.5, 3.5, 0.5}) > 1e-9 {
		t.Errorf("it ends at %v", at)
	}
	tick := s.World.Tick()
	if s.Steps(10); s.World.Tick() != tick {
		t.Error("who has arrived still changes the world")
	}
}

// TestSentElsewhere has a body do what it was told last.
func TestSentElsewhere(t *testing.T) {
	s, p := skilltest.New(t, all), skilltest.Caller(t, "ann", "builder.readWrite")
	carl := skilltest.Caller(t, "carl", "npc.agent")
	do(t, s, carl, nil, "agent.embody", `{"position":[5,1,5]}`)
	do(t, s, p, nil, "navmesh.build", `{`+ten+`,"cellSize":1}`)
	do(t, s, carl, nil, "navmesh.moveTo", `{"entity":"ent_0","target":[9,0,5]}`)
	s.Steps(10)
	do(t, s, carl, nil, "social.approach", `{"target":[1,1,5],"talkDistance":0.1}`)
	s.Steps(200)
	if at := position(t, s, 1); at[0] > 1.2 {
		t.Errorf("sent to x 1 it is at %v", at)
	}
	do(t, s, carl, nil, "social.approach", `{"target":[9,1,5],"talkDistance":0.1}`)
	s.Steps(10)
	do(t, s, carl, nil, "navmesh.moveTo", `{"entity":"ent_0","target":[1,0,5]}`)
	s.Steps(200)
	if at := position(t, s, 1); at[0] > 1.2 {
		t.Errorf("sent back to x 1 it is at %v", at)
	}
}

// TestGridIsState undoes the building of a grid and the setting out of a walk, and has a checkpoint hold
// both.
func TestGridIsState(t *testing.T) {
	s, p := skilltest.New(t, all), skilltest.Caller(t, "ann", skilltest.Builder)
	empty := s.Content()
	yard(t, s, p)
	do(t, s, p, nil, "navmesh.moveTo", `{"entity":"ent_0","target":[8.5,0,9.5]}`)
	walking := s.Content()
	do(t, s, p, nil, "checkpoint.create", `{"name":"walking"}`)
	s.Steps(30)
	do(t, s, p, nil, "navmesh.build", `{`+ten+`,"cellSize":2}`)
	do(t, s, p, nil, "checkpoint.load", `{"name":"walking"}`)
	if s.Content() != walking {
		t.Error("a checkpoint does not bring back the grid and the walk")
	}
	s.Steps(60)
	if at := position(t, s, 1); at.Dist(world.Vec3{3.5, 0.5, 0.5}) > 1e-6 {
		t.Errorf("after the checkpoint it walks to %v", at)
	}
	for range 3 { // the loading, the building, the setting out
		do(t, s, p, nil, "world.undo", `{}`)
	}
	at := position(t, s, 1)
	if s.Steps(10); position(t, s, 1) != at {
		t.Error("undo does not stop the walk")
	}
	s.Must(t, p, "navmesh.findPath", `{"from":[0,0,0],"to":[1,0,1]}`)
	do(t, s, p, nil, "world.undo", `{"steps":2}`)
	if s.Content() != empty {
		t.Error("undo leaves something of the grid")
	}
	if _, err := s.Call(p, "navmesh.findPath", `{"from":[0,0,0],"to":[1,0,1]}`); err == nil || !strings.HasPrefix(err.Message, "there is no grid") {
		t.Errorf("without a grid: %v", err)
	}
}

// TestGeneratedGround lays a grid on a tile of hills and has somebody walk over it.
func TestGeneratedGround(t *testing.T) {
	s, p := skilltest.New(t, all), skilltest.Caller(t, "ann", skilltest.Builder)
	land, err := terrain.New(7, terrain.Hills, terrain.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	var ground solid.Solid
	_, err = s.World.Update(t.Context(), func(tx *world.Tx) error {
		tile := world.Ground{Land: land}
		id, err := tx.Create(world.Spec{Position: tile.Place()})
		if err == nil {
			err = s.World.Grounds.Set(tx, id, tile)
		}
		ground, _ = solid.Of(s.World, &tx.View, id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	height := func(x, z float64) float64 {
		_, high, ok := ground.Column(x, z)
		if !ok {
			t.Fatalf("no ground at %v, %v", x, z)
		}
		return high
	}
	do(t, s, p, nil, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":48,"maxZ":48},"cellSize":1,"diagonal":true}`)
	var way navigation.FindPathOut
	do(t, s, p, &way, "navmesh.findPath", `{"from":[2.5,0,2.5],"to":[45.5,0,40.5]}`)
	if !way.Reachable || len(way.Path) < 40 {
		t.Fatalf("the way: %+v", way)
	}
	for _, c := range way.Path[1 : len(way.Path)-1] {
		if d := c[1] - height(c[0], c[2]); d > 1e-5 || d < -1e-5 { // it is told in hundredths of a millimetre
			t.Errorf("%v of the way is %v above the ground", c, d)
		}
	}
	do(t, s, p, nil, "scene.createEntity", `{"position":[2.5,%v,2.5],"size":1}`, height(2.5, 2.5)+0.5)
	do(t, s, p, nil, "navmesh.moveTo", `{"entity":"ent_1","target":[45.5,0,40.5],"speed":30}`)
	s.Steps(300)
	if at := position(t, s, 2); at.Dist(world.Vec3{45.5, height(45.5, 40.5) + 0.5, 40.5}) > 1e-9 {
		t.Errorf("it ends at %v", at)
	}
	// As high, as low and as steep as it may be, of the same ground.
	for _, c := range []struct {
		limits  string
		blocked func(y float64) bool
	}{
		{`"minY":1`, func(y float64) bool { return y < 1 }},
		{`"maxY":2.5`, func(y float64) bool { return y > 2.5 }},
		{`"minY":0,"maxY":3`, func(y float64) bool { return y < 0 || y > 3 }},
	} {
		var built navigation.BuildOut
		do(t, s, p, &built, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":48,"maxZ":48},"cellSize":1,"obstacles":[],"heightField":{%s}}`, c.limits)
		want := 0
		for x := 0.5; x < 48; x++ {
			for z := 0.5; z < 48; z++ {
				if c.blocked(height(x, z)) {
					want++
				}
			}
		}
		if built.Blocked != want || want == 0 || want == 48*48 {
			t.Errorf("%s: %d cells are blocked, want %d", c.limits, built.Blocked, want)
		}
	}
	do(t, s, p, nil, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":48,"maxZ":48},"cellSize":1,"obstacles":[],"heightField":{"maxSlope":0.001}}`)
	if do(t, s, p, &way, "navmesh.findPath", `{"from":[2.5,0,2.5],"to":[45.5,0,40.5]}`); way.Reachable {
		t.Error("there is a way where everything is too steep")
	}

	// With levels it lies on that ground too, and a deck is above it.
	const x, z = 20.5, 20.5
	deck := height(x, z) + 5
	do(t, s, p, nil, "scene.createEntity", `{"position":[%v,%v,%v],"size":1}`, x, deck-0.1, z)
	do(t, s, p, nil, "three.setTransform", `{"entity":"ent_2","scale":[3,0.2,3]}`)
	var built navigation.BuildOut
	do(t, s, p, &built, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":48,"maxZ":48},"cellSize":1,"diagonal":true,"levels":true,"ignore":["ent_1"]}`)
	if built.Levels != 2 {
		t.Errorf("built %+v, want ground below a deck", built)
	}
	for y, want := range map[float64]bool{height(x, z): true, deck: false, deck + 10: false} { // nothing leads up
		var out navigation.IsReachableOut
		do(t, s, p, &out, "navmesh.isReachable", `{"entity":"ent_1","to":[%v,%v,%v]}`, x, y, z)
		if out.Reachable != want {
			t.Errorf("at y %v, of ground at %v and a deck at %v: %+v", y, height(x, z), deck, out)
		}
	}
	do(t, s, p, nil, "navmesh.moveTo", `{"entity":"ent_1","target":[%v,%v,%v],"speed":30}`, x, height(x, z), z)
	s.Steps(300)
	if at := position(t, s, 2); at.Dist(world.Vec3{x, height(x, z) + 0.5, z}) > 1e-5 {
		t.Errorf("under the deck it ends at %v, the ground is at %v", at, height(x, z))
	}
}
