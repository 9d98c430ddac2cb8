package engine

import (
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/world"
)

// Figures adds the figures of the world and of its viewers to /metrics: it is a server's
// Config.Figures.
func (e *Engine) Figures(m *server.Metrics) {
	entities := 0
	e.World.View(func(v *world.View) { entities = v.Len() })
	m.Counter("limina_ticks_total", "Commits of the world.").Add(float64(e.World.Tick()))
	m.Counter("limina_steps_total", "Simulation steps.").Add(float64(e.World.Steps()))
	m.Counter("limina_steps_missed_total", "Simulation steps that were left out, because the machine was too slow.").Add(float64(e.World.Missed()))
	m.Gauge("limina_entities", "Entities in the world.").Add(float64(entities))

	s := e.State.Stats()
	m.Gauge("limina_views", "Subscriptions to the state of the world.").Add(float64(s.Views))
	m.Gauge("limina_entities_viewed", "Entities that some subscription holds.").Add(float64(s.Entities))
	m.Counter("limina_entities_encoded_total", "Entities that were written down for subscriptions, once for all of them.").Add(float64(s.Encoded))
	m.Counter("limina_deltas_total", "Snapshots and deltas that were made.").Add(float64(s.Messages))
	m.Counter("limina_delta_bytes_total", "Bytes of snapshots and deltas, without frames.").Add(float64(s.Bytes))
}
