package camera

import (
	"math"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// Shot is where a camera is and what it sees.
type Shot struct {
	Position world.Vec3
	LookAt   world.Vec3 // in the middle of what it sees
	FOV      float64    // degrees from the lower to the upper edge
	Hides    world.ID   // what it is inside of, with what is below it; 0 for nothing
}

// Shot returns where the camera of a caller is, or that of another agent if he names one. A caller who was given none has the eyes of his body or
// character.
func (c *Cameras) Shot(v *world.View, caller *profiles.Principal, agent string) (Shot, error) {
	r, ok := c.rigs.Get(v, agent)
	switch {
	case agent == "" || agent == caller.ID:
		if r, ok = c.own(v, caller); !ok {
			return Shot{}, registry.Failf(`you have none, and no body to look from: say where it is, {"position":[x,y,z],"target":[x,y,z]}, or camera.follow or camera.cut makes one, agent.embody a body`)
		}
	case !ok:
		return Shot{}, c.unknown(v, agent)
	}
	return c.shot(v, &r)
}

// unknown is the refusal of an agent without a camera.
func (c *Cameras) unknown(v *world.View, agent string) error {
	var all []string
	for name := range c.rigs.All(v) {
		all = append(all, name)
	}
	switch near := wire.Nearest(agent, all); {
	case len(all) == 0:
		return registry.Failf("%q has no camera; nobody has: camera.follow makes one", quote.Clip(agent))
	case near == "":
		return registry.Failf("%q has no camera; %d have one, such as %q", quote.Clip(agent), len(all), quote.Clip(all[0]))
	default:
		return registry.Failf("%q has no camera; the nearest who has is %q", quote.Clip(agent), quote.Clip(near))
	}
}

// shot returns where the camera of a rig is.
func (c *Cameras) shot(v *world.View, r *Rig) (Shot, error) {
	s := Shot{Position: r.Position, LookAt: r.LookAt, FOV: r.FOV.at(v.Step())}
	if r.Kind == free {
		return s, nil
	}
	at, ok := v.Position(r.Target)
	if !ok {
		return s, registry.Failf("%s, which the camera is on, is gone: camera.follow puts it on something else, camera.cut somewhere", r.Target)
	}
	turn := c.turn(v, r)
	if r.Kind == firstPerson {
		s.Position = at.Add(world.Vec3{0, r.Lift, 0}).Bounded()
		s.LookAt, s.Hides = s.Position.Add(turn.Rotate(tilted(r.Pitch))).Bounded(), r.Target
		return s, nil
	}
	back := turn.Rotate(tilted(-r.Pitch)).Scale(-1)
	distance := r.Distance
	if r.Collides {
		distance = c.clear(v, r.Target, at, back, distance)
	}
	s.Position, s.LookAt = at.Add(back.Scale(distance)).Bounded(), at
	return s, nil
}

// turn is how a rig turns what looks along the z axis.
func (c *Cameras) turn(v *world.View, r *Rig) world.Quat {
	facing := r.Facing
	if facing == (world.Vec3{}) {
		facing = c.heading(v, r.Target)
	}
	turn, _ := world.Yaw(facing[0], facing[2])
	return turn.Mul(world.QuatFromEuler(0, r.Yaw, 0))
}

// heading is the level direction of an entity's z axis: of one that stands upright, where it looks.
func (c *Cameras) heading(v *world.View, id world.ID) world.Vec3 {
	t, _ := v.WorldTransform(id)
	turn, ok := t.Rotation.Heading()
	if !ok {
		return world.Vec3{0, 0, 1}
	}
	return turn.Rotate(world.Vec3{0, 0, 1})
}

// tilted is the direction that looks along the z axis and so far up.
func tilted(pitch float64) world.Vec3 {
	sin, cos := world.Sincos(pitch)
	return world.Vec3{0, sin, cos}
}

// Room that a camera keeps to what is behind it, and the nearest that it comes to its target for it, in metres.
const (
	margin  = 0.2
	nearest = 0.3
)

// clear returns how far from its target a camera may be in a direction so that nothing is between them. What the target is part of, or inside of, is not in
// the way, nor is glass.
func (c *Cameras) clear(v *world.View, target world.ID, from, dir world.Vec3, distance float64) float64 {
	if c.d.Things == nil {
		return distance
	}
	own := v.Top(target)
	hit, ok := c.d.Things.Ray(v, from, dir, distance+margin, func(id world.ID) bool {
		if m, ok := c.w.Materials.Get(v, id); ok && m.Name == material.Glass {
			return true
		}
		return v.Top(id) == own
	})
	if !ok || hit.Distance == 0 {
		return distance
	}
	return min(distance, max(hit.Distance-margin, nearest))
}

// level returns a direction without its height, of length 1, and false if nothing is left.
func level(d world.Vec3) (world.Vec3, bool) {
	l := math.Sqrt(float64(d[0]*d[0]) + float64(d[2]*d[2]))
	if !(l > 0) || math.IsInf(l, 0) {
		return world.Vec3{}, false
	}
	return world.Vec3{d[0] / l, 0, d[2] / l}, true
}
