package build

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// trees are scattered over hills.
func trees() Task {
	return Task{
		Name: "200 trees on terrain",
		Prompt: "From x 0 to 96 and z 0 to 96 there are hills. Plant 200 trees on them (boxes 0.4 m thick and 3 m high, upright), anywhere from x 2 to 94 and z 2 to 94, " +
			"no two nearer to each other than 2 m, each standing on the ground below its middle, within 0.25 m.",
		Calls: 1, Agents: 1,
		Start: hills,
		Solve: func(s *Stage) error {
			a, err := s.Agent("ann")
			if err != nil {
				return err
			}
			area := args{"min": world.Vec3{2, 0, 2}, "max": world.Vec3{94, 100, 94}}
			_, err = a.Batch(append(
				box("tree", world.Vec3{0, 130, 0}, world.Vec3{0.4, 3, 0.4}, args{"material": "wood"}),
				op{"scene.array", args{"entity": "$tree.entity", "pattern": "scatter", "count": 200, "apart": 2.0, "area": area, "seed": 7}, ""},
				op{"scene.destroyEntity", args{"entity": "$tree.entity"}, ""},
			)...)
			return err
		},
		Spoil: func(s *Stage) error {
			made := s.made()
			return s.shift(made[100].id, world.Vec3{0, 0.5, 0})
		},
		Check: func(s *Stage) error {
			made := s.made()
			if len(made) != 200 {
				return fmt.Errorf("there are %d trees", len(made))
			}
			for i, t := range made {
				if !nearAll(t.half, world.Vec3{0.2, 1.5, 0.2}) || !t.upright() || math.Abs(t.at[0]-48) > 46.01 || math.Abs(t.at[2]-48) > 46.01 {
					return fmt.Errorf("%s is no tree, or not on the hills: %+v", t.id, t)
				}
				for _, o := range made[:i] {
					if math.Hypot(t.at[0]-o.at[0], t.at[2]-o.at[2]) < 2-1e-6 {
						return fmt.Errorf("%s and %s are too near to each other", o.id, t.id)
					}
				}
				if below := s.hill(t.at[0], t.at[2]); math.Abs(t.lo()[1]-below) > 0.25 {
					return fmt.Errorf("%s stands at %v; the ground there is at %v", t.id, t.lo()[1], below)
				}
			}
			return s.kept()
		},
	}
}

// tile returns one of the four tiles of the hills.
func tile(x, z int) (world.Ground, error) {
	land, err := terrain.New(1234, terrain.Hills, terrain.Hints{})
	return world.Ground{Land: land, Tile: [2]int{x, z}}, err
}

// hills are four tiles of ground, from the origin on.
func hills(s *Stage) error {
	for i := range 4 {
		g, err := tile(i%2, i/2)
		if err != nil {
			return err
		}
		_, err = s.World.Update(s.ctx, func(tx *world.Tx) error {
			id, err := tx.Create(world.Spec{Position: g.Place()})
			if err != nil {
				return err
			}
			if err := s.World.Grounds.Set(tx, id, g); err != nil {
				return err
			}
			return s.World.Bodies.Set(tx, id, world.Body{Type: "static", Friction: 1})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// hill is how high the ground is, from the land alone.
func (s *Stage) hill(x, z float64) float64 {
	i, k := min(int(x/terrain.Size), 1), min(int(z/terrain.Size), 1)
	g, err := tile(i, k)
	if err != nil {
		return math.NaN()
	}
	t := s.World.Surface(g)
	return t.Surface((x-terrain.Size*float64(i))/t.Cell, (z-terrain.Size*float64(k))/t.Cell)
}
