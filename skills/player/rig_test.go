package player_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/rapiertest"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/environment"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/prefab"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/skills/terrain"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// still are the skills in a world whose bodies do not move.
func still(w *world.World, a *agents.Agents) []registry.Skill {
	return with(w, a, physics.New(w, physics.Config{}))
}

func with(w *world.World, a *agents.Agents, p *physics.Physics) []registry.Skill {
	cast, ways := player.New(w, a, p), navigation.New(w, a)
	ways.Guard(cast.Walk)
	a.Cast(cast.Spawned)
	meshes := mesh.New(w)
	return slices.Concat(scene.All(w), three.All(w), agent.All(w, a), social.All(social.New(w, a)), player.All(cast), navigation.All(ways), []registry.Skill{environment.SetSpawn(w)},
		terrain.All(terrain.New(w, meshes)), prefab.All(prefab.New(w)), checkpoint.All(checkpoint.New(w)), history.All(w),
		exchange.All(exchange.Deps{World: w, Meshes: meshes, Turns: registry.NewTurns(1)}))
}

// errTold is the error of an engine that was told to fail.
var errTold = errors.New("the engine was told to fail")

// fragile is an engine that fails at a step of the world, once.
type fragile struct {
	physics.Engine
	fail func() bool
}

func (f *fragile) Step() error {
	if f.fail() {
		return errTold
	}
	return f.Engine.Step()
}

// site is a world with a floor at y 0, whose steps the test takes, as builders and players see it.
type site struct {
	*skilltest.Server
	t        testing.TB
	physics  *physics.Physics
	ann      *profiles.Principal // who builds
	failAt   uint64              // the step at which the engine fails; 0 for none
	failed   bool
	rebuilds int
	mover    func(tx *world.Tx) error // runs in steps, before physics; nil: nothing does
}

func newSite(t testing.TB) *site {
	t.Helper()
	s := &site{t: t, ann: skilltest.Caller(t, "ann", skilltest.Builder)}
	s.Server = skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		w.OnStep("mover", func(tx *world.Tx) error {
			if s.mover == nil {
				return nil
			}
			return s.mover(tx)
		}, world.BusyWhile(func(*world.View) bool { return s.mover != nil }))
		s.physics = physics.New(w, physics.Config{
			Gravity: -9.81,
			Open: func(ctx context.Context, c physics.Settings) (physics.Engine, error) {
				e, err := rapiertest.Runtime().Open(ctx, c)
				return &fragile{e, func() bool {
					fail := s.failAt != 0 && w.Steps() == s.failAt && !s.failed
					s.failed = s.failed || fail
					return fail
				}}, err
			},
			Rebuilt: func(physics.Rebuild) { s.rebuilds++ },
		})
		return with(w, a, s.physics)
	})
	t.Cleanup(func() {
		if err := s.physics.Close(); err != nil {
			t.Error(err)
		}
	})
	s.box("static", world.Vec3{0, -0.5, 0}, world.Vec3{60, 1, 60})
	return s
}

// do calls a skill that has to succeed, as ann, and reads its output into out, unless that is nil.
func (s *site) do(out any, name, format string, args ...any) {
	s.t.Helper()
	s.as(s.ann, out, name, format, args...)
}

func (s *site) as(p *profiles.Principal, out any, name, format string, args ...any) {
	s.t.Helper()
	text := s.Must(s.t, p, name, fmt.Sprintf(format, args...))
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
	var made scene.CreateEntityOut
	s.do(&made, "scene.createEntity", `{"position":[%v,%v,%v],%q:true}`, at[0], at[1], at[2], kind)
	s.do(nil, "three.setTransform", `{"entity":%q,"scale":[%v,%v,%v]}`, made.Entity, size[0], size[1], size[2])
	return made.Entity.String()
}

// spawn makes a character of ann's and lets it come to stand.
func (s *site) spawn(at world.Vec3) string {
	s.t.Helper()
	var made player.SpawnOut
	s.do(&made, "player.spawn", `{"position":[%v,%v,%v]}`, at[0], at[1], at[2])
	s.Steps(60)
	return made.Entity.String()
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

// id returns what a test calls an entity.
func (s *site) id(entity string) world.ID {
	s.t.Helper()
	id, err := world.ParseID(entity)
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

// update changes the world as code that is no skill does, such as a step.
func (s *site) update(change func(tx *world.Tx) error) {
	s.t.Helper()
	if _, err := s.World.Update(context.Background(), change); err != nil {
		s.t.Fatal(err)
	}
}

// kinematic makes a box that a mover can move.
func (s *site) kinematic(at, size world.Vec3) world.ID {
	s.t.Helper()
	id := s.id(s.box("static", at, size))
	s.update(func(tx *world.Tx) error {
		return s.World.Bodies.Set(tx, id, world.Body{Type: "kinematic", Collider: "box", Friction: 0.5})
	})
	return id
}

// depth returns how deep an entity is in anything that does not give way, and in what.
func (s *site) depth(entity string) (depth float64, in world.ID) {
	s.t.Helper()
	id := s.id(entity)
	s.World.View(func(v *world.View) {
		me, ok := s.physics.Collider(v, id)
		if !ok {
			s.t.Fatalf("%s has no body", entity)
		}
		for other, b := range s.World.Bodies.All(v) {
			it, ok := s.physics.Collider(v, other)
			if d := -solid.Between(it, me).Gap; ok && other != id && b.Type != "dynamic" && d > depth {
				depth, in = d, other
			}
		}
	})
	return depth, in
}

// clear holds that a character is in nothing, but for the millimetre that is allowed.
func (s *site) clear(what, entity string) {
	s.t.Helper()
	if d, in := s.depth(entity); d > 0.0011 {
		s.t.Errorf("%s: at %v it is %v m deep in %s", what, s.at(entity), d, in)
	}
}

// awake returns how many bodies are.
func (s *site) awake() int { return s.physics.Stats().Awake }

// look is a hash of what viewers see of all entities.
func (s *site) look() string {
	sum := sha256.New()
	s.World.View(func(v *world.View) {
		for id := range v.All() {
			sum.Write(s.World.AppendEntity(nil, v, id))
		}
	})
	return hex.EncodeToString(sum.Sum(nil))
}

func (s *site) hash() string {
	h := s.World.Hash()
	return hex.EncodeToString(h[:])
}
