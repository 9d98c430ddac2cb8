package engine

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
	"github.com/limina-mcp/limina/world/physics/rapier"
)

// Gravity is the acceleration along y in a world whose Config does not say otherwise, in m/s².
const Gravity = -9.81

// EventRebuilt is in the trace when the physics engine has failed and was replaced: its payload is the
// simulation step and the reason. A replay of what the trace records has to have it happen at the same
// step, by Physics.RebuildAt.
const EventRebuilt = "physics.rebuilt"

func (e *Engine) worldConfig(c *Config) world.Config {
	w := world.Config{Seed: c.Seed, MaxEntities: c.MaxEntities, StepRate: c.StepRate, Alarm: c.Alarm, StepFailed: func(name string, err error) {
		e.logger.Error().Err(err).Str("what", name).Msg("a part of a simulation step failed and was undone")
	}}
	if !c.Always {
		w.Attended = func() bool { return e.Mcp.Stats().Sessions > 0 }
	}
	return w
}

func (e *Engine) physicsConfig(c *Config) physics.Config {
	p := physics.Config{Gravity: Gravity, Rebuilt: e.rebuilt}
	if c.Gravity != nil {
		p.Gravity = *c.Gravity
	}
	if !c.Rigid {
		e.rapier = rapier.New(c.WasmDir)
		e.rapier.Told = func(err error) {
			if errors.Is(err, rapier.ErrDamaged) {
				e.logger.Warn().Err(err).Msg("the compiled physics engine that was kept was damaged, and was compiled anew: look whether the disk loses anything else")
				return
			}
			e.logger.Warn().Err(err).Msg("the compiled physics engine cannot be kept, so that each start compiles it anew, which takes some seconds")
		}
		p.Open = e.rapier.Open
	}
	return p
}

// rebuilt puts on record that the physics engine was replaced.
func (e *Engine) rebuilt(r physics.Rebuild) {
	e.logger.Error().Uint64("step", r.Step).Str("reason", r.Reason).Msg("the physics engine failed and was made anew from the world")
	payload, err := json.Marshal(map[string]any{"step": r.Step, "reason": r.Reason})
	if err == nil {
		_, err = e.Trace.Append(nil, trace.Draft{Type: EventRebuilt, Actor: "engine", Tick: e.World.Tick(), Payload: payload})
	}
	if err != nil {
		e.logger.Error().Err(err).Msg("the trace does not say that the physics engine was made anew")
	}
}

// Close ends what the engine has running in the background, frees what it holds outside of Go's
// memory, and writes what has changed in a world that is kept ([Engine.Keep]), and its trace: its error says what could not be written. Run closes the
// engine; who does not call Run may. To close it again does nothing. Inside a
// transaction or a view of the world it fails at once, and closes nothing.
func (e *Engine) Close() error {
	if err := e.World.Locked(); err != nil {
		return fmt.Errorf("engine: it cannot be closed in the middle of a transaction: %w", err)
	}
	e.attending.wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if err := e.Physics.Close(); err != nil {
		e.logger.Error().Err(err).Msg("closing the physics")
	}
	if e.rapier != nil {
		if err := e.rapier.Close(); err != nil {
			e.logger.Error().Err(err).Msg("closing the physics engine")
		}
	}
	if e.store == nil {
		return nil
	}
	return e.store.Close()
}
