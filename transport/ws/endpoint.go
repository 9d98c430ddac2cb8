package ws

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/internal/backlog"
	"github.com/limina-mcp/limina/internal/hangup"
)

// Options configure an [Endpoint]. The zero value is right for the open internet.
type Options struct {
	Limit        int           // longest message in bytes; default 10 MiB
	PingEvery    time.Duration // how long a silent peer is left alone; default 20 s
	IdleTimeout  time.Duration // … and how long it may answer no ping, or take to send one message; default 60 s
	ProbeTimeout time.Duration // … and how long if it is asked for by [Conn.Probe]; default 5 s
	WriteTimeout time.Duration // how long a peer may take nothing of what is written to it; default 10 s
	Protocols    []string      // subprotocols that are spoken
	Pushers      int           // goroutines that push; default 2, or 1 where there is one processor

	// MaxArriving bounds the bytes of all messages that have come in part, or are there and not served yet; default 256 MiB. Where it is more, of those that
	// come the connection whose message began first is ended. What is short, up to 64 KiB of a message, does not count.
	MaxArriving int

	// Ahead is told of which connections fill is called next, in order, by what [Conn.OnRoom] was given for them. It may fetch what they
	// will need into the cache, all at once: where there are many connections, each call of fill would have to wait
	// for it. What it returns is ignored. nil is nobody to tell.
	Ahead func(sources []any) uint64
}

// Endpoint is one end of many connections. Its methods may be called concurrently.
type Endpoint struct {
	limit        int
	pingEvery    int64 // seconds, as all that the keeper counts
	idleTimeout  int64
	probeTimeout int64
	writeTimeout int64
	upgrader     websocket.Upgrader
	buffers      sync.Pool // of *buffer
	arriving     *backlog.Bound
	shards       []*shard

	held     atomic.Bool  // by Hold
	now      atomic.Int64 // seconds since some time, from 1 on
	accepted atomic.Uint64

	mu      sync.Mutex // guards what follows
	conns   map[*Conn]struct{}
	stopped bool
}

// NewEndpoint returns an endpoint without connections. It does nothing of its own until Run.
func NewEndpoint(o Options) *Endpoint {
	if o.Limit <= 0 {
		o.Limit = 10 << 20
	}
	if o.MaxArriving <= 0 {
		o.MaxArriving = 256 << 20
	}
	if o.Pushers <= 0 {
		o.Pushers = min(2, runtime.GOMAXPROCS(0))
	}
	e := &Endpoint{
		limit:        o.Limit,
		pingEvery:    seconds(o.PingEvery, 20),
		idleTimeout:  seconds(o.IdleTimeout, 60),
		probeTimeout: seconds(o.ProbeTimeout, 5),
		writeTimeout: seconds(o.WriteTimeout, 10),
		arriving:     backlog.New(o.MaxArriving),
		conns:        map[*Conn]struct{}{},
	}
	e.buffers.New = func() any { return new(buffer) }
	e.upgrader = websocket.Upgrader{
		Subprotocols:    o.Protocols,
		CheckOrigin:     func(*http.Request) bool { return true }, // the caller has
		WriteBufferPool: noBuffers{},
		Error: func(w http.ResponseWriter, _ *http.Request, status int, reason error) {
			if h, ok := w.(*hijacker); ok && h.told {
				return
			}
			w.Header().Set("Sec-Websocket-Version", "13")
			http.Error(w, reason.Error(), status)
		},
	}
	for range o.Pushers {
		e.shards = append(e.shards, newShard(&e.held, o.Ahead))
	}
	e.now.Store(1)
	return e
}

// seconds returns d in whole seconds, def if it is not set, 1 at least.
func seconds(d time.Duration, def int64) int64 {
	if d <= 0 {
		return def
	}
	return max(int64(d/time.Second), 1)
}

// smallRead is how much gorilla reads at a time from a socket, which has a buffer of its own while there
// is something in it. It takes nothing smaller.
const smallRead = 257

// noBuffers keeps gorilla from holding a buffer for what it never writes.
type noBuffers struct{}

func (noBuffers) Get() any { return nil }
func (noBuffers) Put(any)  {}

// Upgrade answers a handshake. If the request is no good one the peer has been told so. Whoever gets
// the Conn has to call its End.
func (e *Endpoint) Upgrade(w http.ResponseWriter, r *http.Request) (*Conn, error) {
	c := &Conn{endpoint: e}
	l := &c.link
	l.clock, l.wake, l.idle = e.now.Load, c.Wake, c.release
	h := &hijacker{ResponseWriter: w, link: l, body: r.ContentLength != 0}
	if !r.ProtoAtLeast(1, 1) || len(r.Header["Sec-Websocket-Key"]) > 1 { // RFC 6455, 4.1 and 11.3.1
		err := errors.New("websocket: a handshake is a request of HTTP/1.1 with one Sec-WebSocket-Key")
		e.upgrader.Error(h, r, http.StatusBadRequest, err)
		return nil, err
	}
	if lines := r.Header["Sec-Websocket-Protocol"]; len(lines) > 1 { // they are one list, 11.3.4
		r.Header["Sec-Websocket-Protocol"] = []string{strings.Join(lines, ", ")}
	}
	g, err := e.upgrader.Upgrade(h, r, nil)
	if err != nil {
		return nil, err
	}
	l.upgraded = true
	g.SetCloseHandler(c.onClose)
	g.SetPingHandler(c.onPing)
	g.SetPongHandler(func(string) error { return nil })
	c.gorilla = g
	n := e.accepted.Add(1)
	c.shard = e.shards[n%uint64(len(e.shards))]
	c.quiet = e.now.Load()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.conns[c] = struct{}{}
	if e.stopped {
		c.stop()
	}
	return c, nil
}

// hijacker puts the link between gorilla and the stream.
type hijacker struct {
	http.ResponseWriter
	link *link
	body bool // the request has one
	told bool // the peer has been told what is wrong
}

// Hijack implements http.Hijacker.
func (h *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, buf, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	var wrong error
	switch {
	case h.body:
		wrong = errBody
	case buf.Reader.Buffered() > 0:
		wrong = errHasty
	}
	if wrong != nil {
		refuse(c, wrong)
		h.told = true
		return nil, nil, wrong
	}
	h.link.Conn = c
	limitUnsent(c)
	h.link.raw.open(c)
	if h.link.raw.Native() {
		buf = bufio.NewReadWriter(bufio.NewReaderSize(c, smallRead), buf.Writer)
	}
	return h.link, buf, nil
}

// errHasty is what a peer is told that has sent more before its handshake was answered. net/http notices: it looks for one byte more itself, whatever
// stands below it has read ahead.
var errHasty = errors.New("websocket: nothing may be sent behind a handshake before it is answered")

// errBody is what a peer is told whose handshake has a body. net/http does not look for more while there is one to be read, so that the body would be
// taken for frames, or lost.
var errBody = errors.New("websocket: a handshake has no body")

// refuse tells a peer what is wrong with its handshake and ends its connection. It takes a second at most.
func refuse(c net.Conn, wrong error) {
	defer hangup.Within(c, linger)()
	_ = c.SetDeadline(time.Now().Add(linger))
	if hangup.Answer(c, "400 Bad Request", wrong.Error()) == nil {
		hangup.Drain(c)
	}
	_ = c.Close()
}

func (e *Endpoint) forget(c *Conn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.conns, c)
}

// Stop has all connections end in order, also those that are still to come: their Next returns io.EOF,
// and their End says that the server is going away.
func (e *Endpoint) Stop() {
	e.mu.Lock()
	e.stopped = true
	e.mu.Unlock()
	for _, c := range e.all() {
		c.stop()
	}
}

func (e *Endpoint) all() []*Conn {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := make([]*Conn, 0, len(e.conns))
	for c := range e.conns {
		list = append(list, c)
	}
	return list
}

// Stats are figures for whoever watches the server.
type Stats struct {
	Open     int    // connections
	Accepted uint64 // connections so far
	Writing  int    // connections that wait for their peer to take what is written
	Queued   int    // connections that wait for a pusher
	Pushed   uint64 // bytes that were pushed
}

// Stats returns figures.
func (e *Endpoint) Stats() Stats {
	s := Stats{Accepted: e.accepted.Load()}
	for _, c := range e.all() {
		s.Open++
		if c.link.since.Load() != 0 {
			s.Writing++
		}
	}
	for _, sh := range e.shards {
		s.Queued += sh.length()
		s.Pushed += sh.pushed.Load()
	}
	return s
}

// Run looks after the connections, and pushes, until ctx ends.
func (e *Endpoint) Run(ctx context.Context) {
	var running sync.WaitGroup
	for _, s := range e.shards {
		running.Go(func() { s.run(ctx) })
	}
	e.keep(ctx)
	running.Wait()
}
