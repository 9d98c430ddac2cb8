package physics

import (
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// walks reports whether a body is that of a character which can walk.
func (p *Physics) walks(v *world.View, b *body) bool {
	return b.live && b.made.Kind == Kinematic && b.made.Form.Kind == Capsule && b.made.Ground == nil && p.characters.Has(v, b.id)
}

// intrude finds out what was put somewhere in this step, where there may be a character. A character that was itself put somewhere is
// no intruder: it is the one to make way.
func (p *Physics) intrude(v *world.View) {
	p.intruders = p.intruders[:0]
	for _, b := range p.moved {
		switch {
		case !b.live:
		case p.walks(v, b):
			b.put = p.now
		default:
			s := p.solid(&b.made)
			p.intruders = append(p.intruders, obstacle{id: b.id, solid: s, bounds: s.Bounds()})
		}
	}
}

// invaded reports whether something was put into a character.
func (p *Physics) invaded(b *body) bool {
	if b == nil || !b.live || len(p.intruders) == 0 {
		return false
	}
	s := b.made.Form.at(p.where(b))
	bounds := s.Bounds()
	for i := range p.intruders {
		if o := &p.intruders[i]; o.contact(&s, &bounds).Gap < -still || o.over(&s) {
			return true
		}
	}
	return false
}

// shove moves characters, after all have walked, out of what was put into them in this step and out of what they were put into. Those
// that come into others push them on, each once in a step.
func (p *Physics) shove(tx *world.Tx) error {
	p.caught = p.caught[:0]
	for i := range p.walked {
		w := &p.walked[i]
		if b := w.body; b != nil && p.walks(&tx.View, b) && (b.put == p.now || p.invaded(b)) {
			p.caught = append(p.caught, i)
		}
	}
	for n := 0; n < len(p.caught); n++ { // it grows meanwhile
		if err := p.free(tx, p.caught[n]); err != nil {
			return err
		}
	}
	return nil
}

// OnCrushed has fn told of each character that had no room beside what came to be in it, by, and so was taken up, higher than a step: over that, or through all
// that was above. It is given where the world is put together, and called in the step, before the character is there. An error of fn undoes the step.
func (p *Physics) OnCrushed(fn func(tx *world.Tx, id, by world.ID) error) {
	p.crushed = append(p.crushed, fn)
}

// free moves a character out of everything that it is in.
func (p *Physics) free(tx *world.Tx, i int) error {
	w := &p.walked[i]
	if w.freed {
		return nil
	}
	w.freed = true
	b := w.body
	var near []obstacle
	way, in, out := wayOut(b.made.Form.at(w.position, w.rotation), b.put == p.now, func(room solid.Bounds) []obstacle {
		near = p.around(&tx.View, room, b)
		return near
	})
	if way == (world.Vec3{}) || !out {
		return nil
	}
	c, _ := p.characters.Get(&tx.View, w.id)
	w.position, w.stays, w.rests = round(w.position.Add(way)), false, false
	w.low = c.Crouching // whether there is room to stand up was asked elsewhere
	if way[1] > 0 {
		w.motion.Rise = max(w.motion.Rise, 0)
	}
	if b.put == p.now || way.Len() > climb*b.made.Form.Radius { // too far to push on it goes by: that would be shot away
		if err := p.engine.Place(b.handle, w.position, w.rotation); err != nil {
			return err
		}
	}
	if err := p.engine.Aim(b.handle, w.position, w.rotation); err != nil {
		return err
	}
	if b.put != p.now && way[1] > climb*b.made.Form.Radius {
		for _, fn := range p.crushed {
			if err := fn(tx, w.id, in); err != nil {
				return err
			}
		}
	}
	p.pushOn(&tx.View, near, b.made.Form.at(w.position, w.rotation))
	return nil
}

// pushOn has those of the characters near one make way that it has come into.
func (p *Physics) pushOn(v *world.View, near []obstacle, me solid.Solid) {
	bounds := me.Bounds()
	for i := range near {
		if !near[i].gives || near[i].contact(&me, &bounds).Gap >= -still {
			continue
		}
		b := p.bodies[near[i].id]
		if b.walked != p.now { // it rested
			w := walked{id: b.id, body: b, position: b.position, rotation: b.rotation}
			c, _ := p.characters.Get(v, b.id)
			w.grounded, w.low, w.swims = c.Grounded, c.Crouching, c.Swimming
			w.ground, _ = p.grounds.Get(v, b.id)
			p.came(&w)
		}
		p.caught = append(p.caught, b.nth)
	}
}

// where returns where a body is to be after this step, as far as that is known.
func (p *Physics) where(b *body) (world.Vec3, world.Quat) {
	if b.walked == p.now {
		if w := &p.walked[b.nth]; !w.stays {
			return w.position, w.rotation
		}
	}
	return b.made.Position, b.made.Rotation
}

// around returns what does not give way and reaches into a room, but one. Characters that were put somewhere and have yet to find their
// place are left out.
func (p *Physics) around(v *world.View, room solid.Bounds, but *body) (all []obstacle) {
	for _, b := range p.at {
		if b == nil || b == but || !b.live || b.made.Kind == Dynamic {
			continue
		}
		at, turned := p.where(b)
		if reach := b.made.Form.reach(); b.made.Ground == nil && !room.Near(solid.Bounds{Lo: at, Hi: at}, reach) {
			continue
		}
		o := obstacle{id: b.id}
		if b.made.Ground != nil {
			o.solid = p.solid(&b.made)
		} else {
			o.solid = b.form(at, turned)
		}
		if o.bounds = o.solid.Bounds(); !o.bounds.Near(room, 0) {
			continue
		}
		if p.walks(v, b) {
			o.gives = b.walked != p.now || !p.walked[b.nth].freed
			if o.gives && b.put == p.now {
				continue
			}
		}
		for _, part := range o.solid.Parts() { // what is deep in one piece may be out of the next
			o.solid, o.bounds = part, part.Bounds()
			all = append(all, o)
		}
	}
	return all
}
