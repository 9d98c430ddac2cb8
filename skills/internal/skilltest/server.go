// Package skilltest runs skills in tests as callers do, through a registry, on a world of their own.
//
// [Run] takes a table of good and bad calls; a [Server] is for tests that go on from call to call.
package skilltest

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Server is a registry with some skills on a fresh world.
type Server struct {
	World    *world.World
	Agents   *agents.Agents
	Registry *registry.Registry
}

// Skills makes the skills that a server has.
type Skills func(*world.World, *agents.Agents) []registry.Skill

// New returns a server. Its clock stands still.
func New(t testing.TB, skills Skills) *Server {
	t.Helper()
	return Build(t, func(s *Server) []registry.Skill { return skills(s.World, s.Agents) })
}

// Build is New for skills that have to know more of their server.
func Build(t testing.TB, skills func(*Server) []registry.Skill) *Server {
	t.Helper()
	w := world.New(world.Config{Seed: 1, MaxEntities: 1000})
	s := &Server{World: w, Agents: agents.New(w)}
	s.Registry = registry.New(registry.Options{Tick: w.Tick, Clock: func() time.Time { return time.Unix(1, 0) }})
	if err := s.Registry.Register(skills(s)...); err != nil {
		t.Fatal(err)
	}
	return s
}

// Caller returns an agent with a built-in profile; its session is "session of <id>".
func Caller(t testing.TB, id, profile string) *profiles.Principal {
	t.Helper()
	grants, err := profiles.Builtin().Resolve(profile)
	if err != nil {
		t.Fatal(err)
	}
	return &profiles.Principal{Kind: profiles.KindAgent, ID: id, Session: "session of " + id, Profile: profile, Grants: grants}
}

// Call calls a skill and returns its output, or the error.
func (s *Server) Call(p *profiles.Principal, name, input string) (string, *registry.Error) {
	res := s.Registry.Invoke(context.Background(), &registry.Request{Name: name, Input: []byte(input), Principal: p}, nil)
	return string(res.Output), res.Err
}

// Must calls a skill and ends the test if that fails.
func (s *Server) Must(t testing.TB, p *profiles.Principal, name, input string) string {
	t.Helper()
	out, err := s.Call(p, name, input)
	if err != nil {
		t.Fatalf("%s %s: %v (%v)", name, input, err, errors.Unwrap(err))
	}
	return out
}

// Start has a call made in a bubble of testing/synctest, and returns when it has been, with its outcome, or waits.
func (s *Server) Start(ctx context.Context, p *profiles.Principal, name, input string) <-chan *registry.Error {
	outcome := make(chan *registry.Error, 1)
	go func() {
		outcome <- s.Registry.Invoke(ctx, &registry.Request{Name: name, Input: []byte(input), Principal: p}, nil).Err
	}()
	synctest.Wait()
	return outcome
}

// Hold has a call take the turn that is free, in a bubble of testing/synctest, and keep it until release is called.
func (s *Server) Hold(t testing.TB, turns *registry.Turns) (release func()) {
	t.Helper()
	held, free := make(chan struct{}, 1), make(chan struct{})
	err := s.Registry.Register(registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "demo.hold", Description: "Have a turn.", Permissions: []profiles.Permission{profiles.Anyone}, Slow: true,
		Handle: func(c *registry.Call, _ struct{}) (out struct{}, err error) {
			done, err := turns.Take(c)
			if err != nil {
				return out, err
			}
			defer done()
			held <- struct{}{}
			<-free
			return out, nil
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	outcome := s.Start(context.Background(), Caller(t, "holder", Builder), "demo.hold", `{}`)
	if len(held) == 0 {
		t.Fatal("no turn is free")
	}
	return func() {
		close(free)
		if err := <-outcome; err != nil {
			t.Error(err)
		}
		s.Registry.Unregister("demo.hold")
	}
}

// Steps takes n simulation steps.
func (s *Server) Steps(n int) {
	for range n {
		s.World.Step(context.Background())
	}
}

// Entity returns an entity as viewers get it.
func (s *Server) Entity(t testing.TB, text string) string {
	t.Helper()
	id, err := world.ParseID(text)
	if err != nil {
		t.Fatal(err)
	}
	var out string
	s.World.View(func(v *world.View) { out = string(s.World.AppendEntity(nil, v, id)) })
	return out
}

// Len returns how many entities there are.
func (s *Server) Len() (n int) {
	s.World.View(func(v *world.View) { n = v.Len() })
	return n
}

// WaitsForTurn checks that a call, which fails by itself, waits for one of the turns that are made with its skills.
func WaitsForTurn(t *testing.T, skills func(*world.World) ([]registry.Skill, *registry.Turns), name, input string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var turns *registry.Turns
		s := New(t, func(w *world.World, _ *agents.Agents) (all []registry.Skill) {
			all, turns = skills(w)
			return all
		})
		release := s.Hold(t, turns)
		outcome := s.Start(t.Context(), Caller(t, "ann", Builder), name, input)
		if len(outcome) > 0 {
			t.Errorf("it has not waited: %v", <-outcome)
		}
		release()
		if err := <-outcome; err == nil {
			t.Error("there is something to be had")
		}
	})
}
