package solid

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// Rests returns how high the middle of a ball is, at a place seen from above, that lies on a solid, and the direction from where it touches that to its
// middle. It is for a Box of which a face looks straight up, and for a Field that is turned about the vertical at most; false for anything else, and where
// not all of what is under the ball belongs to the solid. For a Box the ball has to lie on its upper face.
func (s *Solid) Rests(x, z, radius float64) (y float64, normal world.Vec3, ok bool) {
	if s.Axes[1] != unit(1) || !(radius > 0) {
		return 0, normal, false
	}
	rel := world.Vec3{x - s.Center[0], 0, z - s.Center[2]}
	u, w := s.Axes[0].Dot(rel), s.Axes[2].Dot(rel)
	if !(math.Abs(u) <= s.Half[0]-radius) || !(math.Abs(w) <= s.Half[2]-radius) {
		return 0, normal, false
	}
	switch s.Kind {
	case Box:
		return s.Center[1] + s.Half[1] + radius, unit(1), true
	case Field:
		b := bed{x: u, z: w, radius: radius, y: math.Inf(-1)}
		s.bed(&b)
		return s.Center[1] + b.y, s.Axes[0].Scale(b.off[0]).Add(world.Vec3{0, b.off[1], 0}).Add(s.Axes[2].Scale(b.off[2])).Scale(1 / radius), !math.IsInf(b.y, -1)
	default:
		return 0, normal, false
	}
}

// bed is a ball that comes down on the triangles of a field, in the field's own space.
type bed struct {
	x, z, radius float64
	y            float64    // how high its middle is at least
	off          world.Vec3 // and where that is from where it touches
}

// bed has a ball come down on all that is under it.
func (s *Solid) bed(b *bed) {
	f := s.field
	cell := func(at, half, size float64) int { return min(max(int((at+half)/size), 0), f.tile.Side-2) }
	x0, x1 := cell(b.x-b.radius, s.Half[0], f.cell[0]), cell(b.x+b.radius, s.Half[0], f.cell[0])
	z0, z1 := cell(b.z-b.radius, s.Half[2], f.cell[1]), cell(b.z+b.radius, s.Half[2], f.cell[1])
	for z := z0; z <= z1; z++ {
		near, far := s.point(x0, z), s.point(x0, z+1)
		for x := x0; x <= x1; x++ {
			// The line between the two triangles goes as in walk.
			right, beyond := s.point(x+1, z), s.point(x+1, z+1)
			b.triangle(&near, &far, &right)
			b.triangle(&right, &far, &beyond)
			near, far = right, beyond
		}
	}
}

// triangle has the ball be no lower than where it lies on a triangle, whose corners go round against the clock as seen from above.
func (b *bed) triangle(p, q, r *world.Vec3) {
	if max(p[1], q[1], r[1])+b.radius <= b.y {
		return
	}
	if n, ok := q.Sub(*p).Cross(r.Sub(*p)).Unit(); ok && n[1] > 0 { // its face
		c := world.Vec3{b.x - float64(n[0]*b.radius), 0, b.z - float64(n[2]*b.radius)}
		if left(p, q, &c) && left(q, r, &c) && left(r, p, &c) {
			c[1] = p[1] - (float64(n[0]*(c[0]-p[0]))+float64(n[2]*(c[2]-p[2])))/n[1]
			b.touch(c[1]+float64(n[1]*b.radius), &c)
			return // what lies on a face touches none of its edges
		}
	}
	b.edge(p, q)
	b.edge(q, r)
	b.edge(r, p)
	for _, c := range [...]*world.Vec3{p, q, r} {
		dx, dz := b.x-c[0], b.z-c[2]
		if in := float64(b.radius*b.radius) - float64(dx*dx) - float64(dz*dz); in >= 0 {
			b.touch(c[1]+math.Sqrt(in), c)
		}
	}
}

// left reports whether a place is not right of a line from p to q, as seen from above with z down.
func left(p, q, at *world.Vec3) bool {
	return float64((q[2]-p[2])*(at[0]-p[0]))-float64((q[0]-p[0])*(at[2]-p[2])) >= 0
}

// edge has the ball be no lower than where it lies on a line: there its middle is its radius from that.
func (b *bed) edge(p, q *world.Vec3) {
	along := q.Sub(*p)
	long := along.Len()
	if long == 0 {
		return
	}
	e := along.Scale(1 / long)
	dx, dz := b.x-p[0], b.z-p[2]
	level := float64(dx*e[0]) + float64(dz*e[2])
	// (1-e.y²)·y² - 2·e.y·level·y + dx²+dz²-level²-radius² = 0, of which the greater
	a, half := 1-float64(e[1]*e[1]), float64(e[1]*level)
	under := float64(half*half) - float64(a*(float64(dx*dx)+float64(dz*dz)-float64(level*level)-float64(b.radius*b.radius)))
	if a <= 0 || under < 0 {
		return
	}
	y := (half + math.Sqrt(under)) / a
	t := level + float64(y*e[1])
	if t < 0 || t > long {
		return
	}
	at := p.Add(e.Scale(t))
	b.touch(p[1]+y, &at)
}

// touch has the ball be no lower than so high, where it touches something.
func (b *bed) touch(y float64, at *world.Vec3) {
	if y > b.y {
		b.y, b.off = y, world.Vec3{b.x - at[0], y - at[1], b.z - at[2]}
	}
}
