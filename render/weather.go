package render

import (
	"math"
	"slices"
)

// Weather is what the air is like.
type Weather struct {
	Kind      WeatherKind
	Intensity float64 // 0 to 1
}

// WeatherKind is a kind of weather. Any that is not named here is a clear day.
type WeatherKind string

// The kinds of weather: they cover the sky, dim the sun, and let one see less far.
const (
	Rain  WeatherKind = "rain"
	Storm WeatherKind = "storm"
	Snow  WeatherKind = "snow" // what faces up under the open sky is white
	Fog   WeatherKind = "fog"
)

// climate is what a kind of weather is like when it is strongest.
type climate struct {
	sky, horizon rgb
	cover        float64 // how much of the sun's light clouds take
	bright       float64 // what light that is everywhere is multiplied by
	sight        float64 // how far one sees, of a clear day, as in the browser's page
}

var climates = map[WeatherKind]climate{
	Rain:  {rgb{0.55, 0.59, 0.64}, rgb{0.70, 0.73, 0.76}, 0.75, 1.05, 0.4},
	Storm: {rgb{0.30, 0.33, 0.38}, rgb{0.50, 0.53, 0.57}, 0.92, 0.80, 0.4},
	Snow:  {rgb{0.68, 0.71, 0.75}, rgb{0.84, 0.86, 0.89}, 0.7, 1.4, 0.4},
	Fog:   {rgb{0.74, 0.77, 0.79}, rgb{0.82, 0.84, 0.85}, 0.8, 1.15, 0.07},
}

// air is the weather of a picture; nil is a clear day.
type air struct {
	climate
	kind     WeatherKind
	strength float64 // above 0, up to 1
	haze     rgb     // what is far away turns into
	from, to float64 // at which distance that begins, and ends
	level    float64 // how much of it is everywhere, without perspective
}

// hazeMost is how much haze is before the farthest thing, of 1: one can make out what is there.
const hazeMost = 0.92

// air returns the weather of the scene for a camera.
func (s *Scene) air(c *Camera) *air {
	weather := s.weather()
	strength := weather.Intensity
	kind, ok := climates[weather.Kind]
	if !ok || !(strength > 0) {
		return nil
	}
	a := &air{climate: kind, kind: weather.Kind, strength: min(strength, 1)}
	dark := s.Light.dimmed(nightBackdrop)
	a.sky, a.horizon = kind.sky.times(dark), kind.horizon.times(dark)
	sight := 1 - float64(a.strength*(1-a.sight))
	distance := c.Position.Dist(c.Target)
	a.haze = a.horizon
	a.from, a.to = float64(max(150, 2*distance)*sight), float64(max(1500, 8*distance)*sight)
	if c.FOV == 0 {
		a.level = 0.45 * (1 - sight)
	}
	return a
}

// weather is the weather of the scene: there is none in space.
func (s *Scene) weather() Weather {
	if s.Sky.Space {
		return Weather{}
	}
	return s.Weather
}

// weathered returns what the weather leaves of the sun's light, and of that which is everywhere.
func (s *Scene) weathered(sun, everywhere rgb) (left, around rgb) {
	weather := s.weather()
	kind, ok := climates[weather.Kind]
	if strength := min(max(weather.Intensity, 0), 1); ok && strength > 0 {
		return sun.scale(1 - float64(strength*kind.cover)), everywhere.scale(1 + float64(strength*(kind.bright-1)))
	}
	return sun, everywhere
}

// veil returns a colour as it is seen from a distance.
func (a *air) veil(c rgb, distance float64) rgb {
	if a == nil {
		return c
	}
	t := a.level
	if t == 0 {
		t = min(max((distance-a.from)/(a.to-a.from), 0), hazeMost)
	}
	return mix(c, a.haze, t)
}

var snowColor = rgb{0.95, 0.96, 0.98}

// Which part of the snow that would lie on it stays on what is not ground, and on people, who move; and how many samples the map has of what is under the
// open sky.
const (
	snowKept   = 0.92
	snowWorn   = 0.25
	skySamples = 1 << 18
)

// snows reports whether there is snow on what faces up.
func (a *air) snows() bool { return a != nil && a.kind == Snow }

// snowed returns the colour of what has a normal that points up so far, under the open sky.
func (a *air) snowed(c rgb, upward float64) rgb {
	if !a.snows() {
		return c
	}
	return mix(c, snowColor, float64(0.95*math.Sqrt(a.strength))*min(max((upward-0.5)*4, 0), 1))
}

// snowy reports whether snow may lie on a face.
func (f *face) snowy() bool { return f.slope != 0 || math.Abs(f.normal[1]) > 0.5 }

// snowed returns the colour of a face where so many samples show it, with the snow on it: there is some where it faces up and nothing is above it.
func (r *painterRow) snowed(f *face, i int, samples float64, c rgb) rgb {
	if r.skylight == nil || !f.snowy() {
		return c
	}
	s := r.fr.lens.distance(float64(r.near[i]))
	at := r.point(i, s)
	normal := r.fr.normal(f, at)
	white := r.air.snowed(c, normal[1])
	if white == c {
		return c
	}
	o := &r.objects[f.object]
	open := r.skylight.lit(r.fr.lens, at, s, normal, samples, f.object)
	switch {
	case o.Kind == Figure && o.Dressed:
		open *= snowWorn
	case o.Kind != Field:
		open *= snowKept
	}
	return mix(c, white, open)
}

// What falls: so many drops, in a cube of that many metres each way about the eye, as in the browser's page.
const (
	mostDrops  = 3000
	dropsReach = 20
	dropLong   = 0.7 // metres of a streak of rain
)

// chance returns a number from 0 up to 1 for each number.
func chance(n uint64) float64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return float64((n^n>>31)>>11) / (1 << 53)
}

// drops draws rain or snow, in the views camera and iso: the others are to measure by. Nothing falls below what is over it.
func (d *drawing) drops() {
	a := d.air
	if a == nil || a.kind == Fog || d.options.Style != Shaded || d.view != FromCamera && d.view != Iso || d.options.View == Sheet {
		return
	}
	eye, reach := d.lens.eye, float64(dropsReach)
	if !d.lens.perspective { // about what the picture shows
		about := d.scene.focus(d.options.Fit)
		eye, reach = about.center, min(max(about.radius, 2), 40)
	}
	roofs := d.roofs(eye, reach)
	color, size := rgb{0.66, 0.74, 0.82}.times(d.scene.Light.dimmed(nightBackdrop)), 0.03*reach/dropsReach
	if a.kind == Snow {
		color, size = snowColor.times(d.scene.Light.dimmed(nightBackdrop)), 0.09*reach/dropsReach
	}
	for i := range uint64(math.Ceil(mostDrops * a.strength)) {
		at := eye
		for k := range at {
			at[k] += float64((2*chance(3*i+uint64(k)) - 1) * reach)
		}
		if d.back.ground && at[1] < 0 || slices.ContainsFunc(roofs, func(r region) bool { return r.over(at) }) {
			continue
		}
		if a.kind == Snow {
			if p, ok := d.dot(&Particle{At: at, Size: size, Opacity: 0.85}); ok && p.radius < 5 {
				p.Color = [3]float64{color.r, color.g, color.b}
				d.spray(&p, rgb{1, 1, 1})
			}
			continue
		}
		top, ok := d.spot(at.Add(Vec3{float64(0.1 * a.strength), dropLong, 0}))
		bottom, below := d.spot(at)
		if !ok || !below || d.hidden(bottom) {
			continue
		}
		if w := size * d.lens.scale / float64(d.samples); d.lens.perspective && d.lens.distance(bottom.near) > 1.5 || !d.lens.perspective {
			if d.lens.perspective {
				w /= d.lens.distance(bottom.near)
			}
			d.streak(top, bottom, color, min(max(w, 0.15), 0.5))
		}
	}
}

// streak draws a line that lets through what is behind it, where nothing hides it.
func (d *drawing) streak(a, b end, c rgb, cover float64) {
	if !visible(&a, &b, float64(d.img.Rect.Dx()), float64(d.img.Rect.Dy())) {
		return
	}
	steps := int(max(math.Abs(b.x-a.x), math.Abs(b.y-a.y))) + 1
	for i := range steps {
		e := between(a, b, float64(i)/float64(steps))
		x, y := int(math.Floor(e.x)), int(math.Floor(e.y))
		if x >= 0 && y >= 0 && x < d.img.Rect.Dx() && y < d.img.Rect.Dy() && float32(e.near) > d.canvas.near[y*d.samples*d.frame.width+x*d.samples] {
			c.over(d.pixel(x, y), cover)
		}
	}
}

// roofs returns the rooms of the things near an eye, under which nothing falls.
func (d *drawing) roofs(eye Vec3, reach float64) (out []region) {
	for i := range d.scene.Objects {
		o := &d.scene.Objects[i]
		if o.Kind == Field || !sane(o.Transform.Position) || !(radius(o) <= far) {
			continue
		}
		r := room(o)
		if r.lo[0] < eye[0]+reach && r.hi[0] > eye[0]-reach && r.lo[2] < eye[2]+reach && r.hi[2] > eye[2]-reach && r.hi[1] > eye[1]-reach {
			out = append(out, r)
		}
	}
	return out
}

// over reports whether a box is over a point, or about it.
func (r *region) over(p Vec3) bool {
	return p[0] > r.lo[0] && p[0] < r.hi[0] && p[2] > r.lo[2] && p[2] < r.hi[2] && p[1] < r.hi[1]
}
