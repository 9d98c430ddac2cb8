package mcp

import (
	"sync"
	"time"

	"github.com/limina-mcp/limina/registry"
)

// allowance bounds how often something may be done. After a pause a second's worth of it may be done at once, or
// twice as much if the one before was not used up. It belongs to one goroutine, and looks at the clock only when it is used up.
type allowance struct {
	rate int // a second; 0 is without bound
	left int
	last time.Time // when left was last worked out

	shared *Meter // what is spent instead, unless nil
}

func newAllowance(rate int) allowance { return allowance{rate: rate, left: rate, last: time.Now()} }

// Meter bounds the calls of a peer that has a connection for each: see [Peer]. It is safe for concurrent
// use.
type Meter struct {
	mu  sync.Mutex // guards own
	own allowance
}

// NewMeter returns a meter for so many calls a second; 0 is without bound.
func NewMeter(rate int) *Meter { return &Meter{own: newAllowance(rate)} }

func (m *Meter) spend() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.own.spend()
}

// spend reports whether it may be done once more.
func (a *allowance) spend() bool {
	if a.shared != nil {
		return a.shared.spend()
	}
	if a.rate <= 0 {
		return true
	}
	if a.left == 0 {
		now := time.Now()
		a.left = int(min(now.Sub(a.last).Seconds(), 1) * float64(a.rate))
		if a.left == 0 {
			return false
		}
		a.last = now
	}
	a.left--
	return true
}

// tooOften is what those are told who call too often.
func (a *allowance) tooOften() *registry.Error {
	return registry.Errorf(registry.CodeCapacityExceeded, "more than %d calls a second on this connection, which is its limit: wait a moment", a.rate)
}
