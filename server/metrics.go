package server

import (
	"net/http"
	"runtime"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/registry"
)

// Metrics writes figures in the text format of Prometheus.
//
// Figures are counted where they arise; here they are only written down. So this is the small part of
// a metrics library that is needed: client_golang would be 4.9 MB of the binary and half as much again
// of the time to start.
type Metrics struct {
	text   []byte
	family string
}

// Counter begins a family of figures that only grow; their names end in _total.
func (m *Metrics) Counter(name, help string) *Metrics { return m.begin(name, help, "counter") }

// Gauge begins a family of figures that come and go.
func (m *Metrics) Gauge(name, help string) *Metrics { return m.begin(name, help, "gauge") }

func (m *Metrics) begin(name, help, kind string) *Metrics {
	m.family = name
	m.text = append(m.text, "# HELP "+name+" "+escapeHelp.Replace(help)+"\n# TYPE "+name+" "+kind+"\n"...)
	return m
}

// Add adds a figure to the family, with labels as names and values by turns.
func (m *Metrics) Add(value float64, labels ...string) { m.sample("", value, labels) }

func (m *Metrics) sample(suffix string, value float64, labels []string) {
	m.text = append(append(m.text, m.family...), suffix...)
	for i := 0; i+1 < len(labels); i += 2 {
		sep := byte(',')
		if i == 0 {
			sep = '{'
		}
		m.text = append(append(append(m.text, sep), labels[i]...), `="`...)
		m.text = append(append(m.text, escapeLabel.Replace(labels[i+1])...), '"')
	}
	if len(labels) > 1 {
		m.text = append(m.text, '}')
	}
	m.text = append(m.text, ' ')
	m.text = strconv.AppendFloat(m.text, value, 'g', -1, 64)
	m.text = append(m.text, '\n')
}

var (
	escapeHelp  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	escapeLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

// metrics answers /metrics.
func (s *Server) metrics(w http.ResponseWriter) {
	m := &Metrics{}
	s.connections(m)
	calls(m, s.config.Core.Registry())
	if s.config.Figures != nil {
		s.config.Figures(m)
	}
	process(m)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(m.text)
}

func (s *Server) connections(m *Metrics) {
	e := s.endpoint.Stats()
	m.Gauge("limina_connections", "WebSocket connections that are open.").Add(float64(e.Open))
	m.Counter("limina_connections_total", "WebSocket connections so far.").Add(float64(e.Accepted))
	m.Gauge("limina_sockets", "TCP or unix connections that are open, those that have not become WebSockets among them.").Add(float64(s.gate.open.Load()))
	m.Counter("limina_refused_total", "Connections and requests that were not let in.")
	m.Add(float64(s.gate.refused.Load()), "reason", "too many")
	m.Add(float64(s.gate.silent.Load()), "reason", "silent")
	m.Add(float64(s.denied.Load()), "reason", "denied")
	core := s.config.Core.Stats()
	m.Gauge("limina_sessions", "Sessions that are open.").Add(float64(core.Sessions))
	m.Gauge("limina_turns_waiting", "Connections with messages at hand that wait for others to have had their turn.").Add(float64(core.Waiting))
	m.Gauge("limina_connections_writing", "Connections whose peer is being waited for to read.").Add(float64(e.Writing))
	m.Gauge("limina_push_queue", "Connections that wait for a goroutine that pushes.").Add(float64(e.Queued))
	m.Counter("limina_pushed_bytes_total", "Bytes of state that were sent unasked.").Add(float64(e.Pushed))

	web := s.http.Stats()
	m.Counter("limina_http_requests_total", "Requests of MCP over HTTP that were let in.").Add(float64(web.Requests))
	m.Counter("limina_http_plain_total", "Of them, those that were answered without net/http.").Add(float64(web.Plain))
	m.Gauge("limina_http_sessions", "Sessions over HTTP that are open.").Add(float64(web.Sessions))
	m.Counter("limina_http_sessions_total", "Sessions over HTTP so far.").Add(float64(web.Opened))
	m.Counter("limina_http_sessions_expired_total", "Sessions over HTTP that were ended because nobody used them.").Add(float64(web.Expired))
	m.Gauge("limina_http_streams", "Streams of events that are open.").Add(float64(web.Streams))
}

// calls writes the figures of every skill that was called.
func calls(m *Metrics, reg *registry.Registry) {
	type row struct {
		name  string
		stats registry.Stats
	}
	var rows []row
	for _, k := range reg.List(registry.Filter{}) {
		if stats := k.Stats(); stats.Calls() > 0 {
			rows = append(rows, row{k.Name(), stats})
		}
	}
	m.Counter("limina_calls_total", "Calls, by skill and outcome.")
	for _, r := range rows {
		m.Add(float64(r.stats.Succeeded), "skill", r.name, "outcome", "ok")
		for _, code := range []registry.Code{
			registry.CodeNotFound, registry.CodeInvalidInput, registry.CodeForbidden, registry.CodeCapacityExceeded,
			registry.CodePendingApproval, registry.CodeHandlerError,
		} {
			if n := r.stats.Failed[code]; n > 0 {
				m.Add(float64(n), "skill", r.name, "outcome", string(code))
			}
		}
	}
	m.begin("limina_call_seconds", "How long calls took in the engine, by skill.", "histogram")
	for _, r := range rows {
		n := uint64(0)
		for i := range registry.LatencyBounds {
			n += r.stats.Latency[i]
			le := strconv.FormatFloat(registry.LatencyBound(i).Seconds(), 'g', -1, 64)
			m.sample("_bucket", float64(n), []string{"skill", r.name, "le", le})
		}
		n += r.stats.Latency[registry.LatencyBounds]
		m.sample("_bucket", float64(n), []string{"skill", r.name, "le", "+Inf"})
		m.sample("_sum", r.stats.Elapsed.Seconds(), []string{"skill", r.name})
		m.sample("_count", float64(n), []string{"skill", r.name})
	}
}

// process writes figures of the Go process. Package runtime/metrics would not stop the world for
// them, but makes a table of everything it has at every start, which takes longer than the stop.
func process(m *Metrics) {
	m.Gauge("go_goroutines", "Goroutines that exist.").Add(float64(runtime.NumGoroutine()))
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	m.Gauge("go_heap_objects_bytes", "Memory of objects on the heap, live ones and those not yet swept.").Add(float64(mem.HeapAlloc))
	m.Gauge("go_memory_bytes", "Memory that the Go runtime has mapped.").Add(float64(mem.Sys))
}
