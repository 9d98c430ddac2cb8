package render

import (
	"math"
)

// builder turns the objects of a scene into the faces of a frame.
type builder struct {
	fr     *frame
	scene  *Scene
	sun    Vec3 // direction towards it
	takes  sides
	lathes map[latheKey]*lathe
	spent  int // triangles of what is not a box

	object int32
	place  place
	points []Vec3 // scratch
	lights []lit
	bent   bool     // whether normals between the points are wanted
	bends  []Vec3   // normals of the points, if they are
	tints  []uint32 // of the points, in a field that has colours
	tint   uint32   // of a part of a figure that has another colour than that; else 0

	codes []beyond // of the points, where they are told

	coords [][2]float32 // where the points are in images, if they lie by that
}

// mostTriangles is how many a view spends on what is not a box. What comes when they are spent is drawn
// as a box, so that no scene takes all memory and time there is.
const mostTriangles = 1_500_000

// affords reports whether there are as many triangles to spend, and spends them.
func (b *builder) affords(triangles int) bool {
	if triangles > mostTriangles-b.spent {
		return false
	}
	b.spent += triangles
	return true
}

// sides says which faces of closed shapes a frame wants, and what of them: a picture those that turn to the camera, with the light on
// them, a light that throws shadows those that turn to it, a wireframe all.
type sides uint8

const (
	facing sides = iota
	blocking
	both
)

type latheKey struct {
	kind  Kind
	steps int
}

// lit is how much light a point gets.
type lit struct{ sun, fill float64 }

// lightOn returns the light on a surface with normal n: that of the sun, negative if it is turned
// away, and that from everywhere, a little different on each side so that edges show in the shade.
func (b *builder) lightOn(n Vec3) lit {
	return lit{n.Dot(b.sun), fillOn(n)}
}

// fillOn is how much of the light from everywhere a surface with normal n gets.
func fillOn(n Vec3) float64 { return 0.42 + float64(0.10*n[1]) - float64(0.06*n[0]) }

// place is a transform, taken apart: a point p of an object is at at + Σ axes[i]·p[i].
type place struct {
	at      Vec3
	turned  [3]Vec3 // the axes, of length 1
	axes    [3]Vec3 // the same, scaled
	inverse Vec3    // 1/scale
}

func placeOf(o *Object) place {
	t := &o.Transform
	p := place{at: t.Position}
	for i := range 3 {
		var e Vec3
		e[i] = 1
		p.turned[i] = t.Rotation.Rotate(e)
		p.axes[i] = p.turned[i].Scale(t.Scale[i])
		s := t.Scale[i]
		if math.Abs(s) < 1e-9 {
			s = math.Copysign(1e-9, s)
		}
		p.inverse[i] = 1 / s
	}
	return p
}

func combine(at Vec3, axes *[3]Vec3, p Vec3) Vec3 {
	for i := range at {
		at[i] = at[i] + float64(axes[0][i]*p[0]) + float64(axes[1][i]*p[1]) + float64(axes[2][i]*p[2])
	}
	return at
}

func (p *place) point(v Vec3) Vec3 { return combine(p.at, &p.axes, v) }

// normal returns where a normal of the shape points, once it is scaled and turned.
func (p *place) normal(n Vec3) Vec3 { return unit(combine(Vec3{}, &p.turned, n.Mul(p.inverse))) }

// all adds every object that keep wants.
func (b *builder) all(keep func(o *Object) bool) {
	b.reserve(keep)
	for i := range b.scene.Objects {
		if o := &b.scene.Objects[i]; keep(o) {
			b.add(int32(i), o)
		}
	}
}

// reserve makes room for the faces of what there may be most of.
func (b *builder) reserve(keep func(o *Object) bool) {
	n := 0
	for i := range b.scene.Objects {
		o := &b.scene.Objects[i]
		if o.Kind != Field || !keep(o) || !o.Heights.whole() {
			continue
		}
		b.place = placeOf(o)
		if reach := radius(o); sane(b.place.at) && reach <= far && !b.outside(reach) {
			stride := b.strides(o.Heights, reach)
			n += 2 * (o.Heights.Columns / stride) * (o.Heights.Rows / stride)
		}
	}
	n = min(n, mostTriangles)
	b.fr.faces, b.fr.corners = make([]face, 0, n), make([]corner, 0, 3*n)
	if b.takes == facing {
		b.fr.slopes = make([]slope, 0, n)
	}
}

// add adds an object.
func (b *builder) add(number int32, o *Object) {
	b.object, b.place, b.tints, b.coords = number, placeOf(o), nil, nil
	reach := radius(o)
	if !sane(b.place.at) || !(reach <= far) || b.outside(reach) {
		return
	}
	switch o.Kind {
	case Solid:
		if o.Mesh != nil && b.affords(len(o.Mesh.Triangles)) {
			if (b.takes == facing || on(b.fr.holed, number) != nil) && o.Surface != nil && o.Surface.Mapped && len(o.Mesh.Coords) == len(o.Mesh.Vertices) {
				b.coords = o.Mesh.Coords
			}
			b.mesh(o.Mesh)
			return
		}
	case Field:
		if !o.Heights.whole() {
			break
		}
		stride := b.strides(o.Heights, reach)
		if b.affords(2 * (o.Heights.Columns/stride + 1) * (o.Heights.Rows/stride + 1)) {
			b.field(o.Heights, stride)
			return
		}
	case Sphere, Capsule, Cylinder, Cone:
		if l := b.lathe(o.Kind, b.steps(reach)); b.affords(2 * l.sides * len(l.rings)) {
			b.round(o, l)
			return
		}
	}
	lo, hi := extent(o)
	switch o.Kind {
	case Wedge:
		b.wedge(hi)
	case Figure:
		b.figure(o)
	default:
		b.box(lo, hi)
	}
}

// outside reports whether nothing of a ball about the object's place can show.
func (b *builder) outside(reach float64) bool {
	l := b.fr.lens
	v := l.project(b.place.at)
	if l.perspective {
		if v.s+reach < near {
			return true
		}
		if v.s < 2*reach { // too near to be told by the size of its picture
			return false
		}
	}
	r := float64(2 * reach * l.scale) // what is beside the middle looks larger, but not twice
	return v.x+r < 0 || v.y+r < 0 || v.x-r > float64(b.fr.width)*v.w || v.y-r > float64(b.fr.height)*v.w
}

// steps returns into how many parts a quarter of a round shape is divided, so that its outline is
// off by half a sample at most.
func (b *builder) steps(reach float64) int {
	v := b.fr.lens.project(b.place.at)
	samples := reach * b.fr.lens.scale / max(v.w, near)
	most := 16.0
	if b.takes == both {
		most = 3
	}
	return int(min(max(math.Ceil(math.Sqrt(samples)), 2), most))
}

// box adds a box between two corners.
func (b *builder) box(lo, hi Vec3) {
	var corners [8]Vec3
	for i := range corners {
		p := lo
		for axis := range 3 {
			if i>>axis&1 == 1 {
				p[axis] = hi[axis]
			}
		}
		corners[i] = b.place.point(p)
	}
	for i := range boxSides {
		side := &boxSides[i]
		n := b.place.turned[side.axis].Scale(math.Copysign(side.sign, side.sign*b.place.inverse[side.axis]))
		p := &side.corners
		if b.wants(corners[p[0]], n) {
			b.flat(n, corners[p[0]], corners[p[1]], corners[p[2]], corners[p[3]])
		}
	}
}

// WedgeFaces are the faces of a [Wedge] whose half extents are 1: where each looks, which has any length, and its corners, against the
// clock as seen from there. It is not to be changed.
var WedgeFaces = [5]struct {
	Out     Vec3
	Corners []Vec3
}{
	{Vec3{0, -1, 0}, []Vec3{{-1, -1, -1}, {1, -1, -1}, {1, -1, 1}, {-1, -1, 1}}},
	{Vec3{0, 0, -1}, []Vec3{{-1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {1, -1, -1}}},
	{Vec3{0, 1, 1}, []Vec3{{-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, -1}}},
	{Vec3{1, 0, 0}, []Vec3{{1, -1, -1}, {1, 1, -1}, {1, -1, 1}}},
	{Vec3{-1, 0, 0}, []Vec3{{-1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}}},
}

// wedge adds a wedge with the given half extents.
func (b *builder) wedge(half Vec3) {
	thick := half.Max(Vec3{1e-9, 1e-9, 1e-9})
	var corners [4]Vec3
	for i := range WedgeFaces {
		side := &WedgeFaces[i]
		n := b.place.normal(Vec3{side.Out[0] / thick[0], side.Out[1] / thick[1], side.Out[2] / thick[2]})
		for k, p := range side.Corners {
			corners[k] = b.place.point(p.Mul(half))
		}
		if b.wants(corners[0], n) {
			b.flat(n, corners[:len(side.Corners)]...)
		}
	}
}

// wants reports whether the frame takes a face of a closed shape.
func (b *builder) wants(p, n Vec3) bool {
	return b.takes == both || b.fr.lens.sees(p, n)
}

// flat adds a face that is lit evenly.
func (b *builder) flat(n Vec3, points ...Vec3) {
	light := b.lightOn(n)
	f := face{object: b.object, sun: light.sun, fill: light.fill}
	b.fr.add(&f, n, points...)
}

// lathe returns how a round shape is divided.
func (b *builder) lathe(kind Kind, steps int) *lathe {
	if kind == Capsule {
		kind = Sphere
	}
	key := latheKey{kind, steps}
	l := b.lathes[key]
	if l == nil {
		l = newLathe(kind, steps)
		b.lathes[key] = l
	}
	return l
}

// round adds a shape that is round about its y axis.
func (b *builder) round(o *Object, l *lathe) {
	size, straight := o.Size, 0.0
	if o.Kind == Capsule {
		dome := float64(min(size[0], size[1], size[2]) / 2)
		straight, size[1] = float64(size[1]/2)-dome, 2*dome
	}
	width := len(l.circle)
	b.clear()
	for _, r := range l.rings {
		for _, c := range l.circle {
			p := Vec3{float64(r.radius*c.cos) * size[0], float64(r.y*size[1]) + float64(r.end*straight), float64(r.radius*c.sin) * size[2]}
			n := Vec3{float64(r.out*c.cos) / max(size[0], 1e-9), r.upward / max(size[1], 1e-9), float64(r.out*c.sin) / max(size[2], 1e-9)}
			b.points = append(b.points, b.place.point(p))
			if b.takes != blocking {
				b.vertex(b.place.normal(n))
			}
		}
	}
	b.tell()
	for i, r := range l.rings[:len(l.rings)-1] {
		if r.sharp {
			continue
		}
		for j := range l.sides {
			a := i*width + j
			b.triangle(a, a+1, a+width, true)
			b.triangle(a+1, a+width+1, a+width, true)
		}
	}
}

// triangle adds a face between three of the points, its light going from one to the other. Round
// shapes are wound so that their normal is the vector product of the sides.
func (b *builder) triangle(i, j, k int, closed bool) {
	if b.past(i, j, k) {
		return
	}
	t, ok := b.plane(i, j, k)
	if !ok {
		return
	}
	p, n := t.p, t.normal
	if closed && float64(b.place.inverse[0]*b.place.inverse[1])*b.place.inverse[2] < 0 {
		n = n.Scale(-1)
	}
	if closed && !b.wants(p, n) {
		return
	}
	// The light is the linear function on the triangle's plane with the three given values.
	f := face{object: b.object, tint: b.tint}
	if b.tints != nil {
		f.tint = tinted | average(b.tints[i], b.tints[j], b.tints[k])
	}
	if b.takes == blocking {
		f.slope = 1
		b.laid(&f, &t, i, j, k, n)
		return
	}
	var s slope
	f.sun, s.sun = t.linear(b.lights[i].sun, b.lights[j].sun, b.lights[k].sun)
	f.fill, s.fill = t.linear(b.lights[i].fill, b.lights[j].fill, b.lights[k].fill)
	f.slope = int32(len(b.fr.slopes) + 1)
	if b.laid(&f, &t, i, j, k, n) && b.takes == facing {
		b.fr.slopes = append(b.fr.slopes, s)
		if len(b.bends) > 0 {
			var c bend
			for a := range 3 {
				c.at[a], c.by[a] = t.linear(b.bends[i][a], b.bends[j][a], b.bends[k][a])
			}
			b.fr.bends = append(b.fr.bends, c)
		}
	}
}

// facet is the plane of a triangle, and how places on it are told.
type facet struct {
	p        Vec3 // its first corner
	normal   Vec3
	byU, byV Vec3 // what a place is along its two sides from there, is the product with these
}

// plane returns the plane of three of the points; not if they are on a line.
func (b *builder) plane(i, j, k int) (t facet, ok bool) {
	t.p = b.points[i]
	u, v := b.points[j].Sub(t.p), b.points[k].Sub(t.p)
	area := u.Cross(v)
	twice := area.Len()
	if !(twice > 1e-18) {
		return t, false
	}
	t.normal = Vec3{area[0] / twice, area[1] / twice, area[2] / twice}
	t.byU, t.byV = v.Cross(area).Scale(1/twice/twice), area.Cross(u).Scale(1/twice/twice)
	return t, true
}

// laid adds a face between three points, and how images lie on it if the points say so. It reports whether anything of it shows.
func (b *builder) laid(f *face, t *facet, i, j, k int, n Vec3) bool {
	if b.coords == nil {
		return b.fr.add(f, n, t.p, b.points[j], b.points[k])
	}
	f.lie = int32(len(b.fr.lies) + 1)
	if !b.fr.add(f, n, t.p, b.points[j], b.points[k]) {
		return false
	}
	var l lie
	for a := range l.at {
		l.at[a], l.by[a] = t.linear(float64(b.coords[i][a]), float64(b.coords[j][a]), float64(b.coords[k][a]))
	}
	b.fr.lies = append(b.fr.lies, l)
	return true
}

// clear forgets the points of the shape before.
func (b *builder) clear() {
	b.points, b.lights, b.bends, b.codes = b.points[:0], b.lights[:0], b.bends[:0], b.codes[:0]
}

// vertex adds the light on the newest of the points, where the normal is n.
func (b *builder) vertex(n Vec3) {
	b.lights = append(b.lights, b.lightOn(n))
	if b.bent {
		b.bends = append(b.bends, n)
	}
}

// linear returns the function at + by·x that is l0 at the first corner of a triangle, l1 at the second and l2 at the third.
func (t *facet) linear(l0, l1, l2 float64) (at float64, by Vec3) {
	by = t.byU.Scale(l1 - l0).Add(t.byV.Scale(l2 - l0))
	return l0 - by.Dot(t.p), by
}

// mesh adds triangles that are seen from both sides.
func (b *builder) mesh(m *Mesh) {
	b.clear()
	for _, v := range m.Vertices {
		b.points = append(b.points, b.place.point(v))
	}
	b.tell()
	smooth := len(m.Normals) == len(m.Vertices)
	if smooth && b.takes != blocking {
		for i, n := range m.Normals {
			b.vertex(b.seen(b.points[i], b.place.normal(n)))
		}
	}
	for _, t := range m.Triangles {
		i, j, k := int(t[0]), int(t[1]), int(t[2])
		if max(i, j, k) >= len(b.points) {
			continue
		}
		if smooth {
			b.triangle(i, j, k, false)
			continue
		}
		if b.past(i, j, k) {
			continue
		}
		if t, ok := b.plane(i, j, k); ok {
			light := b.lightOn(b.seen(t.p, t.normal))
			f := face{object: b.object, sun: light.sun, fill: light.fill}
			b.laid(&f, &t, i, j, k, t.normal)
		}
	}
}

// seen returns the normal of an open surface on the side that the camera sees.
func (b *builder) seen(p, n Vec3) Vec3 {
	if !b.fr.lens.sees(p, n) {
		return n.Scale(-1)
	}
	return n
}

// How many samples of a picture the cells of a field have at least, each way, if there are enough of them; and of one that the sun takes, in which
// ground throws no shadow on what is just below it.
const (
	finest    = 3
	finestSun = 8
)

// strides returns of how many samples of a field one is taken, each way: the farther away it is, the more.
func (b *builder) strides(h *Heights, reach float64) int {
	v := b.fr.lens.project(b.place.at)
	w := v.w
	if b.fr.lens.perspective {
		w = max(v.s-reach, near) // what of it is the nearest
	}
	cell := h.Cell * max(b.place.axes[0].Len(), b.place.axes[2].Len()) * b.fr.lens.scale / w
	stride, least := 1, float64(finest)
	if b.takes == blocking {
		least = finestSun
	}
	for float64(cell*float64(stride)) < least && (h.Columns-1)%(2*stride) == 0 && (h.Rows-1)%(2*stride) == 0 {
		stride *= 2
	}
	return stride
}

// field adds a height field, of whose samples it takes one of so many, each way. What takes fewer than all has an edge that hangs down all around, for
// there to be no gap beside one that takes more.
func (b *builder) field(h *Heights, stride int) {
	b.clear()
	b.tints = nil
	columns, rows := (h.Columns-1)/stride+1, (h.Rows-1)/stride+1
	var normals []Vec3
	if b.takes != blocking {
		normals = h.normals()
	}
	var tints []uint32
	add := func(i int, down float64) {
		p := h.point(i%h.Columns, i/h.Columns)
		p[1] -= down
		b.points = append(b.points, b.place.point(p))
		if b.takes != blocking {
			b.vertex(b.place.normal(normals[i]))
		}
		if h.Colors != nil && b.takes != blocking {
			tints = append(tints, h.Colors[i])
		}
	}
	for z := range rows {
		for x := range columns {
			add(z*stride*h.Columns+x*stride, 0)
		}
	}
	edge := func(from, by, count int) { // of the points
		for k := range count - 1 {
			i, j := from+k*by, from+(k+1)*by
			below := len(b.points)
			for _, p := range [...]int{i, j} {
				add(p/columns*stride*h.Columns+p%columns*stride, float64(h.Cell*float64(stride)))
			}
			b.tints = tints
			b.tell()
			b.triangle(i, below, j, false)
			b.triangle(j, below, below+1, false)
		}
	}
	b.tints = tints
	b.tell()
	for z := range rows - 1 {
		for x := range columns - 1 {
			i := z*columns + x
			b.triangle(i, i+columns, i+1, false)
			b.triangle(i+1, i+columns, i+columns+1, false)
		}
	}
	if stride > 1 && b.fr.lens.perspective {
		edge(0, 1, columns)
		edge((rows-1)*columns, 1, columns)
		edge(0, columns, rows)
		edge(columns-1, columns, rows)
	}
}
