// Package solid says what room entities take up: the box, ball, capsule, cylinder, cone, wedge or model that an entity's shape is
// where the entity is, how large it is, and how far two of them are apart or how deep one is in the
// other. Skills that check, measure and place stand on it.
//
//	w.View(func(v *world.View) {
//		a, _ := solid.Of(w, v, table)
//		b, _ := solid.Of(w, v, cup)
//		if c := solid.Between(a, b); c.Gap < 0 {
//			// the cup is -c.Gap metres deep in the table
//		}
//	})
//
// Everything is in world space and in metres, follows rotation, scale and parents, and is computed
// with products that are rounded one by one (see [world.Vec3]), so that every platform gets the same
// numbers. Values are immutable; functions may be called concurrently.
package solid
