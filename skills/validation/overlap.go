package validation

import (
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// A repair that takes something farther than farAway, in metres, and that many times as far as it was in something is out of proportion: nothing is moved.
const (
	farAway      = 0.5
	timesFarther = 4
)

// interpenetrating finds what cuts into something else.
func (c *check) interpenetrating() {
	for _, u := range c.stage.live() {
		if c.more { // nothing else will be told
			return
		}
		// What is moved out of one thing may still be in another one.
		for range 8 {
			if u.gone || !c.partFrom(u) {
				break
			}
		}
	}
}

// partFrom finds the first older unit that u and it are in each other, and parts them. It reports
// whether there was one.
func (c *check) partFrom(u *unit) bool {
	for _, o := range c.stage.grid.near(u.bounds, 0) {
		if o.root >= u.root || o.gone || o.walks || !c.concerns(u) && !c.concerns(o) {
			continue
		}
		contact, cuts := cut(o, u)
		if !cuts {
			continue
		}
		if c.full() {
			return false
		}
		mover, other, out := u, o, contact.Normal
		if keeps(u, o) {
			mover, other, out = o, u, out.Scale(-1)
		}
		depth := -contact.Gap
		if a, b, ok := jointOf(mover, other); ok && !lies(a, b, contact) {
			fix := c.stage.declare(mover, other)
			c.report(Interpenetrating, depth, fix, []*unit{mover, other},
				"%v is %s deep in %v, as what is built is where it is joined. The fix says so, and leaves them where they are", mover, metres(depth), other)
			c.declared()
			return true
		}
		if way := out.Scale(depth); way[1] > 0.7*depth && depth <= little {
			if group, ok := c.raise(mover, depth/out[1]); ok {
				c.report(Interpenetrating, depth, placeAll(group), slices.Concat([]*unit{mover, other}, group[1:]), "%v is %s deep in %v", mover, metres(depth), other)
				c.about(2)
				return true
			}
		}
		from := [...]world.Vec3{mover.at(), other.at()}
		back := [...]func(){c.stage.keep(mover), c.stage.keep(other)}
		changed, fix := c.part(mover, other, out.Scale(depth))
		went := changed.at().Dist(from[0])
		if changed == other {
			went = changed.at().Dist(from[1])
		}
		note := ""
		if went > max(farAway, timesFarther*depth) {
			if mover.builds() && other.builds() {
				for _, undo := range back {
					undo()
				}
				c.report(Interpenetrating, depth, c.stage.declare(mover, other), []*unit{mover, other},
					"%v is %s deep in %v. To part them would take one of them %s away, so the fix says that they are joined, and leaves them where they are. If that is wrong, move or destroy one instead",
					mover, metres(depth), other, metres(went))
				c.declared()
				return true
			}
			note = fmt.Sprintf(". To part them the fix takes it %s away", metres(went))
		}
		if changed == other {
			mover, other = other, mover
		}
		c.report(Interpenetrating, depth, fix(changed), []*unit{mover, other},
			"%v is %s deep in %v%s", mover, metres(depth), other, note)
		return true
	}
	return false
}

// cut returns how b is to a, and whether they cut into each other, not on purpose.
func cut(a, b *unit) (solid.Contact, bool) {
	if a.group != 0 && a.group == b.group { // one of them has come there on paper
		return solid.Contact{}, false
	}
	contact := between(a, b)
	return contact, contact.Gap < -tolerance && !meant(a, b)
}

// keeps reports whether, of two units that are in each other, the younger one keeps its place.
func keeps(younger, older *unit) bool {
	switch {
	case younger.exempt != older.exempt:
		return younger.exempt
	case younger.floor(0) != older.floor(0):
		return younger.floor(0)
	}
	return younger.volume() > 2*older.volume()
}
