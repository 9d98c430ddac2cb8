package build

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/world"
)

// trees are scattered over terraces.
func trees() Task {
	return Task{
		Name: "200 trees on a hillside",
		Prompt: "The hillside has six terraces, each higher than the one before it towards -z. Plant 200 trees on it (boxes 0.4 m thick and 3 m high), anywhere from x -28 to 28 and z -28 to 28, " +
			"no two nearer to each other than 2 m, each standing on the terrace that is below its middle.",
		Calls: 1, Agents: 1,
		Start: func(s *Stage) error {
			for i := range 6 {
				h := 1 + float64(i)*1.5
				if _, err := s.put(world.Vec3{0, h / 2, 25 - 10*float64(i)}, world.Vec3{60, h, 10}); err != nil {
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
			area := args{"min": world.Vec3{-28, 0, -28}, "max": world.Vec3{28, 20, 28}}
			_, err = a.Batch(append(
				box("tree", world.Vec3{0, 30, 0}, world.Vec3{0.4, 3, 0.4}, args{"material": "wood"}),
				op{"scene.array", args{"entity": "$tree.entity", "pattern": "scatter", "count": 200, "apart": 2.0, "area": area, "seed": 7}, ""},
				op{"scene.destroyEntity", args{"entity": "$tree.entity"}, ""},
			)...)
			return err
		},
		Spoil: func(s *Stage) error {
			made := s.made()
			return s.shift(made[100].id, world.Vec3{0, 0.1, 0})
		},
		Check: func(s *Stage) error {
			made := s.made()
			if len(made) != 200 {
				return fmt.Errorf("there are %d trees", len(made))
			}
			for i, t := range made {
				if !nearAll(t.half, world.Vec3{0.2, 1.5, 0.2}) || math.Abs(t.at[0]) > 28.01 || math.Abs(t.at[2]) > 28.01 {
					return fmt.Errorf("%s is no tree, or not on the hillside: %+v", t.id, t)
				}
				for _, o := range made[:i] {
					if math.Hypot(t.at[0]-o.at[0], t.at[2]-o.at[2]) < 2-1e-6 {
						return fmt.Errorf("%s and %s are too near to each other", o.id, t.id)
					}
				}
				below := 1 + 1.5*math.Floor((30-t.at[2])/10)
				if !near(t.lo()[1], below) {
					return fmt.Errorf("%s stands at %v; the ground there is at %v", t.id, t.lo()[1], below)
				}
			}
			return s.kept()
		},
	}
}
