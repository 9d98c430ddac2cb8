package server

import (
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/server/metrics"
)

// figures answers /metrics.
func (s *Server) figures(w http.ResponseWriter) {
	m := &metrics.Text{}
	s.connections(m)
	calls(m, s.config.Core.Registry())
	if s.config.Figures != nil {
		s.config.Figures(m)
	}
	process(m)
	m.Gauge("limina_build_info", "1, with the version.").Add(1, "version", s.config.Version)
	m.Gauge("process_start_time_seconds", "When the server was opened, in seconds since 1970.").Add(float64(s.started.UnixMilli()) / 1000)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(m.Bytes())
}

func (s *Server) connections(m *metrics.Text) {
	e := s.endpoint.Stats()
	m.Gauge("limina_connections", "WebSocket connections that are open.").Add(float64(e.Open))
	m.Counter("limina_connections_total", "WebSocket connections so far.").Add(float64(e.Accepted))
	m.Gauge("limina_sockets", "TCP or unix connections that are open, those that have not become WebSockets among them.").Add(float64(s.gate.open.Load()))
	m.Gauge("limina_strangers", "Of limina_sockets, those whose peer has not shown a token or, where none is needed, asked for anything.").Add(float64(s.gate.strangers.len()))
	m.Counter("limina_refused_total", "Connections and requests that were not let in.")
	m.Add(float64(s.gate.refused.Load()), "reason", "too many")
	m.Add(float64(s.gate.silent.Load()), "reason", "silent")
	m.Add(float64(s.gate.crowded.Load()), "reason", "crowded")
	m.Add(float64(s.denied.Load()), "reason", "denied")
	m.Add(float64(s.shared.Load()), "reason", "share")
	if s.gate.shaking != nil {
		waiting, missed := s.gate.shaking.figures()
		m.Add(float64(missed), "reason", "handshake")
		m.Gauge("limina_handshakes_waiting", "TLS handshakes that wait for a turn of a processor.").Add(float64(waiting))
	}
	s.ended.figures(m)
	core := s.config.Core.Stats()
	m.Gauge("limina_sessions", "Sessions that are open.").Add(float64(core.Sessions))
	m.Gauge("limina_agents", "Agents who have a session that is open.").Add(float64(core.Agents))
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
func calls(m *metrics.Text, reg *registry.Registry) {
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
		for _, code := range slices.Sorted(maps.Keys(r.stats.Failed)) {
			if n := r.stats.Failed[code]; n > 0 {
				m.Add(float64(n), "skill", r.name, "outcome", string(code))
			}
		}
	}
	m.Histogram("limina_call_seconds", "How long calls took in the engine, by skill.")
	for _, r := range rows {
		n := uint64(0)
		for i := range registry.LatencyBounds {
			n += r.stats.Latency[i]
			le := strconv.FormatFloat(registry.LatencyBound(i).Seconds(), 'g', -1, 64)
			m.AddPart("_bucket", float64(n), "skill", r.name, "le", le)
		}
		n += r.stats.Latency[registry.LatencyBounds]
		m.AddPart("_bucket", float64(n), "skill", r.name, "le", "+Inf")
		m.AddPart("_sum", r.stats.Elapsed.Seconds(), "skill", r.name)
		m.AddPart("_count", float64(n), "skill", r.name)
	}
}

// process writes figures of the Go process. Package runtime/metrics would not stop the world for
// them, but makes a table of everything it has at every start, which takes longer than the stop.
func process(m *metrics.Text) {
	m.Gauge("go_goroutines", "Goroutines that exist.").Add(float64(runtime.NumGoroutine()))
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	m.Gauge("go_heap_objects_bytes", "Memory of objects on the heap, live ones and those not yet swept.").Add(float64(mem.HeapAlloc))
	m.Gauge("go_memory_bytes", "Memory that the Go runtime has mapped.").Add(float64(mem.Sys))
}
