package solid

import (
	"math"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// field is what a Field has beside the box around it. Its own space has the solid's axes and its middle at
// the solid's centre: there, up is y.
type field struct {
	tile *terrain.Tile
	cell [2]float64 // metres from one sample to the next, along x and z
	rise float64    // what a metre of the tile's height measures
	base float64    // the tile's height at the middle of the box
}

// NewField returns a tile of ground at t, scaled by how large t's scale is, whatever its sign.
func NewField(tile *terrain.Tile, t world.Transform) Solid {
	scale := world.Vec3{math.Abs(t.Scale[0]), math.Abs(t.Scale[1]), math.Abs(t.Scale[2])}
	f := &field{tile: tile, rise: scale[1], base: (tile.Lo + tile.Hi) / 2}
	f.cell = [2]float64{float64(tile.Cell * scale[0]), float64(tile.Cell * scale[2])}
	s := Solid{Kind: Field, field: f}
	for i := range s.Axes {
		s.Axes[i] = t.Rotation.Rotate(unit(i))
	}
	s.Center = t.Position.Add(s.Axes[1].Scale(float64(f.base * f.rise)))
	s.Half = world.Vec3{float64(terrain.Size * scale[0]), float64((tile.Hi - tile.Lo) * scale[1]), float64(terrain.Size * scale[2])}.Scale(0.5)
	return s
}

// into returns a solid in the space of s.
func (s *Solid) into(o Solid) Solid {
	turn := func(v world.Vec3) world.Vec3 { return world.Vec3{s.Axes[0].Dot(v), s.Axes[1].Dot(v), s.Axes[2].Dot(v)} }
	o.Center = turn(o.Center.Sub(s.Center))
	for i := range o.Axes {
		o.Axes[i] = turn(o.Axes[i])
	}
	return o
}

// surface returns the height of a field over a place of its own space, false beside it.
func (s *Solid) surface(x, z float64) (y float64, ok bool) {
	f := s.field
	if !(math.Abs(x) <= s.Half[0] && math.Abs(z) <= s.Half[2]) || f.cell[0] == 0 || f.cell[1] == 0 {
		return 0, false
	}
	y = f.tile.Surface((x+s.Half[0])/f.cell[0], (z+s.Half[2])/f.cell[1])
	return float64((y - f.base) * f.rise), true
}

// column returns how high a field is where a vertical line meets it first from above.
func (s *Solid) column(x, z float64) (high float64, ok bool) {
	if s.Axes[1] == unit(1) {
		rel := world.Vec3{x - s.Center[0], 0, z - s.Center[2]}
		y, ok := s.surface(s.Axes[0].Dot(rel), s.Axes[2].Dot(rel))
		return s.Center[1] + y, ok
	}
	top := s.Bounds().Hi[1] + 1
	d, ok := s.Ray(world.Vec3{x, top, z}, world.Vec3{0, -1, 0})
	return top - d, ok
}

// point returns a sample of a field in its own space.
func (s *Solid) point(x, z int) world.Vec3 {
	f := s.field
	return world.Vec3{
		float64(float64(x)*f.cell[0]) - s.Half[0],
		float64((f.tile.At(x, z) - f.base) * f.rise),
		float64(float64(z)*f.cell[1]) - s.Half[2],
	}
}

// room returns the box, in the space of a field, around the surface of a block.
func (s *Solid) room(b *terrain.Block) Bounds {
	f := s.field
	return Bounds{
		Lo: world.Vec3{float64(float64(b.X)*f.cell[0]) - s.Half[0], float64((b.Lo - f.base) * f.rise), float64(float64(b.Z)*f.cell[1]) - s.Half[2]},
		Hi: world.Vec3{float64(float64(b.X+b.Cells)*f.cell[0]) - s.Half[0], float64((b.Hi - f.base) * f.rise), float64(float64(b.Z+b.Cells)*f.cell[1]) - s.Half[2]},
	}
}

// walk visits the triangles of the blocks that wanted says yes to, which is asked for blocks within blocks, too.
func (s *Solid) walk(b terrain.Block, wanted func(room *Bounds) bool, visit func(corners *[3]world.Vec3)) {
	room := s.room(&b)
	if !wanted(&room) {
		return
	}
	if b.Cells > 1 {
		for _, part := range s.field.tile.Parts(b) {
			s.walk(part, wanted, visit)
		}
		return
	}
	// The line between the two goes from the corner at the greater z to that at the greater x.
	right, behind := s.point(b.X+1, b.Z), s.point(b.X, b.Z+1)
	visit(&[3]world.Vec3{s.point(b.X, b.Z), behind, right})
	visit(&[3]world.Vec3{right, behind, s.point(b.X+1, b.Z+1)})
}

// rayField is Ray in the space of the field, which is filled down to its lowest point.
func (s *Solid) rayField(o, d world.Vec3) (float64, bool) {
	const slack = 1e-9
	enter, ok := raySlabs(o, d, s.Half.Scale(-1), s.Half)
	if !ok {
		return 0, false
	}
	at := o.Add(d.Scale(enter))
	x, z := min(max(at[0], -s.Half[0]), s.Half[0]), min(max(at[2], -s.Half[2]), s.Half[2])
	if y, ok := s.surface(x, z); ok && at[1] < y-slack {
		return enter, true
	}
	best := math.Inf(1)
	s.walk(s.field.tile.Whole(), func(room *Bounds) bool {
		t, ok := raySlabs(o, d, room.Lo.Sub(world.Vec3{slack, slack, slack}), room.Hi.Add(world.Vec3{slack, slack, slack}))
		return ok && t <= best
	}, func(c *[3]world.Vec3) {
		if t, ok := rayTriangle(o, d, c); ok && t < best {
			best = t
		}
	})
	return best, !math.IsInf(best, 1)
}

// rayTriangle meets a triangle from either side, by the method of Möller and Trumbore (1997).
func rayTriangle(o, d world.Vec3, c *[3]world.Vec3) (float64, bool) {
	const slack = 1e-9
	e, f := c[1].Sub(c[0]), c[2].Sub(c[0])
	p := d.Cross(f)
	det := e.Dot(p)
	if det == 0 {
		return 0, false
	}
	rel := o.Sub(c[0])
	u := rel.Dot(p) / det
	q := rel.Cross(e)
	v := d.Dot(q) / det
	t := f.Dot(q) / det
	return t, u >= -slack && v >= -slack && u+v <= 1+slack && t >= 0
}

// corner returns the corner of a triangle that is farthest in a direction.
func (s *Solid) corner(dir world.Vec3) world.Vec3 {
	best := s.corners[0]
	for _, c := range s.corners[1:] {
		if c.Dot(dir) > best.Dot(dir) {
			best = c
		}
	}
	return best
}

func triangleOf(c *[3]world.Vec3) Solid {
	return Solid{Kind: triangle, Center: c[0].Add(c[1]).Add(c[2]).Scale(1.0 / 3), corners: c}
}

// apart returns how far two boxes are from each other.
func apart(a, b *Bounds) float64 {
	var d world.Vec3
	for i := range d {
		d[i] = max(a.Lo[i]-b.Hi[i], b.Lo[i]-a.Hi[i], 0)
	}
	return d.Len()
}

// onField returns how o is to a field.
func onField(s, o *Solid) Contact {
	if o.Kind == Field {
		a, b := s.Bounds(), o.Bounds()
		return Contact{Gap: apart(&a, &b), Normal: s.Axes[1]}
	}
	in := s.into(*o)
	room := in.Bounds()
	_, radius := in.core(unit(1))
	least, way := math.Inf(1), world.Vec3{}
	s.walk(s.field.tile.Whole(), func(b *Bounds) bool { return apart(b, &room)-radius < least },
		func(c *[3]world.Vec3) {
			flat := triangleOf(c)
			v := nearest(&flat, &in, in.Center.Sub(flat.Center))
			if n := v.Len(); n < least {
				least, way = n, v
			}
		})
	y, over := s.surface(in.Center[0], in.Center[2])
	if least-radius > 0 && least > sharp && !(over && in.Center[1] < y) {
		way = way.Scale(1 / least)
		return Contact{least - radius, s.Axes[0].Scale(way[0]).Add(s.Axes[1].Scale(way[1])).Add(s.Axes[2].Scale(way[2]))}
	}
	fall, ok := s.fall(in, math.Inf(1))
	if !ok {
		fall = 0
	}
	return Contact{Gap: min(fall, 0), Normal: s.Axes[1]}
}

// Fall returns how far a solid, which is no ground, can come down, along the axis of the field that is up, until it
// touches that; below zero it is in it and has to come up as far. It is false if it passes by or does not touch it before
// it has come so far, and for what is no Field. The less far, the less there is to look at.
func (s *Solid) Fall(o Solid, far float64) (float64, bool) {
	if s.Kind != Field || o.Kind == Field {
		return 0, false
	}
	if o.Kind == Model {
		best := far
		for _, part := range o.Parts() {
			if d, ok := s.Fall(part, best); ok {
				best = d
			}
		}
		return best, best < far
	}
	return s.fall(s.into(o), far)
}

func (s *Solid) fall(in Solid, far float64) (float64, bool) {
	room := in.Bounds()
	best := far
	if in.Kind == Box && in.Axes[1] == unit(1) {
		foot := footprint{in.Center, in.Axes[0], in.Axes[2], in.Half[0], in.Half[2]}
		if y, ok := s.surface(in.Center[0], in.Center[2]); ok {
			best = min(best, room.Lo[1]-y) // so that what is lower need not be looked at
		}
		s.walk(s.field.tile.Whole(), func(b *Bounds) bool {
			beside := b.Lo[0] > room.Hi[0] || b.Hi[0] < room.Lo[0] || b.Lo[2] > room.Hi[2] || b.Hi[2] < room.Lo[2]
			d := room.Lo[1] - b.Hi[1]
			if beside || d >= best {
				return false
			}
			if foot.holds(b) { // its highest point, too
				best = d
				return false
			}
			return true
		}, func(c *[3]world.Vec3) {
			if room.Lo[1]-max(c[0][1], c[1][1], c[2][1]) >= best {
				return
			}
			if y, ok := foot.highest(c); ok {
				best = min(best, room.Lo[1]-y)
			}
		})
		return best, best < far
	}
	if y, ok := s.surface(in.Center[0], in.Center[2]); ok {
		best = min(best, in.Center[1]-y) // by then its middle is there
	}
	s.walk(s.field.tile.Whole(), func(b *Bounds) bool {
		beside := b.Lo[0] > room.Hi[0] || b.Hi[0] < room.Lo[0] || b.Lo[2] > room.Hi[2] || b.Hi[2] < room.Lo[2]
		return !beside && room.Lo[1]-b.Hi[1] < best
	}, func(c *[3]world.Vec3) {
		if d, ok := fallOn(in, &room, c); ok {
			best = min(best, d)
		}
	})
	return best, best < far
}

// fallOn returns how far a solid has to come down from where it is to touch a triangle from above. Both are convex: between
// them is a plane, and until it reaches the plane it cannot touch.
func fallOn(in Solid, room *Bounds, c *[3]world.Vec3) (float64, bool) {
	const touch = 1e-7
	lo, hi := min(c[0][1], c[1][1], c[2][1]), max(c[0][1], c[1][1], c[2][1])
	d := min(room.Lo[1]-hi-touch, 0)
	flat := triangleOf(c)
	_, radius := in.core(unit(1))
	for range 64 {
		lower := in.Moved(world.Vec3{0, -d, 0})
		v := nearest(&flat, &lower, lower.Center.Sub(flat.Center))
		n := v.Len()
		if n-radius <= touch || n <= sharp {
			return d, true
		}
		if v[1] <= 0 { // it has gone by
			return 0, false
		}
		d += float64((n-radius)*n) / v[1]
		if room.Hi[1]-d < lo {
			return 0, false
		}
	}
	return d, true
}

// footprint is an upright box, as seen from above.
type footprint struct {
	center world.Vec3
	u, w   world.Vec3 // its level axes
	hu, hw float64    // half its extent along them
}

// of returns where a point is along the axes of a footprint, and how high it is.
func (f *footprint) of(p world.Vec3) world.Vec3 {
	d := world.Vec3{p[0] - f.center[0], 0, p[2] - f.center[2]}
	return world.Vec3{f.u.Dot(d), p[1], f.w.Dot(d)}
}

// holds reports whether all of a box around axes is over or under the footprint.
func (f *footprint) holds(b *Bounds) bool {
	for _, x := range [2]float64{b.Lo[0], b.Hi[0]} {
		for _, z := range [2]float64{b.Lo[2], b.Hi[2]} {
			if at := f.of(world.Vec3{x, 0, z}); math.Abs(at[0]) > f.hu || math.Abs(at[2]) > f.hw {
				return false
			}
		}
	}
	return true
}

// highest returns how high a triangle is where it is highest over or under the footprint, false if it is beside that: it is cut off at
// each edge in turn, as Sutherland and Hodgman do (1974).
func (f *footprint) highest(c *[3]world.Vec3) (y float64, ok bool) {
	var rooms [2][8]world.Vec3 // each cut adds a corner at most
	at := rooms[0][:0]
	for _, p := range c {
		at = append(at, f.of(p))
	}
	for i, cut := range [4]struct {
		axis      int
		sign, far float64
	}{{0, 1, f.hu}, {0, -1, f.hu}, {2, 1, f.hw}, {2, -1, f.hw}} {
		next := rooms[(i+1)%2][:0]
		for j, p := range at {
			q := at[(j+1)%len(at)]
			a, b := float64(cut.sign*p[cut.axis])-cut.far, float64(cut.sign*q[cut.axis])-cut.far // how far beyond
			if a <= 0 {
				next = append(next, p)
			}
			if a < 0 && b > 0 || a > 0 && b < 0 {
				next = append(next, p.Add(q.Sub(p).Scale(a/(a-b))))
			}
		}
		at = next
	}
	y = math.Inf(-1)
	for _, p := range at {
		y = max(y, p[1])
	}
	return y, len(at) > 0
}
