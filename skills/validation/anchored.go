package validation

import (
	"github.com/limina-mcp/limina/world"
)

// anchor is a static body below what moves.
type anchor struct {
	id, on  world.ID
	dynamic bool // what it is below has a dynamic body; else a clip or a path moves that
}

// anchor notes the static bodies that are below something that moves, in the order of their ids.
func (s *stage) anchor(w *world.World, v *world.View, moves *Movers) {
	for id, b := range w.Bodies.All(v) {
		if b.Type != "static" || s.has(s.spared, id) {
			continue
		}
		for up := range v.Up(id) {
			on, _ := w.Bodies.Get(v, up)
			if on.Type == "dynamic" || moves.driven(v, up) {
				s.anchors = append(s.anchors, anchor{id, up, on.Type == "dynamic"})
				break
			}
		}
	}
}

// anchored finds static bodies on what moves, once.
func (c *check) anchored() {
	for _, a := range c.stage.anchors {
		if c.full() {
			return
		}
		if !c.asked(a.id) {
			continue
		}
		type body struct {
			Entity world.ID `json:"entity"`
			Type   string   `json:"type"`
		}
		f := Finding{Kind: Anchored, Entities: []world.ID{a.id, a.on}}
		if a.dynamic {
			f.Message = a.id.String() + " has a static body, and is under " + a.on.String() + ", which the physics moves: it is put elsewhere in each step, has no weight, gives way to nothing, and drives " + a.on.String() + " out of itself where the two touch"
			f.Repair = a.id.String() + " has a dynamic body, which a joint holds on " + a.on.String()
			f.Fix = []Op{op("physics.setBody", body{a.id, "dynamic"}), op("physics.addJoint", struct {
				Entity world.ID `json:"entity"`
				To     world.ID `json:"to"`
				Kind   string   `json:"kind"`
			}{a.id, a.on, "fixed"})}
		} else {
			f.Message = a.id.String() + " has a static body, and is moved by a clip or along a path, or by those of " + a.on.String() + ", under which it is: it is put elsewhere in each step, and neither carries who stands on it nor pushes what is in its way"
			f.Repair = a.id.String() + " has a kinematic body, which does both"
			f.Fix = []Op{op("physics.setBody", body{a.id, "kinematic"})}
		}
		c.findings = append(c.findings, f)
	}
	c.stage.anchors = nil
}
