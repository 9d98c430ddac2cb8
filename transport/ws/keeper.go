package ws

import (
	"context"
	"fmt"
	"time"
)

// keep looks after the connections once a second until ctx ends.
func (e *Endpoint) keep(ctx context.Context) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := e.now.Add(1)
		for _, c := range e.all() {
			c.check(now)
		}
	}
}

// check pings a silent peer, and ends the connection of one that is dead or does not read.
func (c *Conn) check(now int64) {
	e, l := c.endpoint, &c.link
	if since := l.since.Load(); since != 0 && now-since > e.writeTimeout {
		c.fail(&Error{CodePolicy, fmt.Sprintf("the peer has read nothing for %d s", e.writeTimeout)})
		return
	}
	if begun := l.begun.Load(); begun != 0 && now-begun > e.idleTimeout {
		c.fail(&Error{CodePolicy, fmt.Sprintf("a message has not come to its end for %d s", e.idleTimeout)})
		return
	}
	alive := l.alive.Swap(false)
	if alive {
		c.quiet, c.pinged, c.probed = now, 0, 0
	}
	if c.asked.Load() && c.probed == 0 && l.turn.try() { // what has come before the ping proves nothing
		c.asked.Store(false)
		c.pinged, c.probed = now, now
		l.offer([]byte{headPing, 0})
		return
	}
	if alive {
		return
	}
	if c.probed != 0 && now-c.probed >= e.probeTimeout {
		c.fail(&Error{CodePolicy, fmt.Sprintf("the peer has answered no ping for %d s, and its session is wanted on another connection", e.probeTimeout)})
		return
	}
	if now-c.quiet >= e.idleTimeout {
		c.fail(&Error{CodePolicy, fmt.Sprintf("the peer has answered no ping for %d s", e.idleTimeout)})
		return
	}
	if now-max(c.quiet, c.pinged) >= e.pingEvery && l.turn.try() {
		c.pinged = now
		l.offer([]byte{headPing, 0})
	}
}
