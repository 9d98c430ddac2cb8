package build

import (
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// banks makes two with a gap of 10 m between them, in x.
func banks(s *Stage) error {
	for _, x := range []float64{-12.5, 12.5} {
		if _, err := s.put(world.Vec3{x, -2, 0}, world.Vec3{15, 4, 8}); err != nil {
			return err
		}
	}
	return nil
}

// bridge carries a ball.
func bridge() Task {
	return Task{
		Name: "a bridge for 50 kg",
		Prompt: "Two banks, whose tops are at y 0, end at x -5 and x 5. Lay a bridge over the gap along z 0, at least 2 m wide, of bodies that are dynamic: it is held by nothing but the banks. " +
			"It has to carry a ball of 50 kg in its middle for 10 s.",
		Calls: 1, Agents: 1,
		Start: banks,
		Solve: func(s *Stage) error {
			a, err := s.Agent("ann")
			if err != nil {
				return err
			}
			_, err = a.Batch(box("deck", world.Vec3{0, 0.2, 0}, world.Vec3{12, 0.4, 3}, args{"dynamic": true, "mass": 2000, "material": "wood"})...)
			return err
		},
		Spoil: func(s *Stage) error { return s.shift(s.made()[0].id, world.Vec3{1.3, 0, 0}) },
		Check: func(s *Stage) error {
			top := -1.0
			for _, t := range s.made() {
				if t.body != "dynamic" {
					return fmt.Errorf("%s has no dynamic body", t.id)
				}
				if within(world.Vec3{0, t.at[1], 0}, t.lo(), t.hi()) {
					top = max(top, t.hi()[1])
				}
			}
			if top < 0 {
				return fmt.Errorf("nothing is above the middle of the gap")
			}
			if err := s.kept(); err != nil {
				return err
			}
			return s.load(top)
		},
	}
}

// load lays a ball on the middle of the bridge and waits.
func (s *Stage) load(top float64) error {
	var ball world.ID
	_, err := s.World.Update(s.ctx, func(tx *world.Tx) (err error) {
		if ball, err = tx.Create(world.Spec{Position: world.Vec3{0, top + 0.41, 0}}); err != nil {
			return err
		}
		if err := s.World.Shapes.Set(tx, ball, world.Shape{Kind: "sphere", Size: world.Vec3{0.8, 0.8, 0.8}}); err != nil {
			return err
		}
		return s.World.Bodies.Set(tx, ball, world.Body{Type: "dynamic", Collider: "sphere", Friction: 1, Mass: 50})
	})
	if err != nil {
		return err
	}
	s.Steps(600)
	var at world.Vec3
	s.World.View(func(v *world.View) { at, _ = v.Position(ball) })
	if at[1] < top+0.2 || at[0] < -4 || at[0] > 4 {
		return fmt.Errorf("after ten seconds the ball is at %v", at)
	}
	return nil
}
