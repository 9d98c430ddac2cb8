package physics

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// obstacle returns what an entity is in the way with; false if it has no body or one that gives way.
func (p *Physics) obstacle(v *world.View, id world.ID) (solid.Solid, bool) {
	b, ok := p.describe(v, id)
	if !ok || b.Kind == Dynamic {
		return solid.Solid{}, false
	}
	return p.solid(&b), true
}

// obstacles returns what does not give way and reaches into a room, but one entity.
func (p *Physics) obstacles(v *world.View, room solid.Bounds, but world.ID) (all []obstacle) {
	for _, f := range p.firm.In(v, room) {
		if f.Entity != but {
			all = append(all, obstacle{id: f.Entity, solid: f.Solid, bounds: f.Bounds})
		}
	}
	return all
}

// Room returns where a character has room whose centre is to be at a place: there, or else where it gets to by the shortest way out of
// what takes up that place, which it returns too. The way leads aside or up, at most as far as twice its height and through nothing else;
// where there is none, up to the first place with room for it. It fails if that is beyond [Reach]. Dynamic bodies take up no room: they
// are pushed.
func (p *Physics) Room(v *world.View, at world.Vec3, c *Character) (to world.Vec3, in world.ID, err error) {
	f := NewForm("capsule", c.size(c.Crouching))
	way, in, ok := wayOut(f.at(at, world.NoRotation()), true, func(room solid.Bounds) []obstacle { return p.obstacles(v, room, 0) })
	if !ok {
		return at, in, &world.Error{Code: "handler_error", Message: fmt.Sprintf("position: it would be in %s, and above that there is no room within %d m; spatial.freeSpace finds a place", in, Reach)}
	}
	return at.Add(way), in, nil
}

// upright is how much of a normal of length 1 is up, or down, in what a character stands on or has above itself and is not stopped by.
const upright = 0.7

// Blocked returns what a character that stands on something stands against, so that it would go nowhere with an intent: 0 if it would
// get somewhere, or it cannot be told. It knows what is static or kinematic now, not what will have moved.
func (p *Physics) Blocked(v *world.View, id world.ID, in Intent) world.ID {
	if against, slides := p.Against(v, id, in); !slides {
		return against
	}
	return 0
}

// Against returns what a character that stands on something stands against with an intent, 0 if that is nothing, or it cannot be told, and whether it
// gets somewhere all the same, along it. It knows what [Physics.Blocked] knows.
func (p *Physics) Against(v *world.View, id world.ID, in Intent) (against world.ID, slides bool) {
	c, _ := p.characters.Get(v, id)
	b, ok := p.describe(v, id)
	way := heading(in.Forward, in.Strafe, world.QuatFromEuler(0, in.Yaw, 0))
	if !ok || !c.Grounded && !c.Swimming || way == (world.Vec3{}) || in.Jump || b.Form.Kind != Capsule {
		return 0, true
	}
	way = flat(way)
	me, radius := b.Form.at(b.Position, b.Rotation), b.Form.Radius
	room, reach := me.Bounds(), 2*radius
	around := p.obstacles(v, solid.Bounds{Lo: room.Lo.Sub(world.Vec3{reach, reach, reach}), Hi: room.Hi.Add(world.Vec3{reach, reach, reach})}, id)
	step := max(float64(level(heading(in.Forward, in.Strafe, world.NoRotation()))*c.speed(&motion{Run: in.Run}))/float64(p.w.StepRate()), creeps)
	ways, against := touched(&me, around, way, float64(2*gap*radius), creeps/step)
	for _, way := range ways {
		if comes(me, around, way, radius) {
			return against, true
		}
	}
	return against, false
}

// slow is the part of its speed below which a character that slides along a wall counts as standing. One that stands against an edge slides faster and
// faster, some 600 times as fast after half a second at the usual speed: it does unless a step of it is one that is none, see [Physics.reached].
const slow = 0.01

// touched returns where one gets, seen from above, that is sent somewhere: there, and along the walls that are nearer to it than reach; and
// that wall which is most in its way, 0 if none is. Who slides by less than the poised part of his way does not.
func touched(me *solid.Solid, around []obstacle, way world.Vec3, reach, poised float64) (ways []world.Vec3, against world.ID) {
	bounds, most := me.Bounds(), 0.0
	ways = append(ways, way)
	for i := range around {
		o := &around[i]
		if !o.bounds.Near(bounds, reach) {
			continue
		}
		c := solid.Between(o.solid, *me)
		if c.Gap > reach || math.Abs(c.Normal[1]) >= upright {
			continue
		}
		away := flat(c.Normal)
		d := away.Dot(way)
		if along := way.Sub(away.Scale(d)); d < 0 && (along.Len() > slow || along.Len() > poised && slips(o, me, way, flat(along))) {
			ways = append(ways, flat(along))
		}
		if d < most {
			most, against = d, o.id
		}
	}
	return ways, against
}

// slips reports whether a character slides the faster along an obstacle the further it has slid, as at an edge or a ball.
func slips(o *obstacle, me *solid.Solid, way, along world.Vec3) bool {
	away := flat(solid.Between(o.solid, me.Moved(along.Scale(me.Half[0]/10))).Normal)
	return way.Sub(away.Scale(away.Dot(way))).Dot(along) > slow
}

// comes reports whether a character gets anywhere along a way, on foot or onto a step.
func comes(me solid.Solid, around []obstacle, way world.Vec3, radius float64) bool {
	e := escape{me: me, around: around}
	e.enter(-still) // that does not stop it
	if e.free(me.Moved(way.Scale(float64(2*gap*radius))), -still) {
		return true
	}
	for _, lift := range [...]float64{0.25, 0.5, 0.75, 1} {
		up := me.Moved(world.Vec3{0, float64(lift * climb * radius), 0})
		if e.free(up, -still) && e.free(up.Moved(way.Scale(float64(ledge*radius))), -still) {
			return true
		}
	}
	return false
}
