package architecture_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// own returns the corners of a block in the house's own frame.
func (h *house) own(b *block) (lo, hi world.Vec3) {
	at := world.QuatFromEuler(0, -h.in.Rotation, 0).Rotate(b.centre.Sub(h.in.Position))
	return at.Sub(b.half), at.Add(b.half)
}

// TestStoreys looks at floors and stairs: one stands on every floor, but for where stairs come up; those are as steep as can be climbed, and nothing is
// over them that one would hit.
func TestStoreys(t *testing.T) {
	check(t, func(t *rapid.T, h *house) {
		in := &h.in
		flights := make([][]block, in.Storeys-1) // by the floor that they lead from
		floors := 0
		for i := range h.blocks {
			b := &h.blocks[i]
			_, hi := h.own(b)
			switch b.kind {
			case "floor":
				floors++
				if storey := hi[1] / in.Height; math.Abs(storey-math.Round(storey)) > slack || storey < 0.5 || storey > float64(in.Storeys)-0.5 {
					t.Errorf("a floor is at %g", hi[1])
				}
			case "step":
				storey := int((hi[1] - 0.05) / in.Height)
				flights[storey] = append(flights[storey], *b)
			}
		}
		if want := (in.Storeys - 1) * map[bool]int{true: 3, false: 1}[in.Stairs]; floors != want {
			t.Fatalf("there are %d pieces of floors, want %d", floors, want)
		}
		for storey := 1; storey < in.Storeys; storey++ {
			lo, hi := h.stairs(t, flights[storey-1], storey)
			for range 50 {
				x := rapid.Float64Range(-1, 1).Draw(t, "x") * (in.Width/2 - in.WallThickness)
				z := rapid.Float64Range(-1, 1).Draw(t, "z") * (in.Depth/2 - in.WallThickness)
				want := 1
				if x > lo[0] && x < hi[0] && z > lo[2] && z < hi[2] {
					want = 0
				}
				n, near := h.inside(h.place(x, in.Height*float64(storey)-1e-3, z))
				if storey < in.Storeys-1 && want == 0 {
					n = 0 // the next flight may begin there
				}
				if n != want && near > slack && in.Height > 0.1 {
					t.Fatalf("(%g, %g) is in %d floors of storey %d, want %d", x, z, n, storey, want)
				}
			}
		}
	})
}

// stairs checks a flight that leads to a storey and returns the room that it takes.
func (h *house) stairs(t *rapid.T, steps []block, storey int) (lo, hi world.Vec3) {
	if !h.in.Stairs {
		if len(steps) > 0 {
			t.Fatal("there are stairs that nobody wanted")
		}
		return lo, hi
	}
	in := &h.in
	floor := in.Height * float64(storey-1)
	lo, hi = h.own(&steps[0])
	low := floor
	for i := range steps {
		from, to := h.own(&steps[i])
		lo, hi = lo.Min(from), hi.Max(to)
		if rise := to[1] - low; rise <= 0 || rise > 0.2+slack {
			t.Fatalf("step %d of %d is %g above what is before it", i, len(steps), rise)
		}
		low = to[1]
		if i > 0 {
			if gap := -overlap(&steps[i], &steps[i-1]); math.Abs(gap) > slack {
				t.Fatalf("step %d is %g off the one before it", i, gap)
			}
			if a, b := steps[i].centre, steps[i-1].centre; a.Sub(b).Mul(world.Vec3{1, 0, 1}).Len() < a[1]-b[1]-slack {
				t.Fatalf("the stairs are steeper than 45 degrees")
			}
		}
		for range 5 { // somebody on the step
			x := rapid.Float64Range(from[0], to[0]).Draw(t, "x on a step")
			z := rapid.Float64Range(from[2], to[2]).Draw(t, "z on a step")
			y := rapid.Float64Range(to[1], max(to[1], to[1]+in.Height-0.4)).Draw(t, "y above a step")
			if n, near := h.inside(h.place(x, min(y, h.top()), z)); n > 0 && near > slack {
				t.Fatalf("something is %g above a step, in storeys of %g", y-to[1], in.Height)
			}
		}
	}
	touch := math.Inf(-1)
	for i := range h.blocks {
		if h.blocks[i].kind == "floor" {
			touch = max(touch, overlap(&h.blocks[i], &steps[len(steps)-1]))
		}
	}
	if math.Abs(touch) > slack {
		t.Fatalf("the last step is %g off the floor", -touch)
	}
	if rise := in.Height*float64(storey) - low; rise <= 0 || rise > 0.2+slack {
		t.Fatalf("the last step is %g below the floor", rise)
	}
	return lo, hi
}

// TestStoreyErrors holds that storeys that cannot be there are told, and what can be.
func TestStoreyErrors(t *testing.T) {
	const bad = registry.CodeInvalidInput
	skilltest.Run(t, skills, "architecture.building", []skilltest.Case{
		{Name: "no room for stairs", Input: `{"storeys":2,"width":4,"depth":4}`, Code: bad, Err: `storeys: stairs for storeys 3.2 high need 6.3 metres inside along a wall and 2.2 across, and there are 3.5 by 3.5; make the house larger, or give a lower height, or stairs false`},
		{Name: "too narrow for stairs", Input: `{"storeys":2,"width":20,"depth":2}`, Code: bad, Err: `storeys: stairs for storeys 3.2 high need 6.3 metres inside along a wall and 2.2 across, and there are 19.5 by 1.5; make the house larger, or give a lower height, or stairs false`},
		{Name: "too high for stairs", Input: `{"storeys":2,"height":9}`, Code: bad, Err: `height: must be from 2.7 to 8 where stairs lead from storey to storey, got 9; or give stairs false`},
		{Name: "too low for stairs", Input: `{"storeys":2,"height":2.5}`, Code: bad, Err: `height: must be from 2.7 to 8 where stairs lead from storey to storey, got 2.5; or give stairs false`},
		{Name: "too high together", Input: `{"storeys":4,"height":60,"stairs":false}`, Code: bad, Err: `storeys: must be at most 3, since they are 60 high and the walls may have 200 metres in all, got 4`},
		{Name: "a window above", Input: `{"windows":[{"wall":"back","storey":2}]}`, Code: bad, Err: `windows[0].storey: must be at most 1, how many storeys there are, got 2`},
		{Name: "a window in the door", Input: `{"storeys":2,"windows":[{"wall":"front","storey":2},{"wall":"front"}]}`, Code: bad, Err: `windows[1].at: must be from -3.15 to -1.3 or from 1.3 to 3.15 for this width in the front wall, clear of the door, got 0`},
		{Name: "two windows in one place", Input: `{"storeys":2,"windows":[{"wall":"back","storey":2},{"wall":"back"}]}`, Code: bad, Err: `windows[1].at: must be from -3.15 to -1.2 or from 1.2 to 3.15 for this width in the back wall of storey 2, clear of windows[0], got 0`},
	})
}

// TestRebuildStoreys puts a storey on a house and takes it off again.
func TestRebuildStoreys(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "architecture.building", `{"width":9,"windows":[{"wall":"back","at":1}]}`)
	var built architecture.BuildingOut
	group := ""
	for i := range s.Len() {
		if e := s.Entity(t, world.ID(i+1).String()); strings.Contains(e, `"name":"house"`) {
			group = world.ID(i + 1).String()
		}
	}
	n := s.Len()
	if err := json.Unmarshal([]byte(s.Must(t, p, "architecture.rebuild", `{"building":"`+group+`","storeys":2,"list":2000}`)), &built); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, part := range built.Parts {
		kinds[part.Kind]++
	}
	if kinds["floor"] != 3 || kinds["step"] != 15 || kinds["stairWall"] != 1 || kinds["railing"] != 1 || kinds["backWallPane"] != 2 {
		t.Errorf("a house of two storeys has %v", kinds)
	}
	s.Must(t, p, "architecture.rebuild", `{"building":"`+group+`","storeys":1}`)
	if s.Len() != n {
		t.Errorf("%d parts are left, were %d", s.Len(), n)
	}
	s.Must(t, p, "architecture.rebuild", `{"building":"`+group+`","storeys":2,"windows":[{"wall":"left","storey":2}]}`)
	const want = "storeys: the house has windows[0] in storey 2: give windows anew, [] for none, or at least 2 storeys, got 1"
	if _, err := s.Call(p, "architecture.rebuild", `{"building":"`+group+`","storeys":1}`); err == nil || err.Message != want {
		t.Errorf("with a window above: %v, want %s", err, want)
	}
	s.Must(t, p, "architecture.rebuild", `{"building":"`+group+`","storeys":1,"windows":[]}`)
}

// TestPartsListed has the answer list the first parts, as many as are asked for, and say how many more there are; the house is the same.
func TestPartsListed(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	for _, tt := range []struct {
		list   string
		listed func(all int) int
	}{{"", func(int) int { return 50 }}, {`,"list":0`, func(int) int { return 0 }}, {`,"list":2000`, func(all int) int { return all }}} {
		var out architecture.BuildingOut
		if err := json.Unmarshal([]byte(s.Must(t, p, "architecture.building", `{"width":12,"depth":10,"storeys":5`+tt.list+`}`)), &out); err != nil {
			t.Fatal(err)
		}
		want := tt.listed(out.EntityCount)
		if len(out.Entities) != want || len(out.Parts) != want || out.More != out.EntityCount-want || out.EntityCount < 60 || out.Bounds.Max[1] < 16 {
			t.Errorf("%q lists %d and %d of %d parts, and %d more", tt.list, len(out.Entities), len(out.Parts), out.EntityCount, out.More)
		}
	}
}

// TestOldPlans changes a house of a world that was kept when there were no storeys.
func TestOldPlans(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	in := registry.Default[architecture.BuildingIn]()
	in.Width = 9
	in.List = &every
	out, err := registry.Invoke[architecture.BuildingIn, architecture.BuildingOut](context.Background(), s.Registry, p, "architecture.building", in)
	if err != nil {
		t.Fatal(err)
	}
	var save []byte
	s.World.View(func(v *world.View) { save = v.AppendSave(nil) })
	old := strings.Replace(string(save), `,"storeys":1,"stairs":true`, "", 1)
	if old == string(save) {
		t.Fatalf("no plan in %s", save)
	}
	s = skilltest.New(t, skills)
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		_, err := tx.Adopt([]byte(old))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if got := s.Must(t, p, "architecture.rebuild", `{"building":"`+out.Group.String()+`","storeys":2}`); !strings.Contains(got, `"step"`) {
		t.Errorf("the house has no stairs: %s", got)
	}
}
