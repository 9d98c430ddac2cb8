package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	skills "github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
	"github.com/limina-mcp/limina/world/physics/rapier"
)

// fill puts the scene into a world.
func (s scene) fill(w *world.World) error {
	_, err := w.Update(context.Background(), func(tx *world.Tx) error {
		put := func(kind string, at, size world.Vec3) error {
			id, err := tx.Create(world.Spec{Position: at})
			if err != nil {
				return err
			}
			if err := w.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: size}); err != nil {
				return err
			}
			return w.Bodies.Set(tx, id, world.Body{Type: kind, Collider: "box", Friction: 0.5})
		}
		if err := put("static", world.Vec3{0, -0.5, 0}, world.Vec3{1000, 1, 1000}); err != nil {
			return err
		}
		for i := range s.count {
			if err := put("dynamic", s.place(i), world.Vec3{1, 1, 1}); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// whole steps the world with the scene in it; viewed, with one who watches everything and pulls a delta,
// as JSON, after every step.
func (s scene) whole(runtime *rapier.Runtime, viewed bool) (float64, error) {
	ctx := context.Background()
	w := world.New(world.Config{})
	p := physics.New(w, physics.Config{Open: runtime.Open, Gravity: -9.81})
	defer p.Close()
	if err := s.fill(w); err != nil {
		return 0, err
	}
	pull := func() {}
	if viewed {
		feed := statesync.New(w, statesync.Config{}).Connect(func() {})
		defer feed.Close()
		_, view, err := feed.Subscribe(nil, statesync.Options{Name: "all", Area: statesync.Area{Whole: true}})
		if err != nil {
			return 0, err
		}
		view.Start()
		var frame []byte
		pull = func() { frame, _ = feed.Append(frame[:0]) }
	}
	for range s.before() {
		w.Step(ctx)
		pull()
	}
	start := time.Now()
	for range s.steps {
		w.Step(ctx)
		pull()
	}
	return micros(start, s.steps), nil
}

// rays casts rays into a thousand boxes at rest, from engine code, through the whole pipeline, and prints
// the best round.
func rays(rounds int) error {
	e, err := engine.New(engine.Config{Rigid: true})
	if err != nil {
		return err
	}
	if err := (scene{count: 1000}).fill(e.World); err != nil {
		return err
	}
	session, err := e.Mcp.Open(mcp.Identity{AgentID: "ray", SessionID: "ray", Profile: "builder.readWrite"})
	if err != nil {
		return err
	}
	ctx := context.Background()
	const n = 100_000
	best, hits := math.Inf(1), 0
	for range rounds {
		hits = 0
		start := time.Now()
		for i := range n {
			in := skills.RaycastIn{Origin: world.Vec3{float64(i % 12), 50, float64(i % 11)}, Direction: world.Vec3{0, -1, 0}, MaxDistance: 100}
			out, err := mcp.Invoke[skills.RaycastIn, skills.RaycastOut](ctx, e.Mcp, session, "physics.raycast", in)
			if err != nil {
				return err
			}
			if out.Hit {
				hits++
			}
		}
		best = min(best, micros(start, n))
	}
	fmt.Printf("\nphysics.raycast among 1,000 boxes, by mcp.Invoke: %.2f µs (%d of %d hit)\n", best, hits, n)
	return nil
}
