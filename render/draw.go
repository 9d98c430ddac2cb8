package render

import (
	"image"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// Picture is a scene, drawn.
type Picture struct {
	Image *image.RGBA
	Views []Seen
}

// Seen says what one view shows: a sheet has four of them, everything else one.
type Seen struct {
	View    View
	Bounds  image.Rectangle // of the view in the picture
	Camera  Camera
	Scale   float64 // of a parallel projection: pixels per metre, else 0
	Objects []Visible

	// Hiders are the objects that hide what the view is fitted to: with Reveal they are left out, and so is what is Open, which comes first. Of that, Shows is the part that shows with them, from 0
	// to 1. Both are for views that are fitted to something.
	Hiders []world.ID
	Shows  float64
}

// Visible is an object that shows. What is smaller than half a pixel may fall between the samples.
type Visible struct {
	ID     world.ID
	Name   string
	Box    image.Rectangle // the smallest one around what shows of it
	Pixels int             // how many pixels show it
}

// Draw draws a scene. Its errors say which option is wrong.
func Draw(s *Scene, o Options) (*Picture, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	pic := &Picture{Image: image.NewRGBA(image.Rect(0, 0, o.Width, o.Height))}
	s, open := s.opened(&o)
	kit := s.kit(&o)
	see := func(img *image.RGBA, v View) {
		seen := s.see(img, &o, v, kit)
		seen.Hiders = append(slices.Clone(open), seen.Hiders...)
		pic.Views = append(pic.Views, seen)
	}
	if o.View != Sheet {
		see(pic.Image, o.View)
		return pic, nil
	}
	w, h := o.Width/2, o.Height/2
	for i, v := range []View{Iso, Front, Top, Left} {
		x, y := i%2*w, i/2*h
		part := pic.Image.SubImage(image.Rect(x, y, x+w-1+i%2, y+h-1+i/2)).(*image.RGBA)
		see(part, v)
	}
	return pic, nil
}

// kit is what all views of a scene are drawn with.
type kit struct {
	wear  papers
	lamps *bulbs // nil if there are none
}

func (s *Scene) kit(o *Options) (k kit) {
	if o.Style != Wireframe {
		k.wear = s.papers(o.Style == IDs)
	}
	if o.Style == Shaded && len(s.Lamps) > 0 {
		k.lamps = s.newBulbs(o, s.focus(o.Fit), k.wear.holed)
	}
	return k
}

// see draws one view into the whole of img, without what hides what it is fitted to, if that is asked for.
func (s *Scene) see(img *image.RGBA, o *Options, v View, k kit) Seen {
	camera := Camera{}
	if v == FromCamera {
		camera = *o.Camera
	} else {
		camera = s.fit(v, o.Fit, img.Rect.Dx(), img.Rect.Dy())
	}
	if len(o.Fit) == 0 || o.Style == Wireframe {
		return s.draw(img, o, v, &camera, k)
	}
	hide, shows := s.hiders(o, v, &camera, img.Rect.Dx(), img.Rect.Dy())
	rest, ids := s.without(hide)
	if o.Reveal && len(hide) > 0 {
		s, k = rest, rest.kit(o)
	}
	seen := s.draw(img, o, v, &camera, k)
	seen.Hiders, seen.Shows = ids, shows
	return seen
}

// draw draws one view into the whole of img.
func (s *Scene) draw(img *image.RGBA, o *Options, v View, camera *Camera, k kit) Seen {
	samples := 2
	if o.Coarse {
		samples = 1
	}
	about := s.focus(o.Fit)
	d := drawing{scene: s, options: o, view: v, img: img, samples: samples, lamps: k.lamps, wear: k.wear}
	d.lens = newLens(camera, img.Rect.Dx()*samples, img.Rect.Dy()*samples)
	if o.Style == Shaded {
		d.air = s.air(camera)
	}
	d.frame = d.faces(facing, func(obj *Object) bool { return !d.clear(obj) })
	d.canvas = newCanvas(d.frame.width*d.frame.height, true)
	d.frame.fill(d.canvas, o.Workers)
	if panes := d.faces(facing, d.clear); len(panes.faces) > 0 {
		d.panes = panes
		d.glass = &canvas{near: slices.Clone(d.canvas.near), face: make([]int32, len(d.canvas.near))}
		d.panes.fill(d.glass, o.Workers)
	}
	d.back = newBackdrop(o, camera, d.lens, samples, s, about, k.lamps, d.air)
	d.paint()
	seen := d.visible()
	d.overlay(seen)
	out := Seen{View: v, Bounds: img.Rect, Camera: *camera, Objects: seen}
	if camera.FOV == 0 {
		out.Scale = d.lens.scale / float64(samples)
	}
	return out
}

// drawing is one view while it is drawn.
type drawing struct {
	scene   *Scene
	options *Options
	view    View
	img     *image.RGBA
	samples int
	lens    *lens
	frame   *frame
	canvas  *canvas
	panes   *frame  // of what is clear; nil if nothing is
	glass   *canvas // which of the panes is in front of all else
	back    *backdrop
	lamps   *bulbs // nil if there are none
	wear    papers
	air     *air   // the weather; nil if it is clear
	sparks  []bool // the pixels that show particles, if they have to be known
}

// clear reports whether an object is seen through: in flat colours, and in lines, none is.
func (d *drawing) clear(o *Object) bool { return o.Clear && d.options.Style == Shaded }

// sunOf returns the direction towards the sun and the strength of its light.
func (s *Scene) sunOf() (towards Vec3, light rgb) {
	towards = Vec3{5, 9, 6}
	if l := s.Light.Sun.Len(); l > 0 && l <= far {
		towards = s.Light.Sun
	}
	light = rgbOf(or(s.Light.Color, 0xffffff))
	power := 0.62 * min(max(or(s.Light.Power, 1), 0), 1.5)
	if night := s.Light.night(); night > 0 {
		light, power = light.times(s.Light.dimmed(moonColor)).times(s.Light.warmed(duskSun)), power*(1-float64(0.8*night))
	}
	return unit(towards), light.scale(power)
}

// faces returns the faces of the objects that keep wants, as the picture's lens sees them.
func (d *drawing) faces(which sides, keep func(*Object) bool) *frame {
	sun, _ := d.scene.sunOf()
	b := builder{
		fr:    &frame{lens: d.lens, width: d.img.Rect.Dx() * d.samples, height: d.img.Rect.Dy() * d.samples, holed: d.wear.holed},
		scene: d.scene, sun: sun, takes: which, lathes: map[latheKey]*lathe{},
		bent: len(d.scene.Lamps) > 0 || d.wear.all != nil || d.air.snows(),
	}
	b.all(keep)
	return b.fr
}

// paint colours the picture.
func (d *drawing) paint() {
	sun, light := d.scene.sunOf()
	p := &painter{
		fr: d.frame, canvas: d.canvas, samples: d.samples, light: light, objects: d.scene.Objects, back: d.back,
		flat: d.options.Style == IDs, lines: d.options.Style == Wireframe, lamps: d.lamps,
		everywhere: d.scene.Light.dimmed(nightColor), sun: sun, papers: d.wear.all, air: d.air,
	}
	p.light, p.everywhere = d.scene.weathered(p.light, p.everywhere)
	for i := range d.scene.Objects {
		o := &d.scene.Objects[i]
		c := o.Color
		if p.flat {
			c = idColor(o.ID)
		}
		p.colors = append(p.colors, rgbOf(c))
		if p.lamps != nil {
			p.reach = append(p.reach, p.lamps.reach(o))
		}
		if o.Emissive != 0 && (p.lamps == nil || p.reach[i].glow == nil) { // a lamp is seen in its own light
			if p.emits == nil {
				p.emits = make([]rgb, len(d.scene.Objects))
			}
			p.emits[i] = rgbOf(o.Emissive)
		}
	}
	if !d.options.NoShadows && !p.flat && !p.lines && sun[1] > 0.02 {
		p.sunlight = p.newSunlight(d.scene, sun, (*face).sunny, sunSamples, d.wear.holed, d.options.Workers)
	}
	if d.air.snows() {
		p.skylight = p.newSunlight(d.scene, Vec3{0, 1, 0}, (*face).snowy, skySamples, d.wear.holed, d.options.Workers)
	}
	p.picture(d.img, d.options.Workers)
	if ao := d.scene.Post.AO; ao != nil && d.options.Style == Shaded {
		p.occlude(d.img, ao, d.options.Workers)
	}
	if d.panes != nil {
		glazier := *p
		glazier.fr, glazier.canvas = d.panes, d.glass
		glazier.glaze(d.img, d.options.Workers)
	}
}

// visible counts what shows, in the order of the scene's objects.
func (d *drawing) visible() []Visible {
	found := make([]Visible, len(d.scene.Objects))
	n := d.samples
	d.count(found, d.frame, d.canvas)
	if d.panes != nil {
		d.count(found, d.panes, d.glass)
	}
	out := []Visible{}
	for i := range found {
		v := &found[i]
		o := &d.scene.Objects[i]
		if v.Pixels == 0 || o.ID == 0 {
			continue
		}
		v.ID, v.Name, v.Box = o.ID, o.Name, v.Box.Add(d.img.Rect.Min)
		v.Pixels = max(v.Pixels/(n*n), 1)
		out = append(out, *v)
	}
	return out
}

// count adds what a frame shows on a canvas to what was found.
func (d *drawing) count(found []Visible, fr *frame, c *canvas) {
	width, n := fr.width, d.samples
	for y := range fr.height {
		row := c.face[y*width : (y+1)*width]
		for x := 0; x < width; {
			number, start := row[x], x
			for x < width && row[x] == number {
				x++
			}
			if number == 0 {
				continue
			}
			v := &found[fr.faces[number-1].object]
			v.Pixels += x - start
			v.Box = v.Box.Union(image.Rect(start/n, y/n, (x-1)/n+1, y/n+1))
		}
	}
}
