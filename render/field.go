package render

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
	if h.Facets != nil && stride == 1 && b.takes != blocking {
		b.facets(h.Facets)
		return
	}
	s := sheet{Heights: h, stride: stride, columns: (h.Columns-1)/stride + 1, rows: (h.Rows-1)/stride + 1}
	if b.takes != blocking {
		s.normals = h.normals()
	}
	for i := range s.columns * s.rows {
		b.sample(&s, i, 0)
	}
	b.tell()
	for z := range s.rows - 1 {
		for x := range s.columns - 1 {
			i := z*s.columns + x
			b.triangle(i, i+s.columns, i+1, false)
			b.triangle(i+1, i+s.columns, i+s.columns+1, false)
		}
	}
	if stride > 1 && b.fr.lens.perspective {
		b.edge(&s, 0, 1, s.columns)
		b.edge(&s, (s.rows-1)*s.columns, 1, s.columns)
		b.edge(&s, 0, s.columns, s.rows)
		b.edge(&s, s.columns-1, s.columns, s.rows)
	}
}

// facets adds a surface of triangles.
func (b *builder) facets(s *Facets) {
	for i, p := range s.Points {
		b.points = append(b.points, b.place.point(p))
		b.vertex(b.place.normal(s.Normals[i]))
		b.tints = append(b.tints, s.Colors[i])
	}
	b.tell()
	for _, t := range s.Triangles {
		b.triangle(int(t[0]), int(t[1]), int(t[2]), false)
	}
}

// sheet is what is taken of a height field.
type sheet struct {
	*Heights
	stride        int
	columns, rows int    // of the samples that are taken
	normals       []Vec3 // of all samples, if they are wanted
}

// sample adds the i-th of the samples that are taken, so many metres lower than it is.
func (b *builder) sample(s *sheet, i int, down float64) {
	x, z := i%s.columns*s.stride, i/s.columns*s.stride
	p := s.point(x, z)
	p[1] -= down
	b.points = append(b.points, b.place.point(p))
	if b.takes == blocking {
		return
	}
	at := z*s.Columns + x
	b.vertex(b.place.normal(s.normals[at]))
	if s.Colors != nil {
		b.tints = append(b.tints, s.Colors[at])
	}
}

// edge hangs a strip from count of the samples that are taken, which are by apart.
func (b *builder) edge(s *sheet, from, by, count int) {
	for k := range count - 1 {
		i, j := from+k*by, from+(k+1)*by
		below := len(b.points)
		for _, p := range [...]int{i, j} {
			b.sample(s, p, float64(s.Cell*float64(s.stride)))
		}
		b.tell()
		b.triangle(i, below, j, false)
		b.triangle(j, below, below+1, false)
	}
}

// normals returns the normal of every sample of a height field.
func (h *Heights) normals() []Vec3 {
	if len(h.Normals) == len(h.At) {
		return h.Normals
	}
	n := make([]Vec3, len(h.At))
	at := func(x, z int) float64 {
		return h.At[min(max(z, 0), h.Rows-1)*h.Columns+min(max(x, 0), h.Columns-1)]
	}
	for z := range h.Rows {
		for x := range h.Columns {
			n[z*h.Columns+x] = unit(Vec3{at(x-1, z) - at(x+1, z), 2 * h.Cell, at(x, z-1) - at(x, z+1)})
		}
	}
	return n
}

// point returns where a sample of a height field is, from its middle.
func (h *Heights) point(x, z int) Vec3 {
	return Vec3{
		float64((float64(x) - float64(float64(h.Columns-1)/2)) * h.Cell), h.At[z*h.Columns+x],
		float64((float64(z) - float64(float64(h.Rows-1)/2)) * h.Cell),
	}
}

// whole reports whether a height field has as many heights as it says.
func (h *Heights) whole() bool {
	return h != nil && h.Columns >= 2 && h.Rows >= 2 && h.Cell > 0 && len(h.At) == h.Columns*h.Rows && (h.Colors == nil || len(h.Colors) == len(h.At)) && (h.Facets == nil || h.Facets.whole())
}

// whole reports whether a surface has as many of all as it says.
func (s *Facets) whole() bool {
	n := uint64(len(s.Points))
	if len(s.Normals) != len(s.Points) || len(s.Colors) != len(s.Points) {
		return false
	}
	for _, t := range s.Triangles {
		if uint64(max(t[0], t[1], t[2])) >= n {
			return false
		}
	}
	return true
}
