package decompose

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// surface is what is to be decomposed: points, each place once, and triangles of them.
type surface struct {
	points    []world.Vec3
	triangles [][3]int
}

// read puts together what is at the same place, as no mesh is whose sides have normals of their own. It is of a size from 1 to 2; times scale, a power of two, it is as it was. There is
// none of what has no extent, or one that is not finite.
func read(points [][3]float32, triangles [][3]uint32) (s *surface, scale float64) {
	s = &surface{}
	at := map[[3]float32]int{}
	index := make([]int, len(points))
	for i, p := range points {
		k, ok := at[p]
		if !ok {
			k = len(s.points)
			at[p] = k
			s.points = append(s.points, world.Vec3{float64(p[0]), float64(p[1]), float64(p[2])})
		}
		index[i] = k
	}
	for _, t := range triangles {
		s.add(index[t[0]], index[t[1]], index[t[2]])
	}
	size := s.size()
	if !(size > 0) || math.IsInf(size, 0) {
		return nil, 0
	}
	_, exp := math.Frexp(size)
	for i, p := range s.points {
		s.points[i] = p.Scale(math.Ldexp(1, 1-exp))
	}
	return s, math.Ldexp(1, exp-1)
}

// add adds a triangle, unless two of its corners are one.
func (s *surface) add(a, b, c int) {
	if a != b && b != c && c != a {
		s.triangles = append(s.triangles, [3]int{a, b, c})
	}
}

// bounds returns the box around all triangles.
func (s *surface) bounds() (lo, hi world.Vec3) {
	lo, hi = nowhere, world.Vec3{}.Sub(nowhere)
	for _, t := range s.triangles {
		for _, k := range t {
			lo, hi = lo.Min(s.points[k]), hi.Max(s.points[k])
		}
	}
	return lo, hi
}

// size is how far the triangles reach; it is not above 0 if there are none.
func (s *surface) size() float64 {
	lo, hi := s.bounds()
	return max(hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2])
}

// coarsen takes away detail: what is in one of so many cells along the longest side becomes one point (Rossignac and Borrel, 1993).
func (s *surface) coarsen(cells float64) {
	lo, _ := s.bounds()
	cell := s.size() / cells
	first := map[[3]int]int{}
	index := make([]int, len(s.points))
	for i, p := range s.points {
		at := p.Sub(lo).Scale(1 / cell)
		c := [3]int{int(at[0]), int(at[1]), int(at[2])}
		k, ok := first[c]
		if !ok {
			k = i
			first[c] = i
		}
		index[i] = k
	}
	all := s.triangles
	s.triangles = nil
	known := map[[3]int]bool{}
	for _, t := range all {
		a, b, c := index[t[0]], index[t[1]], index[t[2]]
		for a > b || a > c { // the least first, in the same direction
			a, b, c = b, c, a
		}
		if !known[[3]int{a, b, c}] {
			known[[3]int{a, b, c}] = true
			s.add(a, b, c)
		}
	}
}

// parts returns what hangs together, in the order of its first triangles.
func (s *surface) parts() (list []*surface) {
	top := connected(len(s.points), func(join func(a, b int)) {
		for _, t := range s.triangles {
			join(t[0], t[1])
			join(t[0], t[2])
		}
	})
	of := map[int]*surface{}
	for _, t := range s.triangles {
		part := of[top(t[0])]
		if part == nil {
			part = &surface{points: s.points}
			of[top(t[0])] = part
			list = append(list, part)
		}
		part.triangles = append(part.triangles, t)
	}
	return list
}

// together makes one of many parts, of which it also says how many pieces it may have.
func (s *surface) together(parts []*surface, most int) (one []*surface, pieces int) {
	var enclosed float64
	lo, hi := s.bounds()
	for _, part := range parts {
		list, _ := part.closed()
		for i := range list {
			enclosed += list[i].enclosed(lo)
		}
	}
	if room := hi.Sub(lo); enclosed <= float64(empty*float64(room[0]*float64(room[1]*room[2]))) {
		most = min(most, cloud)
	}
	return []*surface{s}, most
}

// body returns all that a surface encloses.
func (s *surface) body(c *cutter) *body {
	b := &body{cuts: [2][3]float64{world.Vec3{}.Sub(nowhere), nowhere}}
	b.list, b.hollow = s.closed()
	c.measure(b)
	if !b.hollow && b.volume <= float64(empty*b.hull.volume) {
		b.hollow = true
		c.measure(b)
	}
	return b
}

// closed returns the faces of a surface, with those that close its holes, and whether it is open nevertheless, see [surface.open].
func (s *surface) closed() (list []face, open bool) {
	var area float64
	for _, t := range s.triangles {
		list = append(list, face{[]world.Vec3{s.points[t[0]], s.points[t[1]], s.points[t[2]]}, true})
		area += list[len(list)-1].facing().Len()
	}
	holes := s.holes()
	open = s.open(holes, area)
	for _, hole := range holes {
		list = append(list, lid(hole)...)
	}
	return list, open
}

// holes returns the edges at which a surface ends, those that hang together in one list.
func (s *surface) holes() (list [][]edge) {
	type pair [2]int
	net := map[pair]int{} // of the two directions, how much oftener there is the one than the other
	var order []pair
	for _, t := range s.triangles {
		for i := range t {
			e, by := pair{t[i], t[(i+1)%3]}, 1
			if e[0] > e[1] {
				e, by = pair{e[1], e[0]}, -1
			}
			if _, ok := net[e]; !ok {
				order = append(order, e)
			}
			net[e] += by
		}
	}
	order = slices.DeleteFunc(order, func(e pair) bool { return net[e] == 0 })
	top := connected(len(s.points), func(join func(a, b int)) {
		for _, e := range order {
			join(e[0], e[1])
		}
	})
	at := map[int]int{}
	for _, e := range order {
		k, ok := at[top(e[0])]
		if !ok {
			k = len(list)
			at[top(e[0])] = k
			list = append(list, nil)
		}
		n, a, b := net[e], s.points[e[0]], s.points[e[1]]
		if n < 0 {
			n, a, b = -n, b, a
		}
		for range n {
			list[k] = append(list[k], edge{a, b})
		}
	}
	return list
}

// open reports whether the holes of a surface of some area say that it is a skin, as ground, a tunnel or a bowl: they do but for cracks, the ends of walls, and one
// side of the box around it that is not its top. There models lack what nobody was to see.
func (s *surface) open(holes [][]edge, area float64) bool {
	lo, hi := s.bounds()
	nearby := float64(crack * s.size())
	var gaps []gap
	for _, hole := range holes {
		g := gapOf(hole, lo)
		if g.out.Len() <= float64(crack*area) {
			continue
		}
		size := g.hi.Sub(g.lo)
		for g.axis = 0; g.axis < 3 && size[g.axis] > nearby; g.axis++ {
		}
		if g.axis == 3 {
			return true
		}
		same := slices.IndexFunc(gaps, func(o gap) bool { return o.axis == g.axis && math.Abs(o.lo[g.axis]-g.lo[g.axis]) <= nearby })
		if same < 0 {
			gaps = append(gaps, g)
			continue
		}
		o := &gaps[same] // as of the two edges of a wall that goes around
		o.out, o.lo, o.hi = o.out.Add(g.out), o.lo.Min(g.lo), o.hi.Max(g.hi)
	}
	sides := 0
	for _, g := range gaps {
		if g.thin() {
			continue
		}
		sides++
		if below := g.lo[g.axis]-lo[g.axis] <= nearby; sides > 1 || !below && (hi[g.axis]-g.hi[g.axis] > nearby || g.axis == 1) {
			return true
		}
	}
	return false
}

// gap is a hole, or several in one plane.
type gap struct {
	axis   int        // that it is across
	out    world.Vec3 // its area, as a vector that points in
	lo, hi world.Vec3
}

func gapOf(hole []edge, from world.Vec3) gap {
	g := gap{lo: hole[0][0], hi: hole[0][0]}
	for _, e := range hole {
		g.out = g.out.Add(e[0].Sub(from).Cross(e[1].Sub(from)).Scale(0.5))
		g.lo, g.hi = g.lo.Min(e[0]), g.hi.Max(e[0])
	}
	return g
}

// thin reports whether a hole takes up less than half of the rectangle around it, as the ends of walls do.
func (g *gap) thin() bool {
	size := g.hi.Sub(g.lo)
	size[g.axis] = 1
	return 2*g.out.Len() <= size[0]*size[1]*size[2]
}

// connected returns a function that names of each of n things the one that stands for all that hang together with it, by what is joined.
func connected(n int, joined func(join func(a, b int))) (top func(i int) int) {
	above := make([]int, n)
	for i := range above {
		above[i] = i
	}
	top = func(i int) int {
		for above[i] != i {
			above[i] = above[above[i]]
			i = above[i]
		}
		return i
	}
	joined(func(a, b int) { above[top(b)] = top(a) })
	return top
}
