package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/trace"
)

// Call is one running call, as its handler sees it. It is valid until the handler returns and is
// used by the handler's goroutine only.
type Call struct {
	reg       *Registry
	skill     *skill
	principal *profiles.Principal
	previous  json.RawMessage
	progress  func(Progress)
	client    Client // nil: it can neither be asked nor told anything
	intent    uint64
	start     time.Time
	took      time.Duration // from its start until the handler returned; 0 if none has
	ended     bool          // a handler has returned

	base    context.Context    // of the caller
	ctx     context.Context    // made from base on first use, with the deadline
	release context.CancelFunc // ends ctx

	cause  []trace.ID                      // events that led to a root call
	depth  int                             // how many calls this one is inside of
	judged bool                            // of the root: the gate has let it pass, and so what it calls
	asked  uint64                          // of the root, if judged: the newest commit when it was held
	dry    bool                            // of the root: what is done now will be taken back
	input  []byte                          // while the handler runs
	whole  bool                            // its answer is not to be abridged
	seen   *uint64                         // the revision that the caller said he has seen
	stands func(*profiles.Principal) error // of the root: see Request

	root *Call       // the outermost call: itself, unless this one was made by Call.Invoke
	tx   Transaction // of the root: open on it, or nil
	lent bool        // of the root: tx is somebody else's, who ends it
	rows time.Time   // of the root: when the first of what it does in a row began
	mark int         // … and the call began there

	content []Content // of the root: what was attached
	offered any       // of the root: what it has read, see [Result.Contents], or the prompt, see [Result.Prompted]
	slot    int       // where this call's own event is in the root's log
	up      int       // 1-based place there of the call that made this one; 0 for the root

	*drawer
}

// drawer is what a Call leaves to the next one that is made of it.
type drawer struct {
	log  draftList  // of the root: the events of the call
	ids  []trace.ID // scratch: of the events, once appended
	text []byte     // scratch: the input's text, where it is not the caller's own
}

// Progress is how far a call has come. Value grows with every report; Total is 0 if unknown.
type Progress struct {
	Value, Total float64
	Message      string
}

// top returns the outermost call. It panics where the call is over, as far as that can be seen: a Call is used again for
// another call then.
func (c *Call) top() *Call {
	if c.root == nil {
		panic("registry: a Call is used after its handler has returned")
	}
	return c.root
}

// Context ends when the call is cancelled, its connection is gone or its time is up.
func (c *Call) Context() context.Context {
	if c.ctx == nil {
		c.top()
		if c.skill.timeout > 0 {
			// By what is left, not by the deadline: the registry's clock need not be the system's.
			c.ctx, c.release = context.WithTimeout(c.base, c.deadline().Sub(c.reg.clock()))
		} else {
			c.ctx, c.release = context.WithCancel(c.base)
		}
	}
	return c.ctx
}

func (c *Call) deadline() time.Time { return c.start.Add(c.skill.timeout) }

// Started returns when the call began, by the registry's clock. It is for what is told of the call: what a world holds
// must not depend on it.
func (c *Call) Started() time.Time { return c.start }

// Principal returns who calls. It is shared and not to be changed.
func (c *Call) Principal() *profiles.Principal { return c.principal }

// Held reports whether the call was held by a gate, and runs now because somebody has let it: it was made when tick was the newest commit, and the world may
// be another one. A skill that means what is newest heeds it.
func (c *Call) Held() (tick uint64, held bool) {
	root := c.top()
	return root.asked, root.judged
}

// InRow returns how long ago InRow was first asked of the outermost call or of one inside it, which this is if it is 0. It is for who makes one call after the other while everybody
// waits: rows that are inside of one another take no longer together than one by itself.
func (c *Call) InRow() time.Duration {
	root := c.top()
	if root.rows.IsZero() {
		root.rows = time.Now()
		return 0
	}
	return time.Since(root.rows)
}

// Skill returns the metadata of the skill that is called.
func (c *Call) Skill() Info { return c.skill.info }

// Intent returns the number of the call: unique in this registry, growing in order of arrival.
// Deltas name it as their cause.
func (c *Call) Intent() uint64 { return c.top().intent }

// Registry returns the registry that runs the call.
func (c *Call) Registry() *Registry { return c.reg }

// Previous returns what the caller passed as previousResults, nil if nothing.
func (c *Call) Previous() json.RawMessage { return c.previous }

// Progress reports how far the call has come, to callers that asked for it.
func (c *Call) Progress(value, total float64, message string) {
	if c.progress != nil {
		c.progress(Progress{Value: value, Total: total, Message: message})
	}
}

// Emit appends an event when the call commits; if it fails there is none. The type is the skill's
// to choose: what a caller may name has to stand behind a prefix, and the pipeline's own types are
// refused. Payload is a value that encoding/json writes as an object, or the text of one as a
// json.RawMessage, of at most 64 KiB: more is capacity_exceeded. The handler should return Emit's
// error.
func (c *Call) Emit(typ string, payload any) error {
	if typ == "" || typ == EventHeld || strings.HasPrefix(typ, reservedPrefix) {
		return fmt.Errorf("event %q: the type is empty or the pipeline's own", typ)
	}
	data, err := payloadText(payload)
	if err != nil {
		return fmt.Errorf("event %s: %w", typ, err)
	}
	if data[0] != '{' { // it is valid JSON, so it is not empty
		return fmt.Errorf("event %s: the payload is no JSON object", typ)
	}
	if len(data) > maxLoggedInput {
		return Errorf(CodeCapacityExceeded, "event %s: its payload has %d bytes, at most %d are allowed", typ, len(data), maxLoggedInput)
	}
	c.top().log.add(c, typ, c.slot+1, data)
	return nil
}

// payloadText returns payload as JSON on one line.
func payloadText(payload any) ([]byte, error) {
	text, ok := payload.(json.RawMessage)
	if !ok {
		return json.Marshal(payload)
	}
	if err := wire.Valid(text); err != nil {
		return nil, err
	}
	return appendLine(nil, bytes.TrimSpace(text)), nil
}

// Transaction returns what is open on the call, nil if nothing is. A call made by [Call.Invoke]
// shares that of its caller.
func (c *Call) Transaction() any { return c.top().tx }

// Begin makes tx, a [Transaction], the one that is open on the call; the pipeline will end it. It
// panics if one is open already or tx is none: both are mistakes of the package that opened it.
func (c *Call) Begin(tx any) {
	t, ok := tx.(Transaction)
	if !ok {
		panic(fmt.Sprintf("registry: Call.Begin: %T is no Transaction", tx))
	}
	if c.top().tx != nil {
		panic("registry: Call.Begin: a transaction is open on this call")
	}
	c.root.tx = t
}

// Holder returns the token that the name of who calls is one of many of, "" if it is not.
func (c *Call) Holder() string { return c.principal.Holder }

// Author returns the id of who calls and the name of the skill that is called.
func (c *Call) Author() (agent, skill string) { return c.principal.ID, c.skill.info.Name }

// Seen returns the revision that the caller said he has seen, if he did.
func (c *Call) Seen() (revision uint64, ok bool) {
	if c.seen == nil {
		return 0, false
	}
	return *c.seen, true
}

// Revision returns the newest revision of what the registry's calls change: that of the last commit.
func (c *Call) Revision() uint64 { return c.reg.tick() }

// Invoke runs another skill inside this call: as the same caller, its permissions checked on their
// own, its changes part of this call's one commit. If it fails, what it did is undone and the call
// may go on.
func (c *Call) Invoke(name string, input []byte) (output []byte, err error) {
	return c.InvokeIf(nil, name, input)
}

// InvokeIf is Invoke under the condition of [Request.IfRevision]; nil for the one of this call.
func (c *Call) InvokeIf(revision *uint64, name string, input []byte) (output []byte, err error) {
	return c.invoke(revision, name, input, false)
}

// InvokeWhole is InvokeIf for who may go on with any part of the answer: see [Call.Whole].
func (c *Call) InvokeWhole(revision *uint64, name string, input []byte) (output []byte, err error) {
	return c.invoke(revision, name, input, true)
}

// Limited runs fn, in which the caller may do no more than grants allow, as where the calls that [Call.Invoke] makes in it are somebody else's wish: neither they nor who asks for
// [Call.Principal] find more. The grants that he lacks himself he lacks there, too.
func (c *Call) Limited(grants profiles.Grants, fn func() error) error {
	c.top()
	before := c.principal
	if before.Grants.Within(grants) {
		return fn()
	}
	less := *before
	less.Grants = before.Grants.And(grants)
	c.principal = &less
	defer func() { c.principal = before }()
	return fn()
}

// Whole reports whether the answer goes to a program that may need all of it, such as a list of operations, so that lists in it are not to be abridged
// for a reader, unless the caller has asked for that.
func (c *Call) Whole() bool { return c.whole }

func (c *Call) invoke(revision *uint64, name string, input []byte, whole bool) (output []byte, err error) {
	c.top()
	sub := c.reg.call()
	defer c.reg.recycle(sub)
	sub.root, sub.up, sub.depth, sub.whole = c.root, c.slot+1, c.depth+1, whole
	sub.base, sub.principal, sub.start = c.Context(), c.principal, c.reg.clock()
	sub.previous, sub.progress, sub.client, sub.seen = c.previous, c.progress, c.client, c.seen
	if revision != nil {
		sub.seen = revision
	}
	output, e := c.reg.nested(sub, name, input)
	if e != nil {
		return nil, e
	}
	return output, nil
}

// over returns why the call, whose handler has returned, may not go on.
func (c *Call) over() error {
	if stands := c.root.stands; stands != nil {
		if err := stands(c.principal); err != nil {
			return err
		}
	}
	if err := c.base.Err(); err != nil {
		return err
	}
	if c.skill.timeout > 0 && c.took >= c.skill.timeout {
		return context.DeadlineExceeded
	}
	return nil
}

// call returns a blank Call that is its own root.
func (r *Registry) call() *Call {
	c := r.calls.Get().(*Call)
	c.reg, c.root = r, c
	return c
}

// recycle ends what the call still holds and gives it back. That a transaction is still open means
// that something panicked which is nobody's to catch.
func (r *Registry) recycle(c *Call) {
	c.rollback()
	if c.release != nil {
		c.release()
	}
	c.log.reset()
	c.ids, c.text = c.ids[:0], c.text[:0]
	*c = Call{drawer: c.drawer}
	r.calls.Put(c)
}
