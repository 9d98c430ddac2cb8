package world

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync/atomic"
)

// Tracker notes what changes in a world, so that the world can be written down piece by piece: see [World.Track]. One
// goroutine at a time may use it.
type Tracker struct {
	w     *World
	woken chan struct{}
	dirty atomic.Bool   // something has changed since it was written
	given uint64        // how many ids had been given at the last Append
	tick  uint64        // of the newest commit then
	most  atomic.Uint64 // how many may be, see Reserve; 0: any number

	// Under the lock of the world.
	entities map[ID]bool
	shared   map[uint32]bool // tables and globals, by number
}

// Track has everything noted that changes from now on: all state, private state too. A world has one tracker at a
// time; Track fails if there is one.
func (w *World) Track() (*Tracker, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tracker != nil {
		return nil, errTracked
	}
	t := &Tracker{w: w, woken: make(chan struct{}, 1), entities: map[ID]bool{}, shared: map[uint32]bool{}}
	w.tracker = t
	return t, nil
}

var errTracked = errors.New("world: it is written down already: there is a Tracker that was not stopped")

// Stop ends the tracker.
func (t *Tracker) Stop() {
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	t.w.tracker = nil
	for _, s := range t.w.states {
		if r, ok := s.(rowed); ok {
			r.unmark()
		}
	}
}

// Changed reports whether something has changed since the last Append.
func (t *Tracker) Changed() bool { return t.dirty.Load() }

// Woken returns a channel that gets a value when something changes after an Append.
func (t *Tracker) Woken() <-chan struct{} { return t.woken }

// note marks what a transaction has changed: its journal names all of it.
func (t *Tracker) note(tx *Tx) {
	for i := range tx.journal {
		if id := tx.journal[i].id; id != 0 {
			t.entities[id] = true
		}
	}
	for _, s := range tx.used {
		if _, ok := s.(column); ok {
			continue
		}
		if r, ok := s.(rowed); ok {
			r.mark()
		}
		t.shared[s.base().number] = true
	}
	if !t.dirty.Swap(true) {
		select {
		case t.woken <- struct{}{}:
		default:
		}
	}
}

// Append appends, as the JSON of an [Image], what has changed since the last call, or since Track. What it writes is of
// one moment, between two commits. If nothing has changed it writes where the world is: tick, step and the like.
func (t *Tracker) Append(dst []byte) []byte {
	return t.piece(dst, func(dst []byte) []byte {
		if len(t.entities) > 0 {
			dst = t.appendEntities(dst, slices.Sorted(maps.Keys(t.entities)))
		}
		dst = t.appendShared(dst, func(s state) bool { return t.shared[s.base().number] }, rowed.appendMarked)
		t.entities, t.shared = map[ID]bool{}, map[uint32]bool{}
		t.dirty.Store(false)
		t.given, t.tick = t.w.entities.next, t.w.Tick()
		return dst
	})
}

// Tick returns the tick of the newest commit that Append has written, 0 before the first.
func (t *Tracker) Tick() uint64 { return t.tick }

// Reserve says that what Append wrote last is kept for good: from now on the world gives so many ids more than it had given then, and refuses to make
// more entities, with capacity_exceeded, until Reserve is called again or the tracker is stopped. So whoever goes on with what was kept knows which ids may
// have been given since.
func (t *Tracker) Reserve(ids uint64) { t.most.Store(t.given + ids) }

// Skip has the world go on behind a tick, and give entities ids from next on; what is behind that already stays. It is for who knows, right after [World.Load], that another world has given the
// ticks and ids before: one that went on from what this one is. The hash of the world changes, as it does by commits and by entities that are gone. It fails, and changes nothing, where
// ids go beyond what an image may have, or ticks beyond what every client can read as a number, 2^53-1.
func (t *Tracker) Skip(tick uint64, next ID) error {
	w := t.w
	w.mu.Lock()
	defer w.mu.Unlock()
	tick = max(tick, w.Tick())
	given := max(uint64(next), w.entities.next+1) - 1
	switch {
	case given > maxGiven:
		return fmt.Errorf("world: skip: there would be no ids left: at most %d are given, and %d have been", uint64(maxGiven), given)
	case tick > maxTick:
		return fmt.Errorf("world: skip: there would be no ticks left: the greatest is %d, and %d has been", uint64(maxTick), tick)
	}
	w.entities.next = given
	w.ticks.Store(tick)
	w.ledger.lost = tick
	return nil
}

const maxTick = 1<<53 - 1

// spent reports whether all ids that were reserved have been given.
func (t *Tracker) spent() bool {
	if t == nil {
		return false
	}
	most := t.most.Load()
	return most > 0 && t.w.entities.next >= most
}

// Whole calls write with the whole world, in pieces, each the JSON of an [Image] and write's only while it runs. The world
// is locked for one piece at a time only, and so may change between them: it is all of one moment together with what Append
// writes next. It returns the first error of write.
func (t *Tracker) Whole(write func(piece []byte) error) error {
	const many = 1000
	var end ID // whatever is made later is what Append writes
	buf := t.piece(nil, func(dst []byte) []byte {
		end = ID(t.w.entities.next)
		return t.appendShared(dst, func(state) bool { return true }, rowed.appendTable)
	})
	if err := write(buf); err != nil {
		return err
	}
	for last := ID(0); ; {
		var ids []ID
		buf = t.piece(buf[:0], func(dst []byte) []byte {
			for id, ok := t.w.entities.after(last); ok && id <= end && len(ids) < many; id, ok = t.w.entities.after(id) {
				ids = append(ids, id)
			}
			return t.appendEntities(dst, ids)
		})
		if len(ids) == 0 {
			return nil
		}
		if err := write(buf); err != nil {
			return err
		}
		last = ids[len(ids)-1]
	}
}

// piece appends an image with these contents, with the world locked for reading.
func (t *Tracker) piece(dst []byte, contents func([]byte) []byte) []byte {
	t.w.mu.RLock()
	defer t.w.mu.RUnlock()
	return append(contents(t.begin(dst)), '}')
}

// begin begins an image with what each has.
func (t *Tracker) begin(dst []byte) []byte {
	w := t.w
	random, _ := w.random.MarshalBinary() // never fails
	dst = strconv.AppendUint(append(dst, `{"tick":`...), w.Tick(), 10)
	dst = strconv.AppendUint(append(dst, `,"step":`...), w.reading().Step(), 10)
	dst = strconv.AppendUint(append(dst, `,"given":`...), w.entities.next, 10)
	dst = base64.StdEncoding.AppendEncode(append(dst, `,"random":"`...), random)
	return append(dst, '"')
}

func (t *Tracker) appendEntities(dst []byte, ids []ID) []byte {
	dst = append(dst, `,"entities":{`...)
	for i, id := range ids {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendID(dst, id), ':')
		if s := t.w.entities.get(id); s != nil {
			dst = t.appendEntity(dst, id, s)
		} else {
			dst = append(dst, "null"...)
		}
	}
	return append(dst, '}')
}

func appendID(dst []byte, id ID) []byte { return append(id.append(append(dst, '"')), '"') }

func (t *Tracker) appendEntity(dst []byte, id ID, s *slot) []byte {
	dst = append(dst, '{')
	if s.parent != 0 {
		dst = append(appendID(append(dst, `"parent":`...), s.parent), ',')
	}
	dst = appendFloats(append(dst, `"pos":`...), s.local.Position[:])
	dst = appendFloats(append(dst, `,"rot":`...), s.local.Rotation[:])
	dst = appendFloats(append(dst, `,"scale":`...), s.local.Scale[:])
	open := false
	for _, c := range t.w.columns {
		mark := len(dst)
		if !open {
			dst = append(dst, `,"parts":{`...)
		} else {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), c.key()...), `":`...)
		var has bool
		if dst, has = c.appendOf(dst, id); has {
			open = true
		} else {
			dst = dst[:mark]
		}
	}
	if open {
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// appendShared writes the tables and globals that are wanted.
func (t *Tracker) appendShared(dst []byte, wanted func(state) bool, rows func(rowed, []byte) []byte) []byte {
	for _, tables := range []bool{true, false} {
		open := false
		for _, s := range t.w.states {
			r, isTable := s.(rowed)
			if _, isColumn := s.(column); isColumn || isTable != tables || !wanted(s) {
				continue
			}
			switch {
			case open:
				dst = append(dst, ',')
			case tables:
				dst = append(dst, `,"tables":{`...)
			default:
				dst = append(dst, `,"globals":{`...)
			}
			open = true
			dst = append(append(append(dst, '"'), s.key()...), `":`...)
			if isTable {
				dst = rows(r, dst)
			} else {
				dst = s.append(dst)
			}
		}
		if open {
			dst = append(dst, '}')
		}
	}
	return dst
}
