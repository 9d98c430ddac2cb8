package solid_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// gap is how far two boxes are from each other.
func gap(a, b solid.Bounds) float64 {
	return a.Lo.Sub(b.Hi).Max(b.Lo.Sub(a.Hi)).Max(world.Vec3{}).Len()
}

// TestIndex changes a world at random, also in transactions that are taken back, and asks the index and
// every entity.
func TestIndex(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := world.New(world.Config{})
		of := func(v *world.View, id world.ID) (solid.Solid, bool) { return solid.Of(w, v, id) }
		x := solid.NewIndex(w, of)
		c := rapid.Float64Range(-20, 20)
		vec := func(name string) world.Vec3 {
			return world.Vec3{c.Draw(rt, name+"x"), c.Draw(rt, name+"y"), c.Draw(rt, name+"z")}
		}
		ask := func(v *world.View) {
			b := solid.Bounds{Lo: vec("lo")}
			b.Hi = b.Lo.Add(world.Vec3{5, 5, 5})
			from, reach := vec("from"), rapid.Float64Range(1, 40).Draw(rt, "reach")
			dir := vec("to").Sub(from)
			if dir.Len() < 1e-3 {
				return
			}
			dir = dir.Scale(1 / dir.Len())
			var in, near []world.ID
			best := solid.Hit{Distance: math.Inf(1)}
			for id := range v.All() {
				s, ok := of(v, id)
				if !ok {
					continue
				}
				if s.Bounds().Near(b, 0) {
					in = append(in, id)
				}
				far := gap(s.Bounds(), b)
				if math.Abs(far-reach) < 1e-6 {
					return // rounding decides
				}
				if far < reach {
					near = append(near, id)
				}
				if d, ok := s.Ray(from, dir); ok && d <= reach && d < best.Distance {
					best = solid.Hit{Entity: id, Distance: d}
				}
			}
			var got []world.ID
			for _, f := range x.In(v, b) {
				got = append(got, f.Entity)
			}
			if diff := gocmp.Diff(in, got); diff != "" {
				rt.Fatalf("In (-want +got):\n%s", diff)
			}
			got = got[:0]
			x.Each(v, b, func(f *solid.Found) bool {
				got = append(got, f.Entity)
				return true
			})
			slices.Sort(got)
			if diff := gocmp.Diff(in, got, cmpopts.EquateEmpty()); diff != "" {
				rt.Fatalf("Each (-want +got):\n%s", diff)
			}
			n := 0
			x.Each(v, b, func(*solid.Found) bool { n++; return n < 2 })
			if n != min(len(in), 2) {
				rt.Fatalf("Each visited %d of %d before it was enough", n, len(in))
			}
			got = got[:0]
			x.Toward(v, b, reach, func(f *solid.Found) float64 {
				got = append(got, f.Entity)
				return reach
			})
			slices.Sort(got)
			if diff := gocmp.Diff(near, got, cmpopts.EquateEmpty()); diff != "" {
				rt.Fatalf("Toward (-want +got):\n%s", diff)
			}
			least, asked := math.Inf(1), 0.0
			x.Toward(v, b, reach, func(f *solid.Found) float64 { // and only as far as it is said to
				if asked = gap(f.Bounds, b); asked > least+1e-6 {
					rt.Fatalf("%v m away, and asked for %v", asked, least)
				}
				least = min(least, asked)
				return least
			})
			hit, ok := x.Ray(v, from, dir, reach, nil)
			if ok != (best.Entity != 0) || ok && (hit.Entity != best.Entity || hit.Distance != best.Distance) {
				rt.Fatalf("Ray = %+v, %v, want %+v", hit, ok, best)
			}
		}
		change := func(tx *world.Tx) {
			id := world.ID(rapid.IntRange(1, 30).Draw(rt, "id"))
			switch rapid.IntRange(0, 5).Draw(rt, "what") {
			case 0, 1:
				made, err := tx.Create(world.Spec{Position: vec("at")})
				if err != nil {
					rt.Fatal(err)
				}
				if err := w.Shapes.Set(tx, made, world.Shape{Kind: "box", Size: world.Vec3{1, 2, 3}}); err != nil {
					rt.Fatal(err)
				}
			case 2:
				tx.Destroy(id)
			case 3:
				_ = tx.SetPosition(id, vec("to"))
			case 4:
				_ = tx.SetParent(id, world.ID(rapid.IntRange(0, 30).Draw(rt, "parent")))
			case 5:
				w.Shapes.Remove(tx, id)
			}
		}
		taken := errors.New("taken back")
		for range rapid.IntRange(1, 30).Draw(rt, "rounds") {
			back := rapid.Bool().Draw(rt, "back")
			_, err := w.Update(context.Background(), func(tx *world.Tx) error {
				for range rapid.IntRange(0, 8).Draw(rt, "changes") {
					mark := tx.Savepoint()
					change(tx)
					if rapid.Bool().Draw(rt, "ask inside") {
						ask(&tx.View)
					}
					if rapid.IntRange(0, 2).Draw(rt, "back inside") == 0 {
						tx.RollbackTo(mark)
					}
				}
				if rapid.Bool().Draw(rt, "ask at the end") {
					ask(&tx.View)
				}
				if back {
					return taken
				}
				return nil
			})
			if err != nil && !errors.Is(err, taken) {
				rt.Fatal(err)
			}
			if rapid.Bool().Draw(rt, "ask") {
				w.View(ask)
			}
		}
	})
}

// BenchmarkRay looks along a row of a thousand boxes, from either end, and across it.
func BenchmarkRay(b *testing.B) {
	const n = 1000
	w := world.New(world.Config{})
	x := solid.NewLooks(w)
	_, err := w.Update(context.Background(), func(tx *world.Tx) error {
		for i := range n {
			id, err := tx.Create(world.Spec{Position: world.Vec3{float64(2 * i), 0, 0}})
			if err == nil {
				err = w.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 1, 1}})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, way := range []struct {
		name      string
		from, dir world.Vec3
	}{
		{"along", world.Vec3{-10, 0, 0}, world.Vec3{1, 0, 0}},
		{"back", world.Vec3{2*n + 10, 0, 0}, world.Vec3{-1, 0, 0}},
		{"across", world.Vec3{n, 0, -10}, world.Vec3{0, 0, 1}},
	} {
		b.Run(way.name, func(b *testing.B) {
			w.View(func(v *world.View) {
				for b.Loop() {
					if _, ok := x.Ray(v, way.from, way.dir, 1e5, nil); !ok {
						b.Fatal("nothing was met")
					}
				}
			})
		})
	}
}

// BenchmarkFill asks an index of 100,000 boxes for the first time.
func BenchmarkFill(b *testing.B) {
	const side = 316
	w := world.New(world.Config{})
	_, err := w.Update(context.Background(), func(tx *world.Tx) error {
		for i := range side * side {
			id, err := tx.Create(world.Spec{Position: world.Vec3{float64(3 * (i % side)), float64(i*7919%13) / 2, float64(3 * (i / side))}})
			if err == nil {
				err = w.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{2, 2, 2}})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		x := solid.NewLooks(w)
		w.View(func(v *world.View) {
			if found := x.In(v, solid.Bounds{Hi: world.Vec3{1, 1, 1}}); len(found) == 0 {
				b.Fatal("nothing was found")
			}
		})
	}
}

// TestIndexGround holds the height of the ground against that of all tiles, which come, go and are taken back.
func TestIndexGround(t *testing.T) {
	seen := 0
	rapid.Check(t, func(rt *rapid.T) {
		w := world.New(world.Config{})
		x := solid.NewLooks(w)
		land := terrain.Land{Seed: 3, Type: terrain.Plains, Relief: 3, FeatureSize: 20}
		ask := func(v *world.View) {
			px, pz := rapid.Float64Range(-80, 80).Draw(rt, "px"), rapid.Float64Range(-80, 80).Draw(rt, "pz")
			want, over := math.Inf(-1), false
			for id := range w.Grounds.All(v) {
				s, _ := solid.Of(w, v, id)
				if _, high, ok := s.Column(px, pz); ok {
					want, over = max(want, high), true
					seen++
				}
			}
			if got, ok := x.Ground(v, px, pz); ok != over || ok && got != want {
				rt.Fatalf("Ground(%v, %v) = %v, %v, want %v, %v", px, pz, got, ok, want, over)
			}
		}
		taken := errors.New("taken back")
		for range rapid.IntRange(1, 12).Draw(rt, "rounds") {
			back := rapid.Bool().Draw(rt, "back")
			_, err := w.Update(context.Background(), func(tx *world.Tx) error {
				for range rapid.IntRange(1, 3).Draw(rt, "changes") {
					id := world.ID(rapid.IntRange(1, 9).Draw(rt, "id"))
					switch rapid.IntRange(0, 3).Draw(rt, "what") {
					case 0, 1:
						tile := rapid.IntRange(-1, 1).Draw(rt, "tile")
						made, err := tx.Create(world.Spec{Position: world.Vec3{float64(tile * terrain.Size)}, Rotation: world.QuatFromEuler(rapid.SampledFrom([]float64{0, 0.2}).Draw(rt, "turn"), 0, 0)})
						if err != nil {
							return err
						}
						if err := w.Grounds.Set(tx, made, world.Ground{Land: land, Tile: [2]int{tile, 0}, LOD: 2}); err != nil {
							return err
						}
					case 2:
						tx.Destroy(id)
					case 3:
						w.Grounds.Remove(tx, id)
					}
					if rapid.Bool().Draw(rt, "ask inside") {
						ask(&tx.View)
					}
				}
				if back {
					return taken
				}
				return nil
			})
			if err != nil && !errors.Is(err, taken) {
				rt.Fatal(err)
			}
			w.View(ask)
		}
	})
	if seen == 0 {
		t.Error("there was no ground")
	}
}
