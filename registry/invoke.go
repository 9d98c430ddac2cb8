package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/trace"
)

// maxDepth bounds calls inside calls.
const maxDepth = 8

// Request is a call as it arrives.
type Request struct {
	Skill     Skill               // as Lookup found it; if zero, Name is looked up
	Name      string              // dotted or published
	Input     []byte              // a JSON object; empty means {}
	Read      Reading             // of Input by Skill, if that was done already; taken by Invoke
	Principal *profiles.Principal // who calls; nil has no permissions
	Previous  json.RawMessage     // handed to the handler as it is
	Progress  func(Progress)      // told how far the call has come; may be nil
	Client    Client              // may be asked and told something; may be nil
	Cause     []trace.ID          // events that led to the call

	// DryRun has the call made and everything that it did taken back: see [Call.Rehearse]. Nothing
	// remains but one event, of the type [EventDryRun].
	DryRun bool
	// IfRevision is a revision that the caller has seen: the call fails if it changes something that
	// somebody else has changed since. Nil for no such condition.
	IfRevision *uint64

	// Stands is asked about the principal when a handler has returned, before anything that the call has done is committed. Its error, which the caller is told, has
	// all of it undone: for who may have lost what let him make the call. It is called where the world is locked, so it must not wait. Nil: what he could he can.
	Stands func(p *profiles.Principal) error

	judged bool   // the gate has let it pass
	asked  uint64 // if judged: the newest commit when it was held
}

// Result is the outcome of a call.
type Result struct {
	Output  []byte          // the dst of the call, with the output's JSON appended if Err is nil
	Err     *Error          // nil if it succeeded; where an error is wanted return [Result.Failure], because a nil *Error in it is no nil
	Content []Content       // what was attached, see [Call.Attach]
	Intent  uint64          // the call's number
	Tick    uint64          // of its commit, 0 if it changed nothing
	Elapsed time.Duration   // from arrival until the handler returned, or the call was refused
	Changes json.RawMessage // of a dry run: what it would have changed

	// Revision, of a call with DryRun or IfRevision that succeeded, is one that the caller has seen with
	// the answer: that of its commit, or, if it changed nothing, the newest when it arrived.
	Revision uint64

	offered any
	ids     [4]trace.ID
	n       int
	more    []trace.ID // all of them, if they are more than fit into ids
}

// Failure returns Err as an error: nil if the call succeeded.
func (r *Result) Failure() error {
	if r.Err == nil {
		return nil
	}
	return r.Err
}

// Events returns the ids of the events that the call appended, its own first.
func (r *Result) Events() []trace.ID {
	if r.more != nil {
		return r.more
	}
	return r.ids[:r.n]
}

func (r *Result) setEvents(ids []trace.ID) {
	if len(ids) > len(r.ids) {
		r.more = append([]trace.ID(nil), ids...)
		return
	}
	r.n = copy(r.ids[:], ids)
}

// noPrincipal is who calls when nobody says so.
var noPrincipal = &profiles.Principal{}

// Invoke runs a call to its end and appends its output to dst. Every failure is in Result.Err,
// never a panic: not_found, invalid_input, forbidden, pending_approval, what the handler refused
// (an [*Error], or any error with a method Refusal() (code, message string)), and handler_error for
// everything else, whose text then stays in the log. A failed call has changed nothing. What is no part of a call, a trace.Sink
// or who observes commits, may panic for itself.
//
// Where a transaction is open, or a view of the world is read, it would wait for itself: a call that wants the world fails there, with what to do
// instead, as long as it is made by the same goroutine. A handler calls others by [Call.Invoke], a step by [Registry.InvokeIn].
//
// Invoke runs on the caller's goroutine, also for skills that are Slow. It may be called
// concurrently; it keeps neither req nor its input.
func (r *Registry) Invoke(ctx context.Context, req *Request, dst []byte) Result {
	c := r.open(ctx, req)
	defer r.recycle(c)
	k := req.Skill.s
	if k == nil {
		k = r.set.Load().byName[req.Name]
	}
	if k == nil {
		return r.conclude(c, dst, dst, r.unknown(c, req.Name))
	}
	c.judged, c.asked = req.judged, req.asked
	if !req.DryRun && req.IfRevision == nil {
		out, e := r.serve(c, k, req.Read.take(k), req.Input, dst)
		return r.conclude(c, dst, out, e)
	}
	return r.onTerms(c, k, req, dst)
}

// onTerms makes a root call that is a dry run, or that has a condition.
func (r *Registry) onTerms(c *Call, k *skill, req *Request, dst []byte) (res Result) {
	c.seen = req.IfRevision
	newest := r.tick()
	if req.DryRun {
		res = r.tryOut(c, k, req.Input, dst)
	} else {
		out, e := r.serve(c, k, nil, req.Input, dst)
		res = r.conclude(c, dst, out, e)
	}
	if res.Revision = res.Tick; res.Tick == 0 {
		res.Revision = newest
	}
	if res.Err != nil {
		res.Revision = 0
	}
	return res
}

// Refuse records a call that does not get as far as [Registry.Invoke], because whoever takes calls in
// had to refuse it for a reason of its own, and returns what Invoke would have. A request with
// neither Skill nor Name is recorded as a call of nothing.
func (r *Registry) Refuse(req *Request, e *Error) Result {
	c := r.open(context.Background(), req)
	defer r.recycle(c)
	k := req.Skill.s
	if k == nil {
		k = noSkill(req.Name)
	}
	c.skill = k
	return r.conclude(c, nil, nil, c.refuse(e))
}

// serve runs a call of k with its input as text, and f if that has read it already.
func (r *Registry) serve(c *Call, k *skill, f frame, input, dst []byte) (out []byte, e *Error) {
	if len(input) == 0 {
		input = emptyObject
	}
	c.skill = k
	defer func() {
		e = r.caught(c, recover(), input, e)
		k.release(f)
	}()
	if f == nil {
		f = k.frame()
		if err := f.decode(input); err != nil {
			return dst, c.refuse(c.inputError(err))
		}
	}
	return r.run(c, f, input, dst, true)
}

// Invoke runs a typed call in process: the same pipeline as [Registry.Invoke], without any JSON
// but that of its event. In and Out must be the skill's own types; where they are not, that is
// invalid_input. Defaults are not set here: begin with [Default]. A failure is an [*Error]. Who wants
// the content that the call attaches calls [Registry.Invoke].
func Invoke[In, Out any](ctx context.Context, r *Registry, p *profiles.Principal, name string, in In) (Out, error) {
	var out Out
	c := r.open(ctx, &Request{Principal: p})
	defer r.recycle(c)
	k := r.set.Load().byName[name]
	if k == nil {
		res := r.conclude(c, nil, nil, r.unknown(c, name))
		return out, res.Err
	}
	out, e := serveTyped[In, Out](r, c, k, in)
	res := r.conclude(c, nil, nil, e)
	if res.Err != nil {
		var none Out
		return none, res.Err
	}
	if c.log.promised {
		named := out
		c.log.keepIn(slices.Clone(res.Events()), &named) // a copy, so that res need not be on the heap
		return named, nil
	}
	return out, nil
}

// serveTyped is serve for an input that is a Go value.
func serveTyped[In, Out any](r *Registry, c *Call, k *skill, in In) (out Out, e *Error) {
	c.skill = k
	var some frame
	defer func() {
		e = r.caught(c, recover(), c.text, e)
		k.release(some)
	}()
	some = k.frame()
	f, ok := some.(*typedFrame)
	if !ok {
		return out, r.mistyped(c, (*In)(nil), (*Out)(nil))
	}
	to, takes := f.in.(*In)
	from, gives := f.out.(*Out)
	if !takes || !gives {
		return out, r.mistyped(c, (*In)(nil), (*Out)(nil))
	}
	*to = in
	if e = r.runTyped(c, f); e != nil {
		return out, e
	}
	return *from, nil
}

// mistyped refuses a typed call with types that are not the skill's. in and out are nil pointers to those.
func (r *Registry) mistyped(c *Call, in, out any) *Error {
	of := func(p any) string { return strings.TrimPrefix(fmt.Sprintf("%T", p), "*") }
	takes := "its input and its output have no Go type: call it with JSON"
	if t := &c.skill.types; t.in != nil {
		takes = fmt.Sprintf("its types are %s and %s", of(t.in), of(t.out))
	}
	return c.refuse(Errorf(CodeInvalidInput, "skill %s does not take %s and give %s: %s", c.skill.info.Name, of(in), of(out), takes))
}

// runTyped is run for an input that is in the frame, and an output that stays there.
func (r *Registry) runTyped(c *Call, f *typedFrame) *Error {
	err := f.inPlan.Check(f.in)
	if err == nil {
		c.text, err = f.appendInput(c.text)
	}
	if err != nil {
		return c.refuse(c.inputError(err))
	}
	_, e := r.run(c, f, c.text, nil, false)
	return e
}

// open starts a call that is its own root.
func (r *Registry) open(ctx context.Context, req *Request) *Call {
	c := r.call()
	c.base, c.principal, c.previous, c.progress, c.client, c.stands = ctx, req.Principal, req.Previous, req.Progress, req.Client, req.Stands
	if c.principal == nil {
		c.principal = noPrincipal
	}
	c.start = r.clock()
	c.intent = r.intents.Add(1)
	c.cause = req.Cause
	return c
}

var emptyObject = []byte("{}")

// caught turns a panic of the running skill into the call's failure; e is the failure without one.
// input may be anything: it is logged if it is what the skill was given.
func (r *Registry) caught(c *Call, panicked any, input []byte, e *Error) *Error {
	if panicked == nil {
		return e
	}
	r.log.Error().Str("skill", c.skill.info.Name).Uint64("call", c.Intent()).Any("panic", panicked).Bytes("stack", debug.Stack()).Msg("a skill panicked")
	e, _ = publicError(fmt.Errorf("panic: %v", panicked), c.Intent(), c.skill.info.Outward)
	if wire.Valid(input) != nil { // it was the decoder that panicked
		input = emptyObject
	}
	c.failed(EventFailed, e, input)
	return e
}

// run takes a call from its permission to its output. What it changed is still open on the root's
// transaction; its event is drafted, whatever the outcome.
func (r *Registry) run(c *Call, f frame, input, dst []byte, encode bool) ([]byte, *Error) {
	if p, missing := c.principal.Grants.Missing(c.skill.need); missing {
		e := Errorf(CodeForbidden, "missing permission: %s", p)
		e.Missing = p
		return dst, c.refuse(e)
	}
	if c.root.dry {
		if c.skill.info.Outward {
			return dst, c.refuse(outward(c.skill))
		}
	} else if !c.root.judged && r.judges(c.skill, c.principal) {
		if e := r.judge(c, input); e != nil {
			return dst, e
		}
	}
	c.executed(input)
	c.input = input
	out, err := r.recorded(c, f, input, dst, encode)
	if err == nil {
		return out, nil
	}
	e, whole := publicError(err, c.Intent(), c.skill.info.Outward)
	if !whole {
		r.log.Error().Str("skill", c.skill.info.Name).Uint64("call", c.Intent()).Err(err).Msg("a skill failed")
	}
	if e.Code == CodeInvalidInput && e.Skill == "" {
		said := *e
		said.Skill = c.skill.info.Name
		e = &said
	}
	if c.depth == 0 {
		e = r.barred(e, c.principal.Grants)
	}
	switch e.Code {
	case CodePendingApproval: // of a call inside this one
		c.failed(EventHeld, e, input)
	case CodeHandlerError:
		c.failed(EventFailed, e, input)
	default:
		c.failed(EventRefused, e, nil)
	}
	return dst, e
}

// handle runs the handler, and checks what came of it.
func (r *Registry) handle(c *Call, f frame, dst []byte, encode bool) ([]byte, error) {
	err := f.handle(c)
	c.took, c.ended = r.since(c.start), true
	if err == nil || errors.Is(err, context.Canceled) {
		if over := c.over(); over != nil {
			err = over
		}
	}
	if err == nil && c.skill.info.Effect == Reads && c.tx != nil && !c.lent && c.tx.Tick() != 0 { // only an outermost call has one
		err = errChanged
	}
	if err == nil {
		if err = f.checkOutput(); err != nil {
			err = fmt.Errorf("the output breaks its contract: %w", hidden{err})
		}
	}
	out := dst
	if err == nil && encode {
		if out, err = f.appendOutput(dst); err != nil {
			err = fmt.Errorf("encode output: %w", hidden{err})
		} else if len(out)-len(dst) > MaxOutput {
			out, err = dst, c.TooLong()
		}
	}
	return out, err
}

// errChanged is the failure of a skill that lied: no recorder was told of the call, and people were
// shown that it is harmless.
var errChanged = errors.New("the skill says that it only reads, and has changed something")

// hidden keeps an error's text and takes away what would let it reach the caller.
type hidden struct{ err error }

func (h hidden) Error() string { return h.err.Error() }

// refuse drafts the event of a refusal.
func (c *Call) refuse(e *Error) *Error {
	c.failed(EventRefused, e, nil)
	return e
}

// unknown refuses a call of a skill that is not there.
func (r *Registry) unknown(c *Call, name string) *Error {
	c.skill = noSkill(name)
	return c.refuse(r.Unknown(name, &c.principal.Grants))
}

// noSkill stands for a skill that is not there, in events.
func noSkill(name string) *skill {
	head := wire.AppendString([]byte(`{"skill":`), shortName(name))
	s := &skill{info: Info{Name: shortName(name)}, head: string(append(head, `,"version":"","intent":`...))}
	s.counters.Store(&nobodys)
	return s
}

// nobodys are the figures of all skills that are not there. Nobody asks for them.
var nobodys counters

// nested runs a call inside another one.
func (r *Registry) nested(c *Call, name string, input []byte) ([]byte, *Error) {
	c.slot = len(c.root.log.drafts)
	k := r.set.Load().byName[name]
	if k == nil {
		return nil, r.unknown(c, name)
	}
	if c.depth > maxDepth {
		c.skill = k
		return nil, c.refuse(Errorf(CodeCapacityExceeded, "calls inside calls: at most %d deep", maxDepth))
	}
	mark, attached := 0, len(c.root.content)
	if c.root.tx != nil {
		mark = c.root.tx.Savepoint()
	}
	out, e := r.serve(c, k, nil, input, nil)
	if e != nil {
		c.root.content = c.root.content[:attached]
		if c.root.tx != nil {
			c.root.tx.RollbackTo(mark)
		}
	}
	k.count(e, c.took)
	return out, e
}

// conclude appends the events of a root call and commits, or rolls back.
// dst is what the caller gave, out is dst with the output.
func (r *Registry) conclude(c *Call, dst, out []byte, e *Error) (res Result) {
	res.Output, res.Err, res.Intent = out, e, c.intent
	if e != nil {
		res.Output = dst
		c.rollback()
	}
	if c.tx != nil {
		res.Tick = c.tx.Tick()
	}
	stamp := res.Tick
	if stamp == 0 {
		stamp = r.tick()
	}
	drafts := c.log.ready(stamp)
	drafts[0].CausedBy = c.cause
	ids, err := r.trace.Append(c.ids[:0], drafts...)
	if err != nil {
		r.log.Error().Str("skill", c.skill.info.Name).Uint64("call", c.intent).Err(err).Msg("the trace refused an event")
		res.Err, _ = publicError(err, c.intent, false)
		res.Output, res.Tick = dst, 0
		c.rollback()
	}
	if tx := c.tx; tx != nil {
		c.tx = nil // first: if an observer panics in Commit, recycle must not end it again
		if !c.lent {
			tx.Commit(c.intent)
		}
	}
	if c.log.promised && res.Err == nil {
		res.Output = c.log.keep(ids, len(dst), out)
	}
	c.log.settle(ids)
	c.ids = ids[:0]
	res.setEvents(ids)
	if res.Err == nil {
		res.Content, res.offered = c.content, c.offered
	}
	if !c.ended {
		c.took = r.since(c.start)
	}
	res.Elapsed = c.took
	c.skill.count(res.Err, res.Elapsed)
	return res
}

func (c *Call) rollback() {
	if tx := c.tx; tx != nil {
		c.tx = nil
		if c.lent {
			tx.RollbackTo(c.mark)
			return
		}
		tx.Rollback()
	}
}
