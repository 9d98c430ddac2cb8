package render

import (
	"math"
)

// place is a transform, taken apart: a point p of an object is at at + Σ axes[i]·p[i].
type place struct {
	at      Vec3
	turned  [3]Vec3 // the axes, of length 1
	axes    [3]Vec3 // the same, scaled
	inverse Vec3    // 1/scale
}

func placeOf(o *Object) place {
	t := &o.Transform
	p := place{at: t.Position}
	for i := range 3 {
		var e Vec3
		e[i] = 1
		p.turned[i] = t.Rotation.Rotate(e)
		p.axes[i] = p.turned[i].Scale(t.Scale[i])
		s := t.Scale[i]
		if math.Abs(s) < 1e-9 {
			s = math.Copysign(1e-9, s)
		}
		p.inverse[i] = 1 / s
	}
	return p
}

func combine(at Vec3, axes *[3]Vec3, p Vec3) Vec3 {
	for i := range at {
		at[i] = at[i] + float64(axes[0][i]*p[0]) + float64(axes[1][i]*p[1]) + float64(axes[2][i]*p[2])
	}
	return at
}

func (p *place) point(v Vec3) Vec3 { return combine(p.at, &p.axes, v) }

// normal returns where a normal of the shape points, once it is scaled and turned.
func (p *place) normal(n Vec3) Vec3 { return unit(combine(Vec3{}, &p.turned, n.Mul(p.inverse))) }
