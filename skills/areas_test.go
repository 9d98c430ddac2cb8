package skills_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/navigation"
)

// TestThroughDoors has the grid that the description of navmesh.build shows lead into all rooms of a house, and a coarser one tell that it does not.
func TestThroughDoors(t *testing.T) {
	r := moving(t)
	r.Do("scene.createEntity", `{"position":[0,-0.5,0],"scale":[60,1,60],"static":true}`)
	var house struct{ Group string }
	if err := json.Unmarshal([]byte(r.Do("architecture.building", `{"width":10,"position":[1.13,0,2.07],"partitions":[{"along":"width","at":-0.5},{"along":"depth","to":-0.5}]}`)), &house); err != nil {
		t.Fatal(err)
	}
	build := func(cell string) (out navigation.BuildOut) {
		t.Helper()
		if err := json.Unmarshal([]byte(r.Do("navmesh.build", `{"bounds":{"minX":-20,"minZ":-20,"maxX":20,"maxZ":20},"cellSize":%s,"diagonal":true,"agentRadius":0.4}`, cell)), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	out := build("0.5")
	if len(out.Areas) != 4 || out.Areas[0].Entity != 0 || out.Areas[1].Entity.String() != house.Group || !strings.Contains(out.Note, "4 areas of 4 cells and more that no way joins; the largest has ") || !strings.Contains(out.Note, "; "+house.Group+" holds one of ") {
		t.Errorf("with large cells: %+v", out)
	}
	if out := build("0.2"); len(out.Areas) > 0 || out.Note != "" {
		t.Errorf("with small ones: %+v", out)
	}
}

// TestAssignAstray has behavior.assign tell of a routine that leads to where no way does.
func TestAssignAstray(t *testing.T) {
	r := moving(t)
	npc := entityOf(t, r.Do("scene.createEntity", `{"position":[2,0,2]}`))
	r.Do("behavior.define", `{"id":"p","name":"P","routines":[{"id":"day","name":"","schedule":[{"hour":6,"action":"goTo","position":[4,0,4]},{"hour":20,"action":"goTo","position":[2,0,9.5]}]}]}`)
	assign := func() string { return r.Do("behavior.assign", `{"entity":%q,"profileId":"p"}`, npc) }
	if got := assign(); got != `{"ok":true}` {
		t.Errorf("without a grid: %s", got)
	}
	r.Do("navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":10,"maxZ":10},"cellSize":1,"obstacles":[{"minX":0,"minZ":5,"maxX":10,"maxZ":6}]}`)
	if got, want := assign(), `{"ok":true,"note":"from where it is now no way leads to [2 0 9.5], where the routine \"day\" has it go at 20: the nearest place that it can reach is [1.5 0 4.5]"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	r.Do("three.setTransform", `{"entity":%q,"position":[2,0,8]}`, npc)
	if got := assign(); !strings.Contains(got, "no way leads to [4 0 4]") {
		t.Errorf("from the other side: %s", got)
	}
}
