package mcp

import "sync"

// callSize is what a slow call counts for beside its message: its goroutines, and what is known of it.
const callSize = 16 << 10

// keeping bounds the bytes that the slow calls of all connections keep while they run, or wait for their turn to, and their open subscriptions. Nobody is
// kept out by one who has much: an owner, see [profiles.Principal.Owner], may have as much as is left for all others, over however many connections.
type keeping struct {
	limit int

	mu   sync.Mutex // guards what follows
	held int
	own  map[string]int // by owner, of those who have some
}

// take counts n bytes more of an owner. It reports false, and counts nothing, if he would have more than would be left.
func (k *keeping) take(owner string, n int) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.own[owner]+n > k.limit-k.held {
		return false
	}
	k.held += n
	k.own[owner] += n
	return true
}

// give says that n bytes of an owner's are not kept any more.
func (k *keeping) give(owner string, n int) {
	if n == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.held -= n
	if k.own[owner] -= n; k.own[owner] == 0 {
		delete(k.own, owner)
	}
}
