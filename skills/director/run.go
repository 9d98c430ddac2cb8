package director

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// StartIn is the input of director.start.
type StartIn struct {
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// StartOut is the output of director.start.
type StartOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: it runs, from the beginning of build_up."`
}

func (d *Director) start() registry.Skill {
	return registry.Define(registry.Spec[StartIn, StartOut]{
		Name:  "director.start",
		Title: "Have the game paced",
		Description: "Have the server pace the game: tension rises (build_up), is held (sustain), falls (fade) and pauses (rest), again and again, faster the harder the fight. Each phase that begins emits director.phase and, say, director.phase:rest, for event.listen: that is where you begin and end waves. " +
			"One that runs begins anew. director.configure says how fast. Example: {}",
		Keywords:    "begin pacing waves enemies co-op intensity tension ai director",
		Permissions: []profiles.Permission{"agent.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, _ StartIn) (StartOut, error) {
			if err := author(c); err != nil {
				return StartOut{}, err
			}
			return world.Do(d.w, c, func(tx *world.Tx) (StartOut, error) {
				cfg := d.config.Get(&tx.View)
				now := begins(&cfg, tx.Step(), c.Principal().ID)
				if err := d.course.Set(tx, now); err != nil {
					return StartOut{}, err
				}
				return StartOut{true}, d.tell(tx, &now)
			})
		},
	})
}

// StopIn is the input of director.stop.
type StopIn struct {
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// StopOut is the output of director.stop.
type StopOut struct {
	OK         bool `json:"ok" jsonschema_description:"Always true: it does not run now."`
	WasRunning bool `json:"wasRunning" jsonschema_description:"Whether it did."`
}

func (d *Director) stop() registry.Skill {
	return registry.Define(registry.Spec[StopIn, StopOut]{
		Name:        "director.stop",
		Title:       "Stop the director",
		Description: "End the pacing that director.start began: no more phases, and director.stopped is emitted, for event.listen. What listeners have begun, such as a timer that spawns enemies, goes on. Example: {}",
		Keywords:    "end pacing waves off cancel",
		Permissions: []profiles.Permission{"agent.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, _ StopIn) (StopOut, error) {
			if err := author(c); err != nil {
				return StopOut{}, err
			}
			return world.Do(d.w, c, func(tx *world.Tx) (StopOut, error) {
				if now := d.course.Get(&tx.View); !now.runs() {
					return StopOut{OK: true}, nil
				}
				if err := d.course.Set(tx, course{}); err != nil {
					return StopOut{}, err
				}
				return StopOut{true, true}, d.deps.Does.Announce(tx, action.Event{Name: "director.stopped", By: c.Principal().ID})
			})
		},
	})
}
