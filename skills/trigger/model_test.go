package trigger_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// cube is a zone as the test sees it.
type cube struct {
	ball   bool
	at     world.Vec3
	size   world.Vec3
	inside map[int]bool
	gone   bool

	carried bool
	by      int // the thing that it goes with
	off     world.Vec3
}

func (c *cube) has(p world.Vec3) bool {
	d := p.Sub(c.at)
	if c.ball {
		return d.Dot(d) <= c.size[0]*c.size[0]
	}
	return max(d[0], -d[0]) <= c.size[0] && max(d[1], -d[1]) <= c.size[1] && max(d[2], -d[2]) <= c.size[2]
}

func (c *cube) carries(thing int) bool { return c.carried && c.by == thing }

// TestAgainstEveryZone moves things about at random, makes zones, some of which go with a thing, and removes them, undoes it now and then,
// and compares what is told with what a look at every thing in every zone would say.
func TestAgainstEveryZone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRoom(t)
		whole := func(lo, hi int) float64 { return float64(rapid.IntRange(lo, hi).Draw(rt, "n")) }
		place := func() world.Vec3 { return world.Vec3{whole(-40, 40), whole(-2, 2), whole(-40, 40)} }
		var things []world.Vec3
		var zones []*cube
		for range rapid.IntRange(1, 25).Draw(rt, "turns") {
			var want []string
			switch rapid.IntRange(0, 5).Draw(rt, "turn") {
			case 0:
				p := place()
				r.Do("scene.createEntity", `{"position":[%v,%v,%v]}`, p[0], p[1], p[2])
				things = append(things, p)
			case 1:
				z := &cube{ball: rapid.Bool().Draw(rt, "ball"), at: place(), size: world.Vec3{whole(1, 30), whole(1, 3), whole(1, 256)}, inside: map[int]bool{}}
				shape, with := "box", ""
				if z.ball {
					shape = "sphere"
				}
				at := z.at
				if z.by = rapid.IntRange(0, 9).Draw(rt, "with"); z.by < len(things) {
					z.carried, z.off = true, world.Vec3{whole(-9, 9), 0, whole(-9, 9)}
					at, z.at, with = z.off, things[z.by].Add(z.off), fmt.Sprintf(`"entity":"ent_%d",`, z.by)
				}
				r.Do("trigger.create", `{%s"shape":%q,"center":[%v,%v,%v],"size":[%v,%v,%v]}`, with, shape, at[0], at[1], at[2], z.size[0], z.size[1], z.size[2])
				for _, on := range []string{"onEnter", "onExit"} {
					r.Do("trigger."+on, `{"triggerId":"trg_%d","action":{"type":"emit","target":"%d"}}`, len(zones), len(zones))
				}
				for i, p := range things {
					z.inside[i] = z.has(p) && !z.carries(i)
				}
				zones = append(zones, z)
			case 2:
				if i := rapid.IntRange(0, 9).Draw(rt, "zone"); i < len(zones) && !zones[i].gone {
					r.Do("trigger.remove", `{"triggerId":"trg_%d"}`, i)
					if zones[i].gone = rapid.Bool().Draw(rt, "for good"); !zones[i].gone {
						r.Do("world.undo", `{}`)
					}
				}
			default:
				for range 3 {
					if i := rapid.IntRange(0, 9).Draw(rt, "thing"); i < len(things) {
						things[i] = place()
						r.put(fmt.Sprintf("ent_%d", i), things[i][0], things[i][1], things[i][2])
					}
				}
			}
			r.Steps(1)
			for _, z := range zones {
				if z.carried {
					z.at = things[z.by].Add(z.off)
				}
			}
			for i, p := range things {
				for _, on := range []string{"exit", "enter"} {
					for n, z := range zones {
						if z.gone || z.carries(i) || z.inside[i] == z.has(p) || z.inside[i] != (on == "exit") {
							continue
						}
						want = append(want, fmt.Sprintf("emit %s ent_%d %d", on, i, n))
						z.inside[i] = on == "enter"
					}
				}
			}
			if got := r.Heard(); !slices.Equal(got, want) {
				rt.Fatalf("viewers are told\n%q, want\n%q", got, want)
			}
		}
	})
}
