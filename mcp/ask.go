package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/limina-mcp/limina/registry"
)

// asker is the client of one call, as the call's handler sees it. In the legacy era what the handler
// asks is a request to the peer, and the handler waits; in the modern era the call is answered with
// what is asked, and made again with the answers (see round).
type asker struct {
	c      *conn
	b      *binding
	way    Exchange // of the request that made the call
	beside *beside  // the call, if it runs beside the reading goroutine
	round  *round   // of a modern call that may ask; nil for none
	task   *task    // that the call has become; nil for none
	lacks  *lack    // what was asked that the client does not answer
}

var _ registry.Client = (*asker)(nil)

// lack is a question that the client has not said it answers.
type lack struct {
	kind registry.QuestionKind
	said string // to the handler
}

// required is the ClientCapabilities object with what is lacking.
func (l *lack) required() string {
	return [...]string{`{"elicitation":{}}`, `{"elicitation":{"url":{}}}`, `{"sampling":{}}`, `{"roots":{}}`}[l.kind]
}

// Can implements [registry.Client].
func (a *asker) Can(kind registry.QuestionKind) bool { return a.b.capable.asks(kind) }

// Ask implements [registry.Client].
func (a *asker) Ask(ctx context.Context, skill *registry.Info, questions []registry.Question) error {
	if a.beside == nil {
		return fmt.Errorf("skill %s asks its client, and does not say that it is Slow", skill.Name)
	}
	for _, q := range questions {
		if !a.Can(q.Kind()) {
			a.lacks = &lack{q.Kind(), fmt.Sprintf("%s has to ask you something, and your client does not declare the capability: %s", skill.Name, q.Kind())}
			return registry.Failf("%s", a.lacks.said)
		}
	}
	switch {
	case a.task != nil:
		return a.task.ask(ctx, questions)
	case a.round != nil:
		return a.round.ask(questions)
	}
	return a.c.ask(ctx, a.way, questions)
}

// Detach implements [registry.Client].
func (a *asker) Detach() {
	if a.beside != nil {
		a.beside.detach()
	}
}

// Log implements [registry.Client].
func (a *asker) Log(level registry.Level, logger string, data json.RawMessage) {
	if a.task != nil { // there is no request any more that it could go with
		return
	}
	b := a.b
	if !b.stateless { // the level may have been changed since
		b = a.c.bound.Load()
	}
	if b.hears(level) && (a.beside == nil || a.beside.wanted()) {
		a.c.tell(a.way, logMessage(level, logger, data))
	}
}

// outcome appends the answer to a call that ended because of what it asked; false if it ended for
// another reason.
func (a *asker) outcome(dst []byte, err *registry.Error) ([]byte, bool) {
	if !a.b.stateless {
		return dst, false
	}
	if a.task != nil && err.Internal {
		return (&rpcError{code: codeInternal, message: err.Message}).append(dst), true
	}
	if a.round != nil && a.task == nil {
		if e := a.round.fault; e != nil {
			return e.append(dst), true
		}
		if err.Code == registry.CodeInputRequired && len(a.round.asked) > 0 {
			return a.round.appendAsked(dst), true
		}
	}
	if a.lacks != nil && err.Message == a.lacks.said {
		return lacking(a.lacks.required()).append(dst), true
	}
	return dst, false
}

// asks are the requests of ours that the peer has not answered.
type asks struct {
	mu     sync.Mutex // guards what follows
	last   uint64     // the newest id
	open   map[string]chan<- reply
	closed bool // nothing will be answered any more
}

// reply is the peer's answer to a request of ours.
type reply struct {
	result  json.RawMessage
	failure string // what the peer says is wrong; then there is no result
}

// begin registers a request and returns its id.
func (s *asks) begin(to chan<- reply) (id string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return "", false
	}
	s.last++
	id = strconv.FormatUint(s.last, 10)
	if s.open == nil {
		s.open = map[string]chan<- reply{}
	}
	s.open[id] = to
	return id, true
}

// settle hands a reply to whoever asked. What nobody asked for is ignored.
func (s *asks) settle(id string, r reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if to := s.open[id]; to != nil {
		delete(s.open, id)
		to <- r // there is room
	}
}

// forget reports whether a request is still open, and has its answer ignored.
func (s *asks) forget(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, open := s.open[id]
	delete(s.open, id)
	return open
}

// close answers for a peer that has gone.
func (s *asks) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for id, to := range s.open {
		to <- reply{failure: clientGone}
		delete(s.open, id)
	}
}

const clientGone = "the client has gone"

// answered takes the peer's answer to a request of ours.
func (c *conn) answered(m *message) {
	r := reply{result: append(json.RawMessage(nil), member(m.text, "result")...)}
	if e := member(m.text, "error"); e != nil {
		r.failure, _ = stringValue(member(e, "message"))
		if r.failure == "" {
			r.failure = "an error without a message"
		}
	}
	c.asks.settle(keyOf(m.ID), r)
}

// ask puts questions to a legacy peer, all at once, and waits for the answers.
func (c *conn) ask(ctx context.Context, way Exchange, questions []registry.Question) error {
	type open struct {
		q  registry.Question
		id string
		to chan reply
	}
	var waiting []open
	defer func() {
		for _, o := range waiting {
			if c.asks.forget(o.id) { // the call ends before the answer
				c.tell(way, []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+o.id+`}}`))
			}
		}
	}()
	for _, q := range questions {
		params, err := q.Params()
		if err != nil {
			return err
		}
		o := open{q: q, to: make(chan reply, 1)}
		var ok bool
		if o.id, ok = c.asks.begin(o.to); !ok {
			return registry.Failf("%s; nothing was changed", clientGone)
		}
		waiting = append(waiting, o)
		if q.Kind() == registry.AskURL { // which the modern era has no more
			params = append(appendField(params[:len(params)-1:len(params)-1], "elicitationId", "eli_"+rand.Text()), '}')
		}
		text := []byte(`{"jsonrpc":"2.0","id":` + o.id + `,"method":"` + q.Method() + `","params":`)
		if !c.tell(way, append(append(text, compact(params)...), '}')) {
			return registry.Failf("the client does not read what it is sent; nothing was changed")
		}
	}
	for _, o := range waiting {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case r := <-o.to:
			if r.failure != "" {
				return registry.Failf("asked the client (%s), which answered: %s; nothing was changed", o.q.Method(), r.failure)
			}
			if err := o.q.Answer(r.result); err != nil {
				return registry.Failf("the client's answer to %s is none: %v; nothing was changed", o.q.Method(), err)
			}
		}
	}
	return nil
}
