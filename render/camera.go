package render

import (
	"errors"
	"fmt"
	"math"

	"github.com/limina-mcp/limina/world"
)

// Camera is where a picture is taken from. Its upper edge is up, or away (-z) if it looks straight
// up or down.
type Camera struct {
	Position Vec3
	Target   Vec3    // what is in the middle of the picture
	FOV      float64 // of perspective: degrees from the lower to the upper edge, 1 to 170
	Height   float64 // of a parallel projection, where FOV is 0: metres from the lower to the upper edge
}

func (c *Camera) check() error {
	switch {
	case !sane(c.Position) || !sane(c.Target):
		return fmt.Errorf("camera: its position and target must be within ±%g metres", far)
	case c.Position.Dist(c.Target) < 1e-6:
		return errors.New("camera: its position and target are the same place: it looks nowhere")
	case c.FOV == 0 && !(c.Height > 0 && c.Height < far):
		return errors.New("camera: it needs a field of view, or a height if its projection is parallel")
	case c.FOV != 0 && !(c.FOV >= 1 && c.FOV <= 170):
		return fmt.Errorf("camera: its field of view must be from 1 to 170 degrees, got %g", c.FOV)
	}
	return nil
}

// far is the largest distance that is drawn, and near the smallest in perspective, in metres.
const (
	far  = 1e12
	near = 0.05
)

// sane reports whether a point can be drawn.
func sane(p Vec3) bool {
	return math.Abs(p[0]) <= far && math.Abs(p[1]) <= far && math.Abs(p[2]) <= far
}

// axes returns the directions in which a camera has right, up and forward.
func (c *Camera) axes() (right, up, forward Vec3) {
	forward = unit(c.Target.Sub(c.Position))
	up = Vec3{0, 1, 0}
	if math.Abs(forward[1]) > 0.9999 {
		up = Vec3{0, 0, -1}
	}
	right = unit(forward.Cross(up))
	return right, right.Cross(forward), forward
}

func unit(v Vec3) Vec3 {
	l := v.Len()
	if !(l > 0) {
		return Vec3{0, 1, 0}
	}
	return Vec3{v[0] / l, v[1] / l, v[2] / l}
}

// lens maps points to samples and back. In perspective, w is the distance along the camera's
// direction, otherwise 1; x/w and y/w are in samples, y down.
type lens struct {
	perspective  bool
	near         float64 // in perspective, what is nearer is cut off
	eye, forward Vec3
	x, y         Vec3 // of a point p: x·(p-eye) + cx·w
	cx, cy       float64
	scale        float64 // samples per metre; in perspective, at a distance of one metre

	// The point that sample (i, j) shows at distance s is
	// origin + s·ray + i·(originX + s·rayX) + j·(originY + s·rayY).
	origin, originX, originY Vec3
	ray, rayX, rayY          Vec3
}

func newLens(c *Camera, width, height int) *lens {
	right, up, forward := c.axes()
	l := &lens{perspective: c.FOV != 0, near: near, eye: c.Position, forward: forward, cx: float64(width) / 2, cy: float64(height) / 2}
	if l.perspective {
		sin, cos := world.Sincos(float64(c.FOV*(math.Pi/180)) / 2)
		l.scale = float64(l.cy*cos) / sin
	} else {
		l.scale = float64(height) / c.Height
	}
	l.x, l.y = right.Scale(l.scale), up.Scale(-l.scale)
	stepX, stepY := right.Scale(1/l.scale), up.Scale(-1/l.scale)
	corner := stepX.Scale(0.5 - l.cx).Add(stepY.Scale(0.5 - l.cy)) // the middle of sample 0, 0
	l.origin, l.ray = l.eye, forward
	if l.perspective {
		l.ray, l.rayX, l.rayY = forward.Add(corner), stepX, stepY
	} else {
		l.origin, l.originX, l.originY = l.eye.Add(corner), stepX, stepY
	}
	return l
}

// vertex is a projected point: x/w, y/w in samples, s metres ahead.
type vertex struct{ x, y, w, s float64 }

func (l *lens) project(p Vec3) vertex {
	d := p.Sub(l.eye)
	s := d.Dot(l.forward)
	w := 1.0
	if l.perspective {
		w = s
	}
	return vertex{d.Dot(l.x) + float64(l.cx*w), d.Dot(l.y) + float64(l.cy*w), w, s}
}

// sees reports whether a face through p with normal n turns towards the camera.
func (l *lens) sees(p, n Vec3) bool {
	if l.perspective {
		return n.Dot(l.eye.Sub(p)) > 0
	}
	return n.Dot(l.forward) < 0
}

// Nearness is what is compared to find what hides what: linear in the picture, more is nearer. In
// perspective it is 1/s, otherwise -s.

// plane is the nearness at sample (i, j) of a plane: at + i·dx + j·dy.
type plane struct{ at, dx, dy float64 }

// plane returns that of the plane through p with normal n; ok is false if it is seen edge-on.
func (l *lens) plane(p, n Vec3) (pl plane, ok bool) {
	e := n.Dot(p.Sub(l.origin))
	if l.perspective {
		pl = plane{n.Dot(l.ray) / e, n.Dot(l.rayX) / e, n.Dot(l.rayY) / e}
	} else {
		f := n.Dot(l.ray)
		pl = plane{-e / f, n.Dot(l.originX) / f, n.Dot(l.originY) / f}
	}
	return pl, finite(pl.at) && finite(pl.dx) && finite(pl.dy)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// distance is the s of a nearness.
func (l *lens) distance(n float64) float64 {
	if l.perspective {
		return 1 / n
	}
	return -n
}

// row returns a point and a step: sample (i, j) shows the point at distance s that is
// at + i·step, where at and step depend on s as a + s·b.
func (l *lens) row(j int) (at, atS Vec3) {
	y := float64(j)
	return l.origin.Add(l.originY.Scale(y)), l.ray.Add(l.rayY.Scale(y))
}

// point returns the point that sample x of a row shows at distance s.
func (l *lens) point(at, by *Vec3, x, s float64) Vec3 {
	return Vec3{
		at[0] + float64(x*l.originX[0]) + float64(s*(by[0]+float64(x*l.rayX[0]))),
		at[1] + float64(x*l.originX[1]) + float64(s*(by[1]+float64(x*l.rayX[1]))),
		at[2] + float64(x*l.originX[2]) + float64(s*(by[2]+float64(x*l.rayX[2]))),
	}
}

// covers returns the direction from a point at distance s towards the eye, and how many metres so many samples cover there of a face with a normal.
func (l *lens) covers(p Vec3, s float64, normal Vec3, samples float64) (eye Vec3, metres float64) {
	eye, metres = l.forward.Scale(-1), samples/l.scale
	if l.perspective {
		eye, metres = unit(l.eye.Sub(p)), float64(metres*s)
	}
	return eye, metres / max(math.Abs(eye.Dot(normal)), 1.0/16) // more where it is looked at at a slant
}
