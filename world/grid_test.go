package world_test

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/world"
)

// crowd is a world and, beside it, the positions of everything in it.
type crowd struct {
	w  *world.World
	at map[world.ID]world.Vec3
}

func newCrowd(cell float64) *crowd {
	return &crowd{world.New(world.Config{CellSize: cell}), map[world.ID]world.Vec3{}}
}

func (c *crowd) create(tb testing.TB, p world.Vec3) {
	tb.Helper()
	must(tb, c.w, func(tx *world.Tx) error { c.at[create(tb, tx, world.Spec{Position: p})] = p; return nil })
}

// pick returns an entity, 0 if there is none.
func (c *crowd) pick(n int) (id world.ID) {
	c.w.View(func(v *world.View) {
		ids := slices.Collect(v.All())
		if len(ids) > 0 {
			id = ids[n%len(ids)]
		}
	})
	return id
}

func (c *crowd) move(tb testing.TB, id world.ID, p world.Vec3) {
	tb.Helper()
	must(tb, c.w, func(tx *world.Tx) error { c.at[id] = p; return tx.SetPosition(id, p) })
}

func (c *crowd) destroy(tb testing.TB, id world.ID) {
	tb.Helper()
	must(tb, c.w, func(tx *world.Tx) error { delete(c.at, id); tx.Destroy(id); return nil })
}

// check compares every kind of query with going through all.
func (c *crowd) check(t rapid.TB, center world.Vec3, r float64) {
	t.Helper()
	half := world.Vec3{r, r / 2, r}
	lo, hi := center.Sub(half), center.Add(half)
	var near, box []world.ID
	var hits []world.Hit
	for id, p := range c.at {
		if d2 := p.Dist2(center); d2 <= r*r {
			near = append(near, id)
			hits = append(hits, world.Hit{ID: id, Position: p, Dist2: d2})
		}
		if p.Max(lo) == p && p.Min(hi) == p {
			box = append(box, id)
		}
	}
	slices.Sort(near)
	slices.Sort(box)
	slices.SortFunc(hits, func(a, b world.Hit) int {
		if a.Dist2 != b.Dist2 {
			return int(math.Copysign(1, a.Dist2-b.Dist2))
		}
		return int(a.ID) - int(b.ID)
	})
	c.w.View(func(v *world.View) {
		if diff := gocmp.Diff(near, v.Near(center, r)); diff != "" {
			t.Fatalf("Near(%v, %v) (-want +got):\n%s", center, r, diff)
		}
		if diff := gocmp.Diff(box, v.InBox(lo, hi)); diff != "" {
			t.Fatalf("InBox(%v, %v) (-want +got):\n%s", lo, hi, diff)
		}
		before := world.Hit{ID: 7}
		for _, limit := range []int{len(hits)/2 + 1, len(hits)/16 + 1, 0} {
			bound := limit
			if bound == 0 {
				bound = len(hits)
			}
			got, more := v.AppendNearest([]world.Hit{before}, center, r, limit)
			want := append([]world.Hit{before}, hits[:min(bound, len(hits))]...)
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Fatalf("AppendNearest(%v, %v, %d) (-want +got):\n%s", center, r, limit, diff)
			}
			if want := max(0, len(hits)-bound); more != want {
				t.Fatalf("AppendNearest(%v, %v, %d) left out %d, want %d", center, r, limit, more, want)
			}
		}
	})
}

// TestGrid moves entities about, mostly near the borders of cells and at the ends of the numbers.
func TestGrid(t *testing.T) {
	if race.Enabled {
		return // it takes half a minute, in one goroutine
	}
	coordinate := rapid.OneOf(
		rapid.Float64Range(-50, 50),
		rapid.Map(rapid.IntRange(-5, 5), func(i int) float64 { return float64(i) * 8 }),
		rapid.Map(rapid.IntRange(-5, 5), func(i int) float64 { return math.Nextafter(float64(i)*8, -100) }),
		rapid.SampledFrom([]float64{0, 1e-300, -1e-170, 1e9, -1e15, 3e38, -3e38}),
	)
	radius := rapid.OneOf(rapid.Float64Range(0, 60), rapid.SampledFrom([]float64{0, 8, 16, 1e-160, 1e10, 3e38}))
	point := func(t *rapid.T, name string) world.Vec3 {
		return world.Vec3{coordinate.Draw(t, name+".x"), coordinate.Draw(t, name+".y"), coordinate.Draw(t, name+".z")}
	}
	rapid.Check(t, func(rt *rapid.T) {
		c := newCrowd(8)
		rt.Repeat(map[string]func(*rapid.T){
			"create": func(rt *rapid.T) { c.create(t, point(rt, "at")) },
			"several": func(rt *rapid.T) {
				p := point(rt, "at")
				for i := range 60 {
					c.create(t, p.Add(world.Vec3{float64(i % 7), 0, float64(i % 11)}))
				}
			},
			"move": func(rt *rapid.T) {
				if id := c.pick(rapid.IntRange(0, 1000).Draw(rt, "which")); id != 0 {
					c.move(t, id, point(rt, "to"))
				}
			},
			"destroy": func(rt *rapid.T) {
				if id := c.pick(rapid.IntRange(0, 1000).Draw(rt, "which")); id != 0 {
					c.destroy(t, id)
				}
			},
			"": func(rt *rapid.T) { c.check(rt, point(rt, "center"), radius.Draw(rt, "radius")) },
		})
	})
}

// FuzzGrid reads what to do from bytes: eight for a pair of coordinates, one for what to do there.
func FuzzGrid(f *testing.F) {
	f.Add([]byte("\x00aaaabbbb\x00ccccdddd\x03aaaacccc\x01bbbbdddd\x02\x00\x00\x00\x00\x00\x00\x00\x00\x03aaaaaaaa"))
	f.Add(slices.Repeat([]byte{0, 0, 0, 0x41, 0, 0, 0, 0x41, 0, 3}, 20))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := newCrowd(8)
		for ; len(data) >= 9; data = data[9:] {
			x := float64(math.Float32frombits(binary.LittleEndian.Uint32(data[1:])))
			z := float64(math.Float32frombits(binary.LittleEndian.Uint32(data[5:])))
			p := world.Vec3{x, float64(data[0] >> 2), z}
			if _, err := c.w.Update(context.Background(), func(tx *world.Tx) error {
				_, err := tx.Create(world.Spec{Position: p})
				tx.RollbackTo(0)
				return err
			}); err != nil {
				continue // not a number the world takes
			}
			id := c.pick(int(data[0]))
			switch {
			case data[0]&3 == 0 || id == 0:
				c.create(t, p)
			case data[0]&3 == 1:
				c.move(t, id, p)
			case data[0]&3 == 2:
				c.destroy(t, id)
			default:
				c.check(t, p, math.Abs(z))
			}
		}
		c.check(t, world.Vec3{}, 20)
		c.check(t, world.Vec3{1, 1, 1}, world.MaxNumber)
	})
}

func TestQueryNothing(t *testing.T) {
	c := newCrowd(8)
	c.create(t, world.Vec3{})
	inf, nan := math.Inf(1), math.NaN()
	c.w.View(func(v *world.View) {
		for _, r := range []float64{-1, nan, -inf} {
			if got := v.Near(world.Vec3{}, r); got != nil {
				t.Errorf("Near with radius %v = %v, want nothing", r, got)
			}
		}
		if got := v.Near(world.Vec3{nan, 0, 0}, 1); got != nil {
			t.Errorf("Near around NaN = %v, want nothing", got)
		}
		if got := v.Near(world.Vec3{}, inf); len(got) != 1 {
			t.Errorf("Near with an infinite radius = %v, want all", got)
		}
		if got := v.InBox(world.Vec3{1, 1, 1}, world.Vec3{}); got != nil {
			t.Errorf("InBox of an empty box = %v, want nothing", got)
		}
		if got := v.InBox(world.Vec3{nan, nan, nan}, world.Vec3{1, 1, 1}); got != nil {
			t.Errorf("InBox of NaN = %v, want nothing", got)
		}
		if got := v.InBox(world.Vec3{-inf, -inf, -inf}, world.Vec3{inf, inf, inf}); len(got) != 1 {
			t.Errorf("InBox of everything = %v, want all", got)
		}
	})
}
