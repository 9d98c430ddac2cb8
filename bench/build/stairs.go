package build

import (
	"fmt"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// stairs lead up to a platform.
func stairs() Task {
	return Task{
		Name: "stairs",
		Prompt: "There is a platform whose top is 2 m high; its front side is at z 0 and it reaches from x -2 to 2. Build stairs up to it from the ground in front of it (z above 0), in the middle (x 0), " +
			"1.5 m wide, that a character can climb: it is 1.7 m tall and 0.7 m wide and climbs steps of at most 0.35 m.",
		Calls: 1, Agents: 1,
		Start: func(s *Stage) error {
			if err := s.ground(); err != nil {
				return err
			}
			_, err := s.put(world.Vec3{0, 1, -2}, world.Vec3{4, 2, 4})
			return err
		},
		Solve: func(s *Stage) error {
			a, err := s.Agent("ann")
			if err != nil {
				return err
			}
			var ops []op
			for i := range 7 {
				h := 0.25 * float64(i+1)
				ops = append(ops, box(fmt.Sprintf("step%d", i), world.Vec3{0, h / 2, 0.4*float64(7-i) - 0.2}, world.Vec3{1.5, h, 0.4}, args{"static": true, "material": "stone"})...)
			}
			_, err = a.Batch(ops...)
			return err
		},
		Spoil: func(s *Stage) error { return s.destroy(s.made()[3].id) },
		Check: func(s *Stage) error {
			if err := s.kept(); err != nil {
				return err
			}
			for _, t := range s.made() {
				if t.body != "static" {
					return fmt.Errorf("%s has no static body", t.id)
				}
			}
			return s.climb()
		},
	}
}

// climb sends a character up.
func (s *Stage) climb() error {
	var walker world.ID
	_, err := s.World.Update(s.ctx, func(tx *world.Tx) (err error) {
		c := physics.Character{HalfHeight: 0.5, Radius: 0.35, WalkSpeed: 4.5, RunSpeed: 8, Gravity: 22, JumpSpeed: 8, CrouchSpeedScale: 0.5}
		if walker, err = s.Engine.Physics.Spawn(tx, world.Vec3{0, 0.9, 6}, c); err != nil {
			return err
		}
		// A body that falls has the world's physics begin.
		id, err := tx.Create(world.Spec{Position: world.Vec3{40, 1, 40}})
		if err != nil {
			return err
		}
		return s.World.Bodies.Set(tx, id, world.Body{Type: "dynamic", Collider: "box"})
	})
	if err != nil {
		return err
	}
	s.Steps(30)
	_, err = s.World.Update(s.ctx, func(tx *world.Tx) error {
		return s.Engine.Physics.Send(tx, walker, physics.Intent{Forward: 1, Yaw: 3.141592653589793, Steps: 120})
	})
	if err != nil {
		return err
	}
	s.Steps(120)
	var at world.Vec3
	s.World.View(func(v *world.View) { at, _ = v.Position(walker) })
	if at[1] < 2.7 || at[2] > -0.1 {
		return fmt.Errorf("a character that goes straight on gets to %v", at)
	}
	return nil
}
