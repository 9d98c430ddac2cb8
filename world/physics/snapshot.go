package physics

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// record is a body in a snapshot.
type record struct {
	ID       world.ID
	Handle   Handle
	Live     bool `json:",omitempty"`
	Lost     bool `json:",omitempty"`
	Queued   bool `json:",omitempty"`
	Waits    bool `json:",omitempty"`
	AwakeAt  uint64
	Made     Body
	Position world.Vec3
	Rotation world.Quat
	From     stance `json:",omitzero"` // of a dynamic body that was awake
}

// held is what a snapshot holds beside what the engine does.
type held struct {
	Bodies  []record // in id order
	Queue   []world.ID
	Waiting []world.ID `json:",omitempty"`
	Links   []link     `json:",omitempty"` // in id order
	Rejoin  bool       `json:",omitempty"`
	Parted  []parted   `json:",omitempty"` // by id
	Last    uint64
	Awake   int
}

// Snapshot returns what physics keeps beside the world: what the engine knows and the world does not,
// such as velocities and how hard bodies press on one another. Together with the world it is all that
// decides how bodies go on. It costs some ten milliseconds for a thousand bodies, with the world
// locked. It is nil if there never was a dynamic body.
func (p *Physics) Snapshot() (snapshot []byte, err error) {
	_, failed := p.w.Update(context.Background(), func(tx *world.Tx) error {
		snapshot, err = p.snapshot(&tx.View)
		return nil
	})
	return snapshot, errors.Join(err, failed)
}

func (p *Physics) snapshot(v *world.View) ([]byte, error) {
	if !p.started {
		return nil, nil
	}
	if p.broken != nil || p.engine == nil {
		return nil, fmt.Errorf("physics: the engine is about to be replaced: %w", p.broken)
	}
	engine, err := p.engine.Snapshot()
	if err != nil {
		return nil, err
	}
	h := held{Last: p.last, Awake: p.awake, Links: p.links, Rejoin: p.rejoin, Parted: p.parted}
	for id := range v.All() {
		if b := p.bodies[id]; b != nil {
			r := record{id, b.handle, b.live, b.lost, b.queued, b.waits, b.awakeAt, b.made, b.position, b.rotation, stance{}}
			if b.made.Kind == Dynamic && b.awakeAt == p.last {
				r.From = b.from
			}
			h.Bodies = append(h.Bodies, r)
		}
	}
	for _, b := range p.queue {
		h.Queue = append(h.Queue, b.id)
	}
	for _, b := range p.waiting {
		h.Waiting = append(h.Waiting, b.id)
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("physics: %w", err)
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return append(append(out, text...), engine...), nil
}

var errSnapshot = errors.New("physics: this is no snapshot")

// Restore has physics go on from a snapshot, in a world that is what it was when the snapshot was
// taken. It opens an engine, which may take seconds; the world is locked meanwhile.
func (p *Physics) Restore(ctx context.Context, snapshot []byte) (err error) {
	if p.config.Open == nil {
		return errors.New("physics: a world whose bodies do not move takes no snapshot")
	}
	if len(snapshot) < 8 || binary.LittleEndian.Uint64(snapshot) > uint64(len(snapshot)-8) {
		return errSnapshot
	}
	n := binary.LittleEndian.Uint64(snapshot)
	var h held
	if err := json.Unmarshal(snapshot[8:8+n], &h); err != nil {
		return errSnapshot
	}
	_, err = p.w.Update(ctx, func(*world.Tx) error { return p.restore(ctx, &h, snapshot[8+n:]) })
	return err
}

func (p *Physics) restore(ctx context.Context, h *held, snapshot []byte) error {
	engine, err := p.config.Open(ctx, p.settings())
	if err != nil {
		return err
	}
	if err := engine.Restore(snapshot); err != nil {
		return errors.Join(err, engine.Close())
	}
	if p.opening != nil && !p.started {
		p.opening.cancel()
		<-p.opening.done
		p.engine = p.opening.engine
	}
	if p.engine != nil {
		if err := p.engine.Close(); err != nil {
			return errors.Join(err, engine.Close())
		}
	}
	p.engine, p.broken, p.failed, p.started, p.wanted = engine, nil, 0, true, true
	p.last, p.awake, p.links, p.rejoin, p.parted = h.Last, h.Awake, h.Links, h.Rejoin, h.Parted
	p.weighed = breakable(p.weighed[:0], p.links)
	p.bodies, p.at, p.queue, p.waiting = make(map[world.ID]*body, len(h.Bodies)), nil, nil, nil
	for _, r := range h.Bodies {
		b := &body{
			id: r.ID, handle: r.Handle, live: r.Live, lost: r.Lost, queued: r.Queued, waits: r.Waits,
			made: r.Made, awakeAt: r.AwakeAt, position: r.Position, rotation: r.Rotation, from: r.From,
		}
		if b.from == (stance{}) { // it slept, or the snapshot is older than this
			b.from = stance{b.position, b.rotation}
		}
		p.bodies[r.ID] = b
		if b.live {
			p.index(b)
		}
	}
	for _, id := range h.Queue {
		if b := p.bodies[id]; b != nil {
			p.queue = append(p.queue, b)
		}
	}
	for _, id := range h.Waiting {
		if b := p.bodies[id]; b != nil {
			p.waiting = append(p.waiting, b)
		}
	}
	return nil
}
