package mcp

import (
	"strconv"
	"testing"
)

// Of more who call than are remembered nobody is passed over, however soon he is back, or however late: whoever waits has his turn before anybody has two.
func TestNobodyIsPassedOver(t *testing.T) {
	const owners = 4 * maxIdle
	all := newTurns(1)
	waits := make([]*turn, owners) // by owner; nil: he does not wait
	since := make([]int, owners)
	arrive := func(i, now int) {
		c := all.join()
		c.ready = make(chan struct{}, 1)
		waits[i], since[i] = &c, now
		all.wait(&c, strconv.Itoa(i))
	}
	for i := range owners {
		arrive(i, 0)
	}
	back := map[int][]int{} // who comes again, by when
	for now := 1; now < 50*owners; now++ {
		for _, i := range back[now] {
			arrive(i, now)
		}
		delete(back, now)
		if all.length() == 0 {
			continue
		}
		all.passOn()
		for i, c := range waits {
			if c == nil {
				continue
			}
			if waited := now - since[i]; waited > owners {
				t.Fatalf("owner %d has waited for %d turns of others, of whom there are %d", i, waited, owners-1)
			}
			if len(c.ready) == 0 {
				continue
			}
			waits[i] = nil
			again := now + 1
			if i%2 == 1 { // he is forgotten meanwhile
				again = now + 2*maxIdle
			}
			back[again] = append(back[again], i)
		}
		if n := len(all.byName); n > owners || len(all.idle) > maxIdle {
			t.Fatalf("%d owners are known, %d of whom nobody waits", n, len(all.idle))
		}
	}
}
