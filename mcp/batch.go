package mcp

import "sync"

// batch gathers the answers to the messages that came in one array. They leave in one array, when
// the last one is there; no answers at all, no array.
type batch struct {
	done func(text []byte) // writes it

	mu   sync.Mutex // guards what follows
	open int        // messages not settled
	text []byte
}

// settle takes the answer to one of the batch's messages; nil for one that gets none.
func (b *batch) settle(answer []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(answer) > 0 {
		sep := byte(',')
		if len(b.text) == 0 {
			sep = '['
		}
		b.text = append(append(b.text, sep), answer...)
	}
	if b.open--; b.open == 0 && len(b.text) > 0 {
		b.done(append(b.text, ']'))
	}
}
