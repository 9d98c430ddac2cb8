package ws

import (
	"math/rand/v2"
	"testing"
)

// The next turn is always of him of whom some wait and who had one longest ago, for that of his connections to which something was pushed longest ago.
func TestDueIsInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var (
		d       due
		conns   = make([]*Conn, 300)
		had     = map[uint32]uint64{}
		waiting = map[*Conn]bool{}
	)
	for i := range conns {
		conns[i] = new(Conn)
		conns[i].whose.Store(uint32(rng.ExpFloat64() * 8))
	}
	before := func(a, b *Conn) bool {
		x, y := a.whose.Load(), b.whose.Load()
		return had[x] < had[y] || x == y && a.served < b.served
	}
	for range 20_000 {
		for range rng.IntN(6) {
			if c := conns[rng.IntN(len(conns))]; !waiting[c] {
				waiting[c] = true
				d.add(c)
			}
		}
		for range min(rng.IntN(6), d.n) {
			c := d.next()
			if !waiting[c] {
				t.Fatal("one has a turn who does not wait")
			}
			for other := range waiting {
				if before(other, c) {
					t.Fatalf("turn %d is of owner %d, who had one at %d, for what was served at %d; %d had one at %d, and %d", d.turns, c.whose.Load(), had[c.whose.Load()], c.served, other.whose.Load(), had[other.whose.Load()], other.served)
				}
			}
			delete(waiting, c)
			had[c.whose.Load()] = d.turns
			if rng.IntN(4) > 0 { // else there was nothing to be pushed
				c.served = d.turns
			}
		}
		if d.n != len(waiting) {
			t.Fatalf("%d wait, it says %d", len(waiting), d.n)
		}
	}
}

// Owners of whom none wait any more are forgotten by and by.
func TestDueForgets(t *testing.T) {
	var d due
	for i := range uint32(10_000) {
		c := new(Conn)
		c.whose.Store(i)
		d.add(c)
		if d.n > 10 {
			d.next()
		}
		if len(d.lines) > 64 {
			t.Fatalf("%d owners are known, of whom %d wait", len(d.lines), d.n)
		}
	}
}
