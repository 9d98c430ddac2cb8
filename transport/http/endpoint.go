package httpmcp

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/limina-mcp/limina/internal/backlog"
	"github.com/limina-mcp/limina/mcp"
)

// Endpoint serves MCP on one URL. It is safe for concurrent use.
type Endpoint struct {
	core    *mcp.Mcp
	opts    Options
	calls   context.Context // of all calls
	abort   context.CancelFunc
	closing chan struct{} // closed when nothing new is begun

	arriving, unsent, kept *backlog.Bound // see Options

	mu       sync.Mutex // guards what follows
	stopped  bool
	open     sync.WaitGroup                        // requests that are being answered
	bodies   map[*http.ResponseController]struct{} // that are being read
	sessions map[string]*session
	own      map[string]int // how many of them are whose
	figures  Stats
}

// Stats are figures for whoever watches the endpoint.
type Stats struct {
	Sessions int    // that are open
	Opened   uint64 // sessions, so far
	Expired  uint64 // of them, because nobody has used them
	Requests uint64 // that were let in, so far
	Plain    uint64 // of them, those that a Front has answered
	Streams  int    // of events that are open
}

// New returns an endpoint over core.
func New(core *mcp.Mcp, o Options) *Endpoint {
	o = o.withDefaults()
	e := &Endpoint{core: core, opts: o, closing: make(chan struct{}), sessions: map[string]*session{}, own: map[string]int{}}
	e.arriving, e.unsent, e.kept = backlog.New(o.MaxArriving), backlog.New(o.MaxUnsent), backlog.New(o.MaxKept)
	e.bodies = map[*http.ResponseController]struct{}{}
	e.calls, e.abort = context.WithCancel(context.Background())
	return e
}

// Stats returns figures.
func (e *Endpoint) Stats() Stats {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.figures
	s.Sessions = len(e.sessions)
	return s
}

// Serve answers one request of a peer of whom p is known. Whether the request may be made at all, by
// its Host, its Origin and its token, has been decided before. The http.Server should have
// [Endpoint.ConnContext].
func (e *Endpoint) Serve(w http.ResponseWriter, r *http.Request, p mcp.Peer) {
	if v, ok := r.Context().Value(visitKey{}).(*visit); ok {
		if y := v.begun.Swap(nil); y != nil { // a Front has entered and served it
			defer e.open.Done()
			_, _ = io.Copy(io.Discard, r.Body) // which is there: only then net/http notices that the client has gone
			e.finish(w, r, y)
			return
		}
		p.Meter = v.meter
	}
	if !e.enter() {
		refuse(w, http.StatusServiceUnavailable, "the server is shutting down")
		return
	}
	defer e.open.Done()
	switch r.Method {
	case http.MethodPost:
		e.post(w, r, p)
	case http.MethodGet:
		e.get(w, r, p)
	case http.MethodDelete:
		e.delete(w, r, p)
	default:
		w.Header().Set("Allow", "POST, GET, DELETE")
		refuse(w, http.StatusMethodNotAllowed, "MCP takes POST, GET and DELETE here")
	}
}

// enter counts a request, unless the endpoint is shutting down.
func (e *Endpoint) enter() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stopped {
		return false
	}
	e.open.Add(1)
	e.figures.Requests++
	return true
}

// leavePlain says that a request that a Front has entered has its answer.
func (e *Endpoint) leavePlain() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.figures.Plain++
	e.open.Done()
}

// refuse answers a request that has no message to be answered.
func refuse(w http.ResponseWriter, status int, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", strconv.Itoa(len(text)+1)) // so that all of it is there once it is sent, whatever is still read
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n")
}

// Stop begins the end: nobody is let in any more, requests whose body has not come soon are given up, streams of
// sessions end, and those who listen are told.
func (e *Endpoint) Stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stopped {
		return
	}
	e.stopped = true
	close(e.closing)
	for c := range e.bodies {
		hurry(c)
	}
}

// Shutdown stops the endpoint, and returns when everything that was being answered has been, and all
// sessions have ended. When ctx ends before, the calls that are running are cancelled.
func (e *Endpoint) Shutdown(ctx context.Context) {
	e.Stop()
	impatient := context.AfterFunc(ctx, e.abort)
	e.open.Wait()
	impatient()
	e.abort()
	e.mu.Lock()
	left := e.sessions
	e.sessions = map[string]*session{}
	clear(e.own)
	e.mu.Unlock()
	for _, s := range left {
		e.log(s.end())
	}
}

// log notes what went wrong where nobody can be told.
func (e *Endpoint) log(err error) {
	if err != nil {
		e.opts.Logger.Error().Err(err).Msg("ending a session")
	}
}
