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
		if !j.Kind.Spans() {
			continue
		}
		color := uint32(ropeColor)
		if j.Kind == physics.Spring {
			color = springColor
		}
		on, at := p.Ends(v, id)
		way := at.Sub(on)
		length := way.Len()
		if j.To != 0 && !v.Exists(j.To) || !(length > 0) {
			continue
		}
		out = append(out, render.Object{
			Kind: render.Cylinder, Size: world.Vec3{ropeWidth, length, ropeWidth}, Color: color,
			Transform: world.Transform{Position: on.Add(at).Scale(0.5), Rotation: world.QuatBetween(world.Vec3{0, 1, 0}, way.Scale(1/length)), Scale: world.Vec3{1, 1, 1}},
		})
	}
	return out
}
