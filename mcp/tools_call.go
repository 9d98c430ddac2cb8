package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
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
		c.fail(b, m, nil, registry.Skill{}, registry.Errorf(registry.CodeForbidden, noSession))
		return
	}
	if e := m.split(); e != nil {
		c.fail(b, m, b.session, registry.Skill{}, registry.Invalidf("%s", e.message))
		return
	}
	skill, found := m.reading.Skill(), true
	if skill.Name() == "" {
		skill, found = c.mcp.reg.LookupBytes(m.Name)
	}
	c.request = registry.Request{}
	c.request.Skill, c.request.Input, c.request.Read, c.request.Principal = skill, argumentsOf(m), m.reading, &b.session.principal
	if !found {
		c.request.Name = string(m.Name)
	}
	if b.stateless { // the connection goes on when its sender is gone
		c.request.Stands = c.mcp.stands
	}
	_, isNative := b.dialect.(native)
	if e := m.checkContext(isNative); e != nil {
		c.fail(b, m, b.session, skill, registry.Invalidf("%s", e.message))
		return
	}
	if m.mayHaveTerms() {
		if e := m.readTerms(isNative, &c.request); e != nil {
			c.fail(b, m, b.session, registry.Skill{}, registry.Invalidf("%s", e.message))
			return
		}
	}
	c.made.Add(1)
	if !c.calls.spend() {
		c.throttle(b, m, skill)
		return
	}
	if m.Context != nil {
		c.request.Previous = member(m.Context, "previousResults")
	}
	if found && c.waits(b, skill, m.Arguments) {
		if full := c.launch(b, m, c.request, c.run); full != nil {
			c.fail(b, m, b.session, skill, full)
		}
		return
	}
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
	s.lane = c.run(c.ctx, s.lane, b, m.ID, &c.request, &c.result)
	if m.kind == notification {
		s.lane = s.lane[:start]
		c.unanswered(m)
		return
	}
	c.owes = c.owes || c.mayOwe(skill, m.Arguments, &c.result)
	s.finish(start, m.way)
}

// relay is the skill that runs the one that its input names.
const relay = "skills.call"

// waits reports whether a call has to run beside the reading goroutine: its skill says so, or the person
// at the client may be asked to approve it.
func (c *conn) waits(b *binding, k registry.Skill, arguments []byte) bool {
	k = c.called(k, arguments)
	return k.Slow() || c.approves(b, k)
}

// called is the skill that a call is of, in the end: a standard client has no other way to most of the
// catalogue than by relay.
func (c *conn) called(k registry.Skill, arguments []byte) registry.Skill {
	for k.Name() == relay {
		name, ok := stringValue(member(arguments, "name"))
		if !ok {
			name, _ = stringValue(member(arguments, "skill")) // which stands for it
		}
		inner, found := c.mcp.reg.Lookup(name)
		if !found {
			break
		}
		k, arguments = inner, member(arguments, "input")
	}
	return k
}

// throttle refuses a call that is one too many.
func (c *conn) throttle(b *binding, m *message, skill registry.Skill) {
	e := c.calls.tooOften()
	if skill.Name() == "" { // of none there is nothing to say but that
		c.refuse(m, wireError(e))
		return
	}
	c.fail(b, m, b.session, skill, e)
}

// runner makes a call and appends its answer but for the last brace; res is room for its outcome. It
// may run on any goroutine.
type runner func(ctx context.Context, dst []byte, b *binding, id []byte, r *registry.Request, res *registry.Result) []byte

// run is the runner of tool calls.
func (c *conn) run(ctx context.Context, dst []byte, b *binding, id []byte, r *registry.Request, res *registry.Result) []byte {
	dst = appendHead(dst, id)
	start := len(dst)
	dst = b.dialect.open(dst)
	output := len(dst)
	a, _ := r.Client.(*asker)
	*res = c.invoke(ctx, a, r, dst)
	if res.Err != nil {
		if a != nil {
			if answer, ended := a.outcome(dst[:start], res.Err); ended {
				return answer
			}
		}
		return b.dialect.refuse(dst[:start], &failure{c.mcp, b.session, r.Skill, res})
	}
	flatten(res.Output[output:])
	return b.dialect.close(res.Output, output, r, res)
}

// fail answers a call that does not get as far as the registry: of a session, nil for none, and of a skill, the zero one as long as that is not known.
func (c *conn) fail(b *binding, m *message, session *Session, skill registry.Skill, e *registry.Error) {
	c.record(m, session, skill, e)
	if m.kind == notification {
		c.unanswered(m)
		return
	}
	s := &c.stream
	start := len(s.lane)
	s.lane = b.dialect.refuse(appendHead(s.lane, m.ID), &failure{c.mcp, session, skill, &registry.Result{Err: e}})
	s.finish(start, m.way)
}

// record has the registry record a call that was refused before it. Of a peer without a session only
// the first is: nobody knows who it is, and it shall not push others' events out of the trace.
func (c *conn) record(m *message, session *Session, skill registry.Skill, e *registry.Error) {
	refused := registry.Request{Skill: skill, Name: string(m.Name)}
	if session != nil {
		refused.Principal = &session.principal
	} else if c.stranger {
		return
	}
	c.stranger = c.stranger || session == nil
	c.mcp.reg.Refuse(&refused, e)
}

// readArguments reads the arguments of the call that is being taken apart into c.message, if there is nothing about them that
// the call itself would have to say. It is for wire.ParseEnvelope.
func (c *conn) readArguments(name, text []byte, at int) (end int) {
	skill, found := c.mcp.reg.LookupBytes(name)
	if !found {
		return -1
	}
	c.message.reading, end = skill.Read(text, at)
	return end
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
	id := keyOf(member(m.Params, "requestId"))
	if l := c.listens.drop(id); l != nil {
		c.hear(l, -1)
		l.end()
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
	if token == nil || m.kind == notification || !isID(token) {
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
