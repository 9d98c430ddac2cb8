package server

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/limina-mcp/limina/internal/clip"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/transport/ws"
)

// pathMCP is where MCP is spoken over HTTP.
const pathMCP = "/mcp"

// pathView is where a person sees the world.
const pathView = "/view"

// protocolMCP is the subprotocol of standard MCP.
const protocolMCP = "mcp"

var (
	_ mcp.Waiter = (*ws.Conn)(nil)
	_ mcp.Pusher = (*ws.Conn)(nil)
)

// serveHTTP answers a request: who may not come in is told so, the Upgrade header makes a WebSocket,
// and the path decides on the rest.
func (s *Server) serveHTTP(w http.ResponseWriter, r *http.Request) {
	if no := s.checks.place(r); no != nil {
		s.deny(w, r, no)
		return
	}
	if shared(w, r) {
		return
	}
	who, no := s.checks.admit(r)
	if no != nil {
		s.deny(w, r, no)
		return
	}
	if isUpgrade(r) {
		s.upgrade(w, r, who)
		return
	}
	if err := s.greet(r, who); err != nil {
		s.deny(w, r, s.crowd(err))
		return
	}
	if r.URL.Path == pathMCP && (who != nil || !s.checks.needsToken()) {
		s.speak(w, r, who)
		return
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if !s.openPage(w, r) {
		s.page(w, r, who)
	}
}

// openPage answers with a page that needs no token, and reports whether it is one.
func (s *Server) openPage(w http.ResponseWriter, r *http.Request) bool {
	oauth := s.checks.oauth
	switch path := r.URL.Path; {
	case path == "/healthz":
		health(w)
	case path == pathView && s.config.Viewer != nil:
		s.config.Viewer.ServeHTTP(w, r)
	case oauth != nil && oauth.describes(path):
		oauth.describe(w)
	default:
		return false
	}
	return true
}

// page answers with any other page, or says that there is none.
func (s *Server) page(w http.ResponseWriter, r *http.Request, who *access) {
	if s.checks.needsToken() && who == nil {
		s.deny(w, r, &refusal{status: http.StatusUnauthorized, text: "a token is needed here: Authorization: Bearer <token>", challenge: s.checks.challenge()})
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET is answered here; MCP is spoken over HTTP at "+pathMCP+", and over WebSocket", http.StatusMethodNotAllowed)
		return
	}
	switch r.URL.Path {
	case "/":
		s.status(w, r)
	case "/metrics":
		s.figures(w)
	case "/sessions":
		s.sessions(w, r, who)
	default:
		http.Error(w, "nothing here: /, /view, /healthz, /metrics and /sessions are pages, MCP over HTTP is at "+pathMCP+", and a WebSocket may have any path", http.StatusNotFound)
	}
}

const (
	maxShown = 256 // bytes of what a peer has sent that the log shows of a refusal
	maxCause = 2048
)

// deny refuses a request.
func (s *Server) deny(w http.ResponseWriter, r *http.Request, no *refusal) {
	s.denied.Add(1)
	if left, ok := s.refusals.Note(time.Now()); ok {
		e := s.config.Logger.Warn().Stringer("from", remote{r}).Str("host", clip.Shown(r.Host, maxShown)).Str("origin", clip.Shown(strings.Join(r.Header["Origin"], ", "), maxShown))
		if no.cause != nil {
			e = e.Str("cause", clip.Shown(no.cause.Error(), maxCause))
		}
		e.EmbedObject(left).Msg("refused: " + clip.Shown(no.text, 2*maxShown))
	}
	if no.last {
		w.Header().Set("Connection", "close")
	}
	if no.challenge != "" {
		w.Header().Set("WWW-Authenticate", no.challenge)
	}
	http.Error(w, no.text, no.status)
}

type remote struct{ r *http.Request }

func (r remote) String() string { return cameFrom(r.r) }

// unixPeer is where those come from who have no address.
const unixPeer = "unix"

// cameFrom returns where a request has come from, for people to read: the address of the peer, and what he says of whom he has it from, as proxies do. Who is no
// proxy may say so, too.
func cameFrom(r *http.Request) string {
	from := r.RemoteAddr
	if c := cameOn(r); c != nil { // the Front's requests do not say
		from = c.from
	}
	if from == "" || from == "@" {
		from = unixPeer
	}
	if says := r.Header["X-Forwarded-For"]; len(says) > 0 {
		from += ", for " + clip.Shown(strings.Join(says, ", "), maxShown)
	}
	return from
}

// isUpgrade reports whether a request asks for a WebSocket, well or badly.
func isUpgrade(r *http.Request) bool {
	for _, value := range r.Header["Upgrade"] {
		for protocol := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(strings.TrimSpace(protocol), "websocket") {
				return true
			}
		}
	}
	return false
}

// incomingKey is where the context of a request has the connection that it has come on.
type incomingKey struct{}

// connContext is of net/http, and of the Front before it.
func connContext(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, incomingKey{}, incomingOf(c))
}

// cameOn returns the connection that a request has come on, nil if that is not known.
func cameOn(r *http.Request) *incoming {
	c, _ := r.Context().Value(incomingKey{}).(*incoming)
	return c
}

// greet notes that a request that is no handshake has been let in: where it has brought a token, or none is needed, whoever has sent it is
// no stranger. It fails if he has as many connections as he may.
func (s *Server) greet(r *http.Request, who *access) error {
	if who == nil && s.checks.needsToken() {
		return nil
	}
	return cameOn(r).greet(s.checks.callerOf(who.credential()))
}

// upgrade makes a WebSocket of the request. From then on it has goroutines of its own, and what the
// request took is given back.
func (s *Server) upgrade(w http.ResponseWriter, r *http.Request, who *access) {
	if who != nil {
		if err := s.greet(r, who); err != nil {
			s.deny(w, r, s.crowd(err))
			return
		}
	}
	if !s.enter() {
		http.Error(w, "the server is shutting down", http.StatusServiceUnavailable)
		return
	}
	c, err := s.endpoint.Upgrade(w, r)
	if err != nil {
		s.conns.Done()
		s.config.Logger.Debug().Stringer("from", remote{r}).Err(err).Msg("handshake failed")
		return
	}
	s.serve(c, r, who)
}

// peer is what is known of who has sent a request. A client of standard MCP asks for a profile by its address: /mcp?profile=player.limited.
func (s *Server) peer(r *http.Request, who *access) mcp.Peer {
	p := mcp.Peer{From: cameFrom(r), Via: "http", NeedsToken: s.checks.needsToken(), Rate: max(s.config.Rate, 0)}
	p.Credential = who.credential()
	if r.URL.RawQuery != "" {
		p.Profile = r.URL.Query().Get("profile")
	}
	return p
}

// serve begins to speak to one peer, who has come with a request and is a stranger until he has shown a token, or has a session.
func (s *Server) serve(c *ws.Conn, r *http.Request, who *access) {
	in := cameOn(r)
	p := s.peer(r, who)
	p.Via = "websocket"
	var whose atomic.Pointer[mcp.Credential]
	whose.Store(p.Credential)
	p.Greeted = func(c *mcp.Credential) error {
		whose.Store(c)
		err := in.greet(s.checks.callerOf(c))
		if err != nil {
			s.shared.Add(1)
			err = registry.Errorf(registry.CodeCapacityExceeded, "%v", err)
		}
		return err
	}
	p.Standard, p.Linger, p.EndsOnShutdown = c.Protocol() == protocolMCP, s.config.Drain, true
	if p.NeedsToken {
		p.Patience = s.config.HandshakeTimeout
	}
	calls, done := who.while(s.calls)
	s.config.Core.StartPeer(calls, c, p, func(err error) {
		defer s.conns.Done()
		defer done()
		why, err := s.told(err, &p)
		s.tellEnd(p.From, whose.Load(), why, err)
		c.End(err)
	})
}

// speak answers a request of MCP over HTTP. A stream ends when the token that has opened it does.
func (s *Server) speak(w http.ResponseWriter, r *http.Request, who *access) {
	if who != nil && !who.until.IsZero() {
		ctx, done := who.while(r.Context())
		defer done()
		r = r.WithContext(ctx)
	}
	s.http.Serve(w, r, s.peer(r, who))
}

// speaks is admission for what the Front in front of net/http answers: what serveHTTP would have come to for a
// request that does not say Origin. Tokens that end are for serveHTTP to look at, each time.
func (s *Server) speaks(r *http.Request) (mcp.Peer, bool) {
	if s.checks.oauth != nil || s.checks.place(r) != nil {
		return mcp.Peer{}, false
	}
	who, no := s.checks.admit(r)
	if no != nil || who == nil && s.checks.needsToken() {
		return mcp.Peer{}, false
	}
	if s.greet(r, who) != nil { // for serveHTTP to say
		return mcp.Peer{}, false
	}
	return s.peer(r, who), true
}
