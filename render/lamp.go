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
func (s *Scene) newBulbs(o *Options, about ball) *bulbs {
	b := &bulbs{glows: map[world.ID]rgb{}}
	for _, l := range s.Lamps {
		if !sane(l.At) || !(l.Power > 0) || !(l.Power <= far) || !(l.Range >= 0) || !(l.Range <= far) {
			continue
		}
		light := rgbOf(l.Color).scale(1 - float64(0.6*(1-s.Light.night())))
		b.glows[l.ID] = rgbOf(l.Color).scale(min(l.Power, 1)).add(rgb{0.3, 0.3, 0.3})
		add := lamp{Lamp: l, light: light.scale(l.Power), inner: -2, outer: -2}
		if l.Angle > 0 {
			_, add.outer = sincos(l.Angle / 2)
			_, add.inner = sincos(l.Angle * 0.4)
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
		b.all[i].thrown = s.thrownBy(&b.all[i].Lamp, o.Workers)
	}
	return b
}

// lampNear is what of a lamp's surroundings throws no shadow, in metres: a lamp has a size, and the post under it does not
// keep the light off a whole square.
const lampNear = 0.25

// lampSide is how many samples a picture that a lamp takes has each way, and lampView what it sees, in degrees: a
// little more than a sixth of all around, so that what lies between two pictures is in both.
const (
	lampSide = 192
	lampView = 94
)

// thrownBy takes the six pictures of what a lamp shines at. What the lamp is in, as its own globe, lets its light out.
func (s *Scene) thrownBy(l *Lamp, workers int) *[6]*shadows {
	reach := l.Range
	if reach == 0 {
		reach = far
	}
	keeps := make(map[*Object]bool, len(s.Objects))
	for i := range s.Objects {
		o := &s.Objects[i]
		keeps[o] = o.casts() && o.ID != l.ID && o.Transform.Position.Dist(l.At)-radius(o) < reach && !holds(o, l.At)
	}
	var out [6]*shadows
	for i := range out {
		ahead := Vec3{}
		ahead[i/2] = 1 - 2*float64(i%2)
		lens := newLens(&Camera{Position: l.At, Target: l.At.Add(ahead), FOV: lampView}, lampSide, lampSide)
		lens.near = lampNear
		near := s.depths(lens, lampSide, Vec3{0, 1, 0}, workers, func(o *Object) bool { return keeps[o] })
		out[i] = &shadows{lens: lens, near: near}
	}
	return &out
}

// holds reports whether a point is inside of the box around an object.
func holds(o *Object, at Vec3) bool {
	if o.Kind == Field {
		return false
	}
	p := placeOf(o)
	lo, hi := extent(o)
	d := at.Sub(p.at)
	for i := range 3 {
		x := float64(d.Dot(p.turned[i]) * p.inverse[i])
		if !(x >= lo[i] && x <= hi[i]) {
			return false
		}
	}
	return true
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

// on returns the light of some lamps on a surface at a place with a normal. Whoever receives no shadow is lit
// through everything.
func (b *bulbs) on(list []int32, at, normal Vec3, receives bool) (sum rgb) {
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
			power = float64(power * l.lit(at, slant))
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

// lit returns how much of a lamp's light gets to a point, 0 to 1. slant is the sine of the lamp's height over the
// surface there.
func (l *lamp) lit(at Vec3, slant float64) float64 {
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
	limit := float32(1 / max(v.s-float64(1.5*sample)/max(slant, 0.2), near))
	x := min(max(v.x/v.w-0.5, 0), lampSide-2)
	y := min(max(v.y/v.w-0.5, 0), lampSide-2)
	return sh.between(x, y, lampSide, limit)
}
