package registry

import (
	"maps"
	"slices"
	"sync"
)

// MaxFollowed is how many resources one [Follower] may follow.
const MaxFollowed = 256

// Follower is told which of the resources that it follows have changed. However often a resource has
// changed since it was last asked, it says so once: what it keeps is bounded by what it follows.
//
// All methods may be called concurrently.
type Follower struct {
	set    *Resources
	notify func()

	mu      sync.Mutex // guards what follows
	all     map[string]*followed
	changed []*followed // in the order of their first change
	closed  bool
}

// followed is a resource that is followed.
type followed struct {
	uri      string
	resource Resource
	stop     func() // of its Watch; nil until that is there
	gone     bool   // it is not followed any more: what its Watch still says is not heard
	pending  bool   // it is among those that have changed
}

// Follow returns a follower of nothing yet. notify is called when there is something to
// [Follower.Take] where there was nothing before: from anywhere, also while others wait for whoever
// calls it, so it must not wait. Close has to be called in the end.
func (s *Resources) Follow(notify func()) *Follower {
	if notify == nil { // a resource would call it
		panic("registry: Follow: the function is nil")
	}
	return &Follower{set: s, notify: notify, all: map[string]*followed{}}
}

// Add has a resource followed. It fails with not_found if there is none of the URI, with
// capacity_exceeded beyond [MaxFollowed]. Who may follow what is the caller's to decide.
func (f *Follower) Add(uri string) error {
	r, ok := f.set.Lookup(uri)
	if !ok {
		return Errorf(CodeNotFound, "unknown resource: %s", shortName(uri))
	}
	w := &followed{uri: uri, resource: r}
	f.mu.Lock()
	_, twice := f.all[uri]
	full := len(f.all) >= MaxFollowed
	added := !twice && !full && !f.closed
	if added {
		f.all[uri] = w
	}
	f.mu.Unlock()
	switch {
	case full && !twice:
		return Errorf(CodeCapacityExceeded, "%d resources are followed, which is the limit: unsubscribe from some first", MaxFollowed)
	case !added || r.r.spec.Watch == nil:
		return nil
	}
	at, _ := r.r.match(uri)
	stop, err := r.r.spec.Watch(at, func() { f.touch(w) })
	if err != nil {
		f.Remove(uri)
		return err
	}
	f.mu.Lock()
	w.stop = stop
	gone := w.gone
	f.mu.Unlock()
	if gone && stop != nil { // it was removed meanwhile
		stop()
	}
	return nil
}

// Remove ends the following of a resource. That it is not followed is no failure.
func (f *Follower) Remove(uri string) {
	f.mu.Lock()
	w := f.all[uri]
	if w == nil {
		f.mu.Unlock()
		return
	}
	w.gone = true
	delete(f.all, uri)
	f.changed = slices.DeleteFunc(f.changed, func(c *followed) bool { return c == w })
	stop := w.stop
	f.mu.Unlock()
	if stop != nil {
		stop()
	}
}

// Keep ends the following of all resources but those that keep says true of.
func (f *Follower) Keep(keep func(Resource) bool) {
	f.mu.Lock()
	all := slices.Collect(maps.Values(f.all))
	f.mu.Unlock()
	for _, w := range all {
		if !keep(w.resource) {
			f.Remove(w.uri)
		}
	}
}

// Len returns how many resources are followed.
func (f *Follower) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.all)
}

// Close ends all following, for good.
func (f *Follower) Close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.Keep(func(Resource) bool { return false })
}

// touch notes that a resource has changed.
func (f *Follower) touch(w *followed) {
	f.mu.Lock()
	news := false
	if !w.gone && !w.pending {
		w.pending = true
		f.changed = append(f.changed, w)
		news = len(f.changed) == 1
	}
	f.mu.Unlock()
	if news {
		f.notify()
	}
}

// Take returns the URIs of the resources that have changed since it was last called, the one whose
// first change is the longest ago first.
func (f *Follower) Take() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	uris := make([]string, len(f.changed))
	for i, w := range f.changed {
		uris[i], w.pending = w.uri, false
	}
	f.changed = f.changed[:0]
	return uris
}

// Restore gives back what was taken and could not be told. What is not followed any more is left out,
// and what has changed again meanwhile is there once.
func (f *Follower) Restore(uris []string) {
	for _, uri := range uris {
		f.mu.Lock()
		w := f.all[uri]
		f.mu.Unlock()
		if w != nil {
			f.touch(w)
		}
	}
}
