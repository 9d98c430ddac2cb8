package statesync

// View is one subscription of a connection: an area, and what its client holds of it. It is made by
// [Feed.Subscribe]. Its methods may be called concurrently.
type View struct {
	// What every change and every message looks at comes first, close together: a server of many views
	// spends most of its time waiting for their memory.
	region  region
	touched uint64 // the newest commit that touched the view
	seen    uint64 // the tick up to which the client has been told
	feed    *Feed
	started bool // Start was called
	reading bool // the area is being read
	due     bool // is in feed.due
	closed  bool
	moved   bool // the client has yet to be told the area
	begun   bool // the client holds something: a snapshot, or what it resumes with
	resumed bool // the next message is the first after a resume
	batch   bool
	slots
	tick    uint64 // tick and step of the newest message
	step    uint64
	number  uint32 // of the name, in binary messages
	knows   uint32 // how many names of parts the client knows
	format  format
	anew    bool  // the next message is a snapshot, and not the first message: see shrink
	counted int32 // entities that it held when they were counted last
	tally   tally
	causes  []uint64
	events  []*event
	heavy   int       // bytes of events
	missed  int       // moments before those that there was no room for
	pins    *viewPins // nil before there are any

	at     int // its place in hub.views
	name   string
	area   Area
	unread *unread // nil if there is nothing to be read
}

// maxCauses is how many intents a delta names at most: the newest.
const maxCauses = 256

// Name returns the name that the client gave the subscription, "" for the default one.
func (v *View) Name() string { return v.name }

// Frame returns the kind of frame that the view's messages travel in.
func (v *View) Frame() Frame { return v.format.frame() }

// open reports whether the view may tell something.
func (v *View) open() bool { return v.started && !v.reading && !v.closed }

// Start has the messages be due that follow what [Feed.Subscribe] or [View.Declare] has appended. It is called when nothing that
// [Feed.Append] returns from then on can reach the client before that.
func (v *View) Start() {
	v.wake(func() { v.started = true })
}

// wake changes the view so that it may have something to tell, and wakes its connection if it has.
func (v *View) wake(change func()) {
	h := v.feed.hub
	h.mu.Lock()
	change()
	var f *Feed
	if v.pending() {
		f = h.ready(v)
	}
	h.mu.Unlock()
	if f != nil {
		f.wake()
	}
}

// Tick returns the tick of the newest message of the view.
func (v *View) Tick() uint64 {
	v.feed.mu.Lock()
	defer v.feed.mu.Unlock()
	return v.tick
}

// Area returns the area of the view.
func (v *View) Area() Area {
	h := v.feed.hub
	h.mu.RLock()
	defer h.mu.RUnlock()
	return v.area
}

// put has a slot be that of an entity.
func (v *View) put(n uint32, r *record) {
	v.records[n], v.places[n] = r, uint32(len(r.watchers))
	v.live++
	r.watchers = append(r.watchers, watcher{v, n})
}

// enter adds an entity to what the view holds.
func (v *View) enter(r *record) {
	n := v.take(r.id)
	v.put(n, r)
	v.words[n>>6].whole |= 1 << (n & 63)
	v.mark(n)
	if r.hung {
		v.loosen(v.feed.hub.hung[r.id]...)
	}
}

// leave takes the i-th view off a record's watchers. The last watcher takes its place.
func (r *record) leave(i int) {
	w := r.watchers[i]
	w.view.vacate(w.slot, r.id)
	if r.hung {
		w.view.loosen(w.view.feed.hub.hung[r.id]...)
	}
	r.unwatch(i)
}

func (r *record) unwatch(i int) {
	last := len(r.watchers) - 1
	if i != last {
		moved := r.watchers[last]
		r.watchers[i] = moved
		moved.view.places[moved.slot] = uint32(i)
	}
	r.watchers[last] = watcher{}
	r.watchers = r.watchers[:last]
}

// addCauses notes the intents of a commit that touches the view.
func (v *View) addCauses(causes []uint64) {
	if n := len(v.causes) + len(causes) - maxCauses; n > 0 {
		v.causes = append(v.causes[:0], v.causes[min(n, len(v.causes)):]...)
		causes = causes[max(len(causes)-maxCauses, 0):]
	}
	v.causes = append(v.causes, causes...)
}

// pending reports whether there is anything to be told. It may say so in vain.
func (v *View) pending() bool {
	return v.moved || v.touched > v.seen || len(v.gone) > 0 || len(v.causes) > 0 || len(v.events) > 0
}
