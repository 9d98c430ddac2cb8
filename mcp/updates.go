package mcp

import (
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
}

// newUpdates returns updates of nothing yet. end ends them.
func (c *conn) newUpdates(tell func(uri string) bool) *updates {
	u := &updates{tell: tell}
	u.pacer = pacer{interval: updateInterval, do: u.flush}
	u.follower = c.mcp.reg.Resources().Follow(u.wake)
	return u
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
	u.follower.Close()
	u.close()
}
