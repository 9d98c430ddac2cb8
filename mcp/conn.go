package mcp

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/statesync"
)

// conn is one peer that is being served. Its methods run on the reading goroutine, unless they say
// otherwise.
type conn struct {
	mcp    *Mcp
	framer Framer                 // nil for a Link
	loose  func(text []byte) bool // of a Link: what belongs to no exchange
	peer   Peer
	ctx    context.Context // of every call
	cancel context.CancelCauseFunc
	stream stream
	out    *writer // nil for a Link
	bound  atomic.Pointer[binding]

	// Of a connection that is read, see StartPeer:
	rpc        *jsonrpc2.Conn
	started    chan struct{} // closed when rpc is set
	concluding atomic.Bool
	stop       func()      // ends what waits for something to happen to the connection
	concluded  func(error) // told why it has ended

	running *running
	asks    asks // requests of ours
	listens listens
	state   atomic.Pointer[channel] // nil until it is needed
	updates atomic.Pointer[updates] // of the resources that a legacy peer has subscribed to; nil before the first
	guest   atomic.Pointer[Session] // that modern messages count as; nil before the first
	brief   bool                    // it is for one request, as loose of a Link says
	greeted atomic.Bool             // the peer has had a session
	told    atomic.Bool             // the peer was told that the tools have changed, and has not listed them since
	made    atomic.Uint64           // calls that it has made
	busy    semaphore               // held by the reading goroutine but while it waits for the peer

	// Of the reading goroutine:
	stranger bool // a call without a session was recorded
	owes     bool // an answer in the lane has to wait for Options.Kept
	over     bool // nothing more is to be read
	turn     turn
	calls    allowance
	declared *statesync.Area                           // of the default subscription, before there is one
	claim    *claim                                    // the newest
	reader   func(name, text []byte, at int) (end int) // readArguments

	*scratch // nil while the peer is waited for, and while a Link delivers nothing
}

// scratch is what the reading goroutine is looking at, so that nothing is allocated for it.
type scratch struct {
	message message
	request registry.Request
	result  registry.Result
	asker   asker
}

func newConn(ctx context.Context, cancel context.CancelCauseFunc, m *Mcp, p Peer) *conn {
	c := &conn{mcp: m, peer: p, ctx: ctx, cancel: cancel, running: newRunning(m.opts.MaxRunning, &m.keeping), busy: make(semaphore, 1)}
	c.stream.c, c.reader = c, c.readArguments
	c.turn, c.calls = m.turns.join(), newAllowance(&c.peer, &m.meters)
	first := &binding{dialect: native{}}
	if p.Standard {
		first = legacy(negotiate(""), nil, 0)
	}
	c.bound.Store(first)
	return c
}

// attach has the connection speak through a Framer, and a goroutine read it.
func (c *conn) attach(f Framer) {
	c.scratch = c.mcp.scratches.Get().(*scratch)
	c.framer, c.out = f, newWriter(c, f.Write, func(err error) { c.cancel(err) }, c.mcp.unsent, c.unread)
	c.started = make(chan struct{})
	c.stream.ended, c.stream.held = make(chan struct{}), map[uint64]heldID{}
	if w, ok := f.(Waiter); ok {
		c.stream.tells = true
		w.OnWait(c.stream.rest, c.stream.wake)
	}
	c.busy.acquire() // the reading goroutine starts with it
	c.heed(c.peer.Credential)
	c.own()
}

// own notes whose the connection is by now, and tells the transport.
func (c *conn) own() {
	c.calls.by(c.token())
	if f, ok := c.framer.(Owned); ok {
		f.Own(c.owner())
	}
}

// unread ends a connection whose peer has answers waiting for too long, see ErrUnread. It does not wait.
func (c *conn) unread() {
	c.cancel(ErrUnread)
	go func() { _ = c.stream.Close() }() // whoever writes is not waited for
}

// hangUp ends what the peer has. Nothing is running any more, or is waited for.
func (c *conn) hangUp() {
	if u := c.updates.Load(); u != nil {
		u.end()
	}
	c.bound.Load().session.Close()
	c.guest.Load().Close()
	if state := c.state.Load(); state != nil {
		state.clear(true)
	}
}

// take answers m if it is a call, a list, a ping or an initialize, and reports whether it did.
func (c *conn) take(m *message) (taken bool) {
	if m.kind == response {
		c.answered(m)
		c.unanswered(m)
		return true
	}
	start := len(c.stream.lane)
	defer func() {
		if p := recover(); p != nil {
			c.stream.lane = c.stream.lane[:start]
			c.refuse(m, c.panicked(p))
			taken = true
		}
	}()
	b, e := c.standing(m)
	m.as = b
	if e != nil {
		c.refuse(m, e)
		return true
	}
	if array, part := m.way.(*batch); part && m.kind == call {
		if e = array.full(); e != nil {
			c.refuse(m, e)
			return true
		}
	}
	verb := b.dialect.verb(m.Method)
	if verb == verbOther && m.kind == call && string(m.Method) == "initialize" { // what a start waits for
		c.greet(m)
		return true
	}
	if verb == verbOther {
		return false
	}
	switch verb {
	case verbCall:
		c.call(b, m)
	case verbList:
		if !c.mayLook(b) {
			c.refuse(m, &rpcError{code: codeNoSession, message: noSession})
			break
		}
		c.told.Store(false)
		if b, e = c.enter(b); e != nil {
			c.refuse(m, e)
			break
		}
		list, e := b.dialect.list(&c.mcp.lists, b.session, m)
		c.answer(m, list, e)
	default:
		c.answer(m, emptyResult, nil)
	}
	return true
}

// greet answers an initialize. It is no part of take, whose variables a closure would move to the heap,
// for every call.
func (c *conn) greet(m *message) {
	var result []byte
	var e *rpcError
	aside(func() { result, e = c.dispatch(m) })
	c.answer(m, result, e)
}

var emptyResult = []byte("{}")

// answer answers m with a result or an error.
func (c *conn) answer(m *message, result []byte, e *rpcError) {
	if e != nil {
		c.refuse(m, e)
		return
	}
	if m.kind == notification {
		c.unanswered(m)
		return
	}
	s := &c.stream
	start := len(s.lane)
	s.lane = append(appendHead(s.lane, m.ID), `"result":`...)
	s.lane = append(s.lane, result...)
	s.finish(start, m.way)
}

// refuse answers m with an error. The zero message, and one that is malformed, may lack an id.
func (c *conn) refuse(m *message, e *rpcError) {
	if m.kind == notification {
		c.unanswered(m)
		return
	}
	s := &c.stream
	start := len(s.lane)
	id := m.ID
	if id == nil && c.bound.Load().dialect.nullID() {
		id = nullID
	}
	s.lane = e.in(m.as).append(appendHead(s.lane, id))
	s.finish(start, m.way)
}

var nullID = []byte("null")

// unanswered settles m, which gets no answer, with its exchange.
func (c *conn) unanswered(m *message) { c.reply(m.way, nil) }

// Handle answers, for jsonrpc2, what take does not: all while the reading goroutine waits.
func (c *conn) Handle(ctx context.Context, rpc *jsonrpc2.Conn, req *jsonrpc2.Request) {
	aside(func() { c.handle(ctx, rpc, req) })
}

func (c *conn) handle(ctx context.Context, rpc *jsonrpc2.Conn, req *jsonrpc2.Request) {
	m := c.stream.current
	result, e := c.dispatch(m)
	if m.later {
		c.stream.forget(req.ID.Num)
		return
	}
	if req.Notif {
		c.unanswered(m)
		return
	}
	if result == nil {
		result = emptyResult
	}
	answer := &jsonrpc2.Response{ID: req.ID, Result: (*json.RawMessage)(&result)}
	if e != nil {
		e = e.in(m.as)
		answer.Result, answer.Error = nil, &jsonrpc2.Error{Code: int64(e.code), Message: e.message}
		if e.data != nil {
			answer.Error.Data = (*json.RawMessage)(&e.data)
		}
	}
	_ = rpc.SendResponse(ctx, answer) // fails only when the connection has
}

// dispatch runs the method of m.
func (c *conn) dispatch(m *message) (result []byte, e *rpcError) {
	defer func() {
		if p := recover(); p != nil {
			result, e = nil, c.panicked(p)
		}
	}()
	name := string(m.Method)
	if name == "initialize" && m.as == c.bound.Load() { // it was taken out of the modern era
		return c.initialize(m)
	}
	run := m.as.dialect.method(name)
	if run == nil || m.kind == call && strings.HasPrefix(name, "notifications/") {
		return nil, methodNotFound(name)
	}
	return run(c, m)
}

// initialize binds the session, natively or as standard MCP has it: protocolVersion decides.
func (c *conn) initialize(m *message) ([]byte, *rpcError) {
	if _, part := m.way.(*batch); part {
		return nil, invalidRequest("initialize must not be part of a batch")
	}
	if e := m.needObject(); e != nil {
		return nil, e
	}
	if member(m.Params, "protocolVersion") != nil {
		return initializeStandard(c, m)
	}
	return initializeNative(c, m)
}

// bind has the connection's session replaced by another one. Subscriptions go on if it may have them.
func (c *conn) bind(b *binding) {
	c.bound.Store(b)
	c.own()
	if c.ctx.Err() != nil { // there is no end any more at which it would be closed
		b.session.Close()
	}
	if !b.session.principal.Grants.Has(scenePermission) {
		c.unsubscribeAll()
	} else if state := c.state.Load(); state != nil {
		state.feed.Load().For(b.session.principal.Owner())
	}
	if u := c.updates.Load(); u != nil { // a native peer has no use for them
		_, still := b.dialect.(standard)
		u.keep(func(r registry.Resource) bool { return still && r.Allowed(b.session.principal.Grants) })
	}
}

// watch has the peer told when a list changes, until stop is called.
func (c *conn) watch() (stop func()) {
	stops := []func(){
		c.mcp.reg.Watch(c.toolsChanged),
		c.mcp.reg.Resources().Watch(func() { c.changed(change{kind: resourcesListChanged}) }),
		c.mcp.reg.Prompts().Watch(func() { c.changed(change{kind: promptsListChanged}) }),
	}
	return func() {
		for _, stop := range stops {
			stop()
		}
	}
}

// unsubscribeAll ends what the connection is subscribed to.
func (c *conn) unsubscribeAll() {
	c.declared = nil
	if s := c.state.Load(); s != nil {
		s.clear(false)
	}
}

// panicked logs a panic of ours and returns what the peer is told: no more than that there was one.
func (c *conn) panicked(p any) *rpcError {
	c.mcp.opts.Logger.Error().Any("panic", p).Bytes("stack", debug.Stack()).Msg("serving a message panicked")
	return internalError()
}

// toolsChanged tells a standard client that it should list the tools again. It runs on whatever
// goroutine changed the registry and does not wait. Who was told and has not listed them since need
// not be told again.
func (c *conn) toolsChanged() {
	defer c.changed(change{kind: toolsListChanged})
	if b := c.bound.Load(); !b.ready || !b.session.live() || c.told.Swap(true) {
		return
	}
	if !c.tell(nil, change{kind: toolsListChanged}.note(nil)) {
		c.told.Store(false)
	}
}
