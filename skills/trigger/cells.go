package trigger

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/skills/internal/derived"
	"github.com/limina-mcp/limina/world"
)

// Zones are found by square cells of the ground. The cells are rows of a table, so that whatever takes zones back, a rollback
// or a checkpoint, takes them back too.
const (
	cellSize = 16.0 // metres
	maxCells = 64   // that a zone is in; a larger one is looked at wherever something moves
)

// everywhere is the key of zones that are in too many cells. No cell has it.
const everywhere int64 = math.MinInt64

// cellOf returns the column or row of a coordinate.
func cellOf(x float64) int32 {
	return int32(min(max(math.Floor(x/cellSize), math.MinInt32+1), math.MaxInt32))
}

func cellKey(x, z int32) int64 { return int64(x)<<32 | int64(uint32(z)) }

// cells returns the keys of the cells that a zone is in.
func (z *zone) cells() []int64 {
	half := z.half()
	rx, rz := half[0], half[2]
	x0, x1 := cellOf(z.Center[0]-rx), cellOf(z.Center[0]+rx)
	z0, z1 := cellOf(z.Center[2]-rz), cellOf(z.Center[2]+rz)
	wide, deep := int64(x1)-int64(x0)+1, int64(z1)-int64(z0)+1
	if wide > maxCells || deep > maxCells || wide*deep > maxCells {
		return []int64{everywhere}
	}
	keys := make([]int64, 0, wide*deep)
	for x := int64(x0); x <= int64(x1); x++ {
		for z := int64(z0); z <= int64(z1); z++ {
			keys = append(keys, cellKey(int32(x), int32(z)))
		}
	}
	return keys
}

// index puts a zone into its cells.
func (t *Triggers) index(tx *world.Tx, h Handle, z *zone) error {
	return derived.Move(tx, t.cells, h, nil, z.cells())
}

// unindex takes a zone out of its cells.
func (t *Triggers) unindex(tx *world.Tx, h Handle, z *zone) error {
	return derived.Move(tx, t.cells, h, z.cells(), nil)
}

// reindex puts all zones into their cells anew, and what is in them into those that were in none.
func (t *Triggers) reindex(tx *world.Tx) error {
	want := map[int64][]Handle{}
	for h, z := range t.zones.All(&tx.View) {
		for _, key := range z.cells() {
			want[key] = append(want[key], h)
		}
	}
	t.back = map[Handle]bool{}
	for key, all := range want {
		there, _ := t.cells.Get(&tx.View, key)
		for _, h := range all {
			if !slices.Contains(there, h) {
				t.back[h] = true
			}
		}
	}
	if err := derived.Remake(tx, t.cells, want, slices.Equal); err != nil {
		return err
	}
	return t.rejoin(tx)
}

// at appends the zones that an entity is in, in the order of their handles.
func (t *Triggers) at(dst []Handle, v *world.View, id world.ID) []Handle {
	if t.static(v, id) {
		return dst
	}
	p, ok := v.Position(id)
	if !ok {
		return dst
	}
	first := len(dst)
	for _, key := range [2]int64{cellKey(cellOf(p[0]), cellOf(p[2])), everywhere} {
		near, _ := t.cells.Get(v, key)
		for _, h := range near {
			if z, ok := t.zones.Get(v, h); ok && z.contains(p) && t.counts(v, id, &z) {
				dst = append(dst, h)
			}
		}
	}
	slices.Sort(dst[first:])
	return dst
}

// counts reports whether a zone notices an entity.
func (t *Triggers) counts(v *world.View, id world.ID, z *zone) bool {
	return (z.Tag == "" || v.HasTag(id, z.Tag)) && (!z.Players || t.plays != nil && t.plays(v, id)) && !z.carriedBy(v, id)
}

// static reports whether an entity has a static body, or is a group of nothing but such: a building.
func (t *Triggers) static(v *world.View, id world.ID) bool {
	if b, ok := t.w.Bodies.Get(v, id); ok {
		return b.Type == "static"
	}
	parts := v.Children(id)
	return len(parts) > 0 && !t.w.Shapes.Has(v, id) && !slices.ContainsFunc(parts, func(part world.ID) bool { return !t.static(v, part) })
}
