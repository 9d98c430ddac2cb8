package mcp

import (
	"sync"

	"github.com/limina-mcp/limina/registry"
)

// maxBatch is how many bytes of answers an array has before no more of its requests are done: they wait for the last one.
const maxBatch = 16 << 20

// maxParts is how many messages an array may have: each of them, also where it is no more than a digit, is answered or kept until its turn, in hundreds of bytes.
const maxParts = 16384

// batch is the way back of the messages that came in one array. Their answers leave in one array, when
// the last one is there; no answers at all, no array.
type batch struct {
	c   *conn
	way Exchange // of the array

	mu   sync.Mutex // guards what follows
	open int        // messages not answered
	owes bool       // what was answered has to be kept before the array leaves, see Options.Kept
	text []byte
}

var _ Exchange = (*batch)(nil)

// Tell implements Exchange: only answers are gathered.
func (b *batch) Tell(text []byte) bool { return b.c.tell(b.way, text) }

// full returns why a request is not done any more, nil if it is.
func (b *batch) full() *rpcError {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.text) < maxBatch {
		return nil
	}
	return wireError(registry.Errorf(registry.CodeCapacityExceeded,
		"the answers to this array have %d bytes already, which is the limit: this request was not carried out, send it again by itself", maxBatch))
}

// owe notes that the array has to wait for Options.Kept.
func (b *batch) owe() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.owes = true
}

// Answer implements Exchange.
func (b *batch) Answer(answer []byte, _ int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(answer) > 0 {
		sep := byte(',')
		if len(b.text) == 0 {
			sep = '['
		}
		b.text = append(append(b.text, sep), answer...)
	}
	if b.open--; b.open > 0 {
		return
	}
	if len(b.text) > 0 {
		b.text = append(b.text, ']')
	}
	if b.owes && b.c.keep() != nil {
		b.text = nil
	}
	b.c.reply(b.way, b.text)
}
