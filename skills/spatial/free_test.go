package spatial_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/spatial"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// yardOf is a search for free space among a few things, and what is known of them.
type yardOf struct {
	in     spatial.FreeSpaceIn
	things []solid.Solid
	boxes  []solid.Solid // those that are upright, and have a top to stand on
}

// reaches is how far a thing reaches into the box at a place, whose sides are further out than its margin by more.
func (y *yardOf) reaches(at world.Vec3, more float64) float64 {
	size := y.in.Size.Add(world.Vec3{2 * (y.in.Margin + more), 0, 2 * (y.in.Margin + more)})
	box := solid.New(world.Shape{Kind: "box", Size: size}, world.Transform{Position: at, Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}})
	deepest := 0.0
	for _, s := range y.things {
		deepest = max(deepest, -solid.Between(box, s).Gap)
	}
	return deepest
}

// cost is how far a place is, whose box has its underside at floor.
func (y *yardOf) cost(x, z, floor float64) float64 {
	return math.Hypot(x-y.in.Near[0], z-y.in.Near[2]) + 4*math.Abs(floor-y.in.Near[1])
}

// TestFreeSpaceIsTheNearest holds the answer against a grid of places with a little room to spare: none of them is nearer by
// more than a centimetre, and the box fits where the answer says.
func TestFreeSpaceIsTheNearest(t *testing.T) {
	const spare = 2.0 / 256 // all of a cell of the search is as near
	p := skilltest.Caller(t, "ann", "builder.readWrite")
	rapid.Check(t, func(rt *rapid.T) {
		s := skilltest.New(t, all)
		number := func(lo, hi float64, what string) float64 { return rapid.Float64Range(lo, hi).Draw(rt, what) }
		y := yardOf{in: spatial.FreeSpaceIn{
			Size: world.Vec3{number(0.3, 2, "width"), number(0.2, 2, "height"), number(0.3, 2, "depth")},
			Near: world.Vec3{number(-2, 2, "x"), number(0, 2, "y"), number(-2, 2, "z")}, Radius: number(0.5, 2.5, "radius"), Margin: number(0, 0.3, "margin"),
			Floating: rapid.Bool().Draw(rt, "floating"),
		}}
		if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			for range rapid.IntRange(1, 8).Draw(rt, "things") {
				half := number(0, math.Pi, "turn") / 2
				at := world.Transform{
					Position: world.Vec3{number(-4, 4, "thing x"), number(0, 2, "thing y"), number(-4, 4, "thing z")},
					Rotation: world.Quat{0, math.Sin(half), 0, math.Cos(half)}, Scale: world.Vec3{1, 1, 1},
				}
				shape := world.Shape{Kind: rapid.SampledFrom([]string{"box", "sphere"}).Draw(rt, "kind"), Size: world.Vec3{number(0.1, 3, "size"), number(0.1, 3, "tall"), number(0.1, 3, "deep")}}
				if shape.Kind == "sphere" {
					shape.Size = world.Vec3{shape.Size[0], shape.Size[0], shape.Size[0]}
				}
				id, err := tx.Create(world.Spec{Position: at.Position, Rotation: at.Rotation})
				if err != nil {
					return err
				}
				if err := s.World.Shapes.Set(tx, id, shape); err != nil {
					return err
				}
				thing := solid.New(shape, at)
				y.things = append(y.things, thing)
				if shape.Kind == "box" {
					y.boxes = append(y.boxes, thing)
				}
			}
			return nil
		}); err != nil {
			rt.Fatal(err)
		}
		input, err := json.Marshal(y.in)
		if err != nil {
			rt.Fatal(err)
		}
		var out spatial.FreeSpaceOut
		if err := json.Unmarshal([]byte(s.Must(t, p, "spatial.freeSpace", string(input))), &out); err != nil {
			rt.Fatal(err)
		}
		found := math.Inf(1)
		if out.Found {
			at := *out.Position
			floor := at[1]
			if !y.in.Floating {
				floor -= y.in.Size[1] / 2
			}
			found = y.cost(at[0], at[2], floor)
			if deep := y.reaches(at, 0); deep > 0.0011 {
				rt.Errorf("%s: at %v something reaches %v m into it", input, at, deep)
			}
			if d := math.Hypot(at[0]-y.in.Near[0], at[2]-y.in.Near[2]); d > y.in.Radius+1e-9 || math.Abs(d-*out.Distance) > 1e-9 {
				rt.Errorf("%s: %v is %v m away; it says %v", input, at, d, *out.Distance)
			}
		}
		if out.Complete {
			y.holdAgainst(rt, string(input), found, spare)
		}
	})
}

// holdAgainst tries a grid of places.
func (y *yardOf) holdAgainst(rt *rapid.T, input string, found, spare float64) {
	const pitch = 0.0625
	n := int(y.in.Radius / pitch)
	for i := -n; i <= n; i++ {
		for j := -n; j <= n; j++ {
			x, z := y.in.Near[0]+float64(i)*pitch, y.in.Near[2]+float64(j)*pitch
			if math.Hypot(x-y.in.Near[0], z-y.in.Near[2]) > y.in.Radius-spare {
				continue
			}
			for _, floor := range y.floors(x, z, spare) {
				mid := floor
				if !y.in.Floating {
					mid += y.in.Size[1] / 2
				}
				if c := y.cost(x, z, floor); c < found-0.0101 && y.reaches(world.Vec3{x, mid, z}, spare) < 1e-6 {
					rt.Fatalf("%s: the answer is %v away, and at %v there is a place that is %v away", input, found, world.Vec3{x, mid, z}, c)
				}
			}
		}
	}
}

// floors are what carries at a place and a little around it.
func (y *yardOf) floors(x, z, spare float64) []float64 {
	if y.in.Floating {
		return []float64{y.in.Near[1]}
	}
	all := []float64{0}
	for _, b := range y.boxes {
		off := world.Vec3{x, b.Center[1], z}.Sub(b.Center)
		onTop := math.Abs(off.Dot(b.Axes[0])) < b.Half[0]-2*spare && math.Abs(off.Dot(b.Axes[2])) < b.Half[2]-2*spare
		if top := b.Center[1] + b.Half[1]; onTop && top > 0 {
			all = append(all, top)
		}
	}
	return all
}

// TestFreeSpaceIsBounded has a search in the thick of things that leave nearly room enough end, with what it has found, and say
// that there may be better.
func TestFreeSpaceIsBounded(t *testing.T) {
	s := skilltest.New(t, all)
	p := skilltest.Caller(t, "ann", "builder.readWrite")
	for i := range 30 {
		for j := range 30 {
			s.Must(t, p, "scene.createEntity", fmt.Sprintf(`{"position":[%v,0.5,%v],"size":0.51}`, i-15, j-15)) // 0.49 apart
		}
	}
	const want = `{"found":true,"position":[`
	got := s.Must(t, p, "spatial.freeSpace", `{"size":[0.495,1,0.495],"margin":0,"near":[0,0.5,0],"radius":30,"floating":true}`)
	if len(got) < len(want) || got[:len(want)] != want || got[len(got)-len(`"complete":false}`):] != `"complete":false}` {
		t.Errorf("among posts: %s", got)
	}
}

// TestFreeSpaceOnGroundIsBounded looks on generated ground, where the whole grid is looked at, and on the same, shrunk and tilted, which
// takes so long that it is not.
func TestFreeSpaceOnGroundIsBounded(t *testing.T) {
	for tilt, complete := range map[string]bool{`[0,0.4,0]`: true, `[0.2,0.4,0]`: false} {
		s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
			return skills.All(skills.Deps{World: w, Agents: a})
		})
		p := skilltest.Caller(t, "ann", "builder.readWrite")
		s.Must(t, p, "world.generateRegion", `{"seed":3,"type":"mountains","bounds":{"minTx":0,"minTz":0,"maxTx":2,"maxTz":2}}`)
		for i := range 9 {
			s.Must(t, p, "three.setTransform", fmt.Sprintf(`{"entity":"ent_%d","position":[%v,0,0],"scale":[0.3,1,0.3],"rotationEuler":%s}`, i, i, tilt))
		}
		got := s.Must(t, p, "spatial.freeSpace", `{"size":[3,4,3],"near":[0,70,0],"radius":20}`)
		if complete && !strings.HasPrefix(got, `{"found":true`) || strings.HasSuffix(got, `"complete":true}`) != complete {
			t.Errorf("tilted by %s: %s", tilt, got)
		}
	}
}

// TestFreeSpaceOnGround finds, on generated ground, a place beside which there is none that is better by more than centimetres.
func TestFreeSpaceOnGround(t *testing.T) {
	s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		return skills.All(skills.Deps{World: w, Agents: a})
	})
	p := skilltest.Caller(t, "ann", "builder.readWrite")
	s.Must(t, p, "world.generateRegion", `{"seed":3,"type":"mountains","bounds":{"minTx":1,"minTz":1,"maxTx":2,"maxTz":2}}`)
	ask := func(near world.Vec3, radius float64) (cost, x, z float64) {
		var out spatial.FreeSpaceOut
		got := s.Must(t, p, "spatial.freeSpace", fmt.Sprintf(`{"size":[8,4,6],"near":[%v,%v,%v],"radius":%v}`, near[0], near[1], near[2], radius))
		if err := json.Unmarshal([]byte(got), &out); err != nil || !out.Found {
			t.Fatalf("around %v: %s", near, got)
		}
		return math.Hypot(out.Position[0]-100, out.Position[2]-100) + 4*math.Abs(out.Position[1]-2-10), out.Position[0], out.Position[2]
	}
	least, x, z := ask(world.Vec3{100, 10, 100}, 20)
	for i := range 64 { // as good as at one place only
		a, far := float64(i)*math.Pi/4, 0.02*math.Pow(1.7, float64(i/8))
		if cost, _, _ := ask(world.Vec3{x + far*math.Cos(a), 10, z + far*math.Sin(a)}, 1e-9); far < 0.5 && cost < least-0.03 {
			t.Errorf("at %v, %v it costs %v, and %v m beside that %v", x, z, least, far, cost)
		}
	}
}
