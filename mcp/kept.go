package mcp

import (
	"slices"
	"sync"

	"github.com/limina-mcp/limina/registry"
)

// mayOwe reports whether the answer of a call that ended so has to wait for Options.Kept: its skill may have changed something, and it was not refused.
func (c *conn) mayOwe(k registry.Skill, arguments []byte, res *registry.Result) bool {
	if c.mcp.opts.Kept == nil || c.called(k, arguments).Info().Effect == registry.Reads {
		return false
	}
	if res.Err == nil {
		return true
	}
	switch res.Err.Code {
	case registry.CodeNotFound, registry.CodeInvalidInput, registry.CodeForbidden, registry.CodeCapacityExceeded:
		return false
	}
	return true
}

// keep waits for Options.Kept, as long as the connection lasts. If that fails the connection ends: what its calls have done may be lost, and whoever
// is told nothing will look.
func (c *conn) keep() error {
	err := c.mcp.opts.Kept(c.ctx)
	if err != nil {
		c.cancel(err)
	}
	return err
}

// withheld is an exchange of a Link whose answer waits for Options.Kept, which others who use the Link do not wait for.
type withheld struct {
	Exchange
	c *conn

	mu   sync.Mutex // guards what follows
	owes bool       // the answer has to wait
	open bool       // the Link delivers still: an answer is left here
	done bool       // an answer was left
	text []byte
	code int
}

var _ Exchange = (*withheld)(nil)

// Answer implements Exchange.
func (w *withheld) Answer(text []byte, code int) {
	w.mu.Lock()
	if w.open {
		defer w.mu.Unlock()
		w.done, w.text, w.code = true, slices.Clone(text), code
		return
	}
	w.mu.Unlock()
	w.Exchange.Answer(text, code) // of a slow call, which has waited
}

// release is called when the Link has delivered.
func (w *withheld) release() {
	w.mu.Lock()
	w.open = false
	done := w.done
	w.mu.Unlock()
	if !done {
		return
	}
	if w.owes && w.c.keep() != nil {
		w.text, w.code = unkept(w.text), codeInternal
	}
	w.Exchange.Answer(w.text, w.code)
}

// unkept is what takes the place of an answer that cannot be given, nil for none: there was no request, or it is an array.
func unkept(answer []byte) []byte {
	if len(answer) == 0 || answer[0] == '[' {
		return nil
	}
	return append(errUnkept().append(slices.Clone(answer[:outcomeAt(answer)])), '}')
}

// errUnkept says of a call that it was made, and may be lost all the same: to make it again could do it twice.
func errUnkept() *rpcError {
	return &rpcError{code: codeInternal, message: "the server ends, or cannot keep what is changed now: the call was made, and may be lost; look whether it was done before you call again"}
}
