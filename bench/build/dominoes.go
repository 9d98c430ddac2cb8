package build

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// dominoes topple one another.
func dominoes() Task {
	return Task{
		Name: "dominoes",
		Prompt: "Set up 20 dominoes on the ground in a row along x, from x 0 on: dynamic boxes 0.15 m thick in x, 1 m high and 0.5 m wide. They stand by themselves; " +
			"when the first is pushed towards +x all of them fall.",
		Calls: 1, Agents: 1,
		Start: func(s *Stage) error { return s.ground() },
		Solve: func(s *Stage) error {
			a, err := s.Agent("ann")
			if err != nil {
				return err
			}
			_, err = a.Batch(append(
				box("stone", world.Vec3{0, 0.5, 0}, world.Vec3{0.15, 1, 0.5}, args{"dynamic": true}),
				op{"scene.array", args{"entity": "$stone.entity", "pattern": "line", "count": 20, "step": world.Vec3{0.6, 0, 0}}, ""},
			)...)
			return err
		},
		Spoil: func(s *Stage) error { // a gap that is too wide to fall across
			for _, t := range s.made()[10:] {
				if err := s.shift(t.id, world.Vec3{0.7, 0, 0}); err != nil {
					return err
				}
			}
			return nil
		},
		Check: func(s *Stage) error {
			stones := s.made()
			if len(stones) != 20 {
				return fmt.Errorf("there are %d dominoes", len(stones))
			}
			for _, t := range stones {
				if t.body != "dynamic" || !nearAll(t.half, world.Vec3{0.075, 0.5, 0.25}) {
					return fmt.Errorf("%s is no domino: %+v", t.id, t)
				}
			}
			slices.SortFunc(stones, func(a, b thing) int { return cmp.Compare(a.at[0], b.at[0]) })
			s.Steps(180)
			if n := s.fallen(stones); n > 0 {
				return fmt.Errorf("%d fall by themselves", n)
			}
			if err := s.kept(); err != nil {
				return err
			}
			first := stones[0]
			_, err := s.World.Update(s.ctx, func(tx *world.Tx) error {
				_, err := s.Engine.Physics.Push(tx, first.id, world.Vec3{2 * first.mass, 0, 0})
				return err
			})
			if err != nil {
				return err
			}
			s.Steps(900)
			if n := s.fallen(stones); n != len(stones) {
				return fmt.Errorf("%d of %d fall", n, len(stones))
			}
			return nil
		},
	}
}

// fallen counts those that are tilted by more than 30 degrees: one leans on the next.
func (s *Stage) fallen(stones []thing) (n int) {
	now := s.things()
	for _, t := range stones {
		if now[t.id].upward < math.Cos(math.Pi/6) {
			n++
		}
	}
	return n
}
