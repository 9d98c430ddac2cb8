package physics_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/rapiertest"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/environment"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// still are the skills in a world whose bodies do not move.
func still(w *world.World, _ *agents.Agents) []registry.Skill {
	return with(w, bodies.New(w, bodies.Config{}))
}

func with(w *world.World, p *bodies.Physics) []registry.Skill {
	return slices.Concat(scene.All(w), three.All(w), environment.All(environment.New(w)), physics.All(w, p, physics.Movers{}))
}

// site is a world in which time passes, as a builder sees it.
type site struct {
	*skilltest.Server
	t   *testing.T
	ann *profiles.Principal
}

// build runs a test in a world that moves, in fake time.
func build(t *testing.T, test func(s *site)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var p *bodies.Physics
		s := &site{t: t, ann: skilltest.Caller(t, "ann", skilltest.Builder)}
		s.Server = skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
			p = bodies.New(w, bodies.Config{Open: rapiertest.Runtime().Open, Gravity: -9.81})
			return with(w, p)
		})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- s.World.Run(ctx) }()
		test(s)
		cancel()
		<-done
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
}

// do calls a skill that has to succeed and reads its output into out, unless that is nil.
func (s *site) do(out any, name, format string, args ...any) {
	s.t.Helper()
	text := s.Must(s.t, s.ann, name, fmt.Sprintf(format, args...))
	if out == nil {
		return
	}
	if err := json.Unmarshal([]byte(text), out); err != nil {
		s.t.Fatalf("%s: %s: %v", name, text, err)
	}
}

// box makes a box with edges of a size at a place.
func (s *site) box(kind string, at, size world.Vec3) string {
	s.t.Helper()
	var made struct{ Entity string }
	s.do(&made, "scene.createEntity", `{"position":[%v,%v,%v],%q:true}`, at[0], at[1], at[2], kind)
	s.do(nil, "three.setTransform", `{"entity":%q,"scale":[%v,%v,%v]}`, made.Entity, size[0], size[1], size[2])
	return made.Entity
}

// floor is a large floor whose top is at y 0.
func (s *site) floor() { s.box("static", world.Vec3{0, -0.5, 0}, world.Vec3{100, 1, 100}) }

// settle waits until the whole world is at rest.
func (s *site) settle(seconds float64) (out physics.SettleOut) {
	s.t.Helper()
	s.do(&out, "physics.settle", `{"seconds":%v}`, seconds)
	return out
}

// at returns where an entity is.
func (s *site) at(entity string) (p world.Vec3) {
	s.t.Helper()
	var found scene.QueryEntitiesOut
	s.do(&found, "scene.queryEntities", `{}`)
	for _, e := range found.Entities {
		if e.Entity.String() == entity {
			return e.Position
		}
	}
	s.t.Fatalf("no entity %s", entity)
	return p
}

func (s *site) pass(d time.Duration) { time.Sleep(d) }
