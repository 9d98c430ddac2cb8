package picture

import (
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// How ropes and springs look, here and on the page of package viewer: thin, straight, in one colour.
const (
	ropeWidth   = 0.04 // metres
	ropeColor   = 0x8a6b45
	springColor = 0x9a9a9a
)

// ropes returns the ropes and springs by which something hangs. They are nobody's: no picture says that it shows them.
func ropes(p *physics.Physics, v *world.View) (out []render.Object) {
	for id, j := range p.Joints(v) {
		color := uint32(ropeColor)
		switch j.Kind {
		case physics.Spring:
			color = springColor
		case physics.Rope:
		default:
			continue
		}
		on, at := p.Ends(v, id)
		way := at.Sub(on)
		length := way.Len()
		if j.To != 0 && !v.Exists(j.To) || !(length > 0) {
			continue
		}
		out = append(out, render.Object{
			Kind: render.Cylinder, Size: world.Vec3{ropeWidth, length, ropeWidth}, Color: color,
			Transform: world.Transform{Position: on.Add(at).Scale(0.5), Rotation: upTo(way.Scale(1 / length)), Scale: world.Vec3{1, 1, 1}},
		})
	}
	return out
}

// upTo returns what turns y into a direction of length 1.
func upTo(d world.Vec3) world.Quat {
	q, ok := world.Quat{d[2], 0, -d[0], 1 + d[1]}.Unit()
	if !ok { // straight down
		return world.Quat{1, 0, 0, 0}
	}
	return q
}
