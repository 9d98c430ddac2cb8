package render

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

// linear returns the function at + by·x that is l0 at the first corner of a triangle, l1 at the second and l2 at the third.
func (t *facet) linear(l0, l1, l2 float64) (at float64, by Vec3) {
	by = t.byU.Scale(l1 - l0).Add(t.byV.Scale(l2 - l0))
	return l0 - by.Dot(t.p), by
}
