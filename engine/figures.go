package engine

import (
	"github.com/limina-mcp/limina/server/metrics"
	"github.com/limina-mcp/limina/world"
)

// Figures adds the figures of the world and of its viewers to /metrics: it is a server's
// Config.Figures.
func (e *Engine) Figures(m *metrics.Text) {
	entities := 0
	e.World.View(func(v *world.View) { entities = v.Len() })
	m.Counter("limina_ticks_total", "Commits of the world.").Add(float64(e.World.Tick()))
	m.Counter("limina_steps_total", "Simulation steps.").Add(float64(e.World.Steps()))
	m.Counter("limina_steps_missed_total", "Simulation steps that were left out, because the machine was too slow.").Add(float64(e.World.Missed()))
	m.Gauge("limina_entities", "Entities in the world.").Add(float64(entities))
	m.Gauge("limina_time_scale", "Simulated seconds that are to pass in a second; 0 while time stands still.").Add(e.speed())
	if e.store != nil {
		m.Gauge("limina_unsaved_seconds", "For how long something has been changed that is not on the disk; 0 if all is.").Add(e.store.Unsaved().Seconds())
	}
	if e.kept != nil {
		k := e.kept.folder.Stats()
		m.Gauge("limina_trace_waiting", "Events that are not on the disk yet.").Add(float64(k.Waiting))
		m.Counter("limina_trace_lost_total", "Events that never will be: too many waited while the disk took none.").Add(float64(k.Lost))
		m.Gauge("limina_trace_unsaved_seconds", "For how long there have been events that are not on the disk; 0 if all are.").Add(k.Unsaved.Seconds())
	}

	p := e.Physics.Stats()
	m.Gauge("limina_bodies", "Bodies in the physics engine.").Add(float64(p.Bodies))
	m.Gauge("limina_bodies_awake", "Dynamic bodies that do not rest, and characters that move or are to.").Add(float64(p.Awake))
	m.Gauge("limina_physics_opening", "1 while simulation steps wait for the physics engine to be compiled.").Add(flag(p.Opening))
	m.Counter("limina_physics_rebuilds_total", "Times that the physics engine failed and was made anew from the world.").Add(float64(p.Rebuilds))

	s := e.State.Stats()
	m.Gauge("limina_views", "Subscriptions to the state of the world.").Add(float64(s.Views))
	m.Gauge("limina_entities_viewed", "Entities that some subscription holds.").Add(float64(s.Entities))
	m.Counter("limina_entities_encoded_total", "Entities that were written down for subscriptions, once for all of them.").Add(float64(s.Encoded))
	m.Counter("limina_deltas_total", "Snapshots and deltas that were made.").Add(float64(s.Messages))
	m.Counter("limina_delta_bytes_total", "Bytes of snapshots and deltas, without frames.").Add(float64(s.Bytes))
}

// speed is how fast time passes in the world.
func (e *Engine) speed() (scale float64) {
	if e.World.Standing() {
		return 0
	}
	e.World.View(func(v *world.View) { scale = e.World.Environment.TimeScale.Get(v) })
	return scale
}

func flag(on bool) float64 {
	if on {
		return 1
	}
	return 0
}
