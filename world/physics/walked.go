package physics

import (
	"github.com/limina-mcp/limina/world"
)

// settleCharacters writes into the world what characters have done.
func (p *Physics) settleCharacters(tx *world.Tx) error {
	p.rewet = false
	for i := range p.walked {
		w := &p.walked[i]
		if !w.stays && !p.put(tx, w.body, w.position, w.rotation) {
			p.lose(w.body)
			w.rests, w.grounded, w.ground, w.swims = true, false, 0, false
		}
		if err := p.record(tx, w); err != nil {
			return err
		}
		if err := p.fall(tx, w); err != nil {
			return err
		}
	}
	return nil
}

// record writes the components of a character that has taken a step.
func (p *Physics) record(tx *world.Tx, w *walked) error {
	if w.ground == 0 {
		p.grounds.Remove(tx, w.id)
	} else if old, _ := p.grounds.Get(&tx.View, w.id); old != w.ground {
		if err := p.grounds.Set(tx, w.id, w.ground); err != nil {
			return err
		}
	}
	c, _ := p.characters.Get(&tx.View, w.id)
	if c.Crouching != w.low {
		if err := p.resize(tx, w, &c); err != nil {
			return err
		}
	}
	if c.Grounded != w.grounded || c.Crouching != w.low || c.Swimming != w.swims {
		c.Grounded, c.Crouching, c.Swimming = w.grounded, w.low, w.swims
		if err := p.characters.Set(tx, w.id, c); err != nil {
			return err
		}
	}
	if w.rests {
		p.motions.Remove(tx, w.id)
		return nil
	}
	if old, ok := p.motions.Get(&tx.View, w.id); ok && old == w.motion {
		return nil
	}
	return p.motions.Set(tx, w.id, w.motion)
}

// resize gives a character the shape that it is to have. The engine is told with the next step.
func (p *Physics) resize(tx *world.Tx, w *walked, c *Character) error {
	shape, _ := p.w.Shapes.Get(&tx.View, w.id)
	shape.Size = c.size(w.low)
	if err := p.w.Shapes.Set(tx, w.id, shape); err != nil {
		return err
	}
	t, _ := tx.WorldTransform(w.id)
	now, then := NewForm("capsule", c.size(!w.low).Mul(t.Scale)), NewForm("capsule", shape.Size.Mul(t.Scale))
	return tx.PutAt(w.id, t.Position.Add(world.Vec3{0, then.HalfHeight - now.HalfHeight, 0}), t.Rotation)
}
