package render

import "math"

// backdrop is what is behind and under the objects: the sky, and the ground with its grid, or, seen
// from the side, a grid that stands upright.
type backdrop struct {
	sky, horizon rgb
	ground       bool    // there is one, at height 0, and the camera is above it
	over         bool    // and something can be below it
	wall         bool    // an upright grid, through the origin, behind everything
	step         float64 // metres between lines
	about        ball
	bare         rgb     // colour of the ground
	dry          rgb     // the same where no snow falls
	lamps        *bulbs  // that shine on it; nil if there are none
	lit          []int32 // which of them
	air          *air
	shade        rgb // what a shadow leaves of the ground's colour
	stars        bool
}

var (
	skyColor     = rgb{0.66, 0.78, 0.90}
	horizonColor = rgb{0.90, 0.94, 0.97}
	groundColor  = rgb{0.80, 0.81, 0.79}
	spaceColor   = rgb{0.012, 0.013, 0.02}
	lineColor    = rgb{0.36, 0.39, 0.42} // of the grid
	shadeColor   = rgb{0.58, 0.58, 0.62} // what a shadow leaves of the ground's colour on a clear day
)

// sunk is how much farther away the ground is taken to be than it is, as a share: a floor whose top is at height 0
// is to hide it, whole, and the numbers by which they are compared have seven digits.
const sunk = 1e-5

// newBackdrop returns that of a picture. pixel is how many samples are one pixel.
func newBackdrop(o *Options, c *Camera, l *lens, samples int, s *Scene, about ball, lamps *bulbs, air *air) *backdrop {
	night, dusk := s.Light.night(), s.Light.dusk()
	b := &backdrop{
		sky:     mix(mix(skyColor, nightSky, night), duskSky, float64(0.5*dusk)),
		horizon: mix(mix(horizonColor, nightHorizon, night), duskHorizon, float64(0.8*dusk)),
		bare:    groundColor.times(s.Light.dimmed(nightBackdrop)).times(s.Light.warmed(duskBackdrop)), about: about, step: 1,
		air: air, shade: shadeColor,
	}
	if air != nil {
		b.sky, b.horizon = mix(b.sky, air.sky, air.strength), mix(b.horizon, air.horizon, air.strength)
		clouds := float64(air.strength * air.cover)
		b.shade = mix(shadeColor, rgb{1, 1, 1}, clouds)
		b.dry = b.bare.scale(1 - float64(0.2*clouds))
		b.bare = air.snowed(b.bare, 1).scale(1 - float64(0.2*clouds))
	}
	if s.Sky.Space {
		b.sky, b.horizon, b.stars = spaceColor, spaceColor, l.perspective && o.Style == Shaded
	}
	if lamps != nil {
		b.lamps = lamps
		for i := range lamps.all {
			if l := &lamps.all[i]; l.At[1] > 0 && (l.Range == 0 || l.At[1] < l.Range) {
				b.lit = append(b.lit, int32(i))
			}
		}
	}
	if !l.perspective {
		b.sky = b.horizon
		b.step = gridStep(l.scale / float64(samples))
	}
	_, _, forward := c.axes()
	side := !l.perspective && math.Abs(forward[1]) < 1e-9
	b.wall = o.Grid && side
	b.ground = o.Grid && !s.Sky.Bare && !side && (l.perspective && c.Position[1] > 0 || !l.perspective && forward[1] < 0)
	if b.ground {
		var fields region
		for i := range s.Objects {
			obj := &s.Objects[i]
			if r := radius(obj); obj.Kind == Field && r <= far && sane(obj.Transform.Position) {
				fields.add(obj.Transform.Position.Sub(Vec3{r, r, r}))
				fields.add(obj.Transform.Position.Add(Vec3{r, r, r}))
			}
			b.over = b.over || obj.Transform.Position[1]-radius(obj) < 0
		}
		if fields.hi.Sub(fields.lo).Len() > math.Sqrt(3)*about.radius { // they are the ground
			b.ground, b.over = false, false
		}
	}
	return b
}

// gridStep returns the metres between lines: 1 where that is 8 pixels or more, else 10, 100, …
func gridStep(pixelsPerMetre float64) float64 {
	step := 1.0
	for step*pixelsPerMetre < 8 && step < far {
		step *= 10
	}
	return step
}

// backdropRow is a backdrop with what does not change in a row of samples.
type backdropRow struct {
	*backdrop
	sky   rgb
	hits  bool    // this row of the picture meets the ground in front of the camera, or there is a wall
	near  float64 // how near the ground is
	u, v  float64 // sample i shows the point u + i·byU, v + i·byV of the grid
	byU   float64
	byV   float64
	minor lines
	major lines
	reach float64 // 1 over the square of how far the ground goes
	sun   *sunlight
	open  *sunlight // what is under the open sky, where it snows; else nil
	lens  *lens

	shaded   bool    // it is ground, on which shadows may fall
	distance float64 // of what samples show of it
}

// row returns the backdrop of a row. The cameras are never tilted sideways, so a row of the picture
// meets the ground in a line that is parallel to the picture, at one distance.
func (b *backdrop) row(p *painter, j int) backdropRow {
	l := p.fr.lens
	t := float64(j) / float64(p.fr.height)
	r := backdropRow{backdrop: b, sky: mix(b.sky, b.horizon, min(t*1.6, 1))}
	origin, ray := l.row(j)
	if b.wall {
		axis := 0
		if math.Abs(l.forward[0]) > 0.5 {
			axis = 2
		}
		r.hits = true
		r.u, r.byU, r.v = origin[axis], l.originX[axis], origin[1]
		r.lines(float64(p.samples) / l.scale)
		return r
	}
	if !b.ground || !(ray[1] < -1e-9) {
		return r
	}
	s := -origin[1] / ray[1]
	if !(s > 0) || s > far {
		return r
	}
	r.hits, r.near = true, -s
	r.near -= float64(sunk * max(s, 1))
	// How many metres of ground are between this row of pixels and the next.
	depth := float64(p.samples) / math.Abs(float64(l.scale*ray[1]))
	if l.perspective {
		r.near = (1 - sunk) / s
		nextOrigin, nextRay := l.row(j + p.samples)
		depth = math.Abs(-nextOrigin[1]/nextRay[1] - s)
	}
	r.shaded, r.distance, r.lens, r.sun, r.open = true, s, l, p.sunlight, p.skylight
	at, by := origin.Add(ray.Scale(s)), l.originX.Add(l.rayX.Scale(s))
	r.u, r.byU, r.v, r.byV = at[0], by[0], at[2], by[2]
	r.lines(max(depth, float64(p.samples)*max(math.Abs(by[0]), math.Abs(by[2]))))
	reach := max(float64(b.about.radius*2.5), 6)
	r.reach = 1 / float64(reach*reach)
	return r
}

func (r *backdropRow) lines(pixel float64) {
	r.minor, r.major = linesOf(r.step, pixel, 0.35), linesOf(10*r.step, pixel, 0.8)
}

// color returns what sample i, and as many each way as said, show of the backdrop, over what is there already: something of colour
// below that is near, or nothing.
func (r *backdropRow) color(i int, samples, near float64, below rgb) rgb {
	if !r.hits || !r.wall && r.near < near {
		return below
	}
	x := float64(i)
	u, v := r.u+float64(x*r.byU), r.v+float64(x*r.byV)
	grid := max(r.minor.at(u), r.minor.at(v), r.major.at(u), r.major.at(v))
	if r.wall {
		return mix(below, lineColor, grid)
	}
	du, dv := u-r.about.center[0], v-r.about.center[2]
	fade := 1.7 - float64((float64(du*du)+float64(dv*dv))*r.reach)
	if fade <= 0 {
		return below
	}
	bare := r.bare
	if r.open != nil {
		bare = mix(r.dry, bare, r.open.lit(r.lens, Vec3{u, 0, v}, r.distance, Vec3{0, 1, 0}, samples, nobody))
	}
	c := mix(bare, lineColor, grid)
	if r.sun != nil {
		if lit := r.sun.lit(r.lens, Vec3{u, 0, v}, r.distance, Vec3{0, 1, 0}, samples, nobody); lit < 1 {
			c = mix(c.times(r.shade), c, lit)
		}
	}
	if len(r.lit) > 0 {
		light := r.lamps.on(r.lit, Vec3{u, 0, v}, Vec3{0, 1, 0}, Vec3{0, 1, 0}, true)
		c = c.add(mix(groundColor, lineColor, grid).times(light))
	}
	c = r.air.veil(c, r.distance)
	if fade >= 1 && near == nowhere {
		return c
	}
	cover := float64(int(min(fade, 1)*16)) / 16 // in steps, for the file to be small
	if near != nowhere {
		cover *= 0.7 // what is below the ground shines through it
	}
	return mix(below, c, cover)
}

// lines are the lines at the multiples of a step, in one direction.
type lines struct {
	step, perStep float64
	perPixel      float64 // 1 over the metres in a pixel
	strength      float64 // 0 for lines so narrow that they would be a mist
}

func linesOf(step, pixel, strength float64) lines {
	return lines{step, 1 / step, 1 / pixel, strength * min(max(1.5-float64(pixel*4)/step, 0), 1)}
}

// at returns how much of a pixel at a place the lines cover.
func (l *lines) at(place float64) float64 {
	if l.strength == 0 {
		return 0
	}
	off := math.Abs(place - float64(math.Floor(float64(place*l.perStep)+0.5)*l.step))
	return l.strength * max(1-float64(off*l.perPixel), 0)
}
