package physics

import "github.com/limina-mcp/limina/world"

// Touch is that two entities began or ceased to touch.
type Touch struct {
	Number  uint64 // of all touches: one more than that of the one before it
	Step    uint64
	A, B    world.ID // 0 for a body that is gone
	BodyA   int      // the indices of their bodies in the engine
	BodyB   int
	Began   bool
	Located bool       // Point and Normal are known
	Point   world.Vec3 // in world space
	Normal  world.Vec3 // from A to B
}

// Kept is how many touches are remembered.
const Kept = 1024

// history remembers the newest touches.
type history struct {
	ring []Touch // that with number n is at n modulo Kept
	next uint64  // the number of the next
}

// hear remembers the contacts of a step.
func (p *Physics) hear(step uint64) {
	if len(p.contacts) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.contacts {
		c := &p.contacts[i]
		p.heard.add(Touch{
			Step: step, A: p.idOf(c.A), B: p.idOf(c.B), BodyA: c.A.Index(), BodyB: c.B.Index(),
			Began: c.Began, Located: c.Located, Point: c.Point, Normal: c.Normal,
		})
	}
}

func (h *history) add(t Touch) {
	t.Number = h.next
	if len(h.ring) < Kept {
		h.ring = append(h.ring, t)
	} else {
		h.ring[h.next%Kept] = t
	}
	h.next++
}

// Touches returns what is remembered from a number on, oldest first, at most limit of it, and the
// number to go on from. What is so old that it is forgotten is left out.
func (p *Physics) Touches(from uint64, limit int) (touches []Touch, next uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := &p.heard
	if h.next > Kept {
		from = max(from, h.next-Kept)
	}
	end := min(h.next, from+uint64(limit))
	for n := from; n < end; n++ {
		touches = append(touches, h.ring[n%Kept])
	}
	return touches, max(from, end)
}
