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
