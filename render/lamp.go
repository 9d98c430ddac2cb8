package render

import (
	"cmp"
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// Lamp is a light that has a place.
type Lamp struct {
	ID     world.ID // the object of this id, if there is one, glows
	At     Vec3
	Color  uint32  // 0xRRGGBB
	Power  float64 // 1 makes what is beside it as bright as day
	Range  float64 // metres; 0 for one that grows less without an end
	Toward Vec3    // where the middle of its cone points, of length 1
	Angle  float64 // how wide its cone is from edge to edge, in radians; 0 for one that shines all around
}

// Limits of what lamps cost. Of more of them those count that are nearest to what the picture is about.
const (
	mostLamps  = 256 // that give light
	mostThrown = 24  // of them, those by which shadows are thrown
)

// halfway is where a lamp without a range has half its power, in metres.
const halfway = 4

// lamp is a lamp, ready to shine.
type lamp struct {
	Lamp
	light  rgb
	inner  float64 // cosines of where its cone begins to grow dark, and where it is
	outer  float64
	thrown *[6]*shadows // what it sees along x, -x, y, -y, z, -z; nil if it throws no shadows
}

// bulbs are all lamps of a picture.
type bulbs struct {
	all   []lamp
	glows map[world.ID]rgb
}

// newBulbs makes the lamps of a scene ready to shine on what a picture is about.
func (s *Scene) newBulbs(o *Options, about ball, holed []*paper) *bulbs {
	b := &bulbs{glows: map[world.ID]rgb{}}
	for _, l := range s.Lamps {
		if !sane(l.At) || !(l.Power > 0) || !(l.Power <= far) || !(l.Range >= 0) || !(l.Range <= far) {
			continue
		}
		light := rgbOf(l.Color).scale(1 - float64(0.6*(1-s.Light.night())))
		b.glows[l.ID] = rgbOf(l.Color).scale(min(l.Power, 1)).add(rgb{0.3, 0.3, 0.3})
		add := lamp{Lamp: l, light: light.scale(l.Power), inner: -2, outer: -2}
		if l.Angle > 0 {
			_, add.outer = world.Sincos(l.Angle / 2)
			_, add.inner = world.Sincos(l.Angle * 0.4)
			add.Toward = unit(l.Toward)
		}
		b.all = append(b.all, add)
	}
	slices.SortStableFunc(b.all, func(x, y lamp) int {
		return cmp.Compare(x.At.Dist(about.center), y.At.Dist(about.center))
	})
	b.all = b.all[:min(len(b.all), mostLamps)]
	if o.NoShadows {
		return b
	}
	for i := range b.all[:min(len(b.all), mostThrown)] {
		b.all[i].thrown = s.thrownBy(&b.all[i].Lamp, holed, o.Workers)
	}
	return b
}

// lampNear is how near to a lamp what is small throws no shadow, in metres, and lampSmall how wide that is at most, seen from the lamp: a
// lamp has a size, and the post under it does not keep the light off a whole square. A table under it, or the ceiling over it, does.
// Nothing nearer than touching throws any.
const (
	lampNear  = 0.25
	lampSmall = 0.8
	touching  = 0.01
)

// lampSide is how many samples a picture that a lamp takes has each way, and lampView what it sees, in degrees: a
// little more than a sixth of all around, so that what lies between two pictures is in both.
const (
	lampSide = 192
	lampView = 94
)

// thrownBy takes the six pictures of what a lamp shines at. What the lamp is in, as its own globe, lets its light out.
func (s *Scene) thrownBy(l *Lamp, holed []*paper, workers int) *[6]*shadows {
	reach := l.Range
	if reach == 0 {
		reach = far
	}
	from := make(map[*Object]float64, len(s.Objects)) // how far off what throws a shadow begins to
	for i := range s.Objects {
		o := &s.Objects[i]
		if !o.casts() || o.ID == l.ID || o.Transform.Position.Dist(l.At)-radius(o) >= reach {
			continue
		}
		switch inside, width := seenFrom(o, l.At); {
		case inside:
		case width <= lampSmall:
			from[o] = lampNear
		default:
			from[o] = touching
		}
	}
	var out [6]*shadows
	for i := range out {
		ahead := Vec3{}
		ahead[i/2] = 1 - 2*float64(i%2)
		lens := newLens(&Camera{Position: l.At, Target: l.At.Add(ahead), FOV: lampView}, lampSide, lampSide)
		near := s.depths(lens, lampSide, Vec3{0, 1, 0}, holed, workers, func(o *Object) (throws bool) {
			lens.near, throws = from[o]
			return throws
		})
		out[i] = &shadows{lens: lens, near: near}
	}
	return &out
}

// seenFrom reports whether a point is inside of the box around an object, and else how wide the side is, at its widest, that the box
// turns to the point. Ground has no inside, and is wide.
func seenFrom(o *Object, at Vec3) (inside bool, width float64) {
	if o.Kind == Field {
		return false, math.Inf(1)
	}
	p := placeOf(o)
	lo, hi := extent(o)
	d := at.Sub(p.at)
	axis, most := 0, math.Inf(-1) // the one along which the point is the farthest outside
	for i := range 3 {
		x, scale := float64(d.Dot(p.turned[i])*p.inverse[i]), 1/math.Abs(p.inverse[i])
		if out := max(lo[i]-x, x-hi[i]) * scale; !(out <= most) {
			axis, most = i, out
		}
	}
	for i := range 3 {
		if i != axis {
			width = max(width, float64((hi[i]-lo[i])*math.Abs(o.Transform.Scale[i])))
		}
	}
	return most <= 0, width
}

// lamplight is what the lamps of a picture are to an object.
type lamplight struct {
	list []int32 // the numbers of those whose light may get to it
	glow *rgb    // what it is seen in if it is a lamp itself, else nil
}

// reach returns what the lamps are to an object.
func (b *bulbs) reach(o *Object) (to lamplight) {
	if glow, ok := b.glows[o.ID]; ok {
		to.glow = &glow
	}
	r := radius(o)
	for i := range b.all {
		l := &b.all[i]
		if l.Range == 0 || l.At.Dist(o.Transform.Position)-r < l.Range {
			to.list = append(to.list, int32(i))
		}
	}
	return to
}

// on returns the light of some lamps on a surface at a place with a normal, which is part of a plane whose normal may be
// another. Whoever receives no shadow is lit through everything.
func (b *bulbs) on(list []int32, at, normal, plane Vec3, receives bool) (sum rgb) {
	for _, i := range list {
		l := &b.all[i]
		way := l.At.Sub(at)
		square := way.Dot(way)
		if l.Range > 0 && square >= float64(l.Range*l.Range) {
			continue
		}
		slant := way.Dot(normal)
		if !(slant > 0) || square < 1e-12 {
			continue
		}
		far := math.Sqrt(square)
		slant /= far
		power := l.falloff(square) * l.within(way.Scale(-1/far))
		if power <= 0 {
			continue
		}
		if receives && l.thrown != nil {
			power = float64(power * l.lit(at, plane))
		}
		// What is lit at a slant is darker, but not by as much as a chalk plane: lamps are no points.
		sum = sum.add(l.light.scale(float64(power * math.Sqrt(slant))))
	}
	return sum
}

// falloff returns which part of its power a lamp has, by the square of the distance.
func (l *lamp) falloff(square float64) float64 {
	if l.Range == 0 {
		return 1 / (1 + square/(halfway*halfway))
	}
	k := 1 - square/float64(l.Range*l.Range)
	return float64(k * k)
}

// within returns which part of its light a lamp gives in a direction.
func (l *lamp) within(direction Vec3) float64 {
	if l.Angle == 0 {
		return 1
	}
	along := direction.Dot(l.Toward)
	if along <= l.outer {
		return 0
	}
	return min((along-l.outer)/max(l.inner-l.outer, 1e-9), 1)
}

// lit returns how much of a lamp's light gets to a point of a plane with a normal, 0 to 1. How near a plane is to the lamp is linear
// in the picture that the lamp takes: what is nearer than the plane itself in the samples beside the point shades it.
func (l *lamp) lit(at, normal Vec3) float64 {
	d := at.Sub(l.At)
	axis := 0
	for i := 1; i < 3; i++ {
		if math.Abs(d[i]) > math.Abs(d[axis]) {
			axis = i
		}
	}
	side := 2 * axis
	if d[axis] < 0 {
		side++
	}
	sh := l.thrown[side]
	v := sh.lens.project(at)
	if v.s < lampNear {
		return 1
	}
	sample := 2 * v.s / lampSide
	limit := 1 / max(v.s-float64(1.5*sample), near)
	x := min(max(v.x/v.w-0.5, 0), lampSide-2)
	y := min(max(v.y/v.w-0.5, 0), lampSide-2)
	height := normal.Dot(d)
	return sh.between(x, y, lampSide, limit, normal.Dot(sh.lens.rayX)/height, normal.Dot(sh.lens.rayY)/height)
}
