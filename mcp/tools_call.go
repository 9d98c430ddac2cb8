package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
)

// call answers a tool call, here or, if the skill is Slow, on a goroutine of its own.
func (c *conn) call(b *binding, m *message) {
	if !b.session.live() {
		entered, e := c.enter(b)
		if e != nil {
			c.refuse(m, e)
			return
		}
		b = entered
	}
	if !b.session.live() {
		c.fail(b, m, &failure{mcp: c.mcp}, registry.Errorf(registry.CodeForbidden, noSession))
		return
	}
	if e := m.split(); e != nil {
		c.fail(b, m, &failure{mcp: c.mcp, session: b.session}, registry.Errorf(registry.CodeInvalidInput, "%s", e.message))
		return
	}
	skill, found := c.mcp.reg.LookupBytes(m.Name)
	c.request = registry.Request{Skill: skill, Input: argumentsOf(m), Principal: &b.session.principal}
	if !found {
		c.request.Name = string(m.Name)
	}
	if !c.calls.spend() {
		c.throttle(b, m, skill)
		return
	}
	if m.Context != nil {
		c.request.Previous = member(m.Context, "previousResults")
	}
	if found && c.slow(skill, m.Arguments) {
		c.launch(b, m, c.request, nil)
		return
	}
	c.runHere(b, m, nil)
}

// runHere makes the call of c.request on the reading goroutine, and answers m.
func (c *conn) runHere(b *binding, m *message, as shape) {
	if m.Meta != nil {
		if p := c.progressOf(m); p != nil {
			c.request.Progress = p.report
			defer p.stop()
		}
	}
	if b.dialect.tells() {
		c.asker = asker{c: c, b: b, way: m.way}
		c.request.Client = &c.asker
	}
	s := &c.stream
	start := len(s.lane)
	s.lane = c.run(c.ctx, s.lane, b, m.ID, &c.request, &c.result, as)
	if m.kind == notification {
		s.lane = s.lane[:start]
		c.unanswered(m)
		return
	}
	s.finish(start, m.way)
}

// shape appends what the answer to a call that is no tool call says of its outcome, in the place of
// "result" or "error".
type shape func(dst []byte, res *registry.Result) []byte

// invoke makes a call that is no tool call, here or beside, and answers m with what result makes of
// its outcome: a legacy result, as of any method. A handler that asks its client is answered as
// that of a tool is.
func (c *conn) invoke(m *message, r registry.Request, cached *caching, result func(*registry.Result) ([]byte, *rpcError)) *rpcError {
	b, e := c.enter(m.as)
	if e != nil {
		return e
	}
	if !b.session.live() {
		return &rpcError{code: codeNoSession, message: noSession}
	}
	if !c.calls.spend() {
		return wireError(c.calls.tooOften())
	}
	m.later = true
	r.Principal = &b.session.principal
	as := func(dst []byte, res *registry.Result) []byte {
		text, e := result(res)
		if e != nil {
			return e.in(b).append(dst)
		}
		return append(append(dst, `"result":`...), b.dialect.complete(text, cached)...)
	}
	if r.Skill.Slow() {
		c.launch(b, m, r, as)
		return nil
	}
	c.request = r
	c.runHere(b, m, as)
	return nil
}

// relay is the skill that runs the one that its input names.
const relay = "skills.call"

// slow reports whether a call has to run beside the reading goroutine: its skill says so, or hands on
// to one that does. A standard client has no other way to most of the catalogue, and wants to cancel
// what it started there too.
func (c *conn) slow(k registry.Skill, arguments []byte) bool {
	for k.Name() == relay {
		name, _ := stringValue(member(arguments, "name"))
		inner, found := c.mcp.reg.Lookup(name)
		if !found {
			return false
		}
		k, arguments = inner, member(arguments, "input")
	}
	return k.Slow()
}

// throttle refuses a call that is one too many.
func (c *conn) throttle(b *binding, m *message, skill registry.Skill) {
	e := c.calls.tooOften()
	if skill.Name() == "" { // of none there is nothing to say but that
		c.refuse(m, wireError(e))
		return
	}
	c.fail(b, m, &failure{mcp: c.mcp, session: b.session, skill: skill}, e)
}

// run makes a call and appends its answer but for the last brace: that to a tool call, unless as says
// otherwise. res is room for its outcome. It may run on any goroutine.
func (c *conn) run(ctx context.Context, dst []byte, b *binding, id []byte, r *registry.Request, res *registry.Result, as shape) []byte {
	dst = appendHead(dst, id)
	start := len(dst)
	if as == nil {
		dst = b.dialect.open(dst)
	}
	output := len(dst)
	*res = c.mcp.reg.Invoke(ctx, r, dst)
	if res.Err != nil {
		if a, ok := r.Client.(*asker); ok {
			if answer, ended := a.outcome(dst[:start], res.Err); ended {
				return answer
			}
		}
	}
	if as != nil {
		return as(dst[:start], res)
	}
	if res.Err != nil {
		return b.dialect.refuse(dst[:start], &failure{c.mcp, b.session, r.Skill, res})
	}
	flatten(res.Output[output:])
	return b.dialect.close(res.Output, output, r.Skill, res)
}

// fail answers a call that does not get as far as the registry.
func (c *conn) fail(b *binding, m *message, f *failure, e *registry.Error) {
	if m.kind == notification {
		c.unanswered(m)
		return
	}
	s := &c.stream
	start := len(s.lane)
	f.result = &registry.Result{Err: e}
	s.lane = b.dialect.refuse(appendHead(s.lane, m.ID), f)
	s.finish(start, m.way)
}

// launch runs a slow call beside the reading goroutine.
func (c *conn) launch(b *binding, m *message, r registry.Request, as shape) {
	var around *round
	if b.stateless {
		var e *rpcError
		if around, e = newRound(c.mcp, b.session.principal.ID, m); e != nil {
			c.refuse(m, e)
			return
		}
	}
	ctx, cancel := context.WithCancel(c.ctx)
	var sc *slowCall
	full := false
	if m.ID == nil || c.listens.find(string(m.ID)) == nil {
		sc, full = c.running.begin(string(m.ID), cancel)
	}
	switch {
	case full:
		cancel()
		e := registry.Errorf(registry.CodeCapacityExceeded,
			"%d calls are running on this connection, which is its limit: wait for one to be answered", c.running.limit)
		if as != nil {
			c.refuse(m, wireError(e))
			return
		}
		c.fail(b, m, &failure{mcp: c.mcp, session: b.session, skill: r.Skill}, e)
		return
	case sc == nil:
		cancel()
		c.refuse(m, invalidRequest("a call with this id is running"))
		return
	}
	// The message is gone when the next one is read.
	id, way := slices.Clone(m.ID), m.way
	if b.dialect.tells() {
		r.Client = &asker{c: c, b: b, way: way, wanted: func() bool { return c.running.wanted(sc) }, beside: true, round: around}
	}
	r.Input, r.Previous = bytes.Clone(r.Input), bytes.Clone(r.Previous)
	p := c.progressOf(m)
	if p != nil {
		r.Progress = func(at registry.Progress) {
			if c.running.wanted(sc) {
				p.report(at)
			}
		}
	}
	go func() {
		defer c.running.end()
		defer cancel()
		answer := c.runBeside(ctx, b, id, &r, as)
		if p != nil {
			p.stop()
		}
		if !c.running.claim(sc) || id == nil {
			answer = nil
		}
		c.reply(way, answer)
	}()
}

// runBeside makes a call on a goroutine of its own and returns its answer.
func (c *conn) runBeside(ctx context.Context, b *binding, id []byte, r *registry.Request, as shape) (answer []byte) {
	defer func() {
		if p := recover(); p != nil {
			c.panicked(p)
			answer = append((&rpcError{code: codeInternal, message: "internal error"}).append(appendHead(nil, id)), '}')
		}
	}()
	return append(c.run(ctx, nil, b, id, r, new(registry.Result), as), '}')
}

// argumentsOf returns a call's input; null counts as absent.
func argumentsOf(m *message) []byte {
	if string(m.Arguments) == "null" {
		return nil
	}
	return m.Arguments
}

// cancelled is notifications/cancelled: the call is cancelled and nothing more is sent for its id.
// An id that is not running is ignored, because the answer may have crossed the cancellation.
func cancelled(c *conn, m *message) ([]byte, *rpcError) {
	id := string(member(m.Params, "requestId"))
	if l := c.listens.drop(id); l != nil {
		c.reply(l.way, nil)
		return nil, nil
	}
	c.running.drop(id)
	return nil, nil
}

// progress sends notifications of one call's progress.
type progress struct {
	c     *conn
	way   Exchange
	token json.RawMessage
	last  float64
	over  chan struct{} // closed when the call is answered
}

// progressOf returns where to report the progress of m's call, nil if the peer did not ask.
func (c *conn) progressOf(m *message) *progress {
	token := member(m.Meta, "progressToken")
	if token == nil || m.kind == notification || token[0] != '"' && (!isNumber(token) || !isInteger(token)) {
		return nil
	}
	return &progress{c: c, way: m.way, token: bytes.Clone(token), last: math.Inf(-1), over: make(chan struct{})}
}

func (p *progress) stop() { close(p.over) }

// report sends one notification, on the goroutine of the call, without waiting for the peer: the
// call may hold what others wait for. Progress only grows; a report of less is left out.
func (p *progress) report(at registry.Progress) {
	select {
	case <-p.over:
		return
	default:
	}
	if !(at.Value > p.last) || math.IsInf(at.Value, 0) {
		return
	}
	p.last = at.Value
	text := append([]byte(nil), `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`...)
	text = append(text, p.token...)
	text = append(text, `,"progress":`...)
	text = strconv.AppendFloat(text, at.Value, 'g', -1, 64)
	if at.Total > 0 && !math.IsInf(at.Total, 0) {
		text = append(text, `,"total":`...)
		text = strconv.AppendFloat(text, at.Total, 'g', -1, 64)
	}
	if at.Message != "" {
		text = append(text, `,"message":`...)
		text = wire.AppendString(text, at.Message)
	}
	p.c.tell(p.way, append(text, "}}"...))
}
