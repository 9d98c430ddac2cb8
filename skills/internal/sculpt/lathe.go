package sculpt

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/convex"
)

// Lathe turns a profile, points [r, y] from bottom to top, about the y axis, by an angle up to a whole turn, in segments. Without a wall the
// form is full, else it is hollow, open where the profile ends beside the axis, and so thick, inwards from the profile. A profile that comes back to where it began is a
// section beside the axis, and the form a ring; so is one that begins by going outwards and ends by coming inwards to the same distance, level both times.
func Lathe(profile []Point, segments int, angle, wall float64) (*Form, error) {
	if n := len(profile) - 1; wall == 0 && n > 2 && profile[0] == profile[n] && profile[0][0] == 0 && profile[n-1][0] == 0 {
		profile = profile[:n] // it comes back along the axis
	}
	if section := ringed(profile); wall == 0 && section != nil {
		return ring(section, segments, angle)
	}
	outer := profile[:0:0]
	for i, p := range profile {
		if p[0] < 0 {
			return nil, fmt.Errorf("profile[%d]: the first number is the distance from the axis and must be at least 0, got %g", i, p[0])
		}
		if i > 0 && p[1] < profile[i-1][1] && wall == 0 {
			return nil, fmt.Errorf("profile[%d]: must not be lower than the point before, %g, got %g: a full form is drawn from bottom to top; with a wall it may go down again, and one that ends where it begins is the section of a ring", i, profile[i-1][1], p[1])
		}
		if n := len(outer); wall == 0 && n > 1 && outer[n-1][1] == p[1] && outer[n-2][1] == p[1] {
			outer = outer[:n-1] // of what goes in and out at one height only where it comes to counts
		}
		if n := len(outer); n == 0 || outer[n-1] != p {
			outer = append(outer, p)
		}
	}
	if wall == 0 { // what is level at either end is the end
		for len(outer) > 1 && outer[0][1] == outer[1][1] {
			outer = outer[1:]
		}
		for n := len(outer); n > 1 && outer[n-1][1] == outer[n-2][1]; n-- {
			outer = outer[:n-1]
		}
	}
	wide, tall := 0.0, 0.0
	for _, p := range outer {
		wide, tall = max(wide, p[0]), max(tall, p[1]-outer[0][1])
	}
	if len(outer) < 2 || wide == 0 || wall == 0 && tall == 0 {
		return nil, errors.New("profile: needs two points or more, one of them beside the axis, that are not all at one height")
	}
	l := &lathe{f: &Form{Soft: round}, segments: segments, whole: angle >= 2*math.Pi, angle: min(angle, 2*math.Pi)}
	if wall == 0 {
		l.full(outer)
		return l.f, l.f.check()
	}
	inner, err := inset(outer, wall)
	if err != nil {
		return nil, err
	}
	l.hollow(outer, inner)
	return l.f, l.f.check()
}

// ringed returns the section that a profile is, without coming back to its beginning, nil if it is half of a side view.
func ringed(profile []Point) []Point {
	n := len(profile) - 1
	first, last := profile[0], profile[n]
	switch {
	case n > 2 && first == last:
		return profile[:n]
	case n < 3 || first[0] != last[0] || first[0] <= 0 || first[1] == last[1] || profile[1][1] != first[1] || profile[n-1][1] != last[1]:
		return nil
	}
	for _, p := range profile[1:n] {
		if p[0] <= first[0] {
			return nil
		}
	}
	return profile
}

// ring turns a section that is beside the axis.
func ring(section []Point, segments int, angle float64) (*Form, error) {
	for i, p := range section {
		if p[0] <= 0 {
			return nil, fmt.Errorf("profile[%d]: a profile that ends where it begins is the section of a ring, all of which is beside the axis: the first number must be more than 0, got %g; half of a side view ends at the top", i, p[0])
		}
	}
	section = wind(section, true)
	if err := simple([][]Point{section}); err != nil {
		return nil, fmt.Errorf("profile%s", strings.TrimPrefix(err.Error(), "outline"))
	}
	l := &lathe{f: &Form{Soft: round}, segments: segments, whole: angle >= 2*math.Pi, angle: min(angle, 2*math.Pi)}
	var rings [][]uint32
	for _, p := range section {
		rings = append(rings, l.ring(p))
	}
	for k := range rings {
		l.skin(rings[k], rings[(k+1)%len(rings)])
	}
	for _, polygon := range unite(triangulate(section), section, mostCorners) {
		if !l.whole {
			var one, other []uint32
			for k := range polygon {
				one = append(one, rings[polygon[k]][0])
				other = append(other, rings[polygon[len(polygon)-1-k]][segments])
			}
			l.f.Faces = append(l.f.Faces, one, other)
		}
		for i := range segments {
			var piece []uint32
			for _, k := range polygon {
				piece = append(piece, rings[k][i], rings[k][(i+1)%l.steps()])
			}
			l.f.Pieces = append(l.f.Pieces, piece)
		}
	}
	return l.f, l.f.check()
}

// lathe turns profiles.
type lathe struct {
	f        *Form
	segments int
	whole    bool
	angle    float64
}

// steps is how many places a ring has.
func (l *lathe) steps() int {
	if l.whole {
		return l.segments
	}
	return l.segments + 1
}

// ring adds the points that a point of a profile goes through: one, if it is on the axis.
func (l *lathe) ring(p Point) []uint32 {
	n := l.steps()
	ring := make([]uint32, n)
	for i := range ring {
		if p[0] == 0 && i > 0 {
			ring[i] = ring[0]
			continue
		}
		sin, cos := world.Sincos(float64(l.angle*float64(i)) / float64(l.segments))
		ring[i] = l.f.point(world.Vec3{float64(p[0] * sin), p[1], float64(p[0] * cos)})
	}
	return ring
}

// face adds a face without what is twice in it, if three corners are left.
func (l *lathe) face(corners ...uint32) {
	if corners = distinct(corners); len(corners) >= 3 {
		l.f.Faces = append(l.f.Faces, corners)
	}
}

// distinct leaves out corners that are where the one before is.
func distinct(corners []uint32) (list []uint32) {
	for i, c := range corners {
		if c != corners[(i+len(corners)-1)%len(corners)] {
			list = append(list, c)
		}
	}
	return list
}

// skin adds what is between two rings; out looks from the axis where up is before down.
func (l *lathe) skin(down, up []uint32) {
	for i := range l.segments {
		j := (i + 1) % len(down)
		l.face(down[i], down[j], up[j], up[i])
	}
}

// full adds a form that reaches to the axis.
func (l *lathe) full(profile []Point) {
	f := l.f
	var rings [][]uint32
	for _, p := range profile {
		rings = append(rings, l.ring(p))
	}
	for k := 1; k < len(rings); k++ {
		l.skin(rings[k-1], rings[k])
	}
	first, last := profile[0], profile[len(profile)-1]
	bottom, top := rings[0], rings[len(rings)-1]
	foot, head := l.axis(first, bottom), l.axis(last, top)
	for i := range l.segments {
		j := (i + 1) % len(bottom)
		l.face(foot, bottom[j], bottom[i])
		l.face(head, top[i], top[j])
	}
	if !l.whole { // the two sides that are cut
		one, other := []uint32{foot}, []uint32{head}
		for k := range rings {
			one = append(one, rings[k][0])
			other = append(other, rings[len(rings)-1-k][l.segments])
		}
		one, other = append(one, head), append(other, foot)
		f.Faces = append(f.Faces, distinct(one), distinct(other))
	}
	for k := 1; k < len(rings); k++ {
		if profile[k][1] == profile[k-1][1] || profile[k][0] == 0 && profile[k-1][0] == 0 {
			continue // level, or a line
		}
		// As many segments at a time as make no more than half a turn, and not too many corners.
		each := l.segments
		if !l.whole || 2*l.segments > convex.MaxPoints {
			each = min(each, max(l.segments/2, 1), convex.MaxPoints/2-2)
		}
		below, above := l.axis(profile[k-1], rings[k-1]), l.axis(profile[k], rings[k])
		for i := 0; i < l.segments; i += each {
			var piece []uint32
			if !l.whole || each < l.segments {
				piece = append(piece, below, above)
			}
			for s := i; s <= min(i+each, l.segments); s++ {
				piece = append(piece, rings[k-1][s%len(bottom)], rings[k][s%len(bottom)])
			}
			f.Pieces = append(f.Pieces, unique(piece))
		}
	}
}

// unique leaves out corners that are there already.
func unique(corners []uint32) (list []uint32) {
	seen := map[uint32]bool{}
	for _, c := range corners {
		if !seen[c] {
			seen[c] = true
			list = append(list, c)
		}
	}
	return list
}

// axis returns the point of the axis that is at the height of a ring: of one on the axis itself.
func (l *lathe) axis(p Point, ring []uint32) uint32 {
	if p[0] == 0 {
		return ring[0]
	}
	return l.f.point(world.Vec3{0, p[1], 0})
}

// hollow adds what is between two profiles.
func (l *lathe) hollow(outer, inner []Point) {
	f := l.f
	var out, in [][]uint32
	for k := range outer {
		out, in = append(out, l.ring(outer[k])), append(in, l.ring(inner[k]))
	}
	last := len(out) - 1
	for k := 1; k <= last; k++ {
		l.skin(out[k-1], out[k])
		l.skin(in[k], in[k-1])
	}
	l.skin(in[0], out[0]) // nothing, where both are on the axis
	l.skin(out[last], in[last])
	if !l.whole {
		for k := 1; k <= last; k++ {
			l.face(in[k-1][0], out[k-1][0], out[k][0], in[k][0])
			n := l.segments
			l.face(out[k-1][n], in[k-1][n], in[k][n], out[k][n])
		}
	}
	for k := 1; k <= last; k++ {
		for i := range l.segments {
			j := (i + 1) % l.steps()
			f.Pieces = append(f.Pieces, unique([]uint32{out[k-1][i], out[k-1][j], out[k][i], out[k][j], in[k-1][i], in[k-1][j], in[k][i], in[k][j]}))
		}
	}
}

// inset returns a profile that is so far inside of another one: to the left of who goes along it.
func inset(profile []Point, wall float64) ([]Point, error) {
	normal := func(i int) Point { // of the side from i to the next
		a, b := profile[i], profile[i+1]
		n := math.Sqrt(far(a, b))
		return Point{-(b[1] - a[1]) / n, (b[0] - a[0]) / n}
	}
	inner := make([]Point, len(profile))
	for i, p := range profile {
		a := normal(max(i-1, 0))
		b := normal(min(i, len(profile)-2))
		// Both sides moved inwards meet at p + k·(a+b).
		sum := Point{a[0] + b[0], a[1] + b[1]}
		k := 1 + float64(a[0]*b[0]) + float64(a[1]*b[1])
		if k < 0.1 {
			return nil, fmt.Errorf("profile[%d]: turns too sharply for a wall; round the corner", i)
		}
		in := Point{p[0] + float64(wall*sum[0])/k, p[1] + float64(wall*sum[1])/k}
		end := i == 0 || i == len(profile)-1
		switch n := b; {
		case p[0] == 0: // what begins or ends on the axis stays closed there
			in[0] = 0
		case end && math.Abs(n[0]) > 0.5: // the brim is level, not square to a side that leans
			in[0], in[1] = in[0]-float64((p[1]-in[1])*n[1])/n[0], p[1]
		}
		if in[0] < 0 {
			return nil, fmt.Errorf("wall: must be less than %g m: the form is no wider at profile[%d]", wall+in[0], i)
		}
		inner[i] = in
	}
	return inner, nil
}
