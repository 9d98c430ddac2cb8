package trigger_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// thrown is a room in which steps move ent_0 by what is given to them, in so many parts, one after the other.
func thrown(t testing.TB) (r *room, throw func(by world.Vec3, steps int)) {
	t.Helper()
	var way world.Vec3
	left := 0
	r = open(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		w.OnStep("thrown", func(tx *world.Tx) error {
			at, ok := tx.Position(1)
			if !ok || left == 0 {
				return nil
			}
			left--
			return tx.SetPosition(1, at.Add(way))
		})
		return all(w, a)
	})
	return r, func(by world.Vec3, steps int) {
		way, left = by.Scale(1/float64(steps)), steps
		r.Steps(steps + 1) // it is noticed in the step after that
	}
}

// gate makes the n-th zone, which emits its number.
func (r *room) gate(n int, input string) {
	r.t.Helper()
	r.Do("trigger.create", "%s", input)
	for _, on := range []string{"onEnter", "onExit"} {
		r.Do("trigger."+on, `{"triggerId":"trg_%d","action":{"type":"emit","target":"%d"}}`, n, n)
	}
}

// TestPassing throws something through thin zones: what is between two steps is entered and left, in the order of the way.
func TestPassing(t *testing.T) {
	r, throw := thrown(t)
	r.gate(0, `{"center":[0,0,0],"size":[0.05,1,1]}`)
	r.gate(1, `{"center":[-0.5,0,0],"size":[0.1,1,1]}`)
	r.gate(2, `{"shape":"sphere","center":[0.5,0.1,0],"size":[0.2,1,1]}`)
	r.gate(3, `{"center":[0,3,0],"size":[500,1,500]}`)
	r.gate(4, `{"center":[0,0,0],"size":[0.05,1,1],"tag":"ball"}`)
	r.Do("scene.createEntity", `{"position":[-1,0,0]}`)
	check := func(what string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, r.Heard()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	r.Steps(2)
	check("before it is thrown")
	throw(world.Vec3{2, 0, 0}, 1)
	check("through three", "emit enter ent_0 1", "emit exit ent_0 1", "emit enter ent_0 0", "emit exit ent_0 0", "emit enter ent_0 2", "emit exit ent_0 2")
	throw(world.Vec3{-1, 0, 0}, 1)
	check("into one, through another", "emit enter ent_0 2", "emit exit ent_0 2", "emit enter ent_0 0")
	throw(world.Vec3{-1, 0, 0}, 1)
	check("out of it, through another", "emit exit ent_0 0", "emit enter ent_0 1", "emit exit ent_0 1")
	throw(world.Vec3{0, 1.5, 0}, 1)
	throw(world.Vec3{1, 0, 0}, 1)
	check("over them")
	throw(world.Vec3{0, 3.9, 0}, 1)
	check("up, through a wide one", "emit enter ent_0 3", "emit exit ent_0 3")
	throw(world.Vec3{0, -4.1, 0}, 1)
	check("put, not moved")
	r.put("ent_0", -1, 0, 0)
	r.Steps(1)
	r.put("ent_0", 1, 0, 0)
	r.Steps(2)
	check("put by a call")
	r.Do("ecs.addComponent", `{"entity":"ent_0","component":"ball"}`)
	throw(world.Vec3{-0.2, 0, 0}, 1)
	throw(world.Vec3{-0.9, 0, 0}, 1)
	check("with a tag", "emit enter ent_0 2", "emit exit ent_0 2", "emit enter ent_0 0", "emit enter ent_0 4", "emit exit ent_0 0", "emit exit ent_0 4")
}

// TestPassingAgainstManyLooks compares what is told of a straight way with what looks at ten thousand places of it see.
func TestPassingAgainstManyLooks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r, throw := thrown(t)
		half := func(name string, lo, hi int) float64 { return float64(rapid.IntRange(lo, hi).Draw(rt, name)) / 2 }
		var zones []cube
		for n := range rapid.IntRange(1, 6).Draw(rt, "zones") {
			z := cube{ball: rapid.Bool().Draw(rt, "ball"), at: world.Vec3{15 + half("x", -4, 4) + 0.1, half("y", -2, 2), half("z", -2, 2)}, size: world.Vec3{half("rx", 1, 3) - 0.3, half("ry", 1, 3), half("rz", 1, 3)}}
			shape := "box"
			if z.ball {
				shape = "sphere"
			}
			r.gate(n, fmt.Sprintf(`{"shape":%q,"center":[%v,%v,%v],"size":[%v,%v,%v]}`, shape, z.at[0], z.at[1], z.at[2], z.size[0], z.size[1], z.size[2]))
			zones = append(zones, z)
		}
		from := world.Vec3{15 + half("from x", -4, 4), half("from y", -3, 3) + 0.03, half("from z", -3, 3) + 0.07}
		way := world.Vec3{half("way x", -4, 4), half("way y", -3, 3) + 0.011, half("way z", -3, 3)}
		r.Do("scene.createEntity", `{"position":[%v,%v,%v]}`, from[0], from[1], from[2])
		r.Steps(2)
		r.Heard()
		throw(way, rapid.IntRange(1, 5).Draw(rt, "steps"))
		got := r.Heard()
		for n, z := range zones {
			const looks = 10_000
			was := z.has(from)
			var want []string
			for i := 1; i <= looks; i++ {
				now := z.has(from.Add(way.Scale(float64(i) / looks)))
				switch {
				case now && !was:
					want = append(want, fmt.Sprintf("emit enter ent_0 %d", n))
				case was && !now:
					want = append(want, fmt.Sprintf("emit exit ent_0 %d", n))
				}
				was = now
			}
			told := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s[len(s)-2:] != fmt.Sprintf(" %d", n) })
			if len(want) == 0 && len(told) == 2 { // it grazes the zone, between two looks
				continue
			}
			if !slices.Equal(told, want) {
				rt.Fatalf("of zone %d, %+v, on the way from %v by %v: told %q, want %q", n, z, from, way, told, want)
			}
		}
	})
}
