package statesync

import (
	"slices"
	"strings"
	"sync"
)

// Feed is what one connection is subscribed to: any number of views, by name, of which at most one
// writer at a time pulls what is due. Its methods may be called concurrently.
type Feed struct {
	hub  *Hub
	wake func()

	ctl sync.Mutex // held by what changes subscriptions, which may take a while

	// mu is held by who pulls. Below it, the hub's mu is locked for reading.
	mu sync.Mutex

	// Guarded by the hub's mu: written under its write lock, or under its read lock with mu held.
	views  map[string]*View
	due    []*View // views that have something to tell, in the order in which they got it
	awake  bool    // wake was called, and what is due has not been pulled to the end since
	closed bool
	named  uint32 // subscriptions so far, which numbers them
}

// Frame says what kind of frame a message travels in.
type Frame uint8

// The kinds of frames.
const (
	NoFrame     Frame = iota // nothing is due
	TextFrame                // JSON
	BinaryFrame              // the binary format, one message or several
)

// Connect returns the feed of a new connection. wake is called when something has become due after
// nothing was: once, until [Feed.Append] has said that nothing is due. It is called in the middle of
// a commit, so it must not block or call the hub; it sets a flag, or does a non-blocking send. Who
// asks anyway needs no wake and gives nil.
func (h *Hub) Connect(wake func()) *Feed {
	if wake == nil {
		wake = func() {}
	}
	return &Feed{hub: h, wake: wake, views: map[string]*View{}}
}

// Append appends the next frame that is due to dst: a message of one view, or those of several that
// were subscribed with Batch. Whoever pulls calls it until it answers NoFrame, each time as soon as
// the frame before is written: whatever happened meanwhile is folded in. It waits for no peer.
func (f *Feed) Append(dst []byte) ([]byte, Frame) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.hub
	h.mu.RLock()
	defer h.mu.RUnlock()
	for i, v := range f.due {
		f.due[i], v.due = nil, false
		if !v.open() {
			continue
		}
		n := len(dst)
		kind := v.encoding.frame()
		if v.batch {
			dst = f.appendBatch(dst, v, f.due[i+1:])
		} else {
			dst = v.append(h, dst)
		}
		if len(dst) > n {
			f.due = f.keep(i + 1)
			h.bytes.Add(uint64(len(dst) - n))
			return dst, kind
		}
	}
	f.due, f.awake = f.due[:0], false
	return dst, NoFrame
}

// keep returns what is still due, after the first n views.
func (f *Feed) keep(n int) []*View {
	rest := slices.DeleteFunc(f.due[n:], func(v *View) bool { return !v.due })
	moved := copy(f.due, rest)
	clear(f.due[moved:])
	return f.due[:moved]
}

// View returns the view of a name, nil if there is none.
func (f *Feed) View(name string) *View {
	f.hub.mu.RLock()
	defer f.hub.mu.RUnlock()
	return f.views[name]
}

// Views returns the views of the connection, by name.
func (f *Feed) Views() []*View {
	f.hub.mu.RLock()
	defer f.hub.mu.RUnlock()
	all := make([]*View, 0, len(f.views))
	for _, v := range f.views {
		all = append(all, v)
	}
	slices.SortFunc(all, func(a, b *View) int { return strings.Compare(a.name, b.name) })
	return all
}

// Unsubscribe ends the subscription of a name and reports whether there was one.
func (f *Feed) Unsubscribe(name string) bool {
	f.ctl.Lock()
	defer f.ctl.Unlock()
	v := f.View(name)
	if v == nil {
		return false
	}
	v.end()
	return true
}

// Close ends all subscriptions, for good. It may be called more than once.
func (f *Feed) Close() {
	f.ctl.Lock()
	defer f.ctl.Unlock()
	f.hub.mu.Lock()
	f.closed = true
	f.hub.mu.Unlock()
	for _, v := range f.Views() {
		v.end()
	}
}
