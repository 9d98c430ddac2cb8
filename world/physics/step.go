package physics

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// step advances the bodies by a step of the world.
func (p *Physics) step(tx *world.Tx) error {
	defer p.tellStepped()
	if !p.wanted {
		return nil
	}
	if !p.started {
		if err := p.begin(&tx.View); err != nil {
			return err
		}
	}
	if p.idle(tx) || p.stalled(tx.Step()) {
		return nil
	}
	p.now, p.told, p.moved = tx.Step(), false, p.moved[:0]
	clear(p.fresh)
	p.drain(&tx.View)
	if p.broken == nil && p.replay[tx.Step()] {
		p.broken = errReplay
	}
	if p.broken == nil {
		p.broken = p.advance(tx)
	}
	if p.broken != nil {
		if err := p.recover(tx); err != nil {
			return errors.Join(err, p.stall(tx.Step()))
		}
	}
	p.failed = 0
	return p.apply(tx)
}

// idle reports whether the engine has nothing to do in this step. It then takes none, so that steps in which
// nothing has anything to do, which a world may leave out, are as if they had not been.
func (p *Physics) idle(tx *world.Tx) bool {
	if p.broken != nil || p.replay[tx.Step()] || len(p.waiting) > 0 || p.moving(&tx.View) {
		return false
	}
	for _, c := range tx.Pending() {
		if p.concerns(&tx.View, c.ID) {
			return false
		}
	}
	return true
}

// concerns reports whether an entity has a body, or had one when the engine was told last.
func (p *Physics) concerns(v *world.View, id world.ID) bool {
	return p.bodies[id] != nil || p.w.Bodies.Has(v, id)
}

var errReplay = errors.New("the log that is replayed says so")

// begin takes the engine that was opened. It knows nothing yet.
func (p *Physics) begin(v *world.View) error {
	if p.opening.err != nil {
		p.wanted = false // until the next body comes
		return fmt.Errorf("physics: bodies do not move: %w", p.opening.err)
	}
	p.engine, p.started = p.opening.engine, true
	for id := range p.w.Waters.All(v) {
		p.waters[id] = struct{}{}
	}
	for id := range p.w.Bodies.All(v) {
		b := &body{id: id, queued: true}
		p.bodies[id] = b
		p.queue = append(p.queue, b)
	}
	return nil
}

// drain tells the engine what commits, and this step so far, have changed.
func (p *Physics) drain(v *world.View) {
	for _, b := range p.queue {
		b.queued = false
		if p.broken == nil {
			p.broken = p.tell(v, b, false)
		}
	}
	p.queue = p.queue[:0]
	if p.broken == nil {
		p.broken = p.admit(v)
	}
}

// advance has the engine take the step. It reads the world and changes nothing in it.
func (p *Physics) advance(tx *world.Tx) error {
	if err := p.pull(&tx.View); err != nil {
		return err
	}
	clear(p.wishes)
	for _, c := range tx.Pending() {
		if !p.concerns(&tx.View, c.ID) {
			continue
		}
		b := p.bodies[c.ID]
		if b == nil {
			b = &body{id: c.ID}
			p.bodies[c.ID] = b
		}
		if p.wish(&tx.View, b) {
			continue
		}
		if err := p.tell(&tx.View, b, true); err != nil {
			return err
		}
	}
	if err := p.hang(&tx.View); err != nil {
		return err
	}
	p.pools = p.w.Pools(&tx.View)
	p.launch()
	if err := p.walk(tx); err != nil {
		return err
	}
	for id, impulse := range p.impulses.All(&tx.View) {
		if b := p.bodies[id]; b != nil && b.live && b.made.Kind == Dynamic {
			if err := p.engine.Push(b.handle, b.made.bearable(impulse)); err != nil {
				return err
			}
			if twist, ok := p.twists.Get(&tx.View, id); ok {
				if err := p.engine.Twist(b.handle, twist); err != nil {
					return err
				}
			}
		}
	}
	p.mount(&tx.View)
	if err := p.buoy(&tx.View); err != nil {
		return err
	}
	if err := p.burden(); err != nil {
		return err
	}
	if err := p.weigh(); err != nil {
		return err
	}
	if err := p.engine.Step(); err != nil {
		return err
	}
	var err error
	if p.states, err = p.engine.Awake(p.states[:0]); err != nil {
		return err
	}
	p.contacts, err = p.engine.Contacts(p.contacts[:0])
	return err
}

// apply writes into the world what the engine has done.
func (p *Physics) apply(tx *world.Tx) error {
	for id := range p.impulses.All(&tx.View) {
		p.impulses.Remove(tx, id)
		p.twists.Remove(tx, id)
	}
	p.last = tx.Step()
	p.shifts, p.ids = p.shifts[:0], p.ids[:0]
	for i := range p.states {
		if b := p.of(p.states[i].Handle); b != nil && b.made.Kind == Dynamic {
			p.shifts = append(p.shifts, shift{b.id, b, &p.states[i]})
		}
	}
	slices.SortFunc(p.shifts, func(a, b shift) int { return cmp.Compare(a.id, b.id) })
	for _, m := range p.shifts {
		p.ids = append(p.ids, m.id)
	}
	tx.Prefetch(p.ids)
	p.awake = len(p.shifts)
	if err := p.driven(tx); err != nil {
		return err
	}
	for _, m := range p.shifts {
		m.body.awakeAt = p.last
		p.write(tx, m.body, m.state)
	}
	if err := p.giveWay(tx); err != nil {
		return err
	}
	p.hear(tx.Step())
	return p.settleCharacters(tx)
}

// shift is a body that the engine moves, and where it has it.
type shift struct {
	id    world.ID
	body  *body
	state *State
}

// idOf returns whose a body is, 0 if nobody's any more.
func (p *Physics) idOf(h Handle) world.ID {
	if b := p.of(h); b != nil {
		return b.id
	}
	return 0
}

// of returns what is known of a body in the engine, nil if it is gone.
func (p *Physics) of(h Handle) *body {
	if i := h.Index(); i < len(p.at) {
		if b := p.at[i]; b != nil && b.handle == h {
			return b
		}
	}
	return nil
}

// write moves an entity to where its body is. A body that has left the engine's reach is one no more:
// the entity stays where it was last.
func (p *Physics) write(tx *world.Tx, b *body, s *State) {
	rotation, ok := s.Rotation.Unit()
	if !ok || !within(s.Linear, math.MaxFloat32) || !within(s.Angular, math.MaxFloat32) {
		p.awake--
		p.lose(b)
		return
	}
	b.made.Linear, b.made.Angular = s.Linear, s.Angular
	b.from = stance{b.position, b.rotation}
	if s.Position == b.made.Position && rotation == b.made.Rotation {
		return
	}
	if !p.put(tx, b, s.Position, rotation) {
		p.awake--
		p.lose(b)
	}
}

// put moves an entity to where the engine has its body. It reports false, and does nothing, if that is
// out of reach.
func (p *Physics) put(tx *world.Tx, b *body, position world.Vec3, rotation world.Quat) bool {
	if !within(position, Reach) || tx.PutAt(b.id, position, rotation) != nil {
		return false
	}
	now, _ := tx.WorldTransform(b.id)
	b.made.Position, b.made.Rotation = position, rotation
	b.position, b.rotation = now.Position, now.Rotation
	return true
}

// lose takes a body out of the engine that the world cannot follow. It stays out until somebody moves
// the entity.
func (p *Physics) lose(b *body) {
	b.live, b.lost = false, true
	p.at[b.handle.Index()] = nil
	if err := p.engine.Remove(b.handle); err != nil {
		p.broken = err // the next step has it replaced
	}
}
