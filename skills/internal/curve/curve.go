// Package curve has ways through the world: curves through points, and how far along them something is. What scene.array lays along points, and
// what follows a path through the same points by package animation, go the same way.
package curve

import (
	"math"
	"sort"

	"github.com/limina-mcp/limina/world"
)

// roundness is how many straight pieces a curve has from one point to the next.
const roundness = 16

// Way is a way through the world, of straight pieces. It is not changed once it is made, so that several may use it at a time.
type Way struct {
	points []world.Vec3
	along  []float64 // how far each point is from the first, along the way
	closed bool
}

// New returns the way through points, two at least: straight from each to the next, or a curve through all (of Catmull and
// Rom), back to the first if it is closed.
func New(through []world.Vec3, smooth, closed bool) *Way {
	n := len(through)
	if closed && n > 2 && through[0].Dist(through[n-1]) < 1e-9 {
		n-- // somebody has closed it already
	}
	point := func(i int) world.Vec3 {
		if closed {
			return through[(i+n)%n]
		}
		if i < 0 { // the way goes on as it begins
			return through[0].Scale(2).Sub(through[1])
		}
		if i >= n {
			return through[n-1].Scale(2).Sub(through[n-2])
		}
		return through[i]
	}
	pieces, parts := n-1, 1
	if closed {
		pieces = n
	}
	if smooth && n > 2 {
		parts = roundness
	}
	w := &Way{closed: closed}
	for i := range pieces {
		for k := range parts {
			w.points = append(w.points, between(point(i-1), point(i), point(i+1), point(i+2), float64(k)/float64(parts)))
		}
	}
	w.points = append(w.points, point(pieces))
	w.measure()
	return w
}

// between returns the point at t, from 0 to 1, between b and c.
func between(a, b, c, d world.Vec3, t float64) (p world.Vec3) {
	t2 := float64(t * t)
	t3 := float64(t2 * t)
	for i := range p {
		one := float64((c[i] - a[i]) * t)
		two := float64((float64(2*a[i]) - float64(5*b[i]) + float64(4*c[i]) - d[i]) * t2)
		three := float64((float64(3*b[i]) - a[i] - float64(3*c[i]) + d[i]) * t3)
		p[i] = b[i] + (one+two+three)/2
	}
	return p
}

func (w *Way) measure() {
	w.along = make([]float64, len(w.points))
	for i := 1; i < len(w.points); i++ {
		w.along[i] = w.along[i-1] + w.points[i].Dist(w.points[i-1])
	}
}

// Length returns how long the way is, in metres; that of a closed one is once round.
func (w *Way) Length() float64 { return w.along[len(w.along)-1] }

// Beside returns the way that goes so many metres to the right of this one.
func (w *Way) Beside(side float64) *Way {
	if side == 0 {
		return w
	}
	out := &Way{closed: w.closed, points: make([]world.Vec3, len(w.points))}
	last := len(w.points) - 1
	for i, at := range w.points {
		before, behind := i-1, i+1
		if w.closed {
			before, behind = (i-1+last)%last, (i%last)+1
		}
		a, b := Flat(at.Sub(w.points[max(before, 0)])), Flat(w.points[min(behind, last)].Sub(at))
		d := Flat(a.Add(b))
		// In a corner the way beside goes through where the two lines beside its sides meet.
		reach := side / max(max(d.Dot(a), d.Dot(b)), 0.3)
		out.points[i] = at.Add(world.Vec3{-d[2], 0, d[0]}.Scale(reach))
	}
	out.measure()
	return out
}

// Points returns the points of the way, of which it has many more than it was made of. They are not to be changed.
func (w *Way) Points() []world.Vec3 { return w.points }

// Raised returns the way with each of its points so much higher: there is a number for each, or it stays.
func (w *Way) Raised(by []float64) *Way {
	if len(by) == 0 {
		return w
	}
	out := &Way{closed: w.closed, points: make([]world.Vec3, len(w.points))}
	for i, p := range w.points {
		if i < len(by) {
			p[1] += by[i]
		}
		out.points[i] = p
	}
	out.measure()
	return out
}

// At returns the point so far along the way, and its direction there. Before the begin and beyond the end it goes straight on.
func (w *Way) At(far float64) (point, ahead world.Vec3) {
	last := len(w.points) - 1
	i := sort.Search(last-1, func(i int) bool { return w.along[i+1] > far })
	for i > 0 && w.along[i+1] == w.along[i] {
		i--
	}
	d := w.points[i+1].Sub(w.points[i])
	long := w.along[i+1] - w.along[i]
	if !(long > 0) {
		return w.points[i], world.Vec3{}
	}
	return w.points[i].Add(d.Scale((far - w.along[i]) / long)), d.Scale(1 / long)
}

// Round returns the same place of a closed way as a number from 0 to its length, and of one that is open what it is given.
func (w *Way) Round(far float64) float64 {
	if !w.closed {
		return far
	}
	if far = math.Mod(far, w.Length()); far < 0 {
		far += w.Length()
	}
	return far
}

// Nearest returns how far along the way its nearest place to a point is, and how far from there the point is.
func (w *Way) Nearest(p world.Vec3) (far, off float64) {
	off = math.Inf(1)
	for i := range len(w.points) - 1 {
		a, d := w.points[i], w.points[i+1].Sub(w.points[i])
		part := 0.0
		if long := d.Dot(d); long > 0 {
			part = min(max(p.Sub(a).Dot(d)/long, 0), 1)
		}
		if dist := a.Add(d.Scale(part)).Dist(p); dist < off {
			far, off = w.along[i]+float64(part*(w.along[i+1]-w.along[i])), dist
		}
	}
	return far, off
}

// Facing returns the rotation that turns z to a direction of length 1 and leaves x level.
func Facing(d world.Vec3) world.Quat {
	turn, ok := world.Yaw(d[0], d[2])
	if !ok {
		turn = world.NoRotation()
	}
	up, _ := world.Yaw(d[1], math.Sqrt(float64(d[0]*d[0])+float64(d[2]*d[2])))
	return turn.Mul(world.Quat{-up[1], 0, 0, up[3]})
}

// Flat returns a direction as seen from above, of length 1.
func Flat(d world.Vec3) world.Vec3 {
	d[1] = 0
	if l := d.Len(); l > 1e-12 {
		return d.Scale(1 / l)
	}
	return world.Vec3{}
}
