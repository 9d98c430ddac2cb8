package layout

import (
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// roundness is how many straight pieces a curve has from one point to the next.
const roundness = 16

// path is a way through the world, of straight pieces.
type path struct {
	points []world.Vec3
	along  []float64 // how far each point is from the first, along the way
	closed bool
}

// along returns where the original and the copies go: the first place is the original's.
func (in *ArrayIn) along(w *world.World, tx *world.Tx, things *solid.Index, t world.Transform) ([]world.Transform, error) {
	if len(in.Points) < 2 {
		return nil, registry.Invalidf("points: path needs two at least, got %d", len(in.Points))
	}
	height := func(p world.Vec3) world.Vec3 {
		if in.OnGround {
			y, _ := things.Ground(&tx.View, p[0], p[2])
			p[1] += y
		}
		return p
	}
	way := newPath(in.Points, in.Smooth, in.Closed).beside(in.Side)
	if !(way.length() > 1e-6) {
		return nil, registry.Invalidf("points: must not all be at the same place")
	}
	if in.Stretch {
		return in.stretched(solid.Tree(w, &tx.View, in.Entity), way, t, height)
	}
	n, step := in.Count, way.length()
	switch {
	case in.Every > 0 && in.Count == 1 && in.Closed:
		n = max(int(min(step/in.Every+0.5, maxCopies+2)), 1)
		step /= float64(n)
	case in.Every > 0 && in.Count == 1:
		n, step = int(min(step/in.Every+1e-9, maxCopies+1))+1, in.Every
	case in.Every > 0:
		step = in.Every
	case in.Count == 1:
		return nil, registry.Invalidf("count: path needs it, or every, the metres from one to the next")
	case in.Closed:
		step /= float64(n)
	default:
		step /= float64(n - 1)
	}
	if n > maxCopies+1 {
		return nil, registry.Invalidf("every: more than %d things, at most %d are allowed; make every larger than %.2g", maxCopies+1, maxCopies+1, way.length()/(maxCopies+1))
	}
	places := make([]world.Transform, n)
	for i := range places {
		at, ahead := way.at(float64(step * float64(i)))
		places[i] = t
		places[i].Position = height(at)
		if q, ok := world.Yaw(ahead[0], ahead[2]); ok && in.Turn {
			places[i].Rotation = q.Mul(t.Rotation)
		}
	}
	return places, nil
}

// stretched returns places in which each thing reaches along its z from where it begins to where the next one does,
// and, in a bend, as much farther as its outer side needs to meet the next.
func (in *ArrayIn) stretched(own solid.Bounds, way *path, t world.Transform, height func(world.Vec3) world.Vec3) ([]world.Transform, error) {
	size, front := own.Size(), t.Rotation.Rotate(world.Vec3{0, 0, 1})
	switch {
	case math.Abs(front[2]) < 1-1e-6:
		return nil, registry.Invalidf("stretch: the original must not be turned: it is stretched along its own z, which becomes the way")
	case !(size[2] > 1e-6):
		return nil, registry.Invalidf("stretch: the original has no length along z")
	}
	n := in.Count
	if n == 1 {
		every := in.Every
		if every == 0 {
			every = size[2]
		}
		n = max(int(min(way.length()/every+0.5, maxCopies+2)), 1)
	}
	if n > maxCopies+1 {
		return nil, registry.Invalidf("every: more than %d pieces, at most %d are allowed; make it larger than %.2g", maxCopies+1, maxCopies+1, way.length()/(maxCopies+1))
	}
	ends := make([]world.Vec3, n+1)
	for i := range ends {
		at, _ := way.at(way.length() * float64(i) / float64(n))
		ends[i] = height(at)
	}
	// more returns how much farther the two pieces that meet at an end have to reach.
	more := func(i int) float64 {
		a, b := i-1, i
		if in.Closed {
			a, b = (a+n)%n, b%n
		}
		if a < 0 || b >= n {
			return 0
		}
		p, q := ends[a+1].Sub(ends[a]), ends[b+1].Sub(ends[b])
		p2, q2 := flat(p), flat(q)
		return float64(halfBend(p2[0], p2[2], q2[0], q2[2])*size[0])/2 + float64(halfBend(climb(p, q))*size[1])/2
	}
	places := make([]world.Transform, n)
	for i := range places {
		chord := ends[i+1].Sub(ends[i])
		long := chord.Len()
		if !(long > 1e-9) {
			return nil, registry.Invalidf("points: the way turns back on itself where piece %d would be", i+1)
		}
		ahead, before, behind := chord.Scale(1/long), more(i), more(i+1)
		scale := (long + before + behind) / size[2]
		p := &places[i]
		*p = t
		p.Scale[2] *= scale
		turn := facing(ahead)
		p.Rotation = turn.Mul(t.Rotation)
		middle := ends[i].Add(ahead.Scale((long + behind - before) / 2))
		p.Position = middle.Sub(turn.Rotate(world.Vec3{0, 0, float64((own.Center()[2] - t.Position[2]) * scale)}))
	}
	return places, nil
}

// halfBend returns the tangent of half the angle between two directions of length 1 in a plane, 1 at most.
func halfBend(px, py, qx, qy float64) float64 {
	dot := float64(px*qx) + float64(py*qy)
	return min(math.Abs(float64(px*qy)-float64(py*qx))/max(1+dot, 0.2), 1)
}

// climb returns how two ways go, ahead and up, each of length 1.
func climb(p, q world.Vec3) (px, py, qx, qy float64) {
	one := func(d world.Vec3) (ahead, up float64) {
		long := d.Len()
		if !(long > 1e-12) {
			return 1, 0
		}
		return math.Sqrt(float64(d[0]*d[0])+float64(d[2]*d[2])) / long, d[1] / long
	}
	px, py = one(p)
	qx, qy = one(q)
	return px, py, qx, qy
}

// facing returns the rotation that turns z to a direction of length 1 and leaves x level.
func facing(d world.Vec3) world.Quat {
	turn, ok := world.Yaw(d[0], d[2])
	if !ok {
		turn = world.NoRotation()
	}
	up, _ := world.Yaw(d[1], math.Sqrt(float64(d[0]*d[0])+float64(d[2]*d[2])))
	return turn.Mul(world.Quat{-up[1], 0, 0, up[3]})
}

// flat returns a direction as seen from above, of length 1.
func flat(d world.Vec3) world.Vec3 {
	d[1] = 0
	if l := d.Len(); l > 1e-12 {
		return d.Scale(1 / l)
	}
	return world.Vec3{}
}

// newPath returns the way through points: straight from each to the next, or a curve through all (of Catmull and
// Rom), back to the first if it is closed.
func newPath(through []world.Vec3, smooth, closed bool) *path {
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
	p := &path{closed: closed}
	for i := range pieces {
		for k := range parts {
			p.points = append(p.points, between(point(i-1), point(i), point(i+1), point(i+2), float64(k)/float64(parts)))
		}
	}
	p.points = append(p.points, point(pieces))
	p.measure()
	return p
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

func (p *path) measure() {
	p.along = make([]float64, len(p.points))
	for i := 1; i < len(p.points); i++ {
		p.along[i] = p.along[i-1] + p.points[i].Dist(p.points[i-1])
	}
}

func (p *path) length() float64 { return p.along[len(p.along)-1] }

// beside returns the way that goes so many metres to the right of this one.
func (p *path) beside(side float64) *path {
	if side == 0 {
		return p
	}
	out := &path{closed: p.closed, points: make([]world.Vec3, len(p.points))}
	last := len(p.points) - 1
	for i, at := range p.points {
		before, behind := i-1, i+1
		if p.closed {
			before, behind = (i-1+last)%last, (i%last)+1
		}
		a, b := flat(at.Sub(p.points[max(before, 0)])), flat(p.points[min(behind, last)].Sub(at))
		d := flat(a.Add(b))
		// In a corner the way beside goes through where the two lines beside its sides meet.
		reach := side / max(max(d.Dot(a), d.Dot(b)), 0.3)
		out.points[i] = at.Add(world.Vec3{-d[2], 0, d[0]}.Scale(reach))
	}
	out.measure()
	return out
}

// at returns the point so far along the way, and its direction there.
func (p *path) at(far float64) (point, ahead world.Vec3) {
	i, last := 0, len(p.points)-1
	for i+1 < last && p.along[i+1] <= far {
		i++
	}
	for i > 0 && p.along[i+1] == p.along[i] {
		i--
	}
	d := p.points[i+1].Sub(p.points[i])
	long := p.along[i+1] - p.along[i]
	if !(long > 0) {
		return p.points[i], world.Vec3{}
	}
	return p.points[i].Add(d.Scale((far - p.along[i]) / long)), d.Scale(1 / long)
}
