// Package convex has what takes up room and is no box, ball or cylinder: models that are put together from
// convex pieces, each of them all that lies between some points.
//
//	m, err := convex.New(points, [][]uint32{{0, 1, 2, 3}, {2, 3, 4, 5, 6}})
//
// A model is made once and never changes; anybody may read it at any time. What it is made of is in its own
// coordinates; whoever has it somewhere turns, scales and moves it. Products are rounded one by one, so that every platform has
// the same numbers.
package convex

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Limits of a model.
const (
	MaxPoints = 64  // of a piece
	MaxPieces = 256 // of a model
)

// Vec is a point, or a direction: x, y, z.
type Vec = [3]float64

// Model is one or several pieces.
type Model struct {
	Parts  []Part
	Half   Vec     // how far it reaches from the origin along each axis, at most
	Volume float64 // of all pieces, which are taken not to be in each other
}

// Part is a piece at its place in a model.
type Part struct {
	*Piece
	At Vec // where the piece's origin is
}

// Piece is a convex body, its origin in its middle. The normals of its faces and the directions of its edges are those of
// the piece as it is, unscaled.
type Piece struct {
	Points []Vec // its corners, maybe with others that are in it
	Faces  []Face
	Edges  []Vec // directions in which edges run, of length 1, each once
	Volume float64

	alone *Model
}

// Face is a side of a piece: what is in it has Normal·p ≤ Off.
type Face struct {
	Normal Vec // outward, of length 1
	Off    float64
}

// Alone returns the model of nothing but this piece, its origin the piece's.
func (p *Piece) Alone() *Model { return p.alone }

// New makes a model of pieces, which are named by the indices of their points. It fails with what is wrong with the first piece that is none:
// that has fewer than four points, more than [MaxPoints], or all in a plane.
func New(points []Vec, pieces [][]uint32) (*Model, error) {
	if len(pieces) == 0 || len(pieces) > MaxPieces {
		return nil, fmt.Errorf("must be 1 to %d pieces, got %d", MaxPieces, len(pieces))
	}
	m := &Model{Parts: make([]Part, 0, len(pieces))}
	for i, indices := range pieces {
		list := make([]Vec, 0, len(indices))
		for _, k := range indices {
			if int(k) >= len(points) {
				return nil, fmt.Errorf("piece %d: there is no point %d", i, k)
			}
			list = append(list, points[k])
		}
		part, err := newPiece(list)
		if err != nil {
			return nil, fmt.Errorf("piece %d: %w", i, err)
		}
		m.add(part)
	}
	return m, nil
}

func (m *Model) add(part Part) {
	m.Parts = append(m.Parts, part)
	m.Volume += part.Volume
	for _, p := range part.Points {
		for i := range p {
			m.Half[i] = max(m.Half[i], math.Abs(p[i]+part.At[i]))
		}
	}
}

// newPiece makes a piece of what is between points.
func newPiece(list []Vec) (Part, error) {
	slices.SortFunc(list, func(a, b Vec) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
	})
	list = slices.Compact(list)
	if len(list) < 4 || len(list) > MaxPoints {
		return Part{}, fmt.Errorf("must have 4 to %d points that differ, got %d", MaxPoints, len(list))
	}
	part := Part{Piece: &Piece{Points: list}}
	lo, hi := list[0], list[0]
	for _, p := range list {
		for i := range p {
			lo[i], hi[i] = min(lo[i], p[i]), max(hi[i], p[i])
		}
	}
	for i := range lo {
		part.At[i] = (lo[i] + hi[i]) / 2
	}
	for i := range list {
		list[i] = sub(list[i], part.At)
	}
	p := part.Piece
	size := length(sub(hi, lo))
	var of []set
	p.Faces, of = faces(list, size)
	if len(p.Faces) < 4 {
		return Part{}, fmt.Errorf("its points must not be all in a plane")
	}
	p.Edges = edges(list, of)
	p.Volume = volume(p.Faces, size)
	p.alone = &Model{}
	p.alone.add(Part{Piece: p})
	return part, nil
}

// rough is how far from a plane, of the size of a piece, what counts as in it may be: points are float32, and rounded.
const rough = 1e-6

// parallel is the angle under which two edges count as going the same way.
const parallel = 1e-3

// set is which of up to [MaxPoints] points.
type set uint64

func (s set) has(i int) bool { return s>>i&1 == 1 }

func setOf(at [3]int) set { return 1<<at[0] | 1<<at[1] | 1<<at[2] }

// faces finds the planes through three points that have all points on one side, each once, and the points of each. They are those of the sides of a hull, unless
// it is so thin or so uneven that rounding hides some: then any three points are tried.
func faces(list []Vec, size float64) ([]Face, []set) {
	if sides := triangles(list, size); sides != nil {
		if faces, of := through(slices.Values(sides), list, size); covered(sides, of) {
			return faces, of
		}
	}
	return through(triples(len(list)), list, size)
}

// triangles returns the sides of the hull of points, by indices that rise, in their order; nil if it has none.
func triangles(list []Vec, size float64) (sides [][3]int) {
	var h Hulls
	if !h.Make(list, len(list), float64(exact*size), float64(rough*size)) {
		return nil
	}
	for i := range h.sides {
		at := h.sides[i].at
		slices.Sort(at[:])
		sides = append(sides, at)
	}
	slices.SortFunc(sides, func(a, b [3]int) int { return slices.Compare(a[:], b[:]) })
	return sides
}

// triples yields all three of n, by indices that rise, in their order.
func triples(n int) iter.Seq[[3]int] {
	return func(yield func([3]int) bool) {
		for i := range n {
			for j := i + 1; j < n; j++ {
				for k := j + 1; k < n; k++ {
					if !yield([3]int{i, j, k}) {
						return
					}
				}
			}
		}
	}
}

// covered reports whether each side is in a face.
func covered(sides [][3]int, faces []set) bool {
	return !slices.ContainsFunc(sides, func(at [3]int) bool { return !within(setOf(at), faces) })
}

// through returns those planes, each through three points, that have all points on one side, each once, and the points of each.
func through(planes iter.Seq[[3]int], list []Vec, size float64) (faces []Face, known []set) {
	off := float64(rough * size)
	for at := range planes {
		corners := setOf(at)
		if within(corners, known) {
			continue
		}
		f, ok := supports(list, list[at[0]], sub(list[at[1]], list[at[0]]), sub(list[at[2]], list[at[0]]), off)
		if !ok {
			continue
		}
		in := on(list, &f, size)
		f = level(list, in, f) // which knows of points that three that are close together do not
		faces, known = append(faces, f), append(known, in|corners|on(list, &f, size))
	}
	return faces, known
}

// within reports whether a set is part of one of others.
func within(s set, others []set) bool {
	for _, o := range others {
		if s&^o == 0 {
			return true
		}
	}
	return false
}

// supports returns the plane through a and what is b and c from there, outward, if all points are on one side of it; false too if it does not know its
// direction, because the three are nearly on one line.
func supports(list []Vec, a, b, c Vec, off float64) (f Face, ok bool) {
	n, side := cross(b, c), sub(b, c)
	area := dot(n, n)
	if area <= float64(16*float64(off*off)*max(dot(b, b), dot(c, c), dot(side, side))) {
		return f, false
	}
	f.Normal = scale(n, 1/math.Sqrt(area))
	f.Off = dot(f.Normal, a)
	above, below := false, false
	for i := range list { // from both ends, which are far apart
		p := &list[i/2]
		if i%2 == 1 {
			p = &list[len(list)-1-i/2]
		}
		e := dot(f.Normal, *p) - f.Off
		above, below = above || e > off, below || e < -off
		if above && below {
			return f, false
		}
	}
	if above {
		f.Normal, f.Off = scale(f.Normal, -1), -f.Off
	}
	return f, above != below
}

// level returns a face by those of its points that are farthest apart, which know best how it lies, so that no point is out of it.
func level(list []Vec, in set, f Face) Face {
	var a, b Vec
	far := 0.0
	for i, p := range list {
		if !in.has(i) {
			continue
		}
		for j, q := range list[:i] {
			if !in.has(j) {
				continue
			}
			if d := length(sub(p, q)); d > far {
				a, b, far = p, q, d
			}
		}
	}
	outward, wide := f.Normal, 0.0
	for i, p := range list {
		if !in.has(i) {
			continue
		}
		if n := cross(sub(b, a), sub(p, a)); length(n) > wide {
			wide = length(n)
			f.Normal = scale(n, math.Copysign(1/wide, dot(n, outward)))
		}
	}
	f.Off = dot(f.Normal, a)
	for _, p := range list {
		f.Off = max(f.Off, dot(f.Normal, p))
	}
	return f
}

// on returns which points are in a face.
func on(list []Vec, f *Face, size float64) (in set) {
	for i, p := range list {
		if dot(f.Normal, p) >= f.Off-float64(4*rough*size) {
			in |= 1 << i
		}
	}
	return in
}

// edges finds the directions of the lines in which two faces meet that have two points on them, by the points of each face: a face that has several sides of
// a hull in it is less level with some of them than with others.
func edges(list []Vec, faces []set) (dirs []Vec) {
	for i := range list {
		for j := i + 1; j < len(list); j++ {
			shared := 0
			for _, in := range faces {
				if in.has(i) && in.has(j) {
					shared++
				}
			}
			if shared < 2 {
				continue
			}
			d := sub(list[j], list[i])
			d = scale(d, 1/length(d))
			if !slices.ContainsFunc(dirs, func(e Vec) bool { return length(cross(d, e)) < parallel }) {
				dirs = append(dirs, d)
			}
		}
	}
	return dirs
}

// volume adds up the cones from the middle to the faces. What belongs to a face is what the others leave of its plane, by cutting off at each in turn, as
// Sutherland and Hodgman do (1974): two that nearly lie in one plane, as of what is slightly twisted, share that.
func volume(faces []Face, size float64) (sum float64) {
	var list, left []Vec // the one is cut to be the other, in the same memory for all faces
	for i := range faces {
		f := &faces[i]
		u := cross(f.Normal, Vec{1, 0, 0})
		if length(u) < 0.5 {
			u = cross(f.Normal, Vec{0, 1, 0})
		}
		u = scale(u, 2*size/length(u))
		v := cross(f.Normal, u)
		mid := scale(f.Normal, f.Off)
		list = append(list[:0], add(add(mid, u), v), add(sub(mid, u), v), sub(sub(mid, u), v), sub(add(mid, u), v))
		for k := range faces {
			if k != i {
				left = cut(left[:0], list, &faces[k])
				list, left = left, list
			}
		}
		var area float64
		for k := range list {
			area += dot(f.Normal, cross(sub(list[k], list[0]), sub(list[(k+1)%len(list)], list[0])))
		}
		sum += float64(math.Abs(area) * f.Off / 6)
	}
	return sum
}

// cut appends what of a flat polygon is not beyond a face.
func cut(left, list []Vec, f *Face) []Vec {
	for k, p := range list {
		q := list[(k+1)%len(list)]
		a, b := dot(f.Normal, p)-f.Off, dot(f.Normal, q)-f.Off
		if a <= 0 {
			left = append(left, p)
		}
		if a < 0 && b > 0 || a > 0 && b < 0 {
			left = append(left, add(p, scale(sub(q, p), a/(a-b))))
		}
	}
	return left
}

func add(a, b Vec) Vec { return Vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

func sub(a, b Vec) Vec { return Vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func scale(a Vec, k float64) Vec {
	return Vec{float64(a[0] * k), float64(a[1] * k), float64(a[2] * k)}
}

func dot(a, b Vec) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func cross(a, b Vec) Vec {
	return Vec{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

func length(a Vec) float64 { return math.Sqrt(dot(a, a)) }
