package build

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/world"
)

// copying is a layout that is built a second time.
func copying() Task {
	return Task{
		Name:   "a copy of a layout",
		Prompt: "What has the tag reference is a layout of ten things. Build the same once more, 20 m further along +x: same shapes, sizes, rotations and colours, each within 1 cm.",
		Calls:  2, Agents: 1,
		Start: func(s *Stage) error {
			if err := s.ground(); err != nil {
				return err
			}
			for i := range 10 {
				f := float64(i)
				id, err := s.put(world.Vec3{f * 1.1, 0.4 + 0.05*f, f * f / 10}, world.Vec3{0.5 + 0.05*f, 0.8 + 0.1*f, 0.4}, "reference")
				if err != nil {
					return err
				}
				_, err = s.World.Update(s.ctx, func(tx *world.Tx) error {
					shape, _ := s.World.Shapes.Get(&tx.View, id)
					shape.Color = uint32(i) * 0x101f0a
					if i%3 == 1 {
						shape.Kind = "sphere"
					}
					if err := s.World.Shapes.Set(tx, id, shape); err != nil {
						return err
					}
					return tx.SetRotation(id, world.QuatFromEuler(0, 0.3*f, 0))
				})
				if err != nil {
					return err
				}
			}
			return nil
		},
		Solve: func(s *Stage) error {
			a, err := s.Agent("ann")
			if err != nil {
				return err
			}
			found, err := a.tagged("reference")
			if err != nil {
				return err
			}
			var ops []op
			for _, id := range found {
				ops = append(ops, op{"scene.clone", args{"entity": id, "offset": world.Vec3{20, 0, 0}}, ""})
			}
			_, err = a.Batch(ops...)
			return err
		},
		Spoil: func(s *Stage) error { return s.shift(s.made()[4].id, world.Vec3{0, 0, 0.1}) },
		Check: func(s *Stage) error {
			made := s.made()
			if len(made) != 10 {
				return fmt.Errorf("%d things were made, not ten", len(made))
			}
			for id, r := range s.before {
				if r.half[0] > 10 {
					continue
				}
				found := false
				for _, t := range made {
					same := t.kind == r.kind && t.color == r.color && nearAll(t.half, r.half) && math.Abs(turnedBy(t.turn, r.turn)) < 0.01
					found = found || same && nearAll(t.at, r.at.Add(world.Vec3{20, 0, 0}))
				}
				if !found {
					return fmt.Errorf("there is no copy of %s", id)
				}
			}
			return s.kept()
		},
	}
}

// turnedBy is the angle between two rotations.
func turnedBy(a, b world.Quat) float64 {
	dot := math.Abs(a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3])
	return 2 * math.Acos(min(dot, 1))
}
