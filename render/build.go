package render

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

// lit is how much light a point gets.
type lit struct{ sun, fill float64 }

// lightOn returns the light on a surface with normal n: that of the sun, negative if it is turned
// away, and that from everywhere, a little different on each side so that edges show in the shade.
func (b *builder) lightOn(n Vec3) lit {
	return lit{n.Dot(b.sun), fillOn(n)}
}

// fillOn is how much of the light from everywhere a surface with normal n gets.
func fillOn(n Vec3) float64 { return 0.42 + float64(0.10*n[1]) - float64(0.06*n[0]) }

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

// wants reports whether the frame takes a face of a closed shape.
func (b *builder) wants(p, n Vec3) bool {
	return b.takes == both || b.fr.lens.sees(p, n)
}
