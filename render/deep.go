package render

import (
	"cmp"
	"math"
	"slices"
)

// What is here fills frames in which faces lie over each other very many times, as where thousands of things are at one place: faces from the nearest on, each of
// which is there once, and no more of them over each other than can matter.

const (
	deepFill = 24  // how often a frame is covered, on the average, to be filled like this
	stride   = 16  // samples of a row that are counted together
	layers   = 100 // how often each of them is painted, on the average, at most
)

// covers returns how many samples all faces have, about.
func (fr *frame) covers() float64 {
	all := 0.0
	for i := range fr.faces {
		f := &fr.faces[i]
		points := fr.corners[f.first:f.last]
		twice, o := 0.0, points[0]
		for k := 1; k+1 < len(points); k++ {
			a, b := points[k], points[k+1]
			twice += float64(float64(a.x-o.x)*float64(b.y-o.y)) - float64(float64(a.y-o.y)*float64(b.x-o.x))
		}
		all += math.Abs(twice)
	}
	return all / (2 * sub * sub)
}

// ordered returns the numbers of the faces from the nearest on, without those that another one of a lesser number is exactly like.
func (fr *frame) ordered() []int32 {
	type like struct {
		plane   plane
		lo, hi  float64
		corners [maxCorners]corner
	}
	seen := make(map[like]struct{}, len(fr.faces))
	order := make([]int32, 0, len(fr.faces))
	for i := range fr.faces {
		f := &fr.faces[i]
		if on(fr.holed, f.object) == nil {
			key := like{plane: f.plane, lo: f.lo, hi: f.hi}
			points := fr.corners[f.first:f.last]
			first := 0 // from which its corners are told
			for k := range points {
				if c := cmp.Or(cmp.Compare(points[k].y, points[first].y), cmp.Compare(points[k].x, points[first].x)); c < 0 {
					first = k
				}
			}
			n := copy(key.corners[:], points[first:])
			copy(key.corners[n:], points[:first])
			if _, is := seen[key]; is {
				continue
			}
			seen[key] = struct{}{}
		}
		order = append(order, int32(i+1))
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(fr.faces[b-1].hi, fr.faces[a-1].hi) })
	return order
}

// fillDeep is fill for many faces over each other.
func (fr *frame) fillDeep(c *canvas, workers int) {
	order := fr.ordered()
	bands(fr.height, workers, func(from, to int) {
		columns := (fr.width + stride - 1) / stride
		painted := make([]uint16, columns*(to-from))
		spans := make([]span, to-from)
		for _, number := range order {
			f := &fr.faces[number-1]
			top, bottom := max(int(f.top), from), min(int(f.bottom), to)
			if top >= bottom {
				continue
			}
			fr.scan(f, top, spans[:bottom-top])
			p := on(fr.holed, f.object)
			for i, s := range spans[:bottom-top] {
				y := top + i
				for left, right := max(s.left, 0), min(s.right, int32(fr.width)); left < right; {
					cell := left / stride
					next := min((cell+1)*stride, right)
					if done := &painted[(y-from)*columns+int(cell)]; *done < layers*stride {
						*done += uint16(next - left)
						part := span{left, next}
						if p != nil {
							fr.paintHoled(c, p, number, y, []span{part})
						} else {
							fr.paintOver(c, number, y, part)
						}
					}
					left = next
				}
			}
		}
	})
}

// paintOver is paint for faces that come in any order.
func (fr *frame) paintOver(c *canvas, number int32, y int, s span) {
	f := &fr.faces[number-1]
	n := f.at + float64(f.dx*float64(s.left)) + float64(f.dy*float64(y))
	last := n + float64(f.dx*float64(s.right-s.left-1))
	clamps := min(n, last) < f.lo || max(n, last) > f.hi
	for x := y*fr.width + int(s.left); x < y*fr.width+int(s.right); x++ {
		near := float32(n)
		if clamps {
			near = float32(min(max(n, f.lo), f.hi))
		}
		if is := c.near[x]; near > is || near == is && c.face != nil && number < c.face[x] {
			c.near[x] = near
			if c.face != nil {
				c.face[x] = number
			}
		}
		n += f.dx
	}
}
