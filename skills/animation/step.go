package animation

import (
	"encoding/json"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// activity is Busy while something comes to an end by itself; what goes round and round waits for somebody to see it.
func (c *Clips) activity(v *world.View) world.Activity {
	switch {
	case c.brief.Len(v) > 0:
		return world.Busy
	case c.moving.Len(v) > 0:
		return world.Waiting
	}
	return world.Idle
}

// step moves everything that plays.
func (c *Clips) step(tx *world.Tx) error {
	c.ids = c.ids[:0]
	for id := range c.moving.All(&tx.View) {
		c.ids = append(c.ids, id)
	}
	tx.Prefetch(c.ids)
	for _, id := range c.ids {
		mark := tx.Savepoint()
		err := c.advance(tx, id)
		if err == nil {
			continue
		}
		tx.RollbackTo(mark) // one that cannot go on, because it would be beyond the world, is nobody else's trouble
		if err := c.fail(tx, id, err); err != nil {
			return err
		}
	}
	return nil
}

// advance has an entity play one step on.
func (c *Clips) advance(tx *world.Tx, id world.ID) error {
	p, _ := c.playing.Get(&tx.View, id)
	p, changed, err := c.age(tx, id, p)
	if err != nil {
		return err
	}
	if changed {
		if err := c.playing.Set(tx, id, p); err != nil {
			return err
		}
	}
	if p, err = c.turn(tx, id, p); err != nil {
		return err
	}
	t, travels := c.travels.Get(&tx.View, id)
	if len(p) > 0 || travels || c.poses.Has(&tx.View, id) {
		at := c.pose(&tx.View, id)
		if travels {
			if t, travels, err = c.ride(tx, id, t, &at); err != nil {
				return err
			}
		}
		l := c.mixed(&tx.View, id, &at, p, tx.Step())
		if err := c.show(tx, id, &at, &l); err != nil {
			return err
		}
		if err := c.poses.Set(tx, id, at); err != nil {
			return err
		}
	}
	if len(p) == 0 && !travels {
		return c.settle(tx, id)
	}
	if !p.brief() && !t.brief() {
		c.brief.Remove(tx, id)
	}
	if !p.moves() && (!travels || t.Ended) {
		c.moving.Remove(tx, id)
	}
	return nil
}

// age drops what has faded out, and notes what has come to its end. It changes nothing of the value it is given.
func (c *Clips) age(tx *world.Tx, id world.ID, p Playing) (out Playing, changed bool, err error) {
	now := tx.Step()
	out = p[:0:0]
	for _, part := range p {
		if part.gone(now) {
			changed = true
			continue
		}
		if part.FadeIn > 0 && now >= part.Start+part.FadeIn {
			part.FadeIn, changed = 0, true
		}
		found, ok := c.rows.Get(&tx.View, part.Clip)
		if !ok { // it was taken back
			changed = true
			continue
		}
		if _, ended := part.time(&found, now, c.w.StepRate()); ended && !part.Ended {
			part.Ended, changed = true, true
			if part.Once && part.Out == 0 {
				part.Out, part.FadeOut = now, max(part.FadeOut, 1)
			}
			if err := c.tell(tx, id, "animation.finished", moment{id, part.Clip, part.Layer, ""}); err != nil {
				return nil, false, err
			}
		}
		out = append(out, part)
	}
	return out, changed, nil
}

// moment is what viewers are told of what has come to an end.
type moment struct {
	Entity world.ID `json:"entity"`
	Clip   string   `json:"clipId,omitempty"`
	Layer  int      `json:"layer"`
	Error  string   `json:"error,omitempty"`
}

func (c *Clips) tell(tx *world.Tx, id world.ID, kind string, m moment) error {
	at, _ := tx.Position(id)
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return tx.Moment(world.Moment{Kind: kind, Entity: id, Placed: true, At: at, Payload: text})
}

// fail ends what an entity plays that cannot go on.
func (c *Clips) fail(tx *world.Tx, id world.ID, why error) error {
	c.machines.Remove(tx, id)
	if err := c.settle(tx, id); err != nil {
		return err
	}
	return c.tell(tx, id, "animation.failed", moment{Entity: id, Error: registry.Said(why)})
}

// mixed is how all that plays has an entity look in a step.
func (c *Clips) mixed(v *world.View, id world.ID, at *pose, p Playing, step uint64) look {
	out := c.base(v, id, at)
	for first := 0; first < len(p); {
		last := first + 1
		for last < len(p) && p[last].Layer == p[first].Layer {
			last++
		}
		l, part := c.layer(v, p[first:last], step)
		out = over(out, l, part)
		first = last
	}
	return out
}

// layer mixes the clips of a layer by their weights. The parts are by how much each property counts then.
func (c *Clips) layer(v *world.View, p Playing, step uint64) (out look, part [intensity + 1]float64) {
	out = restLook()
	for i := range p {
		w := p[i].weight(step)
		found, ok := c.rows.Get(v, p[i].Clip)
		if !ok || !(w > 0) {
			continue
		}
		at, _ := p[i].time(&found, step, c.w.StepRate())
		l := found.at(at)
		var share [intensity + 1]float64
		for k := range share {
			if l.has[k] {
				part[k] += w
				share[k] = w / part[k]
			}
		}
		out = over(out, l, share)
	}
	for k := range part {
		part[k] = min(part[k], 1)
	}
	return out, part
}

// undone has the next step look at everything that plays, and at what does not any more, because that was taken back: it
// gets its rest again then. That is no part of the undo, so that a redo finds what it left.
func (c *Clips) undone(tx *world.Tx) error {
	for id := range c.moving.All(&tx.View) {
		c.moving.Remove(tx, id)
		c.brief.Remove(tx, id)
	}
	for id, p := range c.playing.All(&tx.View) {
		if err := c.stir(tx, id, p); err != nil {
			return err
		}
	}
	for id := range c.travels.All(&tx.View) {
		p, _ := c.playing.Get(&tx.View, id)
		if err := c.stir(tx, id, p); err != nil {
			return err
		}
	}
	for id := range c.poses.All(&tx.View) {
		if !c.moved(&tx.View, id) {
			if err := c.rouse(tx, id); err != nil {
				return err
			}
		}
	}
	for id := range c.machines.All(&tx.View) {
		if err := c.rouse(tx, id); err != nil {
			return err
		}
	}
	return nil
}
