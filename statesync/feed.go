package statesync

import (
	"slices"
	"strings"
	"sync"
)

// Feed is what one connection is subscribed to: any number of views, by name, of which at most one
// writer at a time pulls what is due. Its methods may be called concurrently.
type Feed struct {
	hub   *Hub
	wake  func()
	large func() (done func()) // see OnLarge

	// mu is held by who pulls. Below it, the hub's mu is locked for reading.
	mu sync.Mutex

	// Guarded by the hub's mu: written under its write lock, or under its read lock with mu held.
	awake  bool // wake was called, and what is due has not been pulled to the end since
	closed bool
	over   bool    // it has held too much: its owner is told to close it
	named  uint32  // subscriptions so far, which numbers them
	due    []*View // views that have something to tell, in the order in which they got it
	views  []*View // by name
	held   int     // entities in its views, and those that are yet to be read into them, when they were counted last
	by     *holder // for whom that counts; nil: for itself

	ctl    sync.Mutex // held by what changes subscriptions, which may take a while
	onOver func()     // see OnOver
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
	return &Feed{hub: h, wake: wake, large: func() func() { return func() {} }, onOver: func() {}}
}

// OnLarge sets what [Feed.Subscribe] and [View.Declare] do about an area of thousands of entities, which keeps a processor busy
// for milliseconds and more. large is called on their goroutine when most of the area is still to be read, and may wait, but not for the feed. done is
// called when the area has been read and the message that tells it is written. So a server can have a
// few at a time, however many clients ask for the whole world at once. Call it before the first Subscribe; it must not be nil, nor done.
func (f *Feed) OnLarge(large func() (done func())) {
	if large == nil {
		panic("statesync: OnLarge: the function is nil")
	}
	f.large = large
}

// Append appends the next frame that is due to dst: a message of one view, or those of several that
// were subscribed with Batch. Whoever pulls calls it until it answers NoFrame, each time as soon as
// the frame before is written: whatever happened meanwhile is folded in. It waits for no peer.
func (f *Feed) Append(dst []byte) (out []byte, kind Frame) {
	f.locked(func(*Hub) { out, kind = f.append(dst) })
	return out, kind
}

// Drain appends frames until nothing is due, or dst has grown by about limit bytes: then it reports more,
// and has to be called again. Each frame is given to seal, with its beginning in dst and its kind.
func (f *Feed) Drain(dst []byte, limit int, seal func(dst []byte, start int, kind Frame) []byte) (out []byte, more bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hub.mu.RLock()
	defer f.hub.mu.RUnlock()
	for from := len(dst); len(dst)-from <= limit; {
		start := len(dst)
		var kind Frame
		if dst, kind = f.append(dst); kind == NoFrame {
			return dst, false
		}
		dst = seal(dst, start, kind)
	}
	return dst, true
}

// locked runs fn with the locks of who pulls.
func (f *Feed) locked(fn func(h *Hub)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.hub.mu.RLock()
	defer f.hub.mu.RUnlock()
	fn(f.hub)
}

// append is Append. The locks are held.
func (f *Feed) append(dst []byte) ([]byte, Frame) {
	h := f.hub
	for i, v := range f.due {
		f.due[i], v.due = nil, false
		if !v.open() {
			continue
		}
		n := len(dst)
		kind := v.format.frame()
		if v.batch {
			dst = f.appendBatch(dst, v, f.due[i+1:])
		} else {
			dst = v.append(h, dst)
		}
		if len(dst) > n {
			if len(f.due) == i+1 {
				f.due = f.due[:0]
			} else {
				f.due = f.keep(i + 1)
			}
			v.tally.bytes += uint64(len(dst) - n)
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
	if i, found := f.find(name); found {
		return f.views[i]
	}
	return nil
}

// find returns where in f.views a name is, or would be.
func (f *Feed) find(name string) (i int, found bool) {
	return slices.BinarySearchFunc(f.views, name, func(v *View, name string) int { return strings.Compare(v.name, name) })
}

// add puts a view among the others, none of which has its name.
func (f *Feed) add(v *View) {
	i, _ := f.find(v.name)
	f.views = slices.Insert(f.views, i, v)
	if f.by != nil {
		f.by.views++
	}
}

func (f *Feed) remove(v *View) {
	if i, found := f.find(v.name); found {
		f.views = slices.Delete(f.views, i, i+1)
		if f.by != nil {
			f.by.views--
		}
	}
}

// Views returns the views of the connection, by name.
func (f *Feed) Views() []*View {
	f.hub.mu.RLock()
	defer f.hub.mu.RUnlock()
	return slices.Clone(f.views)
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
	if f.over && !f.closed {
		f.hub.overs--
	}
	f.closed = true
	f.hub.mu.Unlock()
	for _, v := range f.Views() {
		v.end()
	}
	f.hub.mu.Lock()
	defer f.hub.mu.Unlock()
	f.unown()
}
