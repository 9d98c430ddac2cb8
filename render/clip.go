package render

// guard is how far beyond the picture's corner a corner of a polygon may lie, in samples.
const guard = 1 << 15

// maxCorners is how many corners a polygon of four can have once it is clipped: each of the five
// edges of what is visible adds at most one.
const maxCorners = 9

// clip cuts off what of a polygon cannot be projected: what is behind the camera, and what is so far
// beside the picture that sample numbers would overflow. It may use both buffers, and returns one.
func (l *lens) clip(polygon, spare []vertex) []vertex {
	out := 0
	for _, v := range polygon {
		if l.perspective && v.s < l.near || v.x < -guard*v.w || v.x > guard*v.w || v.y < -guard*v.w || v.y > guard*v.w {
			out++
		}
	}
	if out == 0 {
		return polygon
	}
	if l.perspective {
		polygon, spare = cut(polygon, spare[:0], func(v *vertex) float64 { return v.s - l.near }), polygon
	}
	polygon, spare = cut(polygon, spare[:0], func(v *vertex) float64 { return v.x + float64(guard*v.w) }), polygon
	polygon, spare = cut(polygon, spare[:0], func(v *vertex) float64 { return float64(guard*v.w) - v.x }), polygon
	polygon, spare = cut(polygon, spare[:0], func(v *vertex) float64 { return v.y + float64(guard*v.w) }), polygon
	return cut(polygon, spare[:0], func(v *vertex) float64 { return float64(guard*v.w) - v.y })
}

// cut keeps of a convex polygon what is on the side where inside is not negative (Sutherland and
// Hodgman's algorithm, for one edge).
func cut(polygon, into []vertex, inside func(*vertex) float64) []vertex {
	if len(polygon) == 0 {
		return into
	}
	a := &polygon[len(polygon)-1]
	da := inside(a)
	for i := range polygon {
		b := &polygon[i]
		db := inside(b)
		if (da < 0) != (db < 0) {
			t := da / (da - db)
			into = append(into, vertex{
				a.x + float64(t*(b.x-a.x)), a.y + float64(t*(b.y-a.y)),
				a.w + float64(t*(b.w-a.w)), a.s + float64(t*(b.s-a.s)),
			})
		}
		if db >= 0 {
			into = append(into, *b)
		}
		a, da = b, db
	}
	return into
}

// beyond says beyond which edges of the frame a point is. A face all of whose points are beyond the same does not show.
type beyond uint8

const (
	beyondLeft beyond = 1 << iota
	beyondRight
	beyondTop
	beyondBottom
	beyondEye // behind it: nothing else is said
)

// tell finds out beyond which edges those points are, by more than a sample, of which that is not known.
func (b *builder) tell() {
	l, width, height := b.fr.lens, float64(b.fr.width+1), float64(b.fr.height+1)
	for _, p := range b.points[len(b.codes):] {
		v := l.project(p)
		var code beyond
		switch {
		case l.perspective && v.s < near:
			code = beyondEye
		default:
			if v.x < -v.w {
				code |= beyondLeft
			} else if v.x > width*v.w {
				code |= beyondRight
			}
			if v.y < -v.w {
				code |= beyondTop
			} else if v.y > height*v.w {
				code |= beyondBottom
			}
		}
		b.codes = append(b.codes, code)
	}
}

// past reports whether three of the points are beyond the same edge, so that the face between them does not show.
func (b *builder) past(i, j, k int) bool { return b.codes[i]&b.codes[j]&b.codes[k] != 0 }
