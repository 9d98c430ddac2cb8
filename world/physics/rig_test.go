package physics_test

import (
	"context"
	"errors"
	"testing"

	"github.com/limina-mcp/limina/internal/rapiertest"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// rig is a world with physics, and the ways to change it that have to succeed.
type rig struct {
	*world.World
	*physics.Physics
	t        testing.TB
	rebuilds []physics.Rebuild
	fail     func(*failing) error // asked before each step of an engine; nil: nothing fails
	opened   int
	wrap     func(physics.Engine) physics.Engine // what engines are taken for; nil: as they are
	mover    func(tx *world.Tx) error            // runs in steps, before physics; nil: nothing does
}

// failing is an engine that fails when it is told to.
type failing struct {
	physics.Engine
	rig   *rig
	steps int
}

var errTold = errors.New("the engine was told to fail")

func (f *failing) Step() error {
	f.steps++
	if f.rig.fail != nil {
		if err := f.rig.fail(f); err != nil {
			return err
		}
	}
	return f.Engine.Step()
}

// newRig returns a world in which bodies move.
func newRig(t testing.TB) *rig {
	t.Helper()
	r := &rig{t: t}
	r.World = world.New(world.Config{Seed: 1, StepFailed: func(name string, err error) {
		if !errors.Is(err, errTold) {
			t.Errorf("step %s: %v", name, err)
		}
	}})
	r.OnStep("mover", func(tx *world.Tx) error {
		if r.mover == nil {
			return nil
		}
		return r.mover(tx)
	}, world.BusyWhile(func(*world.View) bool { return r.mover != nil }))
	r.Physics = physics.New(r.World, physics.Config{
		Gravity: -9.81,
		Open: func(ctx context.Context, s physics.Settings) (physics.Engine, error) {
			e, err := rapiertest.Runtime().Open(ctx, s)
			r.opened++
			if r.wrap != nil && err == nil {
				e = r.wrap(e)
			}
			return &failing{Engine: e, rig: r}, err
		},
		Rebuilt: func(b physics.Rebuild) { r.rebuilds = append(r.rebuilds, b) },
	})
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *rig) must(fn func(tx *world.Tx) error) {
	r.t.Helper()
	if _, err := r.Update(context.Background(), fn); err != nil {
		r.t.Fatal(err)
	}
}

// thing creates an entity with a body.
func (r *rig) thing(at world.Vec3, size world.Vec3, b world.Body) (id world.ID) {
	r.t.Helper()
	r.must(func(tx *world.Tx) (err error) {
		id, err = r.create(tx, at, size, b)
		return err
	})
	return id
}

func (r *rig) create(tx *world.Tx, at world.Vec3, size world.Vec3, b world.Body) (world.ID, error) {
	id, err := tx.Create(world.Spec{Position: at})
	if err != nil {
		return 0, err
	}
	if b.Collider == "" {
		b.Collider = "box"
	}
	if err := r.Shapes.Set(tx, id, world.Shape{Kind: b.Collider, Size: size}); err != nil {
		return 0, err
	}
	return id, r.Bodies.Set(tx, id, b)
}

func (r *rig) box(at world.Vec3) world.ID {
	r.t.Helper()
	return r.thing(at, world.Vec3{1, 1, 1}, world.Body{Type: "dynamic", Friction: 0.5})
}

// floor is at y 0.
func (r *rig) floor() world.ID {
	r.t.Helper()
	return r.thing(world.Vec3{0, -0.5, 0}, world.Vec3{200, 1, 200}, world.Body{Type: "static", Friction: 0.5})
}

func (r *rig) steps(n int) {
	r.t.Helper()
	for range n {
		r.Step(context.Background())
	}
}

func (r *rig) at(id world.ID) (p world.Vec3) {
	r.View(func(v *world.View) {
		t, _ := v.WorldTransform(id)
		p = t.Position
	})
	return p
}

func (r *rig) resting(id world.ID) (yes bool) {
	r.View(func(v *world.View) { yes = r.Resting(v, id) })
	return yes
}
