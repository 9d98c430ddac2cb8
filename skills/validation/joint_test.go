package validation_test

import (
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestJoints has what was built on purpose overlap a little where it meets: the repairs are no larger than the overlaps.
func TestJoints(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(s *site)
	}{
		{"a crown on a trunk", func(s *site) {
			s.box(world.Vec3{0, 0.8, 0}, world.Vec3{0.3, 1.6, 0.3})
			s.put("sphere", world.Spec{Position: world.Vec3{0, 2.4, 0}}, world.Vec3{2, 2, 2})
		}},
		{"a slab on a post", func(s *site) {
			s.box(world.Vec3{0, 1.5, 0}, world.Vec3{0.2, 3, 0.2})
			s.box(world.Vec3{0, 3, 0}, world.Vec3{4, 0.2, 4})
		}},
		{"floors on one level", func(s *site) {
			for _, x := range []float64{-8, 0, 8} {
				s.box(world.Vec3{x, 1.5, 0}, world.Vec3{0.2, 3, 8})
			}
			s.box(world.Vec3{0, 4.7, 0}, world.Vec3{0.2, 3, 8})
			s.box(world.Vec3{4, 3.1, 0}, world.Vec3{8.4, 0.2, 6})
			s.box(world.Vec3{-4, 3.1, 0}, world.Vec3{8.4, 0.2, 8})
		}},
		{"an arch of planks", func(s *site) {
			s.box(world.Vec3{0, -0.1, 0}, world.Vec3{40, 0.2, 8})
			const n, long, high = 16, 8.0, 2.0
			at := func(i int) (x, y float64) {
				sin, cos := math.Sincos(math.Pi * float64(i) / n)
				return -long * cos, 0.3 + high*sin
			}
			for i := range n {
				x0, y0 := at(i)
				x1, y1 := at(i + 1)
				s.put("box", world.Spec{
					Position: world.Vec3{(x0 + x1) / 2, (y0 + y1) / 2, 0},
					Rotation: world.QuatFromEuler(0, 0, math.Atan2(y1-y0, x1-x0)),
				}, world.Vec3{math.Hypot(x1-x0, y1-y0) + 0.05, 0.2, 2})
			}
		}},
		{"arches on piers under a deck", func(s *site) {
			for x := 0.0; x <= 24; x += 12 {
				s.box(world.Vec3{x, 4, 0}, world.Vec3{3, 8, 5})
			}
			for x := 6.0; x <= 18; x += 12 {
				s.group(world.Vec3{x, 7.95, 0}, world.QuatFromEuler(0, 0, 0),
					[2]world.Vec3{{-5.3, 2, 0}, {1, 4, 3.5}}, [2]world.Vec3{{5.3, 2, 0}, {1, 4, 3.5}}, [2]world.Vec3{{0, 4.5, 0}, {11.6, 1, 3.5}})
			}
			s.box(world.Vec3{12, 13.35, 0}, world.Vec3{40, 0.8, 4})
		}},
		{"arches on piers of two parts under a deck", func(s *site) {
			for x := 0.0; x <= 24; x += 12 {
				s.group(world.Vec3{x, 0, 0}, world.QuatFromEuler(0, x, 0), [2]world.Vec3{{0, 1, 0}, {4, 2, 4}}, [2]world.Vec3{{0, 5, 0}, {3, 6, 3}})
			}
			for x := 6.0; x <= 18; x += 12 {
				s.group(world.Vec3{x, 7.95, 0}, world.QuatFromEuler(0, 0, 0),
					[2]world.Vec3{{-5.3, 2, 0}, {1, 4, 2.5}}, [2]world.Vec3{{5.3, 2, 0}, {1, 4, 2.5}}, [2]world.Vec3{{0, 4.5, 0}, {11.6, 1, 2.5}})
			}
			s.box(world.Vec3{12, 13.35, 0}, world.Vec3{40, 0.8, 4})
		}},
		{"an arch on hanging beams, under a deck", func(s *site) {
			for _, x := range []float64{-9, 9} {
				s.box(world.Vec3{x, 10, 0}, world.Vec3{2, 20, 5})
			}
			for _, x := range []float64{-6.5, 6.5} {
				s.group(world.Vec3{x, 5.5, 0}, world.QuatFromEuler(0, 0, 0), [2]world.Vec3{{-0.75, 0, 0}, {1.5, 9, 5}}, [2]world.Vec3{{0.75, 0, 0}, {1.5, 9, 5}})
			}
			s.group(world.Vec3{0, 9.95, 0}, world.QuatFromEuler(0, 0, 0),
				[2]world.Vec3{{-5.3, 2, 0}, {1, 4, 3.5}}, [2]world.Vec3{{5.3, 2, 0}, {1, 4, 3.5}}, [2]world.Vec3{{0, 4.5, 0}, {11.6, 1, 3.5}})
			s.box(world.Vec3{0, 15.35, 0}, world.Vec3{16, 0.8, 4})
		}},
		{"a chest in a corner", func(s *site) {
			s.box(world.Vec3{3, 1.5, 0}, world.Vec3{0.2, 3, 6})
			s.box(world.Vec3{0, 1.5, 2.9}, world.Vec3{5.8, 3, 0.2})
			s.box(world.Vec3{2.5, 0.4, 2.5}, world.Vec3{0.9, 0.8, 0.7})
		}},
		{"a table in a corner", func(s *site) {
			upright := world.QuatFromEuler(0, 0, 0)
			s.group(world.Vec3{}, upright,
				[2]world.Vec3{{0, 1.5, 3}, {6, 3, 0.2}}, [2]world.Vec3{{0, 1.5, -3}, {6, 3, 0.2}},
				[2]world.Vec3{{3, 1.5, 0}, {0.2, 3, 6}}, [2]world.Vec3{{-3, 1.5, 0}, {0.2, 3, 6}})
			s.group(world.Vec3{1.95, 0, 2.45}, upright,
				[2]world.Vec3{{0.9, 0.35, 0.4}, {0.1, 0.7, 0.1}}, [2]world.Vec3{{-0.9, 0.35, 0.4}, {0.1, 0.7, 0.1}},
				[2]world.Vec3{{0.9, 0.35, -0.4}, {0.1, 0.7, 0.1}}, [2]world.Vec3{{-0.9, 0.35, -0.4}, {0.1, 0.7, 0.1}},
				[2]world.Vec3{{0, 0.75, 0}, {2, 0.1, 1}})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, 1)
			c.build(s)
			before := s.places()
			out := s.validate(`{"checks":["interpenetrating"],"limit":200}`)
			if out.OK {
				t.Fatal("nothing was found")
			}
			if strings.HasSuffix(c.name, "in a corner") && strings.Contains(show(out.Findings), "scale") {
				t.Errorf("it is made smaller:\n%s", show(out.Findings))
			}
			s.repair(out.Findings)
			for id, at := range s.places() {
				if d := at.Dist(before[id]); d > 0.25 {
					t.Errorf("%v went %.2f m, for\n%s", id, d, show(out.Findings))
				}
			}
			if after := s.validate(`{"checks":["interpenetrating"],"limit":200}`); !after.OK {
				t.Errorf("after the repairs\n%s%s", show(out.Findings), show(after.Findings))
			}
		})
	}
}

// places says where everything is.
func (s *site) places() map[world.ID]world.Vec3 {
	at := map[world.ID]world.Vec3{}
	s.World.View(func(v *world.View) {
		for id := range v.All() {
			at[id], _ = v.Position(id)
		}
	})
	return at
}
