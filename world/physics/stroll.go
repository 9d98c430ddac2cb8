package physics

import (
	"math"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// What is here has characters walk where there is nothing about them but what they stand on, a gentle field or the level top of a box: most of all walking is
// that. How far the engine's controller would take them can be said outright there, to parts of a millimetre, at a twentieth of the cost.

// Measures of that.
const (
	gentle = 0.766 // the normal's y of what is walked on so, at least: 40 degrees, short of what the controller does not climb
	loose  = 0.1   // how far over what bears it a character may be before, in its radius …
	sunk   = 0.002 // … and how deep in it, in metres
	stroll = 0.5   // how far it goes in a step at most, in its radius
	wide   = 0.2   // how far beyond its way it is looked what there is, in its radius
	plenty = 16    // where there is so much about it, the controller tells
)

// strolls has a character that stands go where it wants to, without the engine's controller; false if that has to tell.
func (p *Physics) strolls(w *walked, to *intent) (got Walked, ok bool, err error) {
	b, under, l := w.body, to.under, level(to.way)
	f := &b.made.Form
	switch {
	case !w.grounded || w.swims || to.fresh || w.motion.Thrown != [2]float64{}:
		return got, false, nil
	case under == nil || !under.live || under.made.Kind != Static:
		return got, false, nil
	case l == 0 || l > stroll*f.Radius || to.way[1] < 0 || to.way[1] > l || !erect(b.rotation) || !erect(w.rotation):
		return got, false, nil
	}
	bears, keeps := p.solid(&under.made), f.Radius+float64(gap*f.Radius)
	y, n, ok := bears.Rests(b.position[0], b.position[2], keeps)
	if over := b.position[1] - f.HalfHeight - y; !ok || over < -sunk || over > loose*f.Radius || n[1] < gentle {
		return got, false, nil
	}
	way := to.way
	if into := way.Dot(n); into < 0 { // uphill it loses, as one that slides along a wall does, what of its way leads into the slope
		way = way.Sub(n.Scale(into))
	}
	at := round(b.position.Add(way))
	y, n, ok = bears.Rests(at[0], at[2], keeps)
	way[1] = y + f.HalfHeight - b.position[1]
	if lifted := to.way[1] - way[1]; !ok || n[1] < gentle || math.Abs(way[1]) > climb*f.Radius || to.way[1] > 0 && lifted > loose*f.Radius {
		return got, false, nil
	}
	at[1] += way[1]
	free, err := p.nothingBut(b, under, at, keeps)
	return Walked{Way: way, Grounded: true, Ground: NoHandle}, free, err
}

// nothingBut reports whether there is nothing that a character could meet, on its way to a place, but what it stands on there, and what that keeps it off, as ground
// under a floor.
func (p *Physics) nothingBut(b, under *body, to world.Vec3, keeps float64) (free bool, err error) {
	f, way := &b.made.Form, to.Sub(b.position)
	half := world.Vec3{math.Abs(way[0]), math.Abs(way[1]), math.Abs(way[2])}.Scale(0.5)
	for i, reach := range [...]float64{keeps, f.HalfHeight + keeps, keeps} {
		half[i] += reach + float64(wide*f.Radius)
	}
	if p.about, err = p.engine.Around(p.about[:0], b.position.Add(way.Scale(0.5)), half, plenty); err != nil || len(p.about) == plenty {
		return false, err
	}
	me, far := f.at(b.position, b.rotation), way.Len()+keeps-f.Radius+sunk
	for _, h := range p.about {
		o := p.of(h)
		if o == b || o == under {
			continue
		}
		if o == nil || o.told == p.now {
			return false, nil
		}
		s := p.solid(&o.made)
		if o.made.Kind == Static && beneath(&s, b.position, f.HalfHeight, keeps) && beneath(&s, to, f.HalfHeight, keeps) {
			continue
		}
		if o.made.Form.Kind == Model || o.made.Ground != nil || len(o.made.Parts) > 0 || solid.Between(s, me).Gap < far {
			return false, nil
		}
	}
	return true, nil
}

// beneath reports whether all of a solid is lower than what bears a character at a place.
func beneath(s *solid.Solid, at world.Vec3, halfHeight, keeps float64) bool {
	feet := at[1] - halfHeight
	if y, _, ok := s.Rests(at[0], at[2], keeps); ok {
		return y <= feet+sunk
	}
	return s.Bounds().Hi[1] <= feet-keeps+sunk
}

// erect reports whether what is turned so is turned about the vertical at most.
func erect(q world.Quat) bool { return q[0] == 0 && q[2] == 0 }
