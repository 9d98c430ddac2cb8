// Package engine puts Limina's packages together: a world, everything agents can do in it, and the
// MCP core that serves it.
//
// A host program builds an [Engine], adds skills of its own to its Registry, and serves it on the
// transports it wants:
//
//	e, err := engine.New(engine.Config{})
//	...
//	err = e.Run(ctx, func(ctx context.Context) error {
//		return e.Mcp.Serve(ctx, stdio.New(os.Stdin, os.Stdout, stdio.Options{}))
//	})
//
// or, to many clients over WebSocket and HTTP,
//
//	s, err := server.Listen(server.Config{Core: e.Mcp, Address: "127.0.0.1:8787", Figures: e.Figures})
//	...
//	err = e.Run(ctx, s.Run)
//
// What it declares in the world (world.NewComponent, World.OnStep), it declares before Run. The examples
// have both: a skill with state of its own, and how to try it out without a server.
package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/agentskills"
	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/guides"
	"github.com/limina-mcp/limina/internal/complain"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/approvals"
	"github.com/limina-mcp/limina/skills/dev"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/skills/save"
	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/durable"
	"github.com/limina-mcp/limina/world/physics"
	"github.com/limina-mcp/limina/world/physics/rapier"
)

// Config describes an engine. The zero value is an empty world with the built-in profiles in which
// nothing is held for review.
type Config struct {
	Seed        uint64                 // of the world's own randomness
	MaxEntities int                    // default 1,000,000
	StepRate    int                    // simulation steps in a second; default 60
	Gravity     *float64               // along y, in m/s²; nil: -9.81
	Rigid       bool                   // bodies never move: there is no physics engine
	WasmDir     string                 // where the compiled physics engine is kept; "" for the user's cache folder
	Always      bool                   // time goes on while no session is open and nothing is going on
	Leave       float64                // simulated seconds after an agent's last session until its characters go; below 0: never; 0: nor does the world know of sessions
	Alarm       world.Alarm            // what Run sleeps by; default: Go's timers
	Profiles    *profiles.Set          // default [profiles.Builtin]
	Review      []string               // profiles whose calls wait for a reviewer
	Elicit      bool                   // the person at a standard client may decide on the calls of it that wait
	TraceDir    string                 // where trace.export may write; "" for nowhere
	Files       string                 // where scene.export may write and scene.import read; "" for nowhere
	SaveKey     func() ([]byte, error) // seals what save.export keeps, 32 bytes; nil for a random one, so that a save is good as long as the process lives
	Sync        bool                   // answers to peers wait until what the call has changed is on the disk, if the world is kept: see Keep
	Trace       trace.Options          // its Clock is that of calls, too: what is told of when they were, and how long they took
	TraceKeep   int64                  // bytes of trace that are kept beside a world that is, see Keep; 0: 1 GiB, less than 0: none
	Gate        registry.Gate          // judges calls before reviewers do; nil for none
	Recorder    registry.Recorder      // told of every call that may change something; nil for none
	Reload      *dev.Sources           // what dev.reload can rebuild; nil for nothing
	App         []byte                 // a page of HTML that hosts of MCP Apps show beside pictures of the world; nil for none
	MCP         mcp.Options            // its Profiles, State and Guides are those of the engine
	State       statesync.Config
	// Logger gets what nobody is told: why a skill of the host's has failed, which step function was undone, that the disk does not take the
	// world. The zero one writes warnings and errors to stderr; [zerolog.Nop] is for none. It is that of MCP too, unless that has one.
	Logger zerolog.Logger
}

// Engine is a running Limina without its transports.
type Engine struct {
	World    *world.World
	Agents   *agents.Agents
	Physics  *physics.Physics
	Profiles *profiles.Set
	Trace    *trace.Log
	Approval *approval.Gate
	Registry *registry.Registry
	State    *statesync.Hub
	Guides   func() *agentskills.Set // how to work here, for models; read when it is first called
	Mcp      *mcp.Mcp
	Presence *agent.Presence // who has a session, as the world is told if Config.Leave says so

	attending *attending
	limits    sync.Mutex // held while the world is told what was taken from agents

	rapier    *rapier.Runtime
	traceKeep int64
	store     *durable.Store                // nil: the world ends with the process
	keeps     atomic.Pointer[durable.Store] // the same, for who has no lock
	kept      *keeping                      // nil: so does the trace
	logger    zerolog.Logger

	mu      sync.Mutex // guards what follows
	running bool       // Run is going on
	closed  bool
}

// New builds an engine with the whole catalogue registered.
func New(c Config) (*Engine, error) {
	if c.Profiles == nil {
		c.Profiles = profiles.Builtin()
	}
	c.Logger = complain.By(c.Logger, os.Stderr)
	c.MCP.Logger = complain.Or(c.MCP.Logger, c.Logger)
	c.MCP.Profiles, c.MCP.Held = c.Profiles, c.Review
	for _, name := range c.Review {
		if _, err := c.Profiles.Resolve(name); err != nil {
			return nil, fmt.Errorf("engine: profiles under review: %w", err)
		}
	}
	if err := c.MCP.Check(); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	e := &Engine{
		logger:    c.Logger,
		traceKeep: c.TraceKeep,
		Profiles:  c.Profiles,
		Trace:     trace.New(c.Trace),
		Approval:  approval.NewGate(approval.Options{Profiles: c.Review}),
		Guides:    sync.OnceValue(readGuides),
	}
	e.World = world.New(e.worldConfig(&c))
	e.Agents = agents.New(e.World)
	ways, clips := navigation.New(e.World, e.Agents), animation.New(e.World, e.Agents)
	e.Physics = physics.New(e.World, e.physicsConfig(&c))
	e.Registry = registry.New(registry.Options{Trace: e.Trace, Gate: gates{e.World, &e.keeps, c.Gate, e.Approval}, Still: e.still, Recorder: c.Recorder, Tick: e.World.Tick, Logger: c.Logger, Clock: c.Trace.Clock})
	e.State = statesync.New(e.World, c.State)
	e.Presence = agent.NewPresence(e.World, e.Agents)
	d := skills.Deps{
		State: e.State, Presence: e.Presence, World: e.World, Registry: e.Registry, Agents: e.Agents, Ways: ways, Clips: clips, Physics: e.Physics, Approval: e.Approval, Profiles: e.Profiles, TraceDir: c.TraceDir, Files: c.Files, Reload: c.Reload,
		Save: save.Options{Key: c.SaveKey, Dir: c.Files},
	}
	if c.App != nil {
		d.App = appURI
	}
	if err := e.Registry.Register(skills.All(d)...); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	if err := e.offer(d, c.App); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	c.MCP.State, c.MCP.Attendance = e.State, e.World.Wake
	c.MCP.Guides = e.Guides
	if c.Sync {
		c.MCP.Kept = e.Sync
	}
	e.attending = newAttending(e, c.Leave)
	if c.Leave != 0 {
		c.MCP.Presence = e.attending.tell
	}
	if c.Elicit {
		c.MCP.Approve = e.approve
	}
	m, err := mcp.New(e.Registry, c.MCP)
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	e.Mcp = m
	return e, nil
}

// offer registers what there is beside skills: resources, prompts, and the guides that come with them.
func (e *Engine) offer(d skills.Deps, page []byte) error {
	e.Registry.Resources().RegisterLater(func() []registry.Resource {
		all := append(skills.Resources(d, e.Trace), e.Guides().Resources()...)
		if page != nil {
			all = append(all, app(page))
		}
		return all
	})
	return e.Registry.Prompts().Register(skills.Prompts(d)...)
}

// readGuides reads the guides. To read them takes as long as to declare all skills, and few clients ask.
func readGuides() *agentskills.Set {
	set, err := guides.Load()
	if err != nil {
		panic("engine: " + err.Error()) // they are part of the program, and its tests read them
	}
	return set
}

// approve decides on a held call as the person at its caller's client has answered.
func (e *Engine) approve(ctx context.Context, id string, by *profiles.Principal, yes bool) registry.Result {
	if !yes {
		held, err := e.Approval.Deny(id)
		if err != nil {
			return registry.Result{Err: refusal(err)}
		}
		e.decided(approvals.EventDenied, by, approvals.Denied(&held, ""))
		return registry.Result{Err: registry.Errorf(registry.CodeForbidden, "%s did not approve of the call; nothing was changed", by.ID)}
	}
	held, res, err := e.Approval.Grant(ctx, id, by)
	if err != nil {
		return registry.Result{Err: refusal(err)}
	}
	e.decided(approvals.EventGranted, by, approvals.Granted(&held, &res))
	return res
}

// decided has it in the trace who has decided on a held call, and how. What was decided is done.
func (e *Engine) decided(event string, by *profiles.Principal, o approvals.Outcome) {
	payload, err := json.Marshal(o)
	if err == nil {
		_, err = e.Trace.Append(nil, trace.Draft{Type: event, Actor: by.ID, Session: o.SessionID, Tick: e.World.Tick(), Payload: payload})
	}
	if err != nil {
		e.logger.Error().Err(err).Str("approval", o.ApprovalID).Msg("what came of a held call could not be recorded")
	}
}

// refusal is an error of the gate as that of a call.
func refusal(err error) *registry.Error {
	var e *registry.Error
	if errors.As(err, &e) {
		return e
	}
	return registry.Failf("the approval failed; nothing was changed")
}

// Keep has the world kept in a folder of the disk, which is made if it is not there: if that holds a world, the engine's becomes that one. It is
// called once, after the host has declared what is its own, and before anything has changed the world or been called; Run
// and Close write what changes, see [durable.Store.Run]. So is the trace, in the folder trace in it ([folder.Open], Config.TraceKeep): on the disk it is
// never behind the world. Keep fails if the world is kept already, if somebody else has the folder, or if
// what it holds is damaged or more than this engine knows: see [durable.Open].
func (e *Engine) Keep(dir string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.closed:
		return errors.New("engine: it is closed")
	case e.running:
		return errors.New("engine: the world is kept from before Run on")
	case e.store != nil:
		return errors.New("engine: the world is kept already")
	}
	store, err := durable.Open(e.World, dir, durable.Options{Told: e.told, Anew: e.rewrite, Ahead: e.keepTrace(dir)})
	if err != nil {
		e.kept = nil
		return fmt.Errorf("engine: %w", err)
	}
	e.store = store
	e.keeps.Store(store)
	e.attending.begin()
	return nil
}

// Sync returns nil when all that has been committed so far, and what the trace tells of it, is on the disk, or the world is not kept. It may be called
// concurrently: all who wait at a time wait for one write. While the disk does not take it, it goes on trying until ctx ends, see [durable.Store.Await].
// Inside a transaction or a view of the world it fails at once, because nothing could be written: a handler's transaction ends with its call, and who has made that may wait.
func (e *Engine) Sync(ctx context.Context) error {
	if err := e.World.Locked(); err != nil {
		return fmt.Errorf("engine: what a transaction changes can be written when it has ended, so wait for that behind it: %w", err)
	}
	e.mu.Lock()
	store := e.store
	e.mu.Unlock()
	if store == nil {
		return nil
	}
	if err := store.Await(ctx); err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	return nil
}

// Run advances the world in real time for as long as serve runs, and returns serve's error. When ctx
// ends the world goes on until serve has: calls that are running may need it. In the end it closes the
// engine, whose error it returns if there is no other: also if serve is nil, which is an error, or panics.
//
// Only one Run may be going on: a host that has several ports serves all of them in one serve. Another one fails at once, and leaves the engine as
// it is; so does one after the end of an engine whose world is kept, because nothing would be written any more.
func (e *Engine) Run(ctx context.Context, serve func(context.Context) error) (err error) {
	if err := e.begin(); err != nil {
		return err
	}
	defer func() {
		if closed := e.Close(); err == nil {
			err = closed
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		e.running = false
	}()
	if serve == nil {
		return errors.New("engine: Run has nothing to serve: the function is nil")
	}
	return e.run(ctx, serve)
}

// begin notes that Run is going on.
func (e *Engine) begin() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.running:
		return errors.New("engine: Run is going on already: to serve more, do it in the function that it is given")
	case e.closed && e.store != nil:
		return errors.New("engine: it is closed, and its world is not kept any more")
	}
	e.running = true
	return nil
}

func (e *Engine) run(ctx context.Context, serve func(context.Context) error) error {
	stepping, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	g, ctx := errgroup.WithContext(ctx)
	if e.store != nil {
		g.Go(func() error {
			e.store.Run(stepping)
			return nil
		})
	}
	if e.kept != nil {
		g.Go(func() error {
			e.kept.folder.Run(stepping, e.store.SyncAhead)
			return nil
		})
	}
	g.Go(func() error {
		if err := e.World.Run(stepping); err != nil && !errors.Is(err, context.Canceled) {
			return fmt.Errorf("world: %w", err)
		}
		return nil
	})
	served := func() error {
		defer func() { _ = g.Wait() }() // if serve panics, too: the engine is closed then
		defer stop()
		defer e.attending.wait()
		defer e.Mcp.Close()
		return serve(ctx)
	}()
	if err := g.Wait(); err != nil {
		return err // it is why serve ended
	}
	return served
}
