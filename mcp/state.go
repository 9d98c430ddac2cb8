package mcp

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/statesync"
)

// Pusher is a Framer through which a peer can be told what it did not ask for, as fast as it reads and
// without anybody waiting: what the state channel needs.
type Pusher interface {
	Framer

	// OnRoom is called once, before the first Wake. After each Wake the transport calls fill, when
	// the peer has room for more: one call at a time, on a goroutine of the transport's or one that it was lent, see [Mcp.Help]. fill
	// appends sealed messages to dst, which are written before anything else is. A transport that is about to
	// call it for several peers may show [Mcp.Ahead] their sources first.
	OnRoom(fill func(dst []byte) []byte, source any)

	// Wake says that there is something to tell. It never waits.
	Wake()

	// SealBinary is Seal for a message that is no text.
	SealBinary(dst []byte, start int) []byte
}

// pushTarget is how much fill appends at a time, about.
const pushTarget = 256 << 10

// scenePermission is what a peer needs to be told the state of the world.
const scenePermission = "scene.read"

// ErrSeesTooMuch is why a connection ends whose subscriptions have come to hold more entities than there is room for.
var ErrSeesTooMuch = errors.New("too many entities have come into the areas of the subscriptions: take smaller ones")

// channel is the state channel of one connection.
type channel struct {
	conn  *conn
	out   Pusher
	fresh []*statesync.View // that are started when what they have appended is written; of the reading goroutine

	feed atomic.Pointer[statesync.Feed] // replaced with mu held

	mu   sync.Mutex // held by who pulls
	over bool       // no feed is pulled any more; guarded by mu
}

// Ahead says that what [Pusher].OnRoom gave is about to be called for sources, in this order. It is a hint, and saves
// time: what the first of them will need is fetched into the processor's cache at once. What it returns means
// nothing.
func (m *Mcp) Ahead(sources []any) uint64 {
	if m.opts.State == nil {
		return 0
	}
	var feeds [statesync.MaxAhead]*statesync.Feed
	n := 0
	for _, s := range sources[:min(len(sources), len(feeds))] {
		if s, ok := s.(*channel); ok {
			feeds[n] = s.feed.Load()
			n++
		}
	}
	return m.opts.State.Ahead(feeds[:n])
}

// Help has the goroutine that steps the world lend itself to h after its steps, until stop is called.
func (m *Mcp) Help(h statesync.Helper) (stop func()) {
	if m.opts.State == nil {
		return func() {}
	}
	return m.opts.State.Help(h)
}

// fill pulls what is due.
func (s *channel) fill(dst []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.conn.ctx.Err() != nil { // who is banned, or not trusted any more, is told nothing while his connection ends
		return dst
	}
	dst, more := s.feed.Load().Drain(dst, pushTarget, s.seal)
	if more {
		s.out.Wake()
	}
	return dst
}

func (s *channel) seal(dst []byte, start int, kind statesync.Frame) []byte {
	if kind == statesync.BinaryFrame {
		return s.out.SealBinary(dst, start)
	}
	return s.out.Seal(dst, start)
}

// subscribe appends the first message of a subscription to dst. The next one is due once written has
// been called.
func (s *channel) subscribe(dst []byte, o statesync.Options) ([]byte, *statesync.View, error) {
	start := len(dst)
	dst, view, err := s.feed.Load().Subscribe(dst, o)
	if err != nil {
		return dst, nil, err
	}
	return s.begun(dst, start, view), view, nil
}

// declare appends the message of a view that is declared another, large area. The next one, or that of any other area, is due once written
// has been called.
func (s *channel) declare(dst []byte, v *statesync.View, a statesync.Area) ([]byte, error) {
	start := len(dst)
	dst, err := v.Declare(dst, a)
	if err != nil {
		return dst, err
	}
	return s.begun(dst, start, v), nil
}

// begun seals what a view has appended at dst[start:], if it has, and has written start it.
func (s *channel) begun(dst []byte, start int, v *statesync.View) []byte {
	s.fresh = append(s.fresh, v)
	if len(dst) == start {
		return dst
	}
	return s.seal(dst, start, v.Frame())
}

// written says that what subscribe and declare have appended is written.
func (s *channel) written() {
	for _, view := range s.fresh {
		view.Start()
	}
	s.fresh = nil
}

// clear ends all subscriptions.
func (s *channel) clear(forGood bool) {
	s.mu.Lock()
	old := s.feed.Swap(s.connect())
	s.over = forGood
	s.mu.Unlock()
	old.Close()
}

// connect returns a new feed.
func (s *channel) connect() *statesync.Feed {
	f := s.conn.mcp.opts.State.Connect(s.out.Wake)
	f.For(s.conn.owner())
	f.OnLarge(s.conn.large)
	f.OnOver(func() {
		s.conn.cancel(ErrSeesTooMuch)
		go s.clear(true) // what it holds is given back at once, not when its calls have ended
	})
	return f
}

// large has the connection's reading goroutine wait until it may keep a processor busy for long. Its turn it gives back.
func (c *conn) large() (done func()) {
	c.turn.end()
	return c.mcp.large(c)
}

// large waits for one of the turns of those who keep a processor busy for long.
func (m *Mcp) large(of owner) (done func()) {
	t := m.areas.join()
	t.step(of)
	return t.end
}

// channel returns the connection's state channel, nil if its transport cannot push or there is no
// state.
func (c *conn) channel() *channel {
	if s := c.state.Load(); s != nil {
		return s
	}
	out, ok := c.framer.(Pusher)
	if !ok || c.mcp.opts.State == nil {
		return nil
	}
	s := &channel{conn: c, out: out}
	s.feed.Store(s.connect())
	out.OnRoom(s.fill, s)
	c.state.Store(s)
	return s
}

// stateMethod is a method of the state channel. What is refused has the data that a refused call has.
func stateMethod(run func(c *conn, s *channel, m *message) ([]byte, *rpcError)) method {
	run = permitted(run)
	return func(c *conn, m *message) ([]byte, *rpcError) {
		var s *channel
		if c.bound.Load().session.live() {
			if s = c.channel(); s == nil {
				return nil, methodNotFound(string(m.Method))
			}
		}
		result, e := run(c, s, m)
		if e != nil && e.data == nil {
			e.data = appendFailed(nil, &registry.Result{Err: &registry.Error{Code: e.reason(), Message: e.message}})
		}
		return result, e
	}
}

// permitted is run for who has a session and a permission, and does not ask too often.
func permitted(run func(c *conn, s *channel, m *message) ([]byte, *rpcError)) func(*conn, *channel, *message) ([]byte, *rpcError) {
	return func(c *conn, s *channel, m *message) ([]byte, *rpcError) {
		session := c.bound.Load().session
		if !session.live() {
			return nil, &rpcError{code: codeNoSession, message: noSession}
		}
		if !session.principal.Grants.Has(scenePermission) {
			return nil, &rpcError{code: codeForbidden, message: "missing permission: " + scenePermission}
		}
		if !c.calls.spend() {
			return nil, wireError(c.calls.tooOften())
		}
		if e := m.needObject(); e != nil {
			return nil, e
		}
		return run(c, s, m)
	}
}

// subscribe answers with the first message, then with its tick.
func subscribe(c *conn, s *channel, m *message) ([]byte, *rpcError) {
	o, given, e := subscribeParams(m.Params)
	if e != nil {
		return nil, e
	}
	if !given && o.Name == "" && c.declared != nil {
		o.Area = *c.declared
	}
	lane, view, err := s.subscribe(c.stream.lane, o)
	c.stream.lane = lane
	if err != nil {
		return nil, stateError(err)
	}
	if o.Name == "" {
		c.declared = nil
	}
	return append(strconv.AppendUint([]byte(`{"ok":true,"tick":`), view.Tick(), 10), '}'), nil
}

// unsubscribe ends a subscription. That there is none is no failure.
func unsubscribe(c *conn, s *channel, m *message) ([]byte, *rpcError) {
	name, e := unsubscribeParams(m.Params)
	if e != nil {
		return nil, e
	}
	if name == "" {
		c.declared = nil
	}
	s.feed.Load().Unsubscribe(name)
	return resultOK, nil
}

// declare moves a subscription to another area. Before there is a default subscription, the area is
// kept for it.
func declare(c *conn, s *channel, m *message) ([]byte, *rpcError) {
	name, area, e := declareParams(m.Params)
	if e != nil {
		return nil, e
	}
	view := s.feed.Load().View(name)
	switch {
	case view != nil:
		lane, err := s.declare(c.stream.lane, view, area)
		c.stream.lane = lane
		if err != nil {
			return nil, stateError(err)
		}
	case name == "":
		c.declared = &area
	default:
		return nil, invalidParams("subscription: there is none of the name \"" + name + "\"; state/subscribe makes one")
	}
	return resultOK, nil
}

var resultOK = []byte(`{"ok":true}`)

// stateError is what a peer is told whose subscription failed.
func stateError(err error) *rpcError {
	var refusal interface {
		error
		Refusal() (code, message string)
	}
	if !errors.As(err, &refusal) {
		return internalError()
	}
	code, message := refusal.Refusal()
	return &rpcError{code: codeOf(code), message: message}
}
