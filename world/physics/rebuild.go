package physics

import (
	"context"
	"errors"
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// RebuildAt has the engine replaced in a simulation step to come, as it was in the step of the log
// that is replayed; see [Rebuild].
func (p *Physics) RebuildAt(step uint64) error {
	_, err := p.w.Update(context.Background(), func(*world.Tx) error {
		p.replay[step] = true
		return nil
	})
	return err
}

// recover has a new engine take the step that the old one has failed in.
func (p *Physics) recover(tx *world.Tx) error {
	if err := p.rebuild(tx); err != nil {
		return err
	}
	if p.broken = p.advance(tx); p.broken != nil {
		return fmt.Errorf("physics: a new engine fails too, so bodies stand still: %w", p.broken)
	}
	return nil
}

// respite is how many steps the second new engine comes after the first, if that has failed. From then on it is twice as many
// each time, up to respite<<mostRespite.
const (
	respite     = 60
	mostRespite = 10
)

// stall gives up a new engine that has failed. It was made from the world, so another one would fail like it, after as long
// a time, with the world locked. So bodies stand still until some have changed, and for longer after each failure.
func (p *Physics) stall(step uint64) (err error) {
	p.retry = step + respite<<min(p.failed, mostRespite)
	p.failed++
	if p.engine != nil {
		err = p.engine.Close()
		p.engine = nil
	}
	return err
}

// stalled reports whether no engine is made in a step, after one has failed.
func (p *Physics) stalled(step uint64) bool {
	return p.failed > 0 && !p.replay[step] && (step < p.retry || len(p.queue) == 0)
}

// rebuild replaces the engine by one that is made from the world: every body where its entity is, with
// its velocity, and awake.
func (p *Physics) rebuild(tx *world.Tx) error {
	reason := p.broken
	if p.engine != nil {
		reason = errors.Join(reason, p.engine.Close())
		p.engine = nil
	}
	gravity := p.Gravity(&tx.View)
	engine, err := p.config.Open(context.Background(), p.settings(gravity))
	if err != nil {
		return fmt.Errorf("physics: no new engine, so bodies stand still: %w", err)
	}
	p.engine, p.broken, p.pulled = engine, nil, gravity
	old := p.bodies
	p.bodies, p.at, p.queue, p.waiting = make(map[world.ID]*body, len(old)), nil, p.queue[:0], nil
	p.links, p.parted, p.weighed = nil, nil, p.weighed[:0]
	clear(p.fresh)
	for id := range p.w.Bodies.All(&tx.View) {
		if err := p.again(&tx.View, id, old[id]); err != nil {
			p.broken = err
			return fmt.Errorf("physics: a new engine does not take %s, so bodies stand still: %w", id, err)
		}
	}
	p.moved = p.moved[:0] // every body was told of
	if err := p.rebuilds.Set(tx, p.rebuilds.Get(&tx.View)+1); err != nil {
		return err
	}
	if p.config.Rebuilt != nil {
		p.config.Rebuilt(Rebuild{Step: tx.Step(), Reason: reason.Error()})
	}
	return nil
}

// again gives a new engine the body of an entity; before is what was known of it.
func (p *Physics) again(v *world.View, id world.ID, before *body) error {
	b := &body{id: id}
	want, ok := p.describe(v, id)
	if !ok {
		return nil
	}
	if before != nil {
		b.awakeAt = before.awakeAt
		if before.lost && want.Position == before.position && want.Rotation == before.rotation && alike(&want, &before.made) {
			p.bodies[id] = before
			return nil
		}
		if want.Kind == Dynamic && want.Position == before.position && want.Rotation == before.rotation {
			want.Linear, want.Angular = before.made.Linear, before.made.Angular
		}
	}
	p.bodies[id] = b
	if err := p.enter(b, want); err != nil {
		return err
	}
	if before != nil && want.Kind == Dynamic && want.Position == before.position && want.Rotation == before.rotation {
		b.from = before.from
	}
	return nil
}
