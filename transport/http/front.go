package httpmcp

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limina-mcp/limina/internal/around"
	"github.com/limina-mcp/limina/mcp"
)

// Front stands between a listener and net/http, for which it is a listener. The plainest requests of MCP,
// a POST whose answer is there at once, it answers itself; with anything else, and for good,
// it hands the connection on, as if nobody had read of it. net/http looks at a request from all sides and
// has a goroutine watch each connection; that is half of what a call costs, see docs/performance.md.
//
// Whether a request is plain, and who has sent it, decides the code that decides it for any other: net/http
// parses its head, Admit and the endpoint judge it. The next request of the connection with the same head,
// to the byte but for its length, is judged the same, unless the token in it has been taken back.
type Front struct {
	endpoint *Endpoint
	listener net.Listener
	opts     FrontOptions
	ctx      context.Context // of calls
	cancel   context.CancelFunc

	others  chan net.Conn // for net/http
	failed  chan error    // of the listener
	done    chan struct{} // closed when nobody is handed on any more
	closing atomic.Bool
	date    atomic.Pointer[date]

	mu      sync.Mutex // guards what follows
	conns   map[*plain]struct{}
	running sync.WaitGroup // who accepts, and the conns
}

// FrontOptions configure a [Front]. Admit has to be set.
type FrontOptions struct {
	Path string // that MCP is served on; default /mcp

	// Admit decides whether a request that is meant for MCP may be answered at once, and says who its peer
	// is. It sees the head only, and what it says holds for all requests with this head on the connection, until the peer's
	// Credential is good no longer: of a token that ends in another way it has to say no. If it says no, net/http's handler decides.
	Admit func(r *http.Request) (mcp.Peer, bool)

	// ConnContext, if it is not nil, derives from a connection the context of the requests that Admit sees of it, as that of an
	// http.Server does for its handler.
	ConnContext func(ctx context.Context, c net.Conn) context.Context

	Silent time.Duration // how long a connection may take to say something; default 5 s
	Idle   time.Duration // how long it may say nothing then, or not take its answer; default 30 s
}

// Front returns a Front before net/http for what comes in at l. It has begun to accept.
func (e *Endpoint) Front(l net.Listener, o FrontOptions) *Front {
	if o.Admit == nil { // the process would end with the first request
		panic("httpmcp: Front: FrontOptions.Admit is nil")
	}
	if o.ConnContext == nil {
		o.ConnContext = func(ctx context.Context, _ net.Conn) context.Context { return ctx }
	}
	if o.Path == "" {
		o.Path = "/mcp"
	}
	if o.Silent <= 0 {
		o.Silent = 5 * time.Second
	}
	if o.Idle <= 0 {
		o.Idle = 30 * time.Second
	}
	f := &Front{
		endpoint: e, listener: l, opts: o,
		others: make(chan net.Conn), failed: make(chan error), done: make(chan struct{}), conns: map[*plain]struct{}{},
	}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	f.running.Go(f.accept)
	return f
}

// accept serves every connection that comes.
func (f *Front) accept() {
	for {
		c, err := f.listener.Accept()
		if err != nil {
			select {
			case f.failed <- err: // whoever calls Accept knows whether to try again, and when
				continue
			case <-f.done:
				return
			}
		}
		p := &plain{front: f, conn: c, visit: f.endpoint.visit()}
		f.mu.Lock()
		if f.closing.Load() {
			f.mu.Unlock()
			_ = c.Close()
			continue
		}
		f.conns[p] = struct{}{}
		f.running.Add(1)
		f.mu.Unlock()
		go p.run()
	}
}

// Accept implements net.Listener, for net/http.
func (f *Front) Accept() (net.Conn, error) {
	select {
	case c := <-f.others:
		return c, nil
	case err := <-f.failed:
		return nil, err
	case <-f.done:
		return nil, net.ErrClosed
	}
}

// Addr implements net.Listener.
func (f *Front) Addr() net.Addr { return f.listener.Addr() }

// Close implements net.Listener: nobody is accepted or handed on any more. Requests that are being answered
// still are; then, or at once if there is none, connections are closed.
func (f *Front) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closing.Swap(true) {
		return nil
	}
	err := f.listener.Close()
	close(f.done)
	for p := range f.conns {
		_ = p.conn.SetReadDeadline(past) // who waits for a request has one no more
	}
	return err
}

// Shutdown is Close, and returns when everything that the Front has started has ended. When ctx ends before,
// connections are closed as they are.
func (f *Front) Shutdown(ctx context.Context) {
	_ = f.Close()
	impatient := context.AfterFunc(ctx, func() {
		f.cancel()
		f.mu.Lock()
		defer f.mu.Unlock()
		for p := range f.conns {
			_ = p.conn.Close()
		}
	})
	f.running.Wait()
	impatient()
	f.cancel()
}

// hand gives a connection to net/http.
func (f *Front) hand(h *handed) {
	select {
	case f.others <- h:
	case <-f.done:
		_ = h.Close()
	}
}

// visit is what requests have in common that come on one connection.
type visit struct {
	endpoint *Endpoint
	meter    *mcp.Meter            // of messages that stand for themselves
	begun    atomic.Pointer[reply] // of the next request, if it has been served; its answer is not there yet
}

func (e *Endpoint) visit() *visit {
	return &visit{endpoint: e, meter: mcp.NewMeter(e.opts.Rate)}
}

// drop gives up what has been begun, if nobody has come for it.
func (v *visit) drop() {
	y := v.begun.Swap(nil)
	if y == nil {
		return
	}
	if y.done != nil {
		y.done()
	}
	v.endpoint.open.Done()
}

// visitKey is where the context of a connection has its visit.
type visitKey struct{}

// ConnContext is for the ConnContext of the http.Server that Serve is called by: it has the requests of one
// connection counted together, and those that a [Front] has begun found again.
func (e *Endpoint) ConnContext(ctx context.Context, c net.Conn) context.Context {
	h, ok := c.(*handed)
	if !ok {
		return context.WithValue(ctx, visitKey{}, e.visit())
	}
	return context.WithValue(ctx, visitKey{}, h.visit)
}

// handed is a connection that net/http reads as if nobody had before.
type handed struct {
	around.Conn
	*visit
	ahead []byte // what has been read of it
}

// Read implements net.Conn.
func (h *handed) Read(p []byte) (int, error) {
	if len(h.ahead) == 0 {
		return h.Conn.Read(p)
	}
	n := copy(p, h.ahead)
	if h.ahead = h.ahead[n:]; len(h.ahead) == 0 {
		h.ahead = nil
	}
	return n, nil
}

// Write implements net.Conn. Whatever is written while something begun still waits is no answer of the endpoint's:
// somebody before it has refused the request. The next request is not to get what this one has begun.
func (h *handed) Write(p []byte) (int, error) {
	h.drop()
	return h.Conn.Write(p)
}

// Close implements net.Conn.
func (h *handed) Close() error {
	h.drop()
	return h.Conn.Close()
}
