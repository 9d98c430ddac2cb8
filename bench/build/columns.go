package build

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// columns are five by five.
func columns() Task {
	return Task{
		Name:   "5 × 5 columns",
		Prompt: "Build 25 columns, 3 m high and 0.5 m thick, that stand on the ground in 5 rows of 5, 2 m from middle to middle in x and in z.",
		Calls:  1, Agents: 1,
		Start: func(s *Stage) error { return s.ground() },
		Solve: func(s *Stage) error {
			a, err := s.Agent("ann")
			if err != nil {
				return err
			}
			_, err = a.Batch(append(
				box("column", world.Vec3{-4, 1.5, -4}, world.Vec3{0.5, 3, 0.5}, args{"static": true}),
				op{"scene.array", args{"entity": "$column.entity", "pattern": "grid", "counts": []int{5, 1, 5}, "spacing": world.Vec3{2, 0, 2}}, ""},
			)...)
			return err
		},
		Spoil: func(s *Stage) error { return s.shift(s.made()[12].id, world.Vec3{0, 0, 0.05}) },
		Check: func(s *Stage) error {
			made := s.made()
			if len(made) != 25 {
				return fmt.Errorf("there are %d columns", len(made))
			}
			slices.SortFunc(made, func(a, b thing) int {
				return cmp.Or(cmp.Compare(math.Round(a.at[2]*2), math.Round(b.at[2]*2)), cmp.Compare(a.at[0], b.at[0]))
			})
			for i, c := range made {
				want := made[0].at.Add(world.Vec3{2 * float64(i%5), 0, 2 * float64(i/5)})
				if !nearAll(c.at, want) || !near(c.lo()[1], 0) || !nearAll(c.half, world.Vec3{0.25, 1.5, 0.25}) {
					return fmt.Errorf("%s, %v large, is at %v; a column should be at %v", c.id, c.half.Scale(2), c.at, want)
				}
			}
			return s.kept()
		},
	}
}
