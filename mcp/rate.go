package mcp

import (
	"math"
	"sync"
	"time"

	"github.com/limina-mcp/limina/registry"
)

// bucket bounds how often something may be done: a second's worth of it at once after a pause, and from then on as often as it comes back. It
// is the time at which all of it is there again, as far as is known; the zero value is full.
type bucket struct{ full time.Time }

// take takes up to most of what is there at a rate a second, and returns how many that are.
func (b *bucket) take(now time.Time, rate, most int) int {
	each := max(time.Second/time.Duration(rate), 1)
	lacks := max(b.full.Sub(now), 0)
	n := min(int((time.Second-lacks)/each), most)
	if n > 0 {
		b.full = now.Add(lacks + time.Duration(n)*each)
	}
	return max(n, 0)
}

// allowance is what a connection may do of what is bounded. It belongs to one goroutine. What its owner may do is shared with his other connections, so
// it takes some at a time, 64 at most and a thousandth of a second's: a call looks neither at a clock nor at what others may change.
type allowance struct {
	rate int // a second; 0 is without bound
	left int
	most int // that are taken at a time

	own   bucket
	meter *Meter  // what is spent instead, unless nil
	all   *meters // what is spent instead of both by who has a token
	token string  // whose; "" for none
}

// meters bound what all connections of a token do. They are safe for concurrent use.
type meters struct {
	mu    sync.Mutex // guards what follows
	of    map[string]bucket
	sweep int // how many there are when those are looked for that are full, and not needed
}

// take is bucket.take, of an owner's.
func (m *meters) take(owner string, rate, most int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	b, known := m.of[owner]
	n := b.take(now, rate, most)
	if !known {
		m.grow(now)
	}
	m.of[owner] = b
	return n
}

// grow makes room for one more. mu is held.
func (m *meters) grow(now time.Time) {
	if m.of == nil {
		m.of = map[string]bucket{}
	}
	if len(m.of) < m.sweep {
		return
	}
	for owner, b := range m.of {
		if !b.full.After(now) {
			delete(m.of, owner)
		}
	}
	m.sweep = max(2*len(m.of), 64)
}

// Meter bounds the calls of a peer that has a connection for each: see [Peer]. It is safe for concurrent
// use.
type Meter struct {
	rate int

	mu  sync.Mutex // guards own
	own bucket
}

// NewMeter returns a meter for so many calls a second; 0 is without bound.
func NewMeter(rate int) *Meter { return &Meter{rate: rate} }

func (m *Meter) take(most int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.own.take(time.Now(), m.rate, most)
}

func newAllowance(p *Peer, all *meters) allowance {
	a := allowance{rate: p.Rate, meter: p.Meter, all: all, token: p.Credential.Owner()}
	if p.Meter != nil {
		a.rate = p.Meter.rate
	}
	a.most = min(max(a.rate>>10, 1), 64)
	return a
}

// by says by whose token the connection is from now on, "" for nobody's.
func (a *allowance) by(token string) {
	if token != a.token {
		a.token, a.left = token, 0
	}
}

// spend reports whether it may be done once more.
func (a *allowance) spend() bool {
	if a.left == 0 && !a.refill() {
		return false
	}
	a.left--
	return true
}

// refill takes some, and reports whether there were any.
func (a *allowance) refill() bool {
	switch {
	case a.rate <= 0:
		a.left = math.MaxInt
	case a.token != "":
		a.left = a.all.take(a.token, a.rate, a.most)
	case a.meter != nil:
		a.left = a.meter.take(a.most)
	default:
		a.left = a.own.take(time.Now(), a.rate, a.most)
	}
	return a.left > 0
}

// tooOften is what those are told who call too often.
func (a *allowance) tooOften() *registry.Error {
	if a.token != "" {
		return registry.Errorf(registry.CodeCapacityExceeded, "more than %d calls a second with this token, over all its connections, which is its limit: wait a moment", a.rate)
	}
	return registry.Errorf(registry.CodeCapacityExceeded, "more than %d calls a second on this connection, which is its limit: wait a moment", a.rate)
}
