package decompose

import (
	"cmp"
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// face is a convex piece of the surface of a body, flat, counterclockwise from outside. One that is not of the surface itself closes it: where it has a hole, or
// where the body was cut. Those may lie over one another and cancel out; together they enclose what they should.
type face struct {
	at   []world.Vec3
	real bool
}

// body is a part of what a surface encloses: all of it that is in a box.
type body struct {
	list   []face
	cuts   [2][3]float64 // the sides of the box: where it was cut, or infinitely far away
	hollow bool          // it encloses nothing: it is a skin

	lo, hi world.Vec3 // of what is real
	volume float64
	hull   hull
}

// excess is how much room the hull of a body takes up that the body does not.
func (b *body) excess() float64 { return max(0, b.hull.volume-b.volume) }

// measure finds what follows from the faces of a body.
func (c *cutter) measure(b *body) {
	var points []world.Vec3
	b.lo, b.hi, b.volume, b.hull = nowhere, world.Vec3{}.Sub(nowhere), 0, hull{}
	for i := range b.list {
		if f := &b.list[i]; f.real {
			points = append(points, f.at...)
		}
	}
	if len(points) == 0 {
		return
	}
	for _, p := range points {
		b.lo, b.hi = b.lo.Min(p), b.hi.Max(p)
	}
	for i := range b.list {
		switch f := &b.list[i]; {
		case !b.hollow:
			b.volume += f.enclosed(b.lo)
		case f.real:
			b.volume += float64(2 * c.flat * f.facing().Len())
		}
	}
	b.volume = max(b.volume, 0)
	points = append(points, b.inner(c.flat)...)
	var ok bool
	if b.hull, ok = c.around(points, c.corners, float64(near*b.hi.Dist(b.lo)), c.flat); !ok {
		b.hull = c.slab(b.list)
	}
}

// nowhere is beyond everything.
var nowhere = world.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}

// facing is the area of a face, as a vector that points out.
func (f *face) facing() (sum world.Vec3) {
	for i := 2; i < len(f.at); i++ {
		sum = sum.Add(f.at[i-1].Sub(f.at[0]).Cross(f.at[i].Sub(f.at[0])).Scale(0.5))
	}
	return sum
}

// enclosed is what a face adds to the volume of a body: the cone from it to any point, which is the same for all.
func (f *face) enclosed(from world.Vec3) float64 { return f.at[0].Sub(from).Dot(f.facing()) / 3 }

// inner returns what corners a body has that no real face has: where it ends along the edges of its box.
func (b *body) inner(flat float64) (list []world.Vec3) {
	if b.hollow {
		return nil
	}
	for axis := range 3 {
		for corner := range 4 {
			line := world.Vec3{}
			within := line
			for i := range 2 {
				k, far := (axis+1+i)%3, corner>>i&1
				line[k] = b.cuts[far][k]
				within[k] = line[k] + float64(math.Copysign(float64(inside*float64(flat*float64(k+2))), float64(1-2*far)))
			}
			if math.IsInf(line[0], 0) || math.IsInf(line[1], 0) || math.IsInf(line[2], 0) {
				continue
			}
			for _, at := range b.ends(axis, within, float64(near*flat)) {
				line[axis] = at
				list = append(list, line)
			}
		}
	}
	return list
}

// ends returns where a line along an axis enters and leaves a body: where what it has entered is more than what it has left, and no more is. What lies
// within so much of one another counts as at one place: there faces cancel out.
func (b *body) ends(axis int, line world.Vec3, within float64) (list []float64) {
	type crossing struct {
		at   float64
		adds int
	}
	var all []crossing
	for i := range b.list {
		if at, adds, ok := b.list[i].crossed(axis, line); ok {
			all = append(all, crossing{at, adds})
		}
	}
	slices.SortStableFunc(all, func(a, b crossing) int { return cmp.Compare(a.at, b.at) })
	was, is := 0, 0
	for i, c := range all {
		is += c.adds
		if i+1 < len(all) && all[i+1].at-c.at <= within {
			continue
		}
		if (was > 0) != (is > 0) {
			list = append(list, c.at)
		}
		was = is
	}
	return list
}

// crossed returns where a line along an axis goes through a face, and 1 if it enters there, -1 if it leaves; false if it passes by.
func (f *face) crossed(axis int, line world.Vec3) (at float64, adds int, ok bool) {
	n := f.facing()
	if n[axis] == 0 {
		return 0, 0, false
	}
	u, v := (axis+1)%3, (axis+2)%3
	for i, a := range f.at {
		b := f.at[(i+1)%len(f.at)]
		if left := float64((b[u]-a[u])*(line[v]-a[v])) - float64((b[v]-a[v])*(line[u]-a[u])); left == 0 && a != b || left != 0 && (left > 0) != (n[axis] > 0) {
			return 0, 0, false
		}
	}
	a := &f.at[0]
	at = a[axis] - float64(float64(n[u]*(line[u]-a[u]))+float64(n[v]*(line[v]-a[v])))/n[axis]
	if n[axis] < 0 {
		return at, 1, true
	}
	return at, -1, true
}

// split cuts a body in two.
func (c *cutter) split(b *body, by cut) (low, high *body) {
	made := [2]*body{}
	for k := range made {
		half := &body{cuts: b.cuts, hollow: b.hollow}
		half.cuts[1-k][by.axis] = by.at
		var edges []edge // in the plane of the cut
		for i := range b.list {
			f := &b.list[i]
			if !f.on(k, by.axis, by.at) {
				continue
			}
			part := face{clip(f.at, k, by.axis, by.at, make([]world.Vec3, 0, len(f.at)+1)), f.real}
			if len(part.at) < 3 {
				continue
			}
			half.list = append(half.list, part)
			for i, p := range part.at {
				if q := part.at[(i+1)%len(part.at)]; p[by.axis] == by.at && q[by.axis] == by.at && p != q && !b.hollow {
					edges = append(edges, edge{p, q})
				}
			}
		}
		half.list = append(half.list, lid(net(edges, by.axis))...)
		c.measure(half)
		made[k] = half
	}
	return made[0], made[1]
}

// on reports whether some of a face is on one side of a plane, 0 below, 1 above it. What is in the plane is on the side that it bounds.
func (f *face) on(which, axis int, at float64) bool {
	lo, hi := f.span(axis)
	if lo == at && hi == at {
		return (f.facing()[axis] > 0) == (which == 0)
	}
	if which == 0 {
		return lo < at
	}
	return hi > at
}

// span is from where to where a face reaches along an axis.
func (f *face) span(axis int) (lo, hi float64) {
	lo, hi = f.at[0][axis], f.at[0][axis]
	for i := range f.at {
		lo, hi = min(lo, f.at[i][axis]), max(hi, f.at[i][axis])
	}
	return lo, hi
}

// clip appends what of a convex polygon is on one side of a plane (Sutherland and Hodgman, 1974).
func clip(polygon []world.Vec3, which, axis int, at float64, to []world.Vec3) []world.Vec3 {
	beyond := func(p *world.Vec3) float64 {
		if which == 0 {
			return p[axis] - at
		}
		return at - p[axis]
	}
	for i := range polygon {
		p, q := &polygon[i], &polygon[(i+1)%len(polygon)]
		a, b := beyond(p), beyond(q)
		if a <= 0 {
			to = append(to, *p)
		}
		if a < 0 && b > 0 || a > 0 && b < 0 {
			to = append(to, meet(p, q, axis, at))
		}
	}
	return to
}

// meet is where the line between two points goes through a plane; it is the same point from either end.
func meet(p, q *world.Vec3, axis int, at float64) world.Vec3 {
	if p[axis] > q[axis] {
		p, q = q, p
	}
	m := p.Add(q.Sub(*p).Scale((at - p[axis]) / (q[axis] - p[axis])))
	m[axis] = at
	return m
}

// edge is one of a face, in its direction.
type edge [2]world.Vec3

// net puts edges together that lie on one line along an axis, in a plane across another: where a cut meets an earlier one, there are as many as there are faces that close that,
// and most cancel out.
func net(edges []edge, across int) (list []edge) {
	type line struct {
		along int
		at    float64 // on the third axis
	}
	by := map[line][]edge{}
	var order []line
	for _, e := range edges {
		a, b := (across+1)%3, (across+2)%3
		if e[0][a] != e[1][a] {
			a, b = b, a
		}
		if e[0][a] != e[1][a] {
			list = append(list, e)
			continue
		}
		l := line{b, e[0][a]}
		if by[l] == nil {
			order = append(order, l)
		}
		by[l] = append(by[l], e)
	}
	for _, l := range order {
		type end struct {
			at   world.Vec3
			adds int
		}
		var ends []end
		for _, e := range by[l] {
			ends = append(ends, end{e[0], 1}, end{e[1], -1})
		}
		slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.at[l.along], b.at[l.along]) })
		n := 0
		for i, e := range ends[:len(ends)-1] {
			n += e.adds
			from, to := e.at, ends[i+1].at
			if from == to {
				continue
			}
			for range n {
				list = append(list, edge{from, to})
			}
			for range -n {
				list = append(list, edge{to, from})
			}
		}
	}
	return list
}

// lid closes a surface of which some edges are open: with the triangles from each to one point.
func lid(edges []edge) (list []face) {
	var middle world.Vec3
	same := [3]bool{true, true, true}
	for _, e := range edges {
		middle = middle.Add(e[0].Scale(1 / float64(len(edges))))
		for k := range same {
			same[k] = same[k] && e[0][k] == edges[0][0][k] && e[1][k] == edges[0][0][k]
		}
	}
	for k := range same {
		if same[k] && len(edges) > 0 { // in the plane of a cut, to the bit
			middle[k] = edges[0][0][k]
		}
	}
	for _, e := range edges {
		if e[0] != middle && e[1] != middle {
			list = append(list, face{at: []world.Vec3{middle, e[1], e[0]}})
		}
	}
	return list
}

// slab is the hull of flat faces: what they are in front of is taken to be there to some depth, so that who stands on it stands where it is drawn.
func (c *cutter) slab(faces []face) hull {
	var n world.Vec3 // of the largest
	var points []world.Vec3
	for i := range faces {
		if !faces[i].real {
			continue
		}
		points = append(points, faces[i].at...)
		if m := faces[i].facing(); m.Len() > n.Len() {
			n = m
		}
	}
	n, ok := n.Unit()
	if !ok {
		return hull{}
	}
	both := make([]world.Vec3, 0, 2*len(points))
	for _, p := range points {
		both = append(both, p, p.Sub(n.Scale(2*c.flat)))
	}
	h, _ := c.around(both, c.corners, c.flat/2, c.flat/4)
	return h
}
