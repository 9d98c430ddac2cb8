package mcp

import "sync"

// callSize is what a slow call counts for beside its message: its goroutines, and what is known of it.
const callSize = 16 << 10

// keeping bounds the bytes that the slow calls of all connections keep while they run, or wait for their turn to, and their open subscriptions. Nobody is
// kept out by one who has much: a connection may have as much as is left for all others, of calls and of subscriptions each.
type keeping struct {
	limit int

	mu   sync.Mutex // guards held
	held int
}

// take counts n bytes more of a connection that has own already. It reports false, and counts nothing, if that is
// more than would be left.
func (k *keeping) take(own, n int) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if own+n > k.limit-k.held {
		return false
	}
	k.held += n
	return true
}

// give says that n bytes are not kept any more.
func (k *keeping) give(n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.held -= n
}
