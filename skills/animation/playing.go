package animation

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Playing is the component of what an entity plays, the lowest layer first. Viewers get it.
type Playing []Part

// Part is a clip that an entity plays.
type Part struct {
	Clip    string  `json:"clipId"`
	Layer   int     `json:"layer"`
	Weight  float64 `json:"weight"`
	Speed   float64 `json:"speed"`
	Loop    bool    `json:"loop"`
	Start   uint64  `json:"start"`             // the simulation step in which it began
	FadeIn  uint64  `json:"fadeIn,omitempty"`  // steps until it has its weight
	Out     uint64  `json:"out,omitempty"`     // the step in which it began to fade out; 0: it has not
	FadeOut uint64  `json:"fadeOut,omitempty"` // steps that takes
	Once    bool    `json:"once,omitempty"`    // it fades out by itself at its end
	State   bool    `json:"state,omitempty"`   // a state machine has begun it
	Ended   bool    `json:"ended,omitempty"`   // it holds its end
}

// later returns what goes on past steps later where p is.
func (p Playing) later(past uint64) Playing {
	p = slices.Clone(p)
	for i := range p {
		p[i].Start += past
		if p[i].Out != 0 {
			p[i].Out += past
		}
	}
	return p
}

// plays reports whether a clip is among what plays.
func (p Playing) plays(id string) bool {
	return slices.ContainsFunc(p, func(part Part) bool { return part.Clip == id })
}

// gone reports whether a part has faded out by a step.
func (p *Part) gone(step uint64) bool { return p.Out != 0 && step >= p.Out+p.FadeOut }

// weight returns what a part counts in a step.
func (p *Part) weight(step uint64) float64 {
	w := p.Weight
	if since := step - p.Start; since < p.FadeIn {
		w = float64(w*float64(since)) / float64(p.FadeIn)
	}
	if p.Out != 0 {
		since := step - p.Out
		if since >= p.FadeOut {
			return 0
		}
		w = float64(w*float64(p.FadeOut-since)) / float64(p.FadeOut)
	}
	return w
}

// time returns where in a clip a part is in a step, in seconds, and whether it has come to the end.
func (p *Part) time(c *clip, step uint64, rate int) (at float64, ended bool) {
	at = float64(float64(step-p.Start)*p.Speed) / float64(rate)
	if p.Loop {
		if at = math.Mod(at, c.Duration); at < 0 {
			at += c.Duration
		}
		return at, false
	}
	if p.Speed < 0 { // from its end to its begin
		at += c.Duration
		return max(at, 0), at <= 0
	}
	return min(at, c.Duration), at >= c.Duration
}

// brief reports whether anything that plays comes to an end by itself.
func (p Playing) brief() bool {
	return slices.ContainsFunc(p, func(part Part) bool {
		return part.Out != 0 || part.FadeIn > 0 || !part.Loop && !part.Ended && part.Speed != 0
	})
}

// moves reports whether a step changes anything of what plays.
func (p Playing) moves() bool {
	return slices.ContainsFunc(p, func(part Part) bool { return part.Out != 0 || part.FadeIn > 0 || !part.Ended && part.Speed != 0 })
}

// fade has those parts fade out that fn names, over some steps; with none they are gone at once.
func (p Playing) fade(step, over uint64, fn func(*Part) bool) Playing {
	out := make(Playing, 0, len(p)+1)
	for _, part := range p {
		if fn(&part) {
			if over == 0 {
				continue
			}
			if part.Out == 0 {
				part.Out, part.FadeOut = max(step, 1), over
			}
		}
		out = append(out, part)
	}
	return out
}

// with adds a part, in its layer.
func (p Playing) with(part Part) (Playing, error) {
	if len(p) >= MaxPlaying {
		return nil, registry.Errorf(registry.CodeCapacityExceeded, "an entity plays at most %d clips at a time: stop some with animation.stop", MaxPlaying)
	}
	at, _ := slices.BinarySearchFunc(p, part.Layer, func(q Part, layer int) int {
		if q.Layer <= layer {
			return -1
		}
		return 1
	})
	return slices.Insert(slices.Clone(p), at, part), nil
}

// steps returns how many steps so many seconds take.
func (c *Clips) steps(seconds float64) uint64 {
	return uint64(math.Round(float64(seconds * float64(c.w.StepRate()))))
}

// begin has an entity play a part in place of what its layer plays.
func (c *Clips) begin(tx *world.Tx, id world.ID, part Part, fade uint64) error {
	now, _ := c.playing.Get(&tx.View, id)
	return c.join(tx, id, now, part, fade)
}

// join has an entity play a part in place of what the part's layer has of now.
func (c *Clips) join(tx *world.Tx, id world.ID, now Playing, part Part, fade uint64) error {
	part.Start, part.FadeIn = tx.Step(), fade
	now = now.fade(tx.Step(), fade, func(p *Part) bool { return p.Layer == part.Layer })
	next, err := now.with(part)
	if err != nil {
		return err
	}
	return c.set(tx, id, next)
}

// set has an entity play what it is given.
func (c *Clips) set(tx *world.Tx, id world.ID, p Playing) error {
	if len(p) == 0 {
		if !c.travels.Has(&tx.View, id) {
			return c.settle(tx, id)
		}
		c.playing.Remove(tx, id)
		return c.stir(tx, id, nil)
	}
	if err := c.room(&tx.View, id); err != nil {
		return err
	}
	if err := c.drive(tx, id, p); err != nil {
		return err
	}
	if err := c.playing.Set(tx, id, p); err != nil {
		return err
	}
	return c.stir(tx, id, p)
}

// room reports that too much moves for an entity to do so, too.
func (c *Clips) room(v *world.View, id world.ID) error {
	if !c.moving.Has(v, id) && c.moving.Len(v) >= MaxMoving {
		return registry.Errorf(registry.CodeCapacityExceeded, "%d entities are moved by clips and along paths, which is the most: stop some with animation.stop", MaxMoving)
	}
	return nil
}

// stir has steps look at an entity.
func (c *Clips) stir(tx *world.Tx, id world.ID, p Playing) error {
	if err := c.moving.Set(tx, id, struct{}{}); err != nil {
		return err
	}
	t, _ := c.travels.Get(&tx.View, id)
	if p.brief() || t.brief() {
		return c.brief.Set(tx, id, struct{}{})
	}
	c.brief.Remove(tx, id)
	return nil
}

// settle ends all that an entity plays and follows, and leaves it as it is.
func (c *Clips) settle(tx *world.Tx, id world.ID) error {
	c.playing.Remove(tx, id)
	c.travels.Remove(tx, id)
	c.poses.Remove(tx, id)
	c.moving.Remove(tx, id)
	c.brief.Remove(tx, id)
	return c.park(tx, id)
}

// drive makes kinematic what has a static body, of an entity that is going to be moved and of all below it.
func (c *Clips) drive(tx *world.Tx, id world.ID, p Playing) error {
	if !c.displaces(&tx.View, p) || c.own(&tx.View, id) {
		return nil
	}
	return c.free(tx, id, "entity")
}

// displaces reports whether a clip among what plays moves what plays it.
func (c *Clips) displaces(v *world.View, p Playing) bool {
	return slices.ContainsFunc(p, func(part Part) bool {
		found, _ := c.rows.Get(v, part.Clip)
		return found.moves()
	})
}

// free makes kinematic what has a static body, of an entity and of all below it.
func (c *Clips) free(tx *world.Tx, id world.ID, field string) error {
	return c.bodies(tx, id, func(e world.ID, b world.Body) error {
		switch b.Type {
		case "dynamic":
			return registry.Failf("%s: %s has a dynamic body, which the physics moves: make it anew with static, which plays along, or without a body", field, e)
		case "static":
			b.Type = "kinematic"
			return c.w.Bodies.Set(tx, e, b)
		}
		return nil
	})
}

// park makes static again what [Clips.free] has made kinematic, unless something else still moves it.
func (c *Clips) park(tx *world.Tx, id world.ID) error {
	for up := range tx.Up(tx.Parent(id)) {
		if c.moved(&tx.View, up) {
			return nil
		}
	}
	return c.bodies(tx, id, func(e world.ID, b world.Body) error {
		if b.Type != "kinematic" || c.own(&tx.View, e) {
			return nil
		}
		for up := e; up != 0 && up != id; up = tx.Parent(up) {
			if c.moved(&tx.View, up) {
				return nil
			}
		}
		b.Type = "static"
		return c.w.Bodies.Set(tx, e, b)
	})
}

// moved reports whether an entity plays clips or follows a path.
func (c *Clips) moved(v *world.View, id world.ID) bool {
	return c.playing.Has(v, id) || c.travels.Has(v, id)
}

// bodies calls fn with the bodies of an entity and all below it.
func (c *Clips) bodies(tx *world.Tx, id world.ID, fn func(world.ID, world.Body) error) error {
	if b, ok := c.w.Bodies.Get(&tx.View, id); ok {
		if err := fn(id, b); err != nil {
			return err
		}
	}
	for e := range tx.Below(id) {
		if b, ok := c.w.Bodies.Get(&tx.View, e); ok {
			if err := fn(e, b); err != nil {
				return err
			}
		}
	}
	return nil
}
