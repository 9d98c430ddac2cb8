package world

import (
	"math"

	"github.com/limina-mcp/limina/internal/decimal"
)

// Part is one of the parts of an entity's JSON behind its place: its parent, or a component.
type Part struct {
	Name string
	End  int // where its JSON ends; it starts where that of the part before it ends
}

// AppendParts appends the JSON of an entity's parts, one right behind the other, in the order in
// which [World.AppendEntity] has them, and appends to parts which is where. Together with
// [AppendPlace] it is what an observer copies who puts entities together itself.
func (w *World) AppendParts(dst []byte, parts []Part, v *View, id ID) ([]byte, []Part) {
	if p := v.Parent(id); p != 0 {
		dst = append(p.append(append(dst, '"')), '"')
		parts = append(parts, Part{"parent", len(dst)})
	}
	for _, c := range w.columns {
		b := c.base()
		if b.private {
			continue
		}
		var ok bool
		if dst, ok = c.appendOf(dst, id); ok {
			parts = append(parts, Part{b.name, len(dst)})
		}
	}
	return dst, parts
}

// AppendPlace appends the beginning of an entity as [World.AppendEntity] writes it: id, eid, pos, rot,
// scale and, if it has a rigid body, body, without the closing brace. t is in world space.
func AppendPlace(dst []byte, id ID, t *Transform, body bool) []byte {
	dst = id.append(append(dst, `{"id":"`...))
	dst = decimal.Append(append(dst, `","eid":`...), id.Number())
	dst = appendCoordinates(append(dst, `,"pos":[`...), t.Position[:])
	dst = appendCoordinates(append(dst, `],"rot":[`...), t.Rotation[:])
	dst = append(appendCoordinates(append(dst, `],"scale":[`...), t.Scale[:]), ']')
	if body {
		dst = appendCoordinates(append(dst, `,"body":[`...), t.Position[:])
		dst = append(appendCoordinates(append(dst, ','), t.Rotation[:]), ']')
	}
	return dst
}

// appendCoordinates is appendFloats, without brackets, for numbers that are often small integers.
func appendCoordinates(dst []byte, xs []float64) []byte {
	for i, x := range xs {
		if i > 0 {
			dst = append(dst, ',')
		}
		if x >= -1e6 && x <= 1e6 {
			if n := int64(x); float64(n) == x && (n != 0 || !math.Signbit(x)) {
				dst = decimal.AppendInt(dst, n)
				continue
			}
		}
		dst = appendFloat(dst, x)
	}
	return dst
}
