package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limina-mcp/limina/internal/seldom"
	httpmcp "github.com/limina-mcp/limina/transport/http"
	"github.com/limina-mcp/limina/transport/ws"
)

// Server is an open port. It is made by [Listen] or [On] and run once, or closed. Its methods may be called concurrently.
type Server struct {
	config   Config
	listener net.Listener
	gate     *gate
	checks   *checks
	endpoint *ws.Endpoint
	http     *httpmcp.Endpoint
	front    *httpmcp.Front // nil with TLS
	started  time.Time

	denied   atomic.Uint64 // requests that were not admitted
	shared   atomic.Uint64 // connections that were one too many of their caller's
	ended    closed        // how WebSockets have ended
	refusals seldom.Notes  // of them, those that the log tells
	warned   time.Time     // when the log warned of Accept last; of the goroutine that accepts

	mu      sync.Mutex // guards what follows
	closing bool
	stop    context.CancelFunc // ends Run; nil before that
	closed  bool               // Close was called, and Run was not
	conns   sync.WaitGroup     // WebSockets that are served
	calls   context.Context    // of all their calls
	abort   context.CancelFunc // ends it
}

// Listen opens the port. From then on peers can connect; they are served by [Server.Run]. Who does not come to that calls [Server.Close].
func Listen(c Config) (*Server, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	l, local, err := open(c.Address, c.Tokens != nil || c.OAuth != nil, c.SocketMode)
	if err != nil {
		return nil, err
	}
	s, err := newServer(c, l, local)
	if err != nil {
		_ = l.Close()
	}
	return s, err
}

// On is Listen with a listener that somebody else has opened; unless On fails it is the server's to close. local says that only this machine can
// reach it. Config.Address is only the host by which peers may have found it, beside those of this machine.
func On(l net.Listener, local bool, c Config) (*Server, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if !local && c.Tokens == nil && c.OAuth == nil {
		return nil, &ExposedError{Address: l.Addr().String()}
	}
	return newServer(c, l, local)
}

func newServer(c Config, l net.Listener, local bool) (*Server, error) {
	checks, err := newChecks(&c, local)
	if err != nil {
		return nil, err
	}
	if c.Tokens != nil {
		c.Tokens.serve(c.Core)
	}
	c.WebSocket.Ahead = c.Core.Ahead
	s := &Server{config: c, checks: checks, endpoint: ws.NewEndpoint(c.WebSocket), http: httpmcp.New(c.Core, c.HTTP), started: time.Now()}
	s.gate = newGate(l, c.MaxConnections, c.TLS == nil)
	s.gate.full = s.tellFull
	s.listener = s.gate
	if c.TLS != nil {
		t := c.TLS.Clone()
		t.NextProtos = []string{"http/1.1"} // a WebSocket is an upgrade of that
		s.gate.shaking = newHandshakes(c.HandshakeTimeout)
		s.listener = tls.NewListener(s.gate, t)
	}
	s.calls, s.abort = context.WithCancel(context.Background())
	if !local && c.TLS == nil {
		c.Logger.Warn().Str("address", s.Address()).Msg("listening beyond this machine without TLS: tokens and all that is said can be read on the way")
	}
	return s, nil
}

// tellFull has the log warn that nobody more fits in.
func (s *Server) tellFull(from netip.Prefix, strangers int) {
	e := s.config.Logger.Warn().Int("connections", s.config.MaxConnections).Int("strangers", strangers)
	if from.IsValid() {
		e = e.Stringer("from", from)
	}
	e.Msg("the port is full: of those who have not shown who they are one has to go for each who comes, of the address that has most of them")
}

// Address returns what is listened on, in the form of Config.Address, with the port that it has got.
func (s *Server) Address() string {
	if at := s.gate.Addr(); at.Network() != "unix" {
		return at.String()
	}
	return unixPrefix + s.gate.Addr().String()
}

// begin begins the one Run of the server, which end ends.
func (s *Server) begin(ctx context.Context) (running context.Context, end context.CancelFunc, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, nil, ErrClosed
	case s.stop != nil:
		return nil, nil, errors.New("server: Run is called once")
	}
	running, s.stop = context.WithCancel(ctx)
	return running, s.stop, nil
}

// ErrClosed is what [Server.Run] answers after [Server.Close].
var ErrClosed = errors.New("server: the port was closed")

// Close closes the port of a server that is not run. While it is run Close ends that, as the end of its context does,
// and does not wait. After that, and again, it does nothing.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.stop != nil:
		s.stop()
	case !s.closed:
		s.closed = true
		s.abort()
		return s.listener.Close()
	}
	return nil
}

// Run serves until ctx ends, then shuts down in order, see the package comment. It returns after
// everything that it started has ended: nil after an orderly end, or why the port failed. It is called once.
func (s *Server) Run(ctx context.Context) error {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	keeping, stopKeeping := context.WithCancel(context.WithoutCancel(ctx))
	var keeper sync.WaitGroup
	keeper.Go(func() { s.endpoint.Run(keeping) })
	keeper.Go(func() { s.http.Run(keeping) })
	defer keeper.Wait()
	defer stopKeeping()
	defer s.config.Core.Help(s.endpoint)()

	h := &http.Server{
		Handler:           http.HandlerFunc(s.serveHTTP),
		ReadHeaderTimeout: s.config.HandshakeTimeout,
		ReadTimeout:       20 * time.Second, // of bodies too that nobody wants, which net/http reads before the answer is sent
		WriteTimeout:      30 * time.Second, // of plain answers
		IdleTimeout:       30 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          log.New(lines{s}, "", 0),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return connContext(s.http.ConnContext(ctx, c), c)
		},
	}
	if s.config.TLS != nil {
		h.ConnState = func(c net.Conn, state http.ConnState) {
			if state != http.StateNew { // net/http shakes hands before anything else
				incomingOf(c).settle()
			}
		}
	}
	l := s.listener
	if s.config.TLS == nil {
		s.front = s.http.Front(l, httpmcp.FrontOptions{Path: pathMCP, Admit: s.speaks, ConnContext: connContext, Silent: h.ReadHeaderTimeout, Idle: h.IdleTimeout})
		l = s.front
	}
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(l) }()
	select {
	case <-ctx.Done():
		s.shutDown(h)
		if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("server: %w", err)
		}
		return nil
	case err := <-failed:
		s.shutDown(h)
		return fmt.Errorf("server: %w", err)
	}
}

// lines takes what net/http complains of to the log. That is what peers do, but for one thing: that nobody can be accepted, as
// when there are no more file descriptors. Of that the log warns, once a minute.
type lines struct{ s *Server }

func (l lines) Write(p []byte) (int, error) {
	text := strings.TrimSpace(string(p))
	e := l.s.config.Logger.Debug()
	if now := time.Now(); strings.HasPrefix(text, "http: Accept error") && now.Sub(l.s.warned) >= time.Minute {
		l.s.warned = now
		e = l.s.config.Logger.Warn()
	}
	e.Msg(text)
	return len(p), nil
}

// farewell is how long a peer has to take a page, or the answer of a call that was cancelled.
const farewell = time.Second

// shutDown accepts nobody any more, ends all connections in order, and those that do not heed it
// otherwise.
func (s *Server) shutDown(h *http.Server) {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	var plain sync.WaitGroup
	patience, lose := context.WithCancel(context.Background())
	plain.Go(func() {
		if err := h.Shutdown(patience); err != nil {
			_ = h.Close()
		}
		if s.front != nil {
			s.front.Shutdown(patience)
		}
	})
	s.endpoint.Stop()
	impatient := time.AfterFunc(s.config.Drain, func() {
		s.abort()
		time.AfterFunc(farewell, lose) // who does not read has no answer then
	})
	s.http.Shutdown(s.calls)
	s.conns.Wait()
	impatient.Stop()
	s.abort()
	time.AfterFunc(farewell, lose)
	plain.Wait()
	lose()
}

// enter counts a WebSocket that is about to be served, unless the server is shutting down.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	s.conns.Add(1)
	return true
}
