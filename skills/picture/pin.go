package picture

import (
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// How joints look that are no ropes or springs, where edges are drawn: a rod along the axis of a hinge and a flat one along that of a slider, a ball and a
// block for what has none.
const (
	pinLength = 0.6 // metres
	pinWidth  = 0.06
	knobWidth = 0.15
	pinColor  = 0xd0208a
)

// pins returns where things hang by joints that do not span anything. Like [ropes] they are nobody's.
func pins(p *physics.Physics, v *world.View) (out []render.Object) {
	for id, j := range p.Joints(v) {
		if j.Kind.Spans() || j.To != 0 && !v.Exists(j.To) {
			continue
		}
		on, _ := p.Ends(v, id)
		o := render.Object{
			Kind: render.Box, Size: world.Vec3{knobWidth, knobWidth, knobWidth}, Color: pinColor,
			Transform: world.Transform{Position: on, Rotation: world.QuatBetween(world.Vec3{0, 1, 0}, p.Axis(v, id)), Scale: world.Vec3{1, 1, 1}},
		}
		switch j.Kind {
		case physics.Hinge:
			o.Kind, o.Size = render.Cylinder, world.Vec3{pinWidth, pinLength, pinWidth}
		case physics.Slider:
			o.Size = world.Vec3{2 * pinWidth, pinLength, pinWidth / 2}
		case physics.Socket:
			o.Kind = render.Sphere
		}
		out = append(out, o)
	}
	return out
}
