package interaction

import (
	"fmt"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// touching is how near is there, in metres.
const touching = 1e-9

// goal is what somebody has to reach.
type goal struct {
	what string       // for messages
	id   world.ID     // 0: a place
	box  solid.Bounds // where it is
	most float64      // from how far, in metres
}

// goal returns what reaching an entity is, from so far at most.
func (t *Things) goal(v *world.View, id world.ID, most float64) goal {
	return goal{id.String(), id, t.bounds(v, id), most}
}

// wall returns the body that is between a box and a goal, 0 if there is a line that meets none: from the middle of the box or of its top, to what of the goal is
// nearest to that, its middle or that of its top. Neither who acts nor the goal is in the way, nor is what lives, can be picked up, or
// is in one small group with the goal.
func (t *Things) wall(v *world.View, who world.ID, from solid.Bounds, to *goal) world.ID {
	hit := t.blocks(v, who, from, to, to.id)
	if hit == 0 || to.id == 0 {
		return hit
	}
	if whole := t.whole(v, to); whole != to.id {
		return t.blocks(v, who, from, to, whole)
	}
	return hit
}

// whole returns the largest group around a goal that is no larger than it can be reached from: a door with its frame, and not a house.
func (t *Things) whole(v *world.View, to *goal) world.ID {
	id := to.id
	for up := range v.Up(v.Parent(id)) {
		if size := t.bounds(v, up).Size(); max(size[0], size[1], size[2]) > to.most {
			break
		}
		id = up
	}
	return id
}

// blocks is wall, where all of an entity counts for the goal.
func (t *Things) blocks(v *world.View, who world.ID, from solid.Bounds, to *goal, whole world.ID) (first world.ID) {
	for _, eye := range [...]world.Vec3{from.Center(), top(from)} {
		skip := func(id world.ID) bool { return t.passes(v, id, who, whole) || t.around(v, id, eye) }
		for _, point := range [...]world.Vec3{eye.Max(to.box.Lo).Min(to.box.Hi), to.box.Center(), top(to.box)} {
			far := eye.Dist(point)
			if far < touching {
				return 0
			}
			hit, ok := t.looks.Ray(v, eye, point.Sub(eye).Scale(1/far), far, skip)
			if !ok {
				return 0
			}
			if first == 0 {
				first = hit.Entity
			}
		}
	}
	return first
}

// top is the middle of the top of a box.
func top(b solid.Bounds) world.Vec3 {
	p := b.Center()
	p[1] = b.Hi[1]
	return p
}

// passes reports whether an entity is in nobody's way: it has no body, or belongs to who acts or to what he reaches for, or lives, or can be picked up.
func (t *Things) passes(v *world.View, id, who, whole world.ID) bool {
	if !t.w.Bodies.Has(v, id) || v.Within(id, who) || v.Within(id, whole) || t.cast.Lives(v, id) {
		return true
	}
	th, _ := t.things.Get(v, id)
	return th.Type == "pickup"
}

// around reports whether a point is in an entity.
func (t *Things) around(v *world.View, id world.ID, p world.Vec3) bool {
	s, ok := solid.Of(t.w, v, id)
	if !ok {
		return true
	}
	far, hit := s.Ray(p, world.Vec3{0, 1, 0})
	return hit && far == 0
}

// barred says that something is between who acts and what he reaches for, and what helps.
func (t *Things) barred(v *world.View, wall world.ID, from, to string) string {
	why := fmt.Sprintf("%s is between %s and %s", wall, from, to)
	if id := t.shut(v, wall); id != 0 {
		return fmt.Sprintf("%s: interaction.open {\"entity\":%q} opens it", why, id)
	}
	return why + ": go round it"
}
