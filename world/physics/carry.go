package physics

import (
	"math"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// idly is what a dynamic body may move in a step without taking who stands on it along, in metres: under his weight what lies, or is held by a motor, gives way and
// comes back by so much.
const idly = 0.0004

// calmly is that of one that floats, which his weight does not have go up and down.
const calmly = 0.00005

// unturned is the sine of half the angle that a dynamic body turns at least in a step, to take who stands on it round: under his weight it turns to and fro
// by a part of it.
const unturned = 5e-5

// carried returns how far a body takes a character with it that stands on it. One that is kinematic and has moved in this step
// does so, and one that is dynamic by as much as in the last, unless that is more than a step on foot: then it was taken away. Any that
// is raised under it, as by a call, lifts it: it would be in it.
func (p *Physics) carried(w *walked, step uint64) world.Vec3 {
	g, radius := p.bodies[w.ground], w.body.made.Form.Radius
	switch {
	case g == nil || !g.live:
		return world.Vec3{}
	case g.made.Kind == Dynamic:
		if way := p.drift(g, w.body); w.grounded && way.Len() <= climb*radius {
			return way
		}
	case g.shifted == step:
		if way := g.shift(w.body.position); way.Len() <= climb*radius {
			return way
		}
	case g.raised == step && g.below(w.body.position, radius):
		return world.Vec3{0, g.raise, 0}
	}
	return world.Vec3{}
}

// turn has a character that goes nowhere by itself turn with what it stands on, about the vertical, as who sits in a tram that goes round a bend does. It
// reports whether that turns.
func (w *walked) turn(g *body, last, step uint64) bool {
	if g == nil || !g.live || g.shifted != step && (g.made.Kind != Dynamic || !w.grounded || g.awakeAt != last) || g.rotation == g.from.Rotation {
		return false
	}
	by, ok := g.turned()
	if !ok || math.Abs(by[1]) < 1e-9 || g.made.Kind == Dynamic && math.Abs(by[1]) < unturned {
		return false
	}
	w.rotation, ok = by.Mul(w.rotation).Unit()
	return ok
}

// turned is how a body has turned about the vertical in the last step, false if it fell over.
func (b *body) turned() (by world.Quat, ok bool) {
	front := b.rotation.Rotate(b.from.Rotation.Conj().Rotate(world.Vec3{0, 0, 1}))
	return world.Yaw(front[0], front[2])
}

// drift is how far a dynamic body takes who stands on it along in a step: as far as it went under his feet in the last one; nowhere if that is no more
// than what lies there moves anyway. Who is raised keeps his distance. If the two touched, each would hold the other up.
func (p *Physics) drift(g, on *body) world.Vec3 {
	if g.awakeAt != p.last {
		return world.Vec3{}
	}
	feet, full := on.position, gap*on.made.Form.Radius
	feet[1] -= on.made.Form.HalfHeight + on.made.Form.Radius
	way, least := g.shift(feet), idly
	if g.borne {
		least = calmly
	}
	if way.Len() < least {
		way = world.Vec3{}
	}
	if lacks := full - p.above(g, on); lacks > full/2 || lacks > 0 && way[1] > 0 {
		way[1] = max(way[1], 0) + lacks
	}
	return way
}

// above returns how far a character is from what it stands on.
func (p *Physics) above(g, on *body) float64 {
	return solid.Between(p.solid(&g.made), on.made.Form.at(on.position, on.rotation)).Gap
}

// level is how long a way is, seen from above.
func level(way world.Vec3) float64 {
	way[1] = 0
	return way.Len()
}

// carriedOnce returns the way of a character without what the engine has added to it, level, in the direction in which what it stands on
// goes, or went in the step before: as Rapier's controller does, now and then, for what moves.
func carriedOnce(way, want, goes world.Vec3) world.Vec3 {
	goes[1] = 0
	l := goes.Len()
	if l == 0 {
		return way
	}
	along := goes.Scale(1 / l)
	if more := way.Sub(want).Dot(along); more > 0 {
		return way.Sub(along.Scale(more))
	}
	return way
}

// shift is how far what is at a point goes with a body that was moved, and turned, in this step; with a dynamic one, in the last.
func (b *body) shift(at world.Vec3) world.Vec3 {
	off := b.from.Rotation.Conj().Rotate(at.Sub(b.from.Position))
	return b.position.Add(b.rotation.Rotate(off)).Sub(at)
}

// below reports whether a body is in the column under and over something round.
func (b *body) below(at world.Vec3, radius float64) bool {
	f := &b.made.Form
	off := at.Sub(b.position)
	off[1] = 0
	half := f.Half
	switch f.Kind {
	case Ball, Capsule:
		return off.Len() <= f.Radius+radius
	case Cylinder, Cone, Wedge: // which may lie
		room := f.at(b.position, b.rotation).Bounds()
		off, half = at.Sub(room.Center()), room.Size().Scale(0.5)
	default:
		off = b.rotation.Conj().Rotate(off)
	}
	return math.Abs(off[0]) <= half[0]+radius && math.Abs(off[2]) <= half[2]+radius
}
