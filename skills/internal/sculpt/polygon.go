package sculpt

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Point is a point of a drawing.
type Point = [2]float64

// turn is twice the area of the triangle a, b, c: above zero if it is counterclockwise.
func turn(a, b, c Point) float64 {
	return float64((b[0]-a[0])*(c[1]-a[1])) - float64((b[1]-a[1])*(c[0]-a[0]))
}

// area is twice the area of a polygon, above zero if it is counterclockwise.
func area(list []Point) (sum float64) {
	for i := range list {
		sum += turn(list[0], list[i], list[(i+1)%len(list)])
	}
	return sum
}

// wind returns a polygon counterclockwise, or clockwise, without points that are where the one before is.
func wind(list []Point, counter bool) []Point {
	var out []Point
	for i, p := range list {
		if p != list[(i+len(list)-1)%len(list)] {
			out = append(out, p)
		}
	}
	if area(out) < 0 == counter {
		slices.Reverse(out)
	}
	return out
}

// crosses reports whether two lines have a point in common that is not an end of both.
func crosses(a, b, c, d Point) bool {
	if a == c || a == d || b == c || b == d {
		return false
	}
	s, t, u, v := turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
	if (s > 0) != (t > 0) && s != 0 && t != 0 && (u > 0) != (v > 0) && u != 0 && v != 0 {
		return true
	}
	return s == 0 && between(a, b, c) || t == 0 && between(a, b, d) || u == 0 && between(c, d, a) || v == 0 && between(c, d, b)
}

// between reports whether a point of a line is between two others of it.
func between(a, b, p Point) bool {
	return min(a[0], b[0]) <= p[0] && p[0] <= max(a[0], b[0]) && min(a[1], b[1]) <= p[1] && p[1] <= max(a[1], b[1])
}

// folds reports whether a way that goes from a by b to c turns back on itself.
func folds(a, b, c Point) bool {
	return turn(a, b, c) == 0 && float64((b[0]-a[0])*(c[0]-b[0]))+float64((b[1]-a[1])*(c[1]-b[1])) < 0
}

// simple says what is wrong with rings, of which the first is to be around the others, which are not to touch; nil if nothing is.
func simple(rings [][]Point) error {
	name := func(i int) string {
		if i == 0 {
			return "outline"
		}
		return fmt.Sprintf("holes[%d]", i-1)
	}
	for i, ring := range rings {
		if len(ring) < 3 {
			return fmt.Errorf("%s: needs three points or more that differ, got %d", name(i), len(ring))
		}
		for k, p := range ring {
			q := ring[(k+1)%len(ring)]
			for j := i; j < len(rings); j++ {
				for m, c := range rings[j] {
					d := rings[j][(m+1)%len(rings[j])]
					touches := crosses(p, q, c, d) || p == c || p == d || q == c || q == d
					switch {
					case j == i && m <= k:
					case j == i && (m == k+1 || k == 0 && m == len(ring)-1): // the next one, or the one before
						if m == k+1 && folds(p, q, d) || m != k+1 && folds(c, p, q) {
							return fmt.Errorf("%s: turns back on itself between %v and %v", name(i), p, q)
						}
					case touches && j == i:
						return fmt.Errorf("%s: touches or crosses itself: the side from %v to %v meets the one from %v to %v", name(i), p, q, c, d)
					case touches:
						return fmt.Errorf("%s: must not touch %s, and its side from %v to %v meets the one from %v to %v", name(j), name(i), c, d, p, q)
					}
				}
			}
		}
		if i > 0 && !inside(rings[0], ring[0]) {
			return fmt.Errorf("%s: must be inside of the outline, and %v is not", name(i), ring[0])
		}
		for j := 1; j < len(rings) && i > 0; j++ {
			if j != i && inside(rings[j], ring[0]) {
				return fmt.Errorf("%s: is inside of %s", name(i), name(j))
			}
		}
	}
	return nil
}

// notch cuts the holes that reach over one straight side of a counterclockwise outline, or end at it, out of that side, and returns what is left of both.
func notch(outline []Point, holes [][]Point) ([]Point, [][]Point) {
	var rest [][]Point
next:
	for _, hole := range holes {
		for i := range outline {
			if cut := notchOf(outline[i], outline[(i+1)%len(outline)], wind(hole, false)); cut != nil {
				outline = slices.Insert(slices.Clone(outline), i+1, cut...)
				continue next
			}
		}
		rest = append(rest, hole)
	}
	return outline, rest
}

// notchOf returns the way from a to b, without these, around a clockwise hole that reaches over the line between them, or ends at it; nil for one that does not, or is not in one piece
// before it.
func notchOf(a, b Point, hole []Point) (way []Point) {
	const slack = 1e-9
	long := math.Hypot(b[0]-a[0], b[1]-a[1])
	if long == 0 {
		return nil
	}
	before := func(p Point) float64 { // how far it is inside of the line
		d := turn(a, b, p) / long
		if math.Abs(d) < slack {
			return 0
		}
		return d
	}
	first := -1 // where the hole comes in
	for i, p := range hole {
		if before(p) > 0 && before(hole[(i+len(hole)-1)%len(hole)]) <= 0 {
			if first >= 0 {
				return nil
			}
			first = i
		}
	}
	if first < 0 {
		return nil
	}
	at := func(out, in Point) Point { // where the way from the one to the other meets the line
		d, e := before(out), before(in)
		if d == 0 {
			return out
		}
		t := d / (d - e)
		return Point{out[0] + float64(t*(in[0]-out[0])), out[1] + float64(t*(in[1]-out[1]))}
	}
	on := func(p Point) bool {
		along := (float64((p[0]-a[0])*(b[0]-a[0])) + float64((p[1]-a[1])*(b[1]-a[1]))) / long
		return along >= -slack && along <= long+slack
	}
	way = []Point{at(hole[(first+len(hole)-1)%len(hole)], hole[first])}
	for k := range hole {
		p := hole[(first+k)%len(hole)]
		if before(p) <= 0 {
			way = append(way, at(p, hole[(first+k+len(hole)-1)%len(hole)]))
			break
		}
		way = append(way, p)
	}
	if n := len(way); !on(way[0]) || !on(way[n-1]) || turn(way[0], way[n-1], way[1]) == 0 && n == 3 {
		return nil
	}
	return way
}

// inside reports whether a point is inside of a polygon, by how often a line to the right of it crosses that.
func inside(list []Point, p Point) (in bool) {
	for i, a := range list {
		b := list[(i+1)%len(list)]
		if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0]+float64((b[0]-a[0])*(p[1]-a[1]))/(b[1]-a[1]) {
			in = !in
		}
	}
	return in
}

// join returns one ring that goes around a counterclockwise outline and clockwise holes: each hole is reached by a way to and fro. Points are named by
// their indices in all, the rings one after the other.
func join(rings [][]Point) (ring []int, all []Point) {
	var starts []int
	for _, r := range rings {
		starts = append(starts, len(all))
		all = append(all, r...)
	}
	for i := range rings[0] {
		ring = append(ring, i)
	}
	// From right to left, so that what is to the right of a hole is joined already.
	var holes []int
	rightmost := func(h int) int {
		best := starts[h]
		for i := range rings[h] {
			if all[starts[h]+i][0] > all[best][0] {
				best = starts[h] + i
			}
		}
		return best
	}
	for h := 1; h < len(rings); h++ {
		holes = append(holes, h)
	}
	slices.SortFunc(holes, func(a, b int) int {
		return cmp.Or(cmp.Compare(all[rightmost(b)][0], all[rightmost(a)][0]), cmp.Compare(a, b))
	})
	left := map[int]bool{} // holes that are not joined yet
	for _, h := range holes {
		left[h] = true
	}
	for _, h := range holes {
		from := rightmost(h)
		delete(left, h)
		free := func(to int) bool {
			a, b := all[from], all[to]
			for i := range ring {
				if crosses(a, b, all[ring[i]], all[ring[(i+1)%len(ring)]]) {
					return false
				}
			}
			for g, r := range rings {
				if g != h && !left[g] {
					continue
				}
				for i := range r {
					if crosses(a, b, all[starts[g]+i], all[starts[g]+(i+1)%len(r)]) {
						return false
					}
				}
			}
			return true
		}
		best := -1
		for i, to := range ring {
			if (best < 0 || far(all[from], all[to]) < far(all[from], all[ring[best]])) && free(to) && opens(ring, all, i, all[from]) {
				best = i
			}
		}
		if best < 0 {
			best = 0 // which nothing simple has
		}
		var way []int
		for i := range len(rings[h]) + 1 {
			way = append(way, starts[h]+(from-starts[h]+i)%len(rings[h]))
		}
		way = append(way, ring[best])
		ring = slices.Insert(ring, best+1, way...)
	}
	return ring, all
}

// opens reports whether a point is in the corner that a ring has at a place: where the same point is in it twice, only one of the corners is right.
func opens(ring []int, all []Point, i int, p Point) bool {
	a, b, c := all[ring[(i+len(ring)-1)%len(ring)]], all[ring[i]], all[ring[(i+1)%len(ring)]]
	if turn(a, b, c) >= 0 {
		return turn(a, b, p) >= 0 && turn(b, c, p) >= 0
	}
	return turn(a, b, p) >= 0 || turn(b, c, p) >= 0
}

func far(a, b Point) float64 {
	x, y := b[0]-a[0], b[1]-a[1]
	return float64(x*x) + float64(y*y)
}

// triangulate cuts a counterclockwise polygon into triangles by cutting off ears (Meisters 1975): of all the one that is least slim.
func triangulate(list []Point) (triangles [][3]int) {
	ring := make([]int, len(list))
	for i := range ring {
		ring[i] = i
	}
	return ears(ring, list)
}

// ears is triangulate of a ring of indices, in which a point may be more than once.
func ears(ring []int, all []Point) (triangles [][3]int) {
	ring = slices.Clone(ring)
	for len(ring) > 3 {
		best, good := -1, math.Inf(-1)
		for i := range ring {
			a, b, c := ring[(i+len(ring)-1)%len(ring)], ring[i], ring[(i+1)%len(ring)]
			t := turn(all[a], all[b], all[c])
			if t < 0 {
				continue
			}
			// How little slim it is; what is flat comes last, but comes.
			q := t / max(far(all[a], all[b]), far(all[b], all[c]), far(all[c], all[a]), math.SmallestNonzeroFloat64)
			if q > good && ear(ring, all, a, b, c) {
				best, good = i, q
			}
		}
		if best < 0 { // nothing simple comes to this
			return triangles
		}
		a, b, c := ring[(best+len(ring)-1)%len(ring)], ring[best], ring[(best+1)%len(ring)]
		if good > 0 {
			triangles = append(triangles, [3]int{a, b, c})
		}
		ring = slices.Delete(ring, best, best+1)
	}
	if len(ring) == 3 && turn(all[ring[0]], all[ring[1]], all[ring[2]]) > 0 {
		triangles = append(triangles, [3]int(ring))
	}
	return triangles
}

// ear reports whether no other point of a ring is in a triangle.
func ear(ring []int, all []Point, a, b, c int) bool {
	for _, i := range ring {
		p := all[i]
		if p == all[a] || p == all[b] || p == all[c] {
			continue
		}
		if turn(all[a], all[b], p) >= 0 && turn(all[b], all[c], p) >= 0 && turn(all[c], all[a], p) >= 0 {
			return false
		}
	}
	return true
}

// unite puts triangles together to convex polygons: a common side is taken away where both corners stay convex, longest sides first, as Hertel and Mehlhorn do
// (1983), until none has more than most corners.
func unite(triangles [][3]int, all []Point, most int) [][]int {
	polygons := make([][]int, len(triangles))
	type side struct{ a, b int }
	of := map[side]int{} // whose side it is, in that direction
	var sides []side
	for i, t := range triangles {
		polygons[i] = t[:]
		for k := range t {
			s := side{t[k], t[(k+1)%3]}
			of[s] = i
			if s.a < s.b {
				sides = append(sides, s)
			}
		}
	}
	slices.SortStableFunc(sides, func(s, t side) int {
		return cmp.Compare(far(all[t.a], all[t.b]), far(all[s.a], all[s.b]))
	})
	for _, s := range sides {
		i, there := of[s]
		j, too := of[side{s.b, s.a}]
		if !there || !too || i == j || len(polygons[i])+len(polygons[j])-2 > most {
			continue
		}
		p, q := polygons[i], polygons[j]
		var both []int // p from s.b around to s.a, then q from s.a around to s.b
		for k := range p {
			both = append(both, p[(slices.Index(p, s.b)+k)%len(p)])
		}
		at := slices.Index(q, s.a)
		for k := 1; k < len(q)-1; k++ {
			both = append(both, q[(at+k)%len(q)])
		}
		if !bulges(both, all) {
			continue
		}
		polygons[i], polygons[j] = both, nil
		for k := range both {
			of[side{both[k], both[(k+1)%len(both)]}] = i
		}
		delete(of, s)
		delete(of, side{s.b, s.a})
	}
	return slices.DeleteFunc(polygons, func(p []int) bool { return p == nil })
}

// bulges reports whether a polygon is convex.
func bulges(p []int, all []Point) bool {
	for k := range p {
		a, b, c := all[p[k]], all[p[(k+1)%len(p)]], all[p[(k+2)%len(p)]]
		if turn(a, b, c) < -1e-12*(far(a, b)+far(b, c)) {
			return false
		}
	}
	return true
}
