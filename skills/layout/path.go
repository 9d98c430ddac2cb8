package layout

import (
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/curve"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

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
	if in.Bank != 0 && !in.Stretch {
		return nil, registry.Invalidf("bank: needs stretch: true, which makes one thing of what is repeated; what stands beside a banked way stands upright")
	}
	middle := curve.New(in.Points, in.Smooth, in.Closed)
	way := middle.Beside(in.Side)
	if !(way.Length() > 1e-6) {
		return nil, registry.Invalidf("points: must not all be at the same place")
	}
	if in.Stretch {
		return in.stretched(solid.Tree(w, &tx.View, in.Entity), way, in.banked(middle), t, height)
	}
	n, step := in.Count, way.Length()
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
		return nil, registry.Invalidf("every: more than %d things, at most %d are allowed; make every larger than %.2g", maxCopies+1, maxCopies+1, way.Length()/(maxCopies+1))
	}
	places := make([]world.Transform, n)
	for i := range places {
		at, ahead := way.At(float64(step * float64(i)))
		places[i] = t
		places[i].Position = height(at)
		if q, ok := world.Yaw(ahead[0], ahead[2]); ok && in.Turn {
			places[i].Rotation = q.Mul(t.Rotation)
		}
	}
	return places, nil
}

// stretched returns places in which each thing reaches along its z from where it begins to where the next one does,
// and, in a bend, as much farther as its outer side needs to meet the next. lean says how far it leans to the right at a place.
func (in *ArrayIn) stretched(own solid.Bounds, way *curve.Way, lean func(at world.Vec3) float64, t world.Transform, height func(world.Vec3) world.Vec3) ([]world.Transform, error) {
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
		n = max(int(min(way.Length()/every+0.5, maxCopies+2)), 1)
	}
	if n > maxCopies+1 {
		return nil, registry.Invalidf("every: more than %d pieces, at most %d are allowed; make it larger than %.2g", maxCopies+1, maxCopies+1, way.Length()/(maxCopies+1))
	}
	ends, leans := make([]world.Vec3, n+1), make([]float64, n+1)
	for i := range ends {
		at, ahead := way.At(way.Length() * float64(i) / float64(n))
		ends[i], leans[i] = height(at), lean(at)
		if leans[i] != 0 && in.Side != 0 { // it lies in the plane that leans
			sin, cos := world.Sincos(leans[i])
			right := curve.Flat(world.Vec3{-ahead[2], 0, ahead[0]})
			ends[i] = ends[i].Add(right.Scale(float64(in.Side * (cos - 1)))).Sub(world.Vec3{0, float64(in.Side * sin), 0})
		}
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
		p2, q2 := curve.Flat(p), curve.Flat(q)
		sin, cos := world.Sincos(math.Abs(leans[i]))
		return float64(halfBend(p2[0], p2[2], q2[0], q2[2])*(float64(cos*size[0])+float64(sin*size[1])))/2 + float64(halfBend(climb(p, q))*(float64(cos*size[1])+float64(sin*size[0])))/2
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
		turn := curve.Facing(ahead)
		if by := (leans[i] + leans[i+1]) / 2; by != 0 {
			sin, cos := world.Sincos(by / 2)
			turn = turn.Mul(world.Quat{0, 0, sin, cos})
		}
		p.Rotation = turn.Mul(t.Rotation)
		middle := ends[i].Add(ahead.Scale((long + behind - before) / 2))
		p.Position = middle.Sub(turn.Rotate(world.Vec3{0, 0, float64((own.Center()[2] - t.Position[2]) * scale)}))
	}
	return places, nil
}

// banked returns how far the way leans to the right at the place of it that is nearest to one, in radians.
func (in *ArrayIn) banked(way *curve.Way) func(at world.Vec3) float64 {
	if in.Bank == 0 {
		return func(world.Vec3) float64 { return 0 }
	}
	// How much it bends is seen over so many metres, so that it does not lean all of a sudden.
	const over, places = 16.0, 400
	reach := min(over, way.Length()/4) / 2
	bend := func(far float64) float64 {
		_, a := way.At(way.Round(far - reach))
		_, b := way.At(way.Round(far + reach))
		a, b = curve.Flat(a), curve.Flat(b)
		return float64(a[0]*b[2]) - float64(a[2]*b[0]) // the sine of the angle, to the right
	}
	most := 0.0
	for i := range places {
		most = max(most, math.Abs(bend(float64(way.Length()*float64(i))/places)))
	}
	if most < 1e-6 {
		return func(world.Vec3) float64 { return 0 }
	}
	return func(at world.Vec3) float64 {
		far, _ := way.Nearest(at)
		return float64(float64(in.Bank*math.Pi/180) * (bend(far) / most))
	}
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
