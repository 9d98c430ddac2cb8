package mcp

import (
	"bytes"
	"context"
	"slices"

	"github.com/limina-mcp/limina/registry"
)

// beside is a call that runs beside the reading goroutine: of a skill that is Slow. It may be
// cancelled, it may ask its client, and it may go on without its request, as a task.
type beside struct {
	c       *conn
	b       *binding
	id      []byte // of the request; nil for a notification
	way     Exchange
	sc      *slowCall
	cancel  context.CancelFunc
	untie   func() bool // the end of the connection does not cancel it any more
	request registry.Request
	make    runner
	tool    bool // it is a tool call
	asker   asker
	told    *progress
	task    *task // nil until it is one
}

// launch runs a slow call beside the reading goroutine. It returns an error, and m is not answered, if
// too many are running, or they keep too much.
func (c *conn) launch(b *binding, m *message, r registry.Request, run runner) (full *registry.Error) {
	s := &beside{c: c, b: b, way: m.way, request: r, make: run, tool: m.Name != nil}
	early := false
	if b.stateless {
		var e *rpcError
		if s.asker.round, e = newRound(c.mcp, b.session.principal.ID, m, &r); e == nil && s.tool && m.kind == call {
			early, e = b.detaches(c.called(r.Skill, r.Input))
		}
		if e != nil {
			c.refuse(m, e)
			return nil
		}
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(c.ctx))
	s.cancel = func() { cancel(nil) }
	s.untie = context.AfterFunc(c.ctx, func() { cancel(context.Cause(c.ctx)) })
	key := keyOf(m.ID)
	if m.ID == nil || c.listens.find(key) == nil {
		s.sc, full = c.running.begin(key, r.Principal, len(m.text), s.cancel)
	}
	if s.sc == nil {
		s.untie()
		s.cancel()
		if full == nil {
			c.refuse(m, invalidRequest("a call with this id is running"))
		}
		return full
	}
	// The message is gone when the next one is read.
	s.id = slices.Clone(m.ID)
	s.request.Input, s.request.Previous = bytes.Clone(r.Input), bytes.Clone(r.Previous)
	if b.dialect.tells() {
		s.asker.c, s.asker.b, s.asker.way, s.asker.beside = c, b, m.way, s
		s.request.Client = &s.asker
	}
	s.request.Stands = c.mcp.stands
	if c.mcp.gone(r.Principal) != nil { // since the message was read: before begin nobody could cancel it
		s.cancel()
	}
	s.told = c.progressOf(m)
	if s.told != nil || early {
		s.request.Progress = s.progress
	}
	go s.run(ctx, early)
	return nil
}

// detaches reports whether a call of a modern client becomes a task at once. The error is for who has no tasks, and needs one.
func (b *binding) detaches(called registry.Skill) (early bool, e *rpcError) {
	when := called.Info().Detach
	if b.capable&canTasks == 0 {
		if when == registry.DetachAlways {
			return false, noTasks()
		}
		return false, nil
	}
	return when != registry.DetachLate && called.Slow(), nil
}

// run makes the call and answers it.
func (s *beside) run(ctx context.Context, early bool) {
	defer s.cancel()
	defer s.c.running.free(s.sc)
	if early {
		s.detach()
	}
	var res registry.Result
	answer := s.answer(ctx, &res)
	if s.told != nil {
		s.told.stop()
	}
	if s.tool && s.c.mayOwe(s.request.Skill, s.request.Input, &res) && s.c.keep() != nil {
		answer = unkept(answer)
	}
	if s.task != nil {
		s.task.end(answer[len(appendHead(nil, s.id)):len(answer)-1], res.Err != nil)
		return
	}
	defer s.c.running.end()
	s.untie()
	if !s.c.running.claim(s.sc) || s.id == nil {
		answer = nil
	}
	s.c.reply(s.way, answer)
}

// answer makes the call and returns its answer.
func (s *beside) answer(ctx context.Context, res *registry.Result) (answer []byte) {
	defer func() {
		if p := recover(); p != nil {
			answer = append(s.c.panicked(p).append(appendHead(nil, s.id)), '}')
		}
	}()
	return append(s.make(ctx, nil, s.b, s.id, &s.request, res), '}')
}

// detach has the call go on as a task, which is the answer to its request. It stays with its request
// if that is no longer wanted, there are too many tasks, or nothing is done any more for whoever has made it.
func (s *beside) detach() {
	if s.task != nil || s.b.capable&canTasks == 0 || s.id == nil || !s.tool {
		return
	}
	t := s.c.mcp.tasks.begin(taskOwner(s.b), &s.b.session.principal, s.cancel)
	if t == nil {
		return
	}
	// Whoever ends what is going on of those who are gone has not seen the task, or else it is cancelled already.
	if s.c.mcp.gone(&s.b.session.principal) != nil || !s.c.running.claim(s.sc) {
		t.forget()
		t.all.runs.Done()
		return
	}
	s.untie()
	s.task, s.asker.task = t, t
	if s.told != nil {
		s.told.stop()
		s.told = nil
	}
	s.c.reply(s.way, append(s.c.mcp.modern.appendCreated(appendHead(nil, s.id), t), '}'))
	s.c.running.end()
}

// progress tells how far the call has come.
func (s *beside) progress(at registry.Progress) {
	switch {
	case s.task != nil:
		s.task.progress(at)
	case s.told != nil && s.wanted():
		s.told.report(at)
	}
}

// wanted reports whether the peer wants to hear of the call.
func (s *beside) wanted() bool { return s.c.running.wanted(s.sc) }
