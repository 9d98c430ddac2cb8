package sculpt

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/skills/internal/curve"
	"github.com/limina-mcp/limina/world"
)

// Section is what follows a path: a circle of corners around it, or a rectangle of a width, level across the path, and a height.
type Section struct {
	Radius        float64
	Corners       int // of the circle
	Width, Height float64
}

// points returns the corners, counterclockwise as seen by who looks along the path: to the right, and up.
func (s *Section) points() (list []Point) {
	if s.Radius == 0 {
		w, h := s.Width/2, s.Height/2
		return []Point{{-w, -h}, {w, -h}, {w, h}, {-w, h}}
	}
	for i := range s.Corners {
		sin, cos := world.Sincos(float64(2*math.Pi*float64(i)) / float64(s.Corners))
		list = append(list, Point{float64(s.Radius * cos), float64(s.Radius * sin)})
	}
	return list
}

// Tube has a section follow a path, which ends where it began if it is closed.
func Tube(path []world.Vec3, closed bool, s Section) (*Form, error) {
	path = stops(path, closed)
	if n := len(path); n < 2 || closed && n < 3 {
		return nil, fmt.Errorf("path: needs %d points or more that differ, got %d", 2+truth(closed), n)
	}
	f := &Form{Soft: round}
	corners := s.points()
	var rings [][]uint32
	var side world.Vec3 // what was to the right at the joint before
	for i, p := range path {
		before, after := ways(path, closed, i)
		along := before.Add(after)
		half := along.Len() / 2 // the cosine of half the turn
		if half < 0.25 {
			return nil, fmt.Errorf("path[%d]: turns by more than 150 degrees there; put points between, or have it smooth", i)
		}
		along = along.Scale(1 / (2 * half))
		across, up := frame(along, side, s.Radius > 0)
		side = across
		bend := after.Sub(before)
		if l := bend.Len(); l > 1e-9 {
			bend = bend.Scale(1 / l)
		} else {
			bend = world.Vec3{}
		}
		ring := make([]uint32, len(corners))
		for k, c := range corners {
			o := across.Scale(c[0]).Add(up.Scale(c[1]))
			o = o.Add(bend.Scale(float64(o.Dot(bend) * (1/half - 1)))) // a mitre is longer than the section
			ring[k] = f.point(p.Add(o))
		}
		rings = append(rings, ring)
	}
	n := len(corners)
	last := len(rings)
	if !closed {
		last--
		var begin, end []uint32
		for k := range n {
			begin = append(begin, rings[0][k])
			end = append(end, rings[last][n-1-k])
		}
		f.Faces = append(f.Faces, begin, end)
	}
	for i := range last {
		a, b := rings[i], rings[(i+1)%len(rings)]
		shift := 0
		if i == len(rings)-1 { // where the ends of a closed path meet corners may have wandered around
			shift = f.shift(a, b)
		}
		for k := range n {
			l, next := (k+shift)%n, (k+1+shift)%n
			f.Faces = append(f.Faces, []uint32{a[k], b[l], b[next], a[(k+1)%n]})
		}
		f.Pieces = append(f.Pieces, append(append([]uint32{}, a...), b...))
	}
	return f, f.check()
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// shift returns by how many corners a ring is turned against another one, so that both fit best.
func (f *Form) shift(a, b []uint32) (best int) {
	least := math.Inf(1)
	for s := range a {
		sum := 0.0
		for k := range a {
			sum += f.Points[a[k]].Dist(f.Points[b[(k+s)%len(b)]])
		}
		if sum < least-1e-9 {
			best, least = s, sum
		}
	}
	return best
}

// stops returns the points of a path without those that are where the one before is.
func stops(path []world.Vec3, closed bool) (list []world.Vec3) {
	const near = 1e-6
	for _, p := range path {
		if len(list) == 0 || p.Dist(list[len(list)-1]) > near {
			list = append(list, p)
		}
	}
	if closed && len(list) > 1 && list[0].Dist(list[len(list)-1]) <= near {
		list = list[:len(list)-1]
	}
	return list
}

// ways returns in which directions, of length 1, a path comes to a point and goes on from there.
func ways(path []world.Vec3, closed bool, i int) (before, after world.Vec3) {
	n := len(path)
	way := func(a, b int) world.Vec3 {
		d := path[(b+n)%n].Sub(path[(a+n)%n])
		return d.Scale(1 / d.Len())
	}
	switch {
	case closed || i > 0 && i < n-1:
		return way(i-1, i), way(i, i+1)
	case i == 0:
		after = way(0, 1)
		return after, after
	default:
		before = way(n-2, n-1)
		return before, before
	}
}

// frame returns what is to the right and up as seen along a direction. What is round need not be level, and turns as little as can be against the frame
// before; what goes straight up or down goes by that, too.
func frame(along, before world.Vec3, turns bool) (across, up world.Vec3) {
	level := along.Cross(world.Vec3{0, 1, 0})
	if (turns || level.Len() < 0.05) && before != (world.Vec3{}) {
		level = before.Sub(along.Scale(along.Dot(before)))
	}
	if level.Len() < 1e-6 {
		level = world.Vec3{1, 0, 0}.Sub(along.Scale(along[0]))
	}
	across = level.Scale(1 / level.Len())
	return across, across.Cross(along)
}

// Smooth returns a path that goes through the same points in a curve, as what follows a path does (package curve), of straight pieces that turn by
// little.
func Smooth(path []world.Vec3, closed bool) []world.Vec3 {
	if path = stops(path, closed); len(path) < 3 {
		return path
	}
	return straight(stops(curve.New(path, true, closed).Points(), closed), closed)
}

// straight leaves points out at which a path turns by less than three degrees, counted from the last that stayed.
func straight(path []world.Vec3, closed bool) []world.Vec3 {
	const cos = 0.9986
	list := path[:1:1]
	for i := 1; i < len(path); i++ {
		if i < len(path)-1 || closed {
			next := path[(i+1)%len(path)]
			a, b := path[i].Sub(list[len(list)-1]), next.Sub(path[i])
			if a.Dot(b) > float64(float64(cos*a.Len())*b.Len()) {
				continue
			}
		}
		list = append(list, path[i])
	}
	return list
}
