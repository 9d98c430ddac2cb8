package trigger

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// carried returns a zone that goes with an entity as it is to be where that is: as far from it, turned and as large as that has become since.
func (z *zone) carried(v *world.View) zone {
	at, _ := v.WorldTransform(z.Entity)
	now, grown, most := *z, world.Vec3{1, 1, 1}, 1.0
	if z.Scale != (world.Vec3{}) {
		most = 0
		for i := range grown {
			if z.Scale[i] != 0 {
				grown[i] = at.Scale[i] / z.Scale[i]
			}
			most = max(most, math.Abs(grown[i]))
		}
		now.Turn, now.Grown = world.Quat{}, world.Vec3{}
		if at.Rotation != world.NoRotation() && z.Shape != "sphere" {
			now.Turn = at.Rotation
		}
	}
	if grown != (world.Vec3{1, 1, 1}) {
		for i := range z.Size {
			now.Grown[i] = math.Abs(z.Size[i] * grown[i])
			if z.Shape == "sphere" {
				now.Grown[i] = z.Size[i] * most
			}
		}
		now.Grown = now.Grown.Bounded()
	}
	now.Center = at.Position.Add(at.Rotation.Rotate(z.Offset.Mul(grown))).Bounded()
	return now
}

// as reports whether a zone is where another is, and as large and turned as that.
func (z *zone) as(o *zone) bool {
	return z.Center == o.Center && z.Turn == o.Turn && z.Grown == o.Grown
}

// carriedBy reports whether an entity is the one that a zone goes with, or below that.
func (z *zone) carriedBy(v *world.View, id world.ID) bool {
	return z.Entity != 0 && v.Within(id, z.Entity)
}

// carry moves the zones that go with entities to where these are, and has all that may be in them, or may have been, be looked at.
func (t *Triggers) carry(tx *world.Tx) error {
	for h := range t.carried.All(&tx.View) {
		before, ok := t.zones.Get(&tx.View, h)
		if !ok {
			continue
		}
		z := before.carried(&tx.View)
		if z.as(&before) {
			continue
		}
		if err := t.unindex(tx, h, &before); err != nil {
			return err
		}
		if err := t.zones.Set(tx, h, z); err != nil {
			return err
		}
		if err := t.index(tx, h, &z); err != nil {
			return err
		}
		was, is := before.box(), z.box()
		if z.Shape == "sphere" || z.Turn != before.Turn || z.Turn != (world.Quat{}) { // what is in both boxes around them may be in one of them only
			t.lookIn(tx, was, box{})
			t.lookIn(tx, is, box{})
			continue
		}
		t.lookIn(tx, was, is)
		t.lookIn(tx, is, was)
	}
	return nil
}

// box is a box by its corners.
type box struct{ lo, hi world.Vec3 }

// How large a zone is that goes with an entity, in metres.
const (
	carriedHalf   = 256.0 // half the edges of a box
	carriedRadius = 64.0  // all of a sphere is looked at
)

// overlap is by how much boxes are larger than zones, in metres: more than numbers of a world are rounded by.
const overlap = 0.01

func (z *zone) box() box {
	half := z.half().Add(world.Vec3{overlap, overlap, overlap})
	return box{z.Center.Sub(half), z.Center.Add(half)}
}

// lookIn has what is in one box and not in another be looked at: what is in both is where it was, unless it has moved itself. A zone that goes on by a
// little crosses little, however large it is.
func (t *Triggers) lookIn(tx *world.Tx, in, but box) {
	rest := in
	for i := range rest.lo {
		but.lo[i], but.hi[i] = but.lo[i]+2*overlap, but.hi[i]-2*overlap
		if but.lo[i] >= but.hi[i] || rest.hi[i] < but.lo[i] || rest.lo[i] > but.hi[i] { // they have nothing in common
			t.touched = append(t.touched, tx.InBox(rest.lo, rest.hi)...)
			return
		}
		if rest.hi[i] > but.hi[i] {
			slab := rest
			slab.lo[i], rest.hi[i] = but.hi[i], but.hi[i]
			t.touched = append(t.touched, tx.InBox(slab.lo, slab.hi)...)
		}
		if rest.lo[i] < but.lo[i] {
			slab := rest
			slab.hi[i], rest.lo[i] = but.lo[i], but.lo[i]
			t.touched = append(t.touched, tx.InBox(slab.lo, slab.hi)...)
		}
	}
}

// behind reports whether a zone is not where its entity would have it.
func (t *Triggers) behind(v *world.View) bool {
	for h := range t.carried.All(v) {
		z, ok := t.zones.Get(v, h)
		if !ok {
			continue
		}
		if now := z.carried(v); !now.as(&z) {
			return true
		}
	}
	return false
}

// drop has the zones of an entity that is destroyed end with it.
func (t *Triggers) drop(tx *world.Tx, id world.ID) {
	if t.carried.Len(&tx.View) == 0 {
		return
	}
	var gone []Handle
	for h, carrier := range t.carried.All(&tx.View) {
		if carrier == id {
			gone = append(gone, h)
		}
	}
	for _, h := range gone {
		z, _ := t.zones.Get(&tx.View, h)
		_ = t.remove(tx, h, &z) // it takes away only, for which there is room
	}
}
