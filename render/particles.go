package render

import (
	"cmp"
	"math"
	"slices"
)

// Blend is how a particle and what is behind it become one colour.
type Blend uint8

// The blends.
const (
	Cover    Blend = iota // as smoke covers
	Glow                  // as light is added, over half of what is behind: before a bright sky one still sees its colour
	Multiply              // as through a coloured pane
)

// Particle is a soft round dot that faces whoever looks, before solid things or behind them. It throws no shadow, gets none, and is no
// object: nobody is told whether it shows. It is drawn in the style [Shaded] only.
type Particle struct {
	At      Vec3
	Size    float64 // metres across
	Color   [3]float64
	Opacity float64 // 0 to 1, in its middle
	Blend   Blend
}

// mostDots bounds the pixels that all particles of a view cover together: those that are farther away are left out then.
const mostDots = 8_000_000

// dot is a particle in the picture.
type dot struct {
	*Particle
	end
	distance float64
	radius   float64 // in pixels
}

// area is how many pixels the square around it has, of a picture so large.
func (p *dot) area(pixels float64) float64 { return min(float64(4*p.radius*p.radius), pixels) }

// particles draws the particles, the farthest first.
func (d *drawing) particles() {
	if len(d.scene.Particles) == 0 || d.options.Style != Shaded {
		return
	}
	dots := make([]dot, 0, len(d.scene.Particles))
	for i := range d.scene.Particles {
		if p, ok := d.dot(&d.scene.Particles[i]); ok {
			dots = append(dots, p)
		}
	}
	slices.SortStableFunc(dots, func(a, b dot) int { return cmp.Compare(a.distance, b.distance) })
	left, shown := float64(mostDots), 0
	pixels := float64(d.img.Rect.Dx() * d.img.Rect.Dy())
	for shown < len(dots) && left > 0 {
		left -= dots[shown].area(pixels)
		shown++
	}
	dark := d.scene.Light.dimmed(nightBackdrop)
	for i := range slices.Backward(dots[:shown]) {
		d.spray(&dots[i], dark)
	}
}

// dot returns where a particle is in the picture; ok is false if it does not show.
func (d *drawing) dot(p *Particle) (dot, bool) {
	if d.back.ground && p.At[1] < 0 { // it is below the ground that is not built
		return dot{}, false
	}
	if !sane(p.At) || !(p.Size > 0 && p.Size < far) || !(p.Opacity > 0) {
		return dot{}, false
	}
	e, ok := d.spot(p.At)
	if !ok {
		return dot{}, false
	}
	s := d.lens.distance(e.near)
	radius := p.Size / 2 * d.lens.scale / float64(d.samples)
	if d.lens.perspective {
		radius /= s
	}
	w, h := float64(d.img.Rect.Dx()), float64(d.img.Rect.Dy())
	if !finite(radius) || e.x+radius < 0 || e.y+radius < 0 || e.x-radius > w || e.y-radius > h {
		return dot{}, false
	}
	return dot{p, e, s, radius}, true
}

// spray paints a dot. dark is what night leaves of its colour, unless it glows.
func (d *drawing) spray(p *dot, dark rgb) {
	const least = 0.75 // what is smaller is as large and fainter
	radius, opacity := p.radius, min(p.Opacity, 1)
	if radius < least {
		opacity, radius = opacity*radius/least*radius/least, least
	}
	color := rgb{p.Color[0], p.Color[1], p.Color[2]}
	if p.Blend == Cover {
		color = color.times(dark)
	}
	n := d.samples
	for y := max(int(math.Floor(p.y-radius)), 0); y < min(int(math.Ceil(p.y+radius)), d.img.Rect.Dy()); y++ {
		for x := max(int(math.Floor(p.x-radius)), 0); x < min(int(math.Ceil(p.x+radius)), d.img.Rect.Dx()); x++ {
			dx, dy := (float64(x)+0.5-p.x)/radius, (float64(y)+0.5-p.y)/radius
			inside := 1 - float64(dx*dx) - float64(dy*dy)
			if inside > 0 && float32(p.near) > d.canvas.near[y*n*d.frame.width+x*n] {
				p.Blend.onto(d.pixel(x, y), color, opacity*inside)
				if d.sparks != nil && p.Blend != Multiply {
					d.sparks[y*d.img.Rect.Dx()+x] = true
				}
			}
		}
	}
}

// onto lays a colour onto a pixel.
func (b Blend) onto(px []uint8, c rgb, cover float64) {
	switch there := (rgb{float64(px[0]) / 255, float64(px[1]) / 255, float64(px[2]) / 255}); b {
	case Glow:
		there.scale(1 - cover/2).add(c.scale(cover)).put(px)
	case Multiply:
		there.times(mix(rgb{1, 1, 1}, c, cover)).put(px)
	default:
		mix(there, c, cover).put(px)
	}
}
