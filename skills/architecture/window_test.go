package architecture_test

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// windows draws windows that a house has room for.
func windows(t *rapid.T, in *architecture.BuildingIn) (list []architecture.Window) {
	part := rapid.Float64Range(0.05, 0.95)
	for range rapid.IntRange(0, 5).Draw(t, "windows") {
		w := architecture.Window{Wall: rapid.SampledFrom([]string{"front", "back", "left", "right"}).Draw(t, "wall"), Open: rapid.Bool().Draw(t, "open"), Storey: rapid.IntRange(0, in.Storeys).Draw(t, "storey")}
		most := in.Width - 2*in.WallThickness
		if w.Wall == "left" || w.Wall == "right" {
			most = in.Depth - 2*in.WallThickness
		}
		w.Width = most * part.Draw(t, "window's width")
		w.Height = in.Height * part.Draw(t, "window's height")
		w.At = (most - w.Width) * (part.Draw(t, "at") - 0.5)
		w.Sill = (in.Height - w.Height) * rapid.SampledFrom([]float64{0, 0.3, 0.9, 0.99}).Draw(t, "sill")
		free := w.Wall != "front" || w.Storey > 1 || w.Sill >= in.DoorHeight || math.Abs(w.At) >= (w.Width+in.DoorWidth)/2
		for _, o := range list {
			free = free && (o.Wall != w.Wall || o.Storey*w.Storey > 0 && o.Storey != w.Storey || math.Abs(o.At-w.At) >= (o.Width+w.Width)/2 || o.Sill >= w.Sill+w.Height || w.Sill >= o.Sill+o.Height)
		}
		if free {
			list = append(list, w)
		}
	}
	return list
}

// windowAt returns the window in whose opening a point of the house's own frame is, nil if in none, and how far that is from the middle of the wall.
func windowAt(in *architecture.BuildingIn, x, y, z float64) (w *architecture.Window, off float64) {
	for i := range in.Windows {
		w := &in.Windows[i]
		// What is to the right as seen from outside, and how far the point is out of the middle of the wall.
		along := map[string]float64{"front": x, "back": -x, "left": z, "right": -z}[w.Wall]
		out := map[string]float64{"front": z, "back": -z, "left": -x, "right": x}[w.Wall]
		middle := in.Depth
		if w.Wall == "left" || w.Wall == "right" {
			middle = in.Width
		}
		off := out - (middle-in.WallThickness)/2
		storey := math.Floor(y / in.Height)
		up := y - in.Height*storey
		there := w.Storey == 0 || float64(w.Storey) == storey+1
		if there && math.Abs(off) <= in.WallThickness/2+slack && math.Abs(along-w.At) <= w.Width/2 && up >= w.Sill && up <= w.Sill+w.Height {
			return w, off
		}
	}
	return nil, 0
}

// TestWindowErrors holds that a window that cannot be there is named, and what can be.
func TestWindowErrors(t *testing.T) {
	const bad = registry.CodeInvalidInput
	in := func(windows string) string { return `{"windows":[` + windows + `]}` }
	skilltest.Run(t, skills, "architecture.building", []skilltest.Case{
		{Name: "no wall", Input: in(`{}`), Code: bad, Err: `windows[0].wall: is required: one of "front", "back", "left", "right"`},
		{Name: "another wall", Input: in(`{"wall":"north"}`), Code: bad, Err: `windows[0].wall: must be one of "front", "back", "left", "right", got "north"`},
		{Name: "wide", Input: in(`{"wall":"left","width":6}`), Code: bad, Err: `windows[0].width: must be at most 5.5, what the left wall has between its corners, got 6`},
		{Name: "beside", Input: in(`{"wall":"back"},{"wall":"back","at":3.5,"width":1}`), Code: bad, Err: `windows[1].at: must be from 1.1 to 3.25 for this width in the back wall, got 3.5`},
		{Name: "high", Input: in(`{"wall":"back","sill":2.5}`), Code: bad, Err: `windows[0].height: must be at most 0.7 above a sill of 2.5 in walls 3.2 high, or its sill at most 2, got 1.2`},
		{Name: "a default one in a low wall", Input: `{"height":1.5,"windows":[{"wall":"back"}]}`, Code: bad, Err: `windows[0].height: must be at most 0.6 above a sill of 0.9 in walls 1.5 high, or its sill at most 0.3, got 1.2`},
		{Name: "higher than the wall", Input: in(`{"wall":"back","height":4}`), Code: bad, Err: `windows[0].height: must be at most 3.2, the height of the walls, with a sill of 0, got 4`},
		{Name: "above the wall", Input: in(`{"wall":"back","sill":4}`), Code: bad, Err: `windows[0].sill: must be at most 2 for this height in walls 3.2 high, got 4`},
		{Name: "in the door", Input: in(`{"wall":"front"}`), Code: bad, Err: `windows[0].at: must be from -3.15 to -1.3 or from 1.3 to 3.15 for this width in the front wall, clear of the door, got 0`},
		{Name: "wide beside the door", Input: in(`{"wall":"front","width":4}`), Code: bad, Err: `windows[0].width: must be at most 3.05, with at -2.225, the widest gap left in the front wall at its height, got 4`},
		{Name: "in another", Input: in(`{"wall":"back"},{"wall":"back","at":1}`), Code: bad, Err: `windows[1].at: must be from -3.15 to -1.2 or from 1.2 to 3.15 for this width in the back wall, clear of windows[0], got 1`},
		{Name: "no room", Input: in(`{"wall":"back","width":7.5},{"wall":"back"}`), Code: bad, Err: `windows[1].wall: the back wall has no room from 0.9 to 2.1 above its floor; choose another wall, or another sill`},
	})
}

// TestWindowsTakeWhatErrorsAllow gives back the limits that errors name: they are taken, and nothing as thin as a rounding error is built.
func TestWindowsTakeWhatErrorsAllow(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	tenths := func(t *rapid.T, name string, from, to int) float64 {
		return float64(rapid.IntRange(from, to).Draw(t, name)) / 10
	}
	rapid.Check(t, func(rt *rapid.T) {
		in := registry.Default[architecture.BuildingIn]()
		in.Width, in.WallThickness, in.Height = tenths(rt, "width", 40, 120), tenths(rt, "thickness", 1, 4), tenths(rt, "height", 23, 60)
		w := architecture.Window{Wall: rapid.SampledFrom([]string{"front", "back"}).Draw(rt, "wall"), Width: tenths(rt, "window's width", 1, 12), Height: 1, Sill: 1}
		w.At = tenths(rt, "at", -60, 60)
		in.Windows = []architecture.Window{{Wall: w.Wall, At: 1.3, Width: 0.2, Height: 1, Sill: 1}, w}
		for try := range 2 {
			s := skilltest.New(t, skills)
			in.List = &every
			out, err := registry.Invoke[architecture.BuildingIn, architecture.BuildingOut](context.Background(), s.Registry, p, "architecture.building", in)
			if err == nil {
				for _, part := range out.Parts {
					if min(part.Size[0], part.Size[1], part.Size[2]) < 1e-6 {
						rt.Fatalf("%+v: %+v", in, part)
					}
				}
				return
			}
			said := err.Error()
			if try > 0 {
				rt.Fatalf("%+v: %s", in, said)
			}
			var width, at float64
			if n, _ := fmt.Sscanf(said, "windows[1].width: must be at most %g, with at %g,", &width, &at); n == 2 {
				in.Windows[1].Width, in.Windows[1].At = width, at
				continue
			}
			_, limits, _ := strings.Cut(said, "windows[1].at: must be ")
			limits, _, _ = strings.Cut(limits, " for this width")
			numbers := strings.FieldsFunc(limits, func(r rune) bool { return !strings.ContainsRune("-.0123456789", r) })
			if len(numbers) == 0 {
				rt.Fatalf("%+v: %s", in, said)
			}
			if in.Windows[1].At, err = strconv.ParseFloat(rapid.SampledFrom(numbers).Draw(rt, "limit"), 64); err != nil {
				rt.Fatal(err)
			}
		}
	})
}

// TestOtherSideOfTheDoor holds that a window on one side of the door leaves the other one what it is.
func TestOtherSideOfTheDoor(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "architecture.building", `{"roofStyle":"flat"}`)
	out := s.Must(t, p, "architecture.rebuild", `{"building":"ent_7","windows":[{"wall":"front","at":-2.5}]}`)
	for _, want := range []string{`{"kind":"frontWallRight","entity":"ent_4"`, `{"kind":"lintel","entity":"ent_5"`} {
		if !strings.Contains(out, want) {
			t.Errorf("got %s, want %s", out, want)
		}
	}
}

// TestPane looks at what is in a window.
func TestPane(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	out := s.Must(t, p, "architecture.building", `{"windows":[{"wall":"right","at":1},{"wall":"back","open":true}]}`)
	const pane = `{"kind":"rightWallPane","entity":"ent_9","position":[3.875,1.5,-1],"size":[0.04,1.2,1.2]}`
	if !strings.Contains(out, pane) || strings.Contains(out, "backWallPane") {
		t.Errorf("got %s", out)
	}
	if got := s.Entity(t, "ent_9"); !strings.Contains(got, `"material":{"name":"glass"`) || !strings.Contains(got, `"rigidBody":{"type":"static","collider":"box"`) {
		t.Errorf("the pane is %s", got)
	}
}

// TestGableEnds holds that the triangles under a gable roof are filled, and nothing else, and that no two parts are in each other.
func TestGableEnds(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	rapid.Check(t, func(rt *rapid.T) {
		in := inputs(rt)
		in.Windows, in.GableEnds, in.WithRoof, in.RoofStyle = nil, true, true, "gable"
		in.Width, in.Depth, in.Position = min(in.Width, 30), min(in.Depth, 30), world.Vec3{}
		in.WallThickness, in.DoorWidth = min(in.WallThickness, 0.4*min(in.Width, in.Depth)), 0.1*in.Width
		in.Stairs = in.Stairs && in.Storeys == 1
		s := skilltest.New(t, skills)
		in.List = &every
		out, err := registry.Invoke[architecture.BuildingIn, architecture.BuildingOut](context.Background(), s.Registry, p, "architecture.building", in)
		if err != nil {
			rt.Fatal(err)
		}
		var all []solid.Solid
		s.World.View(func(v *world.View) {
			for _, part := range out.Parts {
				one, _ := solid.Of(s.World, v, part.Entity)
				for i, other := range all {
					ridge := part.Kind == "roofRight" && out.Parts[i].Kind == "roofLeft"
					if gap := solid.Between(one, other).Gap; gap < -1e-6 && !ridge {
						rt.Fatalf("%s is %g deep in %s", part.Kind, -gap, out.Parts[i].Kind)
					}
				}
				all = append(all, one)
			}
		})
		h := house{in: in}
		for range 100 {
			x, up := rapid.Float64Range(-1, 1).Draw(rt, "x"), rapid.Float64Range(0, 1).Draw(rt, "up")
			z := rapid.Float64Range(-1, 1).Draw(rt, "z") * in.Depth / 2
			want := up < 1-math.Abs(x) && math.Abs(z) > in.Depth/2-in.WallThickness
			at := h.place(x*in.Width/2, h.top()+up*in.RoofPitch, z)
			in, near := false, false
			for i, part := range out.Parts {
				if strings.HasPrefix(part.Kind, "gable") {
					d := solid.Between(solid.New(world.Shape{}, world.Transform{Position: at, Rotation: world.NoRotation()}), all[i]).Gap
					in, near = in || d <= 0, near || math.Abs(d) < 1e-6
				}
			}
			if in != want && !near {
				rt.Fatalf("%g, %g, %g is in a gable: %v", x, up, z, in)
			}
		}
	})
	s := skilltest.New(t, skills)
	if out := s.Must(t, p, "architecture.building", `{"roofStyle":"flat","gableEnds":true}`); !strings.HasSuffix(out, `"note":"gableEnds closes the ends of a gable roof, and this house has none"}`) {
		t.Error(out)
	}
}
