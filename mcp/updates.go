package mcp

import (
	"sync"
	"time"

	"github.com/limina-mcp/limina/registry"
)

// updateInterval is the least time between two messages that tell a peer of one resource: what changes
// at every step is told of four times a second.
const updateInterval = time.Second / 4

// updates tells a peer which of the resources that it follows have changed. Changes come while others
// wait for whoever makes them, so they are only noted then, and told by a timer's goroutine. What a
// peer has no room for is told later, once, however often it has changed by then.
type updates struct {
	follower *registry.Follower
	tell     func(uri string) bool // false: there is no room

	telling sync.Mutex // held while the peer is told

	mu     sync.Mutex // guards what follows
	timer  *time.Timer
	due    bool      // the timer is running
	last   time.Time // the peer was told something
	closed bool
}

// newUpdates returns updates of nothing yet. Close ends them.
func (c *conn) newUpdates(tell func(uri string) bool) *updates {
	u := &updates{tell: tell}
	u.follower = c.mcp.reg.Resources().Follow(u.wake)
	return u
}

// wake has the peer told soon: at once if it has not been told for a while.
func (u *updates) wake() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.due || u.closed {
		return
	}
	u.due = true
	wait := max(0, updateInterval-time.Since(u.last))
	if u.timer == nil {
		u.timer = time.AfterFunc(wait, u.flush)
		return
	}
	u.timer.Reset(wait)
}

// flush tells the peer of what has changed.
func (u *updates) flush() {
	u.telling.Lock()
	defer u.telling.Unlock()
	u.mu.Lock()
	u.due, u.last = false, time.Now()
	closed := u.closed
	u.mu.Unlock()
	if closed {
		return
	}
	uris := u.follower.Take()
	for i, uri := range uris {
		if !u.tell(uri) {
			u.follower.Restore(uris[i:])
			return
		}
	}
}

// close ends it. Nothing is told any more once it has returned.
func (u *updates) close() {
	u.follower.Close()
	u.telling.Lock() // whoever is telling has ended
	defer u.telling.Unlock()
	u.mu.Lock()
	defer u.mu.Unlock()
	u.closed = true
	if u.timer != nil {
		u.timer.Stop()
	}
}
