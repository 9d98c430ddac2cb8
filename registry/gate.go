package registry

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/trace"
)

// Gate judges a call after its input and its permissions were found good. One gate serves every
// call of a registry, also at the same time; nil lets everything pass.
//
// A call inside a call comes before the gate while the transaction of the outer one is open, and everybody waits for its end. So
// Judge reads the world by [Pending.Call], with world.Read, and not by World.View, and makes no call but by it.
type Gate interface {
	Judge(p *Pending) Verdict
}

// Pending is a call before its gate.
type Pending struct {
	Skill     Info
	Principal profiles.Principal
	Input     json.RawMessage // as it was validated; the gate may keep it
	Intent    uint64
	Tick      uint64 // the newest commit

	// Call is the call, while Judge runs: what world.Read takes. It is not to be kept.
	Call *Call

	// Resume runs a call that was held, once it may pass after all: as its original caller, with
	// his permissions checked, as far as he has them still (Options.Still), in a commit of its own, neither it nor what it calls judged again,
	// its event caused by the one of the hold. It may be called from any goroutine after Judge has
	// returned; it waits until the hold is recorded. Where a transaction is open it would wait for
	// itself.
	Resume func(ctx context.Context) Result
}

// Screener is what a [Gate] may be besides: it says, without having seen the input, whether the
// gate has to judge a call at all. It is asked first and saves the other calls the cost of a
// [Pending]. It must be safe for concurrent use and change neither k nor p.
type Screener interface {
	Concerns(k *Info, p *profiles.Principal) bool
}

// hold connects a held call's Resume with the event of the hold.
type hold struct {
	done  chan struct{} // closed when the call that was held is over
	event trace.ID      // then set; 0 if the hold was not recorded
}

func (h *hold) settle(event trace.ID) {
	h.event = event
	close(h.done)
}

// Decision is what a gate says of a call.
type Decision uint8

// The decisions.
const (
	Allow Decision = iota
	Deny
	Hold
)

// Verdict is a gate's decision.
type Verdict struct {
	Decision Decision
	Code     Code   // of a Deny; default forbidden
	Reason   string // for Deny the text that the caller gets, with a default; for Hold the approval id that he gets, which has to be there
}

// Recorder is told of every call that may change something: before its handler runs, and, through
// the function it returns, once for each call of Record: after the output was found good and before anything is
// committed, or after the handler has failed or panicked. If either fails, the call fails and leaves no mark. It
// must be safe for concurrent use.
//
// After the handler, and before that of a call inside a call, a transaction may be open, and everybody waits for its end: a
// recorder reads the world by c, with world.Read, and not by World.View.
type Recorder interface {
	Record(c *Call, input []byte) (after func(Outcome) error, err error)
}

// Outcome is what a recorder learns after the handler.
type Outcome struct {
	Tick   uint64 // the number that the commit will get, 0 if nothing changed
	Output []byte // JSON; not to be kept
	Err    *Error // the failure, if it failed
}

// Transaction is what a handler opens on its call for everything that it changes, by way of
// [Call.Begin]; *world.Tx is one. The pipeline ends it, exactly once, by Commit or Rollback, on the
// goroutine that ran the handler.
type Transaction interface {
	Savepoint() int       // a mark that RollbackTo takes; 0 is the beginning
	RollbackTo(mark int)  // undoes everything since the mark; the transaction stays open
	Tick() uint64         // the number that the commit will get, 0 while nothing has changed
	Commit(intent uint64) // cannot fail
	Rollback()            // undoes everything
}

// Previewer is what a [Transaction] may be besides: it tells what was done since a mark, as a JSON
// object of bounded length, and undoes it.
type Previewer interface {
	Preview(mark int) json.RawMessage
}

// Judges reports whether the gate has a say in calls of k by p; nil has no permissions, as in a [Request].
func (r *Registry) Judges(k Skill, p *profiles.Principal) bool {
	if p == nil {
		p = noPrincipal
	}
	return r.judges(k.s, p)
}

func (r *Registry) judges(k *skill, p *profiles.Principal) bool {
	return r.gate != nil && (r.screener == nil || r.screener.Concerns(&k.info, p))
}

// judge asks the gate.
func (r *Registry) judge(c *Call, input []byte) *Error { return r.judgeAs(c, &c.skill.info, input) }

// judgeAs is judge for a call that does what info says.
func (r *Registry) judgeAs(c *Call, info *Info, input []byte) *Error {
	k, principal := c.skill, *c.principal
	name := k.info.Name
	kept := append([]byte(nil), input...)
	var seen *uint64
	if c.seen != nil {
		revision := *c.seen
		seen = &revision
	}
	h, tick := &hold{done: make(chan struct{})}, r.tick()
	v := r.gate.Judge(&Pending{
		Skill: *info, Principal: principal, Input: kept, Intent: c.Intent(), Tick: tick, Call: c,
		Resume: func(ctx context.Context) Result {
			select {
			case <-h.done:
			case <-ctx.Done():
				return Result{Err: Failf("cancelled while waiting for the hold to be recorded; nothing was changed")}
			}
			if h.event == 0 {
				return Result{Err: Failf("the hold of this call could not be recorded, so it cannot run; nothing was changed")}
			}
			again := &Request{Name: name, Input: kept, Principal: &principal, Cause: []trace.ID{h.event}, IfRevision: seen, judged: true, asked: tick}
			if k.offer {
				again.Skill = Skill{k}
			}
			if r.still != nil {
				now := principal
				if err := r.still(&now); err != nil {
					e, _ := publicError(err, 0, false)
					return r.Refuse(again, e)
				}
				again.Principal = &now
				again.Stands = func(p *profiles.Principal) error {
					now := principal
					if err := r.still(&now); err != nil {
						return err
					}
					if !p.Grants.Within(now.Grants) {
						return Errorf(CodeForbidden, "the profile %s does not grant any more what it did when the call was let go; it was dropped", p.Profile)
					}
					return nil
				}
			}
			return r.Invoke(ctx, again, nil)
		},
	})
	switch {
	case v.Decision == Allow:
		return nil
	case v.Decision == Hold && v.Reason != "":
		e := Errorf(CodePendingApproval, "%s", v.Reason)
		c.failed(EventHeld, e, input)
		c.root.log.notes[c.slot].holdBy(h)
		return e
	case v.Decision == Deny:
		return c.refuse(Errorf(cmp.Or(v.Code, CodeForbidden), "%s", cmp.Or(v.Reason, "whoever runs this world does not allow the call")))
	default: // it neither passes nor could be found again
		h.settle(0)
		r.log.Error().Str("skill", name).Uint64("call", c.Intent()).Uint8("decision", uint8(v.Decision)).Str("reason", v.Reason).Msg("the gate has decided nothing that it may: Allow, Deny, or Hold with the approval id as Reason")
		e, _ := publicError(errVerdict, c.Intent(), info.Outward)
		return c.refuse(e)
	}
}

// errVerdict is a mistake of a gate.
var errVerdict = errors.New("registry: the gate's verdict is none")

// recorded is handle with the recorder told before and after, if there is one that has to know of the call.
func (r *Registry) recorded(c *Call, f frame, input, dst []byte, encode bool) ([]byte, error) {
	if r.recorder == nil || c.skill.info.Effect == Reads || c.root.dry {
		return r.handle(c, f, dst, encode)
	}
	after, err := r.recorder.Record(c, input)
	if err != nil {
		return dst, fmt.Errorf("record: %w", err)
	}
	if after == nil {
		return r.handle(c, f, dst, encode)
	}
	told := false
	defer func() {
		if !told { // of a panic, which is a failure like others
			_ = after(c.root.outcome(nil, errPanicked))
		}
	}()
	out, err := r.handle(c, f, dst, true)
	o := c.root.outcome(out[len(dst):], err)
	told = true
	if rerr := after(o); rerr != nil && err == nil {
		err = fmt.Errorf("record: %w", rerr)
	}
	return out, err
}

// outcome is what a recorder learns of a call inside c, or of c itself.
func (c *Call) outcome(output []byte, err error) Outcome {
	o := Outcome{Output: output}
	if c.tx != nil {
		o.Tick = c.tx.Tick()
	}
	if err != nil {
		o.Err, _ = publicError(err, c.intent, false)
	}
	return o
}

// errPanicked is the failure of a handler that panics, as its recorder learns it.
var errPanicked = errors.New("the skill panicked")
