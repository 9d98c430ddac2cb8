package render

import (
	"math"
)

// Surface is a look that images give. Several objects may have one.
//
// The images lie on an object as wallpaper does, in its own space, but in metres: they go with it when it moves and turns, and do not grow with its
// size or scale. The middle of the object is where they begin. Seen from outside, each of the six sides has them upright and not mirrored:
//
//	side     to the right   up
//	+x, -x   -z, +z         +y
//	+y, -y   +x             -z, +z
//	+z, -z   +x, -x         +y
//
// Without Triplanar each place has them from the side that its normal points to the most. With it, it has those of three sides, x, y and z, each as
// much as the part of the normal along that axis says, to the power of Sharpness.
//
// Where it is Mapped, images lie on a [Mesh] that has coordinates as those say, without regard to Scale and Triplanar.
//
// A normal map is what OpenGL has: red to the right, green up, blue out, each from -1 to 1, where NormalStrength makes the first two more or less. Of a roughness map green counts.
// Such objects have a highlight of the sun, which is the wider and fainter the rougher they are, and coloured as they are if they are of metal. What an
// object gives off by itself is multiplied by the map of light.
//
// With a Cutoff there is nothing where the albedo is less opaque than that: what is behind shows, and light goes through.
type Surface struct {
	// Albedo, Normal, Roughness and Light are the images, nil for none. Draw asks for each once, for at most so many texels each way. They give the same
	// whenever they are asked, and may be asked concurrently; nil is no image, as of a file that cannot be read.
	Albedo, Normal, Roughness, Light func(side int) *Texture

	Mapped         bool
	Triplanar      bool
	Scale          float64 // how often they repeat in a metre
	NormalStrength float64
	Sharpness      float64
	Metalness      float64 // 0 to 1
	BaseRoughness  float64 // 0 to 1: what white in the roughness map is
	Color          uint32  // what the albedo is multiplied by, beside the object's
	Cutoff         float64 // 0 to 1; 0: how opaque the albedo is counts for nothing
}

// sideFor returns how large the images of n are at most, so that all together take some 70 MB.
func sideFor(n int) int {
	side := 1024
	for most := 16; n > most && side > 64; most *= 4 {
		side /= 2
	}
	return side
}

// paper is a surface on an object.
type paper struct {
	*coat
	at     Vec3
	turned [3]Vec3
}

// coat is a surface, ready to be sampled.
type coat struct {
	Surface
	albedo, normal, roughness, light *Texture
	tint                             rgb
}

// papers are what lies on each object, nil for nothing.
type papers struct {
	all   []*paper // nil if nothing lies on any
	holed []*paper // only those that have holes; nil if none has
}

// papers returns what lies on the objects. If the picture has nothing of it but holes, there is only what has some.
func (s *Scene) papers(holes bool) papers {
	out, coats, images := make([]*paper, len(s.Objects)), map[*Surface]*coat{}, 0
	var each []*coat
	for i := range s.Objects {
		o := &s.Objects[i]
		f := o.Surface
		if f == nil || holes && !(f.Cutoff > 0 && f.Albedo != nil) {
			continue
		}
		c := coats[f]
		if c == nil {
			c = &coat{Surface: *f, tint: rgbOf(f.Color)}
			if holes {
				c.Normal, c.Roughness, c.Light = nil, nil, nil
			}
			c.Scale, c.NormalStrength, c.Sharpness = within(f.Scale, 0, far), within(f.NormalStrength, 0, 1000), within(f.Sharpness, 0, 32)
			c.Metalness, c.BaseRoughness = within(f.Metalness, 0, 1), within(f.BaseRoughness, 0, 1)
			coats[f], each = c, append(each, c)
			for _, image := range []func(int) *Texture{c.Albedo, c.Normal, c.Roughness, c.Light} {
				if image != nil {
					images++
				}
			}
		}
		p := placeOf(o)
		out[i] = &paper{c, p.at, p.turned}
	}
	if each == nil {
		return papers{}
	}
	get := func(image func(int) *Texture) *Texture {
		if image == nil {
			return nil
		}
		return image(sideFor(images))
	}
	for _, c := range each {
		c.albedo, c.normal, c.roughness, c.light = get(c.Albedo), get(c.Normal), get(c.Roughness), get(c.Light)
	}
	return papers{out, holed(out)}
}

// holed reports whether there may be nothing at places on what it lies on.
func (c *coat) holed() bool {
	return c.Cutoff > 0 && c.albedo != nil && c.albedo.levels[0].parts == 4
}

// on returns what of papers lies on an object, nil for nothing.
func on(papers []*paper, object int32) *paper {
	if papers == nil {
		return nil
	}
	return papers[object]
}

// holed returns those of papers that have holes, nil if none has.
func holed(papers []*paper) (out []*paper) {
	for i, p := range papers {
		if p != nil && p.holed() {
			if out == nil {
				out = make([]*paper, len(papers))
			}
			out[i] = p
		}
	}
	return out
}

// side is one that a place has the images from.
type side struct {
	axis   int
	sign   float64
	weight float64
}

// faint is how much of the images a side has to have for being looked at.
const faint = 1.0 / 256

// sides returns from which sides a place with a normal, in the object's space, has the images; the weights add up to 1.
func (c *coat) sides(n Vec3, store *[3]side) []side {
	list := store[:0]
	most := 0 // which axis it goes along the most
	for i := 1; i < 3; i++ {
		if math.Abs(n[i]) > math.Abs(n[most]) {
			most = i
		}
	}
	if !c.Triplanar {
		return append(list, side{most, signOf(n[most]), 1})
	}
	var weights Vec3 // that of the greatest is 1, however sharp
	sum, left := 0.0, 0.0
	for i, x := range n {
		weights[i] = power(math.Abs(x)/math.Abs(n[most]), c.Sharpness)
		sum += weights[i]
	}
	for i, w := range weights {
		if w >= faint*sum {
			list = append(list, side{i, signOf(n[i]), w})
			left += w
		}
	}
	for i := range list {
		list[i].weight /= left
	}
	return list
}

// Lie returns how images lie, without Triplanar, where a normal in the object's space points to: what directions are to the right and up on them there.
func Lie(normal Vec3) (right, up Vec3) {
	var store [3]side
	var c coat
	s := &c.sides(normal, &store)[0]
	return s.bumped(1, 0), s.bumped(0, 1)
}

func signOf(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}

// place returns what of the images a side has at a place in the object's space.
func (s *side) place(p Vec3, scale float64) (u, v float64) {
	switch s.axis {
	case 0:
		u, v = -s.sign*p[2], p[1]
	case 1:
		u, v = p[0], -s.sign*p[2]
	default:
		u, v = s.sign*p[0], p[1]
	}
	return float64(u * scale), float64(v * scale)
}

// bumped returns the direction, in the object's space, that is right of a side by x and up by y.
func (s *side) bumped(x, y float64) Vec3 {
	switch s.axis {
	case 0:
		return Vec3{0, y, -s.sign * x}
	case 1:
		return Vec3{x, 0, -s.sign * y}
	default:
		return Vec3{s.sign * x, y, 0}
	}
}

// into returns a direction in the object's space.
func (p *paper) into(v Vec3) Vec3 {
	return Vec3{v.Dot(p.turned[0]), v.Dot(p.turned[1]), v.Dot(p.turned[2])}
}

// patch is where images are looked at: at a place on an object, or on a face that says how they lie.
type patch struct {
	paper *paper
	lie   *lie // nil where nothing says how they lie
	at, n Vec3 // the place, and the normal there
	q     Vec3 // the place in the object's space
	sides []side
	size  float64 // how much of an image a pixel covers
	store [3]side
}

// set moves s to a place with a normal, where a pixel is so large, in metres.
func (s *patch) set(p *paper, l *lie, at, normal Vec3, pixel float64) {
	s.paper, s.lie, s.at, s.n = p, l, at, normal
	if l != nil {
		s.size = float64(pixel * max(l.by[0].Len(), l.by[1].Len()))
		return
	}
	s.q = p.into(at.Sub(p.at))
	s.sides = p.sides(p.into(normal), &s.store)
	s.size = float64(pixel * p.Scale)
}

// blend returns what an image has there.
func (s *patch) blend(t *Texture) (sum rgb) {
	if s.lie != nil {
		u, v := s.lie.place(s.at)
		return t.sample(u, v, s.size)
	}
	for i := range s.sides {
		u, v := s.sides[i].place(s.q, s.paper.Scale)
		sum = sum.add(t.sample(u, v, s.size).scale(s.sides[i].weight))
	}
	return sum
}

// there reports whether there is anything.
func (s *patch) there() bool {
	t := s.paper.albedo
	if s.lie != nil {
		u, v := s.lie.place(s.at)
		return t.opacity(u, v, s.size) >= s.paper.Cutoff
	}
	sum := 0.0
	for i := range s.sides {
		u, v := s.sides[i].place(s.q, s.paper.Scale)
		sum += float64(t.opacity(u, v, s.size) * s.sides[i].weight)
	}
	return sum >= s.paper.Cutoff-1e-9 // the weights add up to 1, but for what is rounded
}

// look returns the colour, the normal and the roughness there.
func (s *patch) look() (c rgb, bumped Vec3, roughness float64) {
	p := s.paper
	c, bumped, roughness = rgb{1, 1, 1}, s.n, p.BaseRoughness
	if p.albedo != nil {
		c = s.blend(p.albedo)
	}
	if p.roughness != nil {
		roughness *= s.blend(p.roughness).g
	}
	if p.normal != nil && p.NormalStrength > 0 {
		bumped = s.bumped()
	}
	return c.times(p.tint), bumped, roughness
}

// bumped returns the normal there with the bumps.
func (s *patch) bumped() Vec3 {
	p := s.paper
	if s.lie != nil {
		right, up, ok := s.lie.directions(s.n)
		if !ok {
			return s.n
		}
		t := s.blend(p.normal)
		lean := right.Scale(signed(t.r)).Add(up.Scale(signed(t.g))).Scale(p.NormalStrength)
		return unit(s.n.Scale(max(signed(t.b), 0.1)).Add(lean))
	}
	var lean Vec3
	out := 0.0
	for i := range s.sides {
		d := &s.sides[i]
		u, v := d.place(s.q, p.Scale)
		t := p.normal.sample(u, v, s.size)
		lean = lean.Add(d.bumped(signed(t.r), signed(t.g)).Scale(float64(d.weight * p.NormalStrength)))
		out += float64(d.weight * max(signed(t.b), 0.1))
	}
	return combine(Vec3{}, &p.turned, unit(p.into(s.n).Scale(out).Add(lean)))
}

// lie is how images lie on a face of a mesh that says so: at p they are at[0] + by[0]·p to the right, and at[1] + by[1]·p down.
type lie struct {
	at [2]float64
	by [2]Vec3
}

// place returns what of the images a place has, to the right and up.
func (l *lie) place(p Vec3) (u, v float64) {
	return l.at[0] + l.by[0].Dot(p), -(l.at[1] + l.by[1].Dot(p))
}

// directions returns what is to the right and up on images where a face has a normal; not where they are too much distorted to tell.
func (l *lie) directions(normal Vec3) (right, up Vec3, ok bool) {
	plane := l.by[0].Cross(l.by[1]) // along the face's normal, whichever way images are turned
	right = l.by[1].Cross(plane)    // the direction in which only the first grows
	if right.Dot(l.by[0]) < 0 {
		right = right.Scale(-1)
	}
	if right, ok = right.Sub(normal.Scale(normal.Dot(right))).Unit(); !ok {
		return right, up, false
	}
	up = normal.Cross(right)
	if up.Dot(l.by[1]) > 0 {
		up = up.Scale(-1)
	}
	return right, up, true
}

// signed returns what a part of a normal map stands for: 128 of 255, which is what such maps have for 0, is 0.
func signed(x float64) float64 { return float64(x*(255.0/127)) - 128.0/127 }

// highlight returns what a surface with a normal mirrors of a light of the strength 1, with the directions towards the light and the eye. (It is the
// distribution of Trowbridge and Reitz, times what is mirrored straight on.)
func highlight(n, light, eye Vec3, c rgb, roughness, metalness float64) rgb {
	a := max(float64(roughness*roughness), 0.02)
	a *= a
	cos := max(n.Dot(unit(light.Add(eye))), 0)
	d := 1 - float64(float64(cos*cos)*(1-a))
	return mix(rgb{0.04, 0.04, 0.04}, c, metalness).scale(a / float64(d*d) / 4)
}

// textured returns the colour of a face that images lie on, in the light that gets to it, with what of its own light an image says.
func (r *painterRow) textured(p *paper, f *face, i int, samples float64, c rgb, lamps []int32) rgb {
	s := r.fr.lens.distance(float64(r.near[i]))
	at := r.point(i, s)
	normal := r.fr.normal(f, at)
	eye, metres := r.fr.lens.covers(at, s, f.normal, float64(r.samples))
	var there patch
	there.set(p, r.fr.lie(f), at, normal, metres)
	look, bumped, roughness := there.look()
	c = r.snowed(f, i, samples, c.times(look))
	o := &r.objects[f.object]
	var light rgb
	if len(lamps) > 0 {
		light = r.lamps.on(lamps, at, bumped, f.normal, !o.NoReceive)
	}
	geometric := f.sun
	if f.slope != 0 {
		geometric += r.fr.slopes[f.slope-1].sun.Dot(at)
	}
	sun := 0.0
	if geometric > 0 {
		sun = max(bumped.Dot(r.sun), 0)
		if sun > 0 && r.sunlight != nil && !o.NoReceive {
			sun = float64(sun * r.shone(f, at, s, samples))
		}
	}
	rays := r.light.scale(sun)
	all := r.everywhere.scale(fillOn(bumped)).add(rays).add(light)
	shine := highlight(bumped, r.sun, eye, c, roughness, p.Metalness).times(rays)
	c = c.times(all).scale(1 - float64(0.4*p.Metalness)).add(shine)
	if p.light != nil && r.emits != nil {
		c = c.add(r.emits[f.object].times(there.blend(p.light)))
	}
	return c
}
