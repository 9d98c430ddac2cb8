package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/world"
)

// Ban keeps agents out ([mcp.Mcp.Ban]), in the place of those that were banned before, and has what they have set up in the world rest: nothing that they have attached is done, nobody who
// lives does what they have told him, their timers run out for nothing, their claims end, and calls of theirs that are held do not run. All of it, but for claims, goes on when they are not banned any more. It is part of the world, so it is called once the world is
// kept (Keep), also for nobody: what the process before has banned counts until then. An error means that the world does not know of it; nobody comes in nevertheless.
func (e *Engine) Ban(agents []string) error {
	e.limits.Lock()
	defer e.limits.Unlock()
	e.Mcp.Ban(agents)
	return e.limit()
}

// Reprofile has profiles count that have been replaced ([mcp.Mcp.Reprofile]), also for what was set up in the world with them: what actions and calls of rules need has to be granted by now, and when they were
// attached. ended is how many sessions have ended.
func (e *Engine) Reprofile() (ended int, err error) {
	e.limits.Lock()
	defer e.limits.Unlock()
	return e.Mcp.Reprofile(), e.limit()
}

// limit tells the world what has been taken from agents, if that is news. limits is held.
func (e *Engine) limit() error {
	var before agent.LimitIn
	e.World.View(func(v *world.View) { before = e.Presence.Limits(v) })
	now := agent.LimitIn{Banned: e.Mcp.Banned(), Profiles: map[string][]profiles.Permission{}}
	for name := range before.Profiles { // some have what they have attached with it, so it is told also if there is no such profile any more
		now.Profiles[name] = []profiles.Permission{}
	}
	usual := profiles.Builtin()
	for _, name := range e.Profiles.Names() {
		grants, err := e.Profiles.Resolve(name)
		if err != nil {
			continue // it has gone meanwhile, and its end is told next
		}
		if as, err := usual.Resolve(name); err == nil && as.Within(grants) {
			delete(now.Profiles, name) // it takes nothing from anybody
			continue
		}
		now.Profiles[name] = append([]profiles.Permission{}, grants.List()...)
	}
	if slices.Equal(now.Banned, before.Banned) && maps.EqualFunc(now.Profiles, before.Profiles, slices.Equal[[]profiles.Permission]) {
		return nil
	}
	input, err := json.Marshal(now)
	if err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	res := e.Registry.Invoke(context.Background(), &registry.Request{Skill: e.Presence.Limit(), Input: input, Principal: &engineer}, nil)
	if err := res.Failure(); err != nil {
		return fmt.Errorf("engine: the world does not know what was taken from agents: %w", err)
	}
	return nil
}

// still leaves somebody whose call was held what he may do by now. It waits for nobody.
func (e *Engine) still(p *profiles.Principal) error {
	if e.Mcp.Bans(p) {
		return registry.Errorf(registry.CodeForbidden, "%s is banned from this server by now; the call was dropped", p.ID)
	}
	if p.Profile == "" {
		return nil
	}
	now, err := e.Profiles.Resolve(p.Profile)
	if err != nil {
		return registry.Errorf(registry.CodeForbidden, "there is no profile %q any more, with which %s made the call; it was dropped", p.Profile, p.ID)
	}
	p.Grants = p.Grants.And(now)
	return nil
}
