// Package inturn has calls that keep a processor busy for long, and take much memory, run a few at a time. One client may have 64 slow
// calls running: all at once they take longer than one after the other, and whoever else wants something waits.
package inturn

import (
	"runtime"

	"github.com/limina-mcp/limina/registry"
)

// Turns holds one for each call that has its turn: there are no more at a time than it has room for.
type Turns chan struct{}

// Or returns t or, if that is nil, turns for as many as there are processors, less one that is left for all else.
func Or(t Turns) Turns {
	if t == nil {
		t = make(Turns, max(runtime.GOMAXPROCS(0)-1, 1))
	}
	return t
}

// Take waits for a turn, until done is called, or fails when the call has ended. A call that has a transaction open does not
// wait, as everybody would wait for it.
func (t Turns) Take(c *registry.Call) (done func(), err error) {
	if c.Transaction() != nil {
		return func() {}, nil
	}
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	case <-c.Context().Done():
		return nil, c.Context().Err()
	}
}
