package animation

import (
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// others returns the regions that somebody else holds now.
func others(v *world.View, agent string) (of []world.Claim) {
	for _, claim := range v.Claims() {
		if claim.Holder != agent && claim.Until > v.Step() {
			of = append(of, claim)
		}
	}
	return of
}

// piece is a part of what plays: where its middle is in the space of that, and how far it reaches from there.
type piece struct {
	at   world.Vec3
	half world.Vec3
}

// pieces returns the parts of an entity that are looked at.
func (c *Clips) pieces(v *world.View, id world.ID) []piece {
	const most = 64
	own, _ := v.WorldTransform(id)
	all := []piece{{}} // its place
	if own.Scale[0] == 0 || own.Scale[1] == 0 || own.Scale[2] == 0 {
		return all
	}
	add := func(e world.ID) {
		if s, ok := solid.Of(c.w, v, e); ok && len(all) < most {
			b := s.Bounds()
			middle := world.Transform{Position: b.Lo.Add(b.Hi).Scale(0.5), Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}}
			all = append(all, piece{own.Relative(middle).Position, b.Hi.Sub(b.Lo).Scale(0.5)})
		}
	}
	add(id)
	for e := range v.Below(id) {
		add(e)
	}
	return all
}

// intrudes fails if a clip that an agent has an entity play, or has authored so, moves it, or what is below it, into a region that somebody else has claimed now: simulation steps are held to no
// claim. What turns or grows counts as far as it reaches whichever way it is turned. What goes with its agent, as what a character carries, comes and goes.
func (c *Clips) intrudes(v *world.View, agent string, id world.ID, name string, found *clip) error {
	if !found.moves() {
		return nil
	}
	of := others(v, agent)
	if len(of) == 0 {
		return nil
	}
	for up := range v.Up(id) {
		if c.own(v, up) {
			return nil
		}
	}
	space := world.Identity()
	if above := v.Parent(id); above != 0 {
		space, _ = v.WorldTransform(above)
	}
	const (
		every = 0.05 // seconds
		most  = 400
	)
	pieces, at := c.pieces(v, id), c.pose(v, id)
	n := int(min(math.Ceil(found.Duration/every), most))
	look := func(t float64) error {
		l := found.at(t)
		place := space.Apply(at.place(&l))
		turned := l.rotation != world.NoRotation() || l.scale != world.Vec3{1, 1, 1}
		for i := range pieces {
			p := pieces[i]
			if turned {
				r := min(p.half[0], p.half[1], p.half[2])
				p.half = world.Vec3{r, r, r}
			}
			to := place.Point(p.at)
			for k := range of {
				if lo, hi := of[k].Lo.Sub(p.half), of[k].Hi.Add(p.half); within(to, lo, hi) {
					return registry.Errorf(registry.CodeForbidden, "%s would come to %v by the clip %.40q, into a region that %s holds, from %v to %v. Nothing was changed; let it move elsewhere, or ask %[4]s to world.release it",
						id, shown.Point(to), name, of[k].Holder, of[k].Lo, of[k].Hi)
				}
			}
		}
		return nil
	}
	for i := range n + 1 {
		if err := look(found.Duration * float64(i) / float64(n)); err != nil {
			return err
		}
	}
	for i := range found.Tracks {
		for _, k := range found.Tracks[i].Keys {
			if err := look(k.T); err != nil {
				return err
			}
		}
	}
	return nil
}

// within reports whether a point is in a box, and not only at its faces: what stands beside it touches it.
func within(p, lo, hi world.Vec3) bool {
	const touch = 1e-3 // metres
	for i := range 3 {
		if !(p[i] > lo[i]+touch && p[i] < hi[i]-touch) {
			return false
		}
	}
	return true
}
