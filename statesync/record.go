package statesync

import (
	"bytes"
	"sync"
	"sync/atomic"

	"github.com/limina-mcp/limina/world"
)

// record is the newest state of an entity that at least one view holds: one copy, which all of them
// share. It is changed by commits, under the write lock of the hub, and read by those who pull, under
// its read lock.
type record struct {
	// What compact views look at comes first.
	pose     pose        // at, quantised
	posed    uint64      // the tick in which that changed last
	odd      uint64      // the tick in which its scale or any of its parts changed last
	was      [poses]then // poses before, the newest first
	id       world.ID
	watchers []watcher // the views that hold it, in no order

	fresh atomic.Bool // fragment is up to date
	hung  bool        // it is in hub.hung
	body  bool        // it has a rigid body

	at     world.Transform // in world space
	scaled uint64          // the tick in which its scale changed last
	parted uint64          // the tick in which any of its parts changed last
	parts  []partState     // its parent and components
	text   []byte          // their JSON

	writing sync.Mutex // held by the one of those who pull that writes fragment

	// The entity as JSON, written by the first who needs it and then shared. While the hub is locked for
	// reading it changes from stale to fresh at most once, so what was seen to be fresh may be read.
	fragment []byte
}

// poses is how many poses before the present one are remembered: so often may an entity move between two messages
// to a view, and the view is still told a difference. Three make a record fill
// lines of the cache.
const poses = 3

// then is a pose of the past.
type then struct {
	pose  pose
	since uint64 // the tick in which it was taken
}

// watcher is a view that holds an entity, and in which of its slots.
type watcher struct {
	view *View
	slot uint32
}

// partState is a part of an entity. One that is gone is kept, so that views can be told.
type partState struct {
	name       uint32 // its place in hub.names
	start, end uint32 // of its JSON in record.text
	gone       bool
	tick       uint64 // in which it changed last
}

// json returns the entity as JSON.
func (r *record) json(h *Hub) []byte {
	if r.fresh.Load() {
		return r.fragment
	}
	r.writing.Lock()
	defer r.writing.Unlock()
	if r.fresh.Load() {
		return r.fragment
	}
	h.encoded.Add(1)
	r.fragment = world.AppendPlace(r.fragment[:0], r.id, &r.at, r.body)
	for i := range r.parts {
		if p := &r.parts[i]; !p.gone {
			r.fragment = append(append(r.fragment, h.names.keys[p.name]...), r.part(p)...)
		}
	}
	r.fragment = append(r.fragment, '}')
	r.fresh.Store(true)
	return r.fragment
}

// part returns the JSON of a part that is not gone.
func (r *record) part(p *partState) []byte { return r.text[p.start:p.end] }

// place puts the entity where it is when somebody first sees it: as far as anybody knows it has always been there.
func (r *record) place(h *Hub, at *world.Transform) {
	r.at = *at
	r.pose = pose{h.quantum.place(&at.Position), packTurn(&at.Rotation)}
}

// move takes the entity to where it is now.
func (r *record) move(h *Hub, at *world.Transform) {
	now := r.pose
	if at.Position != r.at.Position {
		now.place = h.quantum.place(&at.Position)
	}
	if at.Rotation != r.at.Rotation {
		now.turn = packTurn(&at.Rotation)
	}
	if now != r.pose {
		copy(r.was[1:], r.was[:])
		r.was[0] = then{r.pose, r.posed}
		r.pose, r.posed = now, h.tick
	}
	if at.Scale != r.at.Scale {
		r.scaled, r.odd = h.tick, h.tick
	}
	r.at = *at
	r.fresh.Store(false)
}

// told returns the pose that a client holds who was told everything up to a tick, nil if that is not known any
// more.
func (r *record) told(seen uint64) *pose {
	if seen >= r.posed {
		return &r.pose
	}
	for i := range r.was {
		if seen >= r.was[i].since {
			return &r.was[i].pose
		}
	}
	return nil
}

// readParts reads the parts of an entity from the world and reports whether any has changed.
func (r *record) readParts(h *Hub, v *world.View) bool {
	s := &h.partScratch
	s.text, s.parts = v.World().AppendParts(s.text[:0], s.parts[:0], v, r.id)
	s.next = s.next[:0]
	changed, start := false, 0
	for _, p := range s.parts {
		now := partState{name: h.names.number(p.Name), start: uint32(start), end: uint32(p.End), tick: h.tick}
		if old := r.find(now.name); old != nil && !old.gone && bytes.Equal(r.part(old), s.text[start:p.End]) {
			now.tick = old.tick
		} else {
			changed = true
		}
		s.next = append(s.next, now)
		start = p.End
	}
	for i := range r.parts {
		old := r.parts[i]
		if s.holds(old.name) {
			continue
		}
		if !old.gone {
			old.gone, old.tick, changed = true, h.tick, true
		}
		s.next = append(s.next, old)
	}
	if !changed {
		return false
	}
	r.body = v.World().Bodies.Has(v, r.id)
	r.text = append(r.text[:0], s.text...)
	r.parts = append(r.parts[:0], s.next...)
	r.parted, r.odd = h.tick, h.tick
	r.fresh.Store(false)
	return true
}

func (r *record) find(name uint32) *partState {
	for i := range r.parts {
		if r.parts[i].name == name {
			return &r.parts[i]
		}
	}
	return nil
}

// partScratch is room for readParts to work in.
type partScratch struct {
	text  []byte
	parts []world.Part
	next  []partState
}

func (s *partScratch) holds(name uint32) bool {
	for i := range s.next {
		if s.next[i].name == name {
			return true
		}
	}
	return false
}
