package mcp

import (
	"context"
	"sync"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// running are the slow calls of one connection that have not been answered yet.
type running struct {
	limit   int
	keeping *keeping

	mu   sync.Mutex             // guards what follows
	none sync.Cond              // n has become 0
	n    int                    // also of what is answered like one
	byID map[string]*slowCall   // those that are requests, by keyOf their ids; nil before the first
	all  map[*slowCall]struct{} // that have not ended, those that are tasks by now too; nil before the first
}

// slowCall is a call that runs beside the reading goroutine.
type slowCall struct {
	id      string // "" for a notification, which nobody can cancel
	by      *profiles.Principal
	size    int // of what it keeps
	cancel  context.CancelFunc
	dropped bool // it was cancelled by the peer: nothing more is sent for it
}

func newRunning(limit int, k *keeping) *running {
	r := &running{limit: limit, keeping: k}
	r.none.L = &r.mu
	return r
}

// begin registers a call by somebody, by a message of so many bytes, of which all may be kept: the input, the id, where progress goes, answers. free and end have to follow. It returns nil if a call of the id is running already or,
// and says so, if there is no room.
func (r *running) begin(id string, by *profiles.Principal, size int, cancel context.CancelFunc) (sc *slowCall, full *registry.Error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n >= r.limit {
		return nil, registry.Errorf(registry.CodeCapacityExceeded,
			"%d calls are running on this connection, which is its limit: wait for one to be answered", r.limit)
	}
	if id != "" && r.byID[id] != nil {
		return nil, nil
	}
	sc = &slowCall{id: id, by: by, size: size + callSize, cancel: cancel}
	if !r.keeping.take(by.Owner(), sc.size) {
		return nil, registry.Errorf(registry.CodeCapacityExceeded,
			"the inputs of your slow calls that are running, over all your connections, leave no room for one of %d bytes: wait for one to be answered, or send less at a time", size)
	}
	r.n++
	if r.all == nil {
		r.all = map[*slowCall]struct{}{}
	}
	r.all[sc] = struct{}{}
	if id != "" {
		if r.byID == nil {
			r.byID = map[string]*slowCall{}
		}
		r.byID[id] = sc
	}
	return sc, nil
}

// join counts what is answered beside the reading goroutine as a call that is running. end has to follow.
func (r *running) join() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
}

// idle reports whether no call is running.
func (r *running) idle() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n == 0
}

// has reports whether a call of an id is running, by keyOf.
func (r *running) has(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.byID[id] != nil
}

// claim reports whether the answer of a call that has ended is wanted. From then on it cannot be
// cancelled; it counts as running until end.
func (r *running) claim(sc *slowCall) (wanted bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byID[sc.id] == sc {
		delete(r.byID, sc.id)
	}
	return !sc.dropped
}

// free says that a call has ended, and keeps nothing any more.
func (r *running) free(sc *slowCall) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, sc)
	r.keeping.give(sc.by.Owner(), sc.size)
}

// end says that a call's answer has been handed to the writer, or that it is a task by now.
func (r *running) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n--; r.n == 0 {
		r.none.Broadcast()
	}
}

// drop cancels the call of an id, if it is running.
func (r *running) drop(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if sc := r.byID[id]; sc != nil {
		sc.dropped = true
		delete(r.byID, id)
		sc.cancel()
	}
}

// clear cancels the calls of those who are out. They are answered.
func (r *running) clear(out func(*profiles.Principal) error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for sc := range r.all {
		if out(sc.by) != nil {
			sc.cancel()
		}
	}
}

// wanted reports whether the peer still wants to hear of the call.
func (r *running) wanted(sc *slowCall) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !sc.dropped
}

// wait returns when no call is running.
func (r *running) wait() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.n > 0 {
		r.none.Wait()
	}
}
