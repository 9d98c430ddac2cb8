package solid_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// drawSolid draws a solid near the origin.
func drawSolid(rt *rapid.T, kinds ...string) solid.Solid {
	c := rapid.Float64Range(-3, 3)
	e := rapid.Float64Range(0.2, 3)
	q, ok := world.Quat{c.Draw(rt, "qx"), c.Draw(rt, "qy"), c.Draw(rt, "qz"), c.Draw(rt, "qw")}.Unit()
	if !ok {
		q = world.NoRotation()
	}
	return solid.New(
		world.Shape{Kind: rapid.SampledFrom(kinds).Draw(rt, "kind"), Size: world.Vec3{e.Draw(rt, "sx"), e.Draw(rt, "sy"), e.Draw(rt, "sz")}},
		world.Transform{Position: world.Vec3{c.Draw(rt, "x"), c.Draw(rt, "y"), c.Draw(rt, "z")}, Rotation: q, Scale: world.Vec3{1, 1, 1}},
	)
}

func pointAt(p world.Vec3) solid.Solid {
	return solid.New(world.Shape{Kind: "sphere"}, world.Transform{Position: p, Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}})
}

// TestRay goes along rays in small steps.
func TestRay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := drawSolid(rt, "box", "sphere", "capsule", "cylinder", "cone", "wedge")
		if rapid.IntRange(0, 6).Draw(rt, "hull") == 0 {
			s = anyHull(rt)
		}
		c := rapid.Float64Range(-6, 6)
		from := world.Vec3{c.Draw(rt, "ox"), c.Draw(rt, "oy"), c.Draw(rt, "oz")}
		to := world.Vec3{c.Draw(rt, "tx"), c.Draw(rt, "ty"), c.Draw(rt, "tz")}
		l := to.Sub(from).Len()
		if l < 0.1 {
			return
		}
		dir := to.Sub(from).Scale(1 / l)
		got, hit := s.Ray(from, dir)
		const near = 1e-4
		inside := func(d float64) float64 { return solid.Between(pointAt(from.Add(dir.Scale(d))), s).Gap }
		if hit && got > 0 && math.Abs(inside(got)) > near {
			rt.Errorf("the ray is said to meet it at %v, where it is %v away", got, inside(got))
		}
		for d := 0.0; d < 20; d += 0.05 {
			if d >= got && hit {
				break
			}
			if inside(d) < -near {
				rt.Fatalf("at %v the ray is in it; Ray = %v, %v", d, got, hit)
			}
		}
	})
}
