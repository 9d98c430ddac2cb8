package mcp

import (
	"context"
	"slices"

	"github.com/limina-mcp/limina/registry"
)

// What a server offers beside tools is served by methods that become calls in the registry: reads and
// prompts. They run as tool calls do: where they are read, or beside that if they are Slow.

// inquiry is a request that becomes such a call.
type inquiry struct {
	c      *conn
	cached *caching                              // of its modern result
	result func(res *registry.Result) []byte     // of the legacy era
	fault  func(e *registry.Error) (f *rpcError) // what a failure is told as
}

// admitted returns what m is served as, once that has a session.
func (c *conn) admitted(m *message) (*binding, *rpcError) {
	b, e := c.enter(m.as)
	if e == nil && !b.session.live() {
		e = &rpcError{code: codeNoSession, message: noSession}
	}
	return b, e
}

// serve makes the call. Its result is there, or comes later.
func (q *inquiry) serve(b *binding, m *message, r registry.Request) ([]byte, *rpcError) {
	if !q.c.calls.spend() {
		return nil, q.fault(q.c.calls.tooOften())
	}
	r.Principal = &b.session.principal
	if r.Skill.Slow() {
		if full := q.c.launch(b, m, r, q.run); full != nil {
			return nil, q.fault(full)
		}
		m.later = true
		return nil, nil
	}
	if b.stateless {
		r.Stands = q.c.mcp.stands
	}
	r.Client = &asker{c: q.c, b: b, way: m.way}
	if p := q.c.progressOf(m); p != nil {
		r.Progress = p.report
		defer p.stop()
	}
	res := q.c.mcp.reg.Invoke(q.c.ctx, &r, nil)
	if res.Err != nil {
		return nil, q.fault(res.Err)
	}
	return q.result(&res), nil
}

// run makes the call beside the reading goroutine, see conn.run.
func (q *inquiry) run(ctx context.Context, dst []byte, b *binding, id []byte, r *registry.Request, res *registry.Result) []byte {
	dst = appendHead(dst, id)
	*res = q.c.mcp.reg.Invoke(ctx, r, nil)
	if res.Err != nil {
		if a, ok := r.Client.(*asker); ok {
			if answer, ended := a.outcome(dst, res.Err); ended {
				return answer
			}
		}
		return q.fault(res.Err).append(dst)
	}
	dst = append(dst, `"result":`...)
	if b.stateless {
		return q.c.mcp.modern.appendComplete(dst, q.result(res), q.cached)
	}
	return append(dst, q.result(res)...)
}

// offerError is what a peer is told whose read, or prompt, has failed. What is not there has the code
// missing. data, a JSON object, says what it was about; the code of the failure is added.
func offerError(e *registry.Error, missing int, data []byte) *rpcError {
	f := &rpcError{code: codeInternal, message: string(e.Code) + ": " + e.Message}
	switch e.Code {
	case registry.CodeNotFound:
		f.code, f.message = missing, e.Message
	case registry.CodeInvalidInput:
		f.code, f.message = codeInvalidParams, e.Message
	case registry.CodeForbidden:
		f.code = codeInvalidParams
	}
	f.data = append(appendField(data, "reason", string(e.Code)), '}')
	return f
}

// pageOf returns one page of a list: the items after the one whose key the cursor names, or the first,
// and the cursor of the next page, "" if this is the last.
func pageOf[T any](m *Mcp, all []T, keyOf func(T) string, method, cursor string) (page []T, next string, e *rpcError) {
	after, ok := decodeCursor(cursor)
	from := 0
	if ok && after != "" {
		from = 1 + slices.IndexFunc(all, func(item T) bool { return keyOf(item) == after })
		ok = from > 0
	}
	if !ok {
		return nil, "", invalidParams("cursor: not one of this list; call " + method + " without it to start again")
	}
	page = all[from:]
	if len(page) > m.opts.PageSize {
		page = page[:m.opts.PageSize]
		next = encodeCursor(keyOf(page[len(page)-1]))
	}
	return page, next, nil
}

// appendPage appends a list as a result: a member that is an array, and the cursor of the next page.
func appendPage[T any](member string, page []T, next string, appendItem func([]byte, T) []byte) []byte {
	dst := append([]byte(`{"`+member), `":[`...)
	for i, item := range page {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendItem(dst, item)
	}
	dst = append(dst, ']')
	if next != "" {
		dst = appendField(dst, "nextCursor", next)
	}
	return append(dst, '}')
}
