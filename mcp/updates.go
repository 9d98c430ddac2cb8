package mcp

import (
	"sync"
	"time"

	"github.com/limina-mcp/limina/registry"
)

// updateInterval is the least time between two messages that tell a peer of one resource: what changes
// at every step is told of four times a second.
const updateInterval = time.Second / 4

// updates tells a peer which of the resources that it follows have changed. Changes are only noted when
// they come. What a peer has no room for is told later, once, however often it has changed by then.
type updates struct {
	pacer
	follower *registry.Follower
	tell     func(uri string) bool // false: there is no room

	conn     *conn
	owner    string     // for whom they count
	counting sync.Mutex // guards counted, and is held while what is followed changes
	counted  int        // bytes that what is followed counts for
}

// followedSize is what a resource that is followed counts for: what is known of it, and that it has changed where nobody reads that.
const followedSize = 1 << 10

// newUpdates returns updates of nothing yet, that count for an owner. end ends them.
func (c *conn) newUpdates(owner string, tell func(uri string) bool) *updates {
	u := &updates{tell: tell, conn: c, owner: owner}
	u.pacer = pacer{interval: updateInterval, do: u.flush}
	u.follower = c.mcp.reg.Resources().Follow(u.wake)
	return u
}

// add has a resource followed, if there is room among what all connections keep.
func (u *updates) add(uri string) error {
	c := u.conn
	u.counting.Lock()
	defer u.counting.Unlock()
	before := u.follower.Len()
	if err := u.follower.Add(uri); err != nil || u.follower.Len() == before {
		return err
	}
	if !c.mcp.keeping.take(u.owner, followedSize) {
		u.follower.Remove(uri)
		return registry.Errorf(registry.CodeCapacityExceeded, "%d resources are followed on this connection, and there is no room for more beside what your other connections, and others, follow: unsubscribe from some first", before)
	}
	u.counted += followedSize
	return nil
}

// keep has only resources followed that keep says true of.
func (u *updates) keep(keep func(registry.Resource) bool) {
	u.counting.Lock()
	defer u.counting.Unlock()
	u.follower.Keep(keep)
	u.settle()
}

// remove has a resource followed no more.
func (u *updates) remove(uri string) {
	u.counting.Lock()
	defer u.counting.Unlock()
	u.follower.Remove(uri)
	u.settle()
}

// settle counts what is followed. u.counting is held.
func (u *updates) settle() {
	now := followedSize * u.follower.Len()
	u.conn.mcp.keeping.give(u.owner, u.counted-now)
	u.counted = now
}

// flush tells the peer of what has changed.
func (u *updates) flush() {
	uris := u.follower.Take()
	for i, uri := range uris {
		if !u.tell(uri) {
			u.follower.Restore(uris[i:])
			return
		}
	}
}

// end ends it. Nothing is told any more once it has returned.
func (u *updates) end() {
	u.counting.Lock()
	u.follower.Close()
	u.settle()
	u.counting.Unlock()
	u.close()
}
