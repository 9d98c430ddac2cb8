package physics

import "github.com/limina-mcp/limina/world"

// Broken is a joint that has given way.
type Broken struct {
	Entity world.ID // who hung
	Joint  Joint    // by what, and on what
	Force  float64  // with which it would have had to hold, in N: the mean over the step
	At     world.Vec3
}

// OnBroke has fn told of each joint that gives way, in id order of who hung. It is given where the world is put together, and called in the step in which the joint
// is gone. An error of fn undoes the step.
func (p *Physics) OnBroke(fn func(tx *world.Tx, b *Broken) error) {
	p.broke = append(p.broke, fn)
}

// breakable appends the joints that give way.
func breakable(dst []Handle, links []link) []Handle {
	for i := range links {
		if links[i].Break > 0 {
			dst = append(dst, links[i].Hold)
		}
	}
	return dst
}

// weigh has the engine measure the forces of the joints that may give way in this step.
func (p *Physics) weigh() error {
	before := len(p.weighed)
	p.weighed = breakable(p.weighed[:0], p.links)
	if before == 0 && len(p.weighed) == 0 {
		return nil
	}
	return p.engine.Weigh(p.weighed)
}

// giveWay takes the joints away that would have had to hold with more than they can. It is called when everything has been written back. What
// sleeps bears what it bore when it was awake.
func (p *Physics) giveWay(tx *world.Tx) error {
	if len(p.weighed) == 0 {
		return nil
	}
	p.loads = p.engine.Loads(p.loads[:0])
	n := 0
	for i := range p.links {
		l := &p.links[i]
		if !(l.Break > 0) {
			continue
		}
		force := p.loads[n]
		n++
		if !(force > l.Break) || !p.wakes(l.ID) && !p.wakes(l.To) {
			continue
		}
		j, ok := p.joints.Get(&tx.View, l.ID)
		if !ok {
			continue
		}
		on, _ := p.Ends(&tx.View, l.ID)
		p.Unhang(tx, l.ID)
		for _, fn := range p.broke {
			if err := fn(tx, &Broken{Entity: l.ID, Joint: j, Force: min(force, world.MaxNumber), At: on}); err != nil {
				return err
			}
		}
	}
	return nil
}

// wakes reports whether the engine has moved an entity in this step, or could have.
func (p *Physics) wakes(id world.ID) bool {
	b := p.bodies[id]
	return b != nil && b.made.Kind == Dynamic && b.awakeAt == p.last
}
