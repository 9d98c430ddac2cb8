package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/limina-mcp/limina/statesync/replica"
)

// Update is what has changed in a view since the update before.
type Update struct {
	Tick, Step uint64

	// Snapshot says that the view was filled anew: Changed is all that is there, and what else was there
	// is gone. The first update is one.
	Snapshot bool

	Changed  []ID     // entities that have come or are no longer what they were, in order
	Removed  []ID     // those of the entities that were there at the update before that have left the area or the world, in order
	CausedBy []uint64 // intents of the calls that did it: [Metadata.Intent]; the newest 1024
	Events   []Moment // in the order in which they happened; the newest 256
	Missed   uint64   // moments before the last of Events that there was no room for, here or at the server
}

// Moment is something that happened and left no trace in the world: a sound, an effect, a word.
type Moment struct {
	Kind    string          `json:"kind"`
	Entity  ID              `json:"entity"` // none if it has to do with none
	At      *[3]float64     `json:"at"`     // nil if it has no place
	Payload json.RawMessage `json:"payload"`
}

// What is kept for somebody who does not ask for the next update.
const (
	maxCauses = 1024
	maxEvents = 256
	maxGone   = 4096 // then the next update is a snapshot
)

// Updates returns the changes of the view, the first at once: it is a snapshot of what is there. What
// happens while the loop's body runs is folded into one update, so whoever is slow gets fewer and
// larger ones. The loop ends when ctx or the view does ([View.Err]).
//
// An update says what has changed; [View.Get] has it as it is now, which may be later. Any number of
// goroutines may follow a view, each with a loop of its own.
func (v *View) Updates(ctx context.Context) iter.Seq[Update] {
	return func(yield func(Update) bool) {
		w := v.watch()
		defer v.unwatch(w)
		for {
			if u, ok := v.take(w); ok {
				if !yield(u) {
					return
				}
				continue
			}
			select {
			case <-w.some:
			case <-ctx.Done():
				return
			case <-v.done:
				if u, ok := v.take(w); ok {
					yield(u)
				}
				return
			}
		}
	}
}

// watcher gathers what has changed since it was asked last.
type watcher struct {
	some chan struct{} // there may be something

	// Guarded by the client's viewsMu:
	dirty    bool
	snapshot bool
	changed  map[ID]bool     // … that are in the copy; true if the follower has not been told of them
	removed  map[ID]struct{} // … that the follower has been told of, and that are not in the copy
	causes   []uint64
	events   []Moment
	missed   uint64
}

func (v *View) watch() *watcher {
	w := &watcher{some: make(chan struct{}, 1), dirty: true, snapshot: true, changed: map[ID]bool{}, removed: map[ID]struct{}{}}
	v.client.viewsMu.Lock()
	defer v.client.viewsMu.Unlock()
	v.watchers[w] = struct{}{}
	return w
}

func (v *View) unwatch(w *watcher) {
	v.client.viewsMu.Lock()
	defer v.client.viewsMu.Unlock()
	delete(v.watchers, w)
}

// add gathers one more message. The caller holds viewsMu.
func (w *watcher) add(now *replica.View, u *replica.Update) error {
	w.dirty = true
	if u.Snapshot {
		w.startOver()
	}
	if !w.snapshot {
		w.fold(u)
		if len(w.removed) > max(maxGone, len(now.Entities)) {
			w.startOver()
		}
	}
	w.causes = newest(append(w.causes, u.CausedBy...), maxCauses)
	for _, text := range u.Events {
		var m Moment
		if err := json.Unmarshal(text, &m); err != nil {
			return fmt.Errorf("an event: %w: %.100q", err, text)
		}
		w.events = append(w.events, m)
	}
	w.missed += u.Missed + uint64(max(len(w.events)-maxEvents, 0))
	w.events = newest(w.events, maxEvents)
	select {
	case w.some <- struct{}{}:
	default:
	}
	return nil
}

// fold adds what a delta has changed to what has changed since the follower was told last. What came since then and went
// again has left no trace; what went and came again has changed.
func (w *watcher) fold(u *replica.Update) {
	for _, n := range u.Removed {
		id := idOf(n)
		if came := w.changed[id]; !came {
			w.removed[id] = struct{}{}
		}
		delete(w.changed, id)
	}
	for _, n := range u.Entered {
		id := idOf(n)
		_, was := w.removed[id]
		w.changed[id] = !was
	}
	for _, n := range u.Changed {
		id := idOf(n)
		delete(w.removed, id)
		if _, noted := w.changed[id]; !noted {
			w.changed[id] = false
		}
	}
}

// startOver makes the next update a snapshot.
func (w *watcher) startOver() {
	w.snapshot = true
	clear(w.changed)
	clear(w.removed)
}

// newest returns the last n of a list.
func newest[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	return append([]T(nil), list[len(list)-n:]...)
}

// take returns what has been gathered, if there is anything.
func (v *View) take(w *watcher) (Update, bool) {
	v.client.viewsMu.Lock()
	defer v.client.viewsMu.Unlock()
	if !w.dirty {
		return Update{}, false
	}
	u := Update{Tick: v.copy.Tick, Step: v.copy.Step, Snapshot: w.snapshot, CausedBy: w.causes, Events: w.events, Missed: w.missed}
	if w.snapshot {
		for n := range v.copy.Entities {
			u.Changed = append(u.Changed, idOf(n))
		}
		slices.Sort(u.Changed)
	} else {
		u.Changed = slices.Sorted(maps.Keys(w.changed))
		u.Removed = slices.Sorted(maps.Keys(w.removed))
		clear(w.changed)
		clear(w.removed)
	}
	w.dirty, w.snapshot, w.causes, w.events, w.missed = false, false, nil, nil, 0
	return u, true
}
