package httpmcp

import (
	"testing/synctest"

	"github.com/limina-mcp/limina/mcp"
)

// Left returns what is kept for sessions, in bytes, and how many have any.
func (e *Endpoint) Left() (kept, callers int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.kept.Held(), len(e.own)
}

// OpenEnded begins a session as initialize does, and has it end before it is put among the others.
func (e *Endpoint) OpenEnded(p mcp.Peer, initialize *mcp.Outline) (admitted bool, err error) {
	s := e.newSession(p)
	s.link.Deliver(initialize, newStream(e.opts.History))
	err = s.link.Close()
	synctest.Wait() // whoever is told of its end has been
	return e.admit(s), err
}
