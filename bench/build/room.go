package build

import (
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// room is a closed room with a door and a window.
func room() Task {
	return Task{
		Name: "a room with door and window",
		Prompt: "Build a closed room around (0, 1, 0), standing on the ground, 5 m wide inside in x, 4 m in z, 2.6 m high, with walls 0.2 m thick and a roof. " +
			"In the middle of the wall at +z is a door, 1 m wide and 2.1 m high, in the middle of the wall at -z a window, 1 m by 1 m, whose sill is 1 m high. Both are open; otherwise nothing gets in.",
		Calls: 1, Agents: 1,
		Start: func(s *Stage) error { return s.ground() },
		Solve: func(s *Stage) error {
			a, err := s.Agent("ann")
			if err != nil {
				return err
			}
			var ops []op
			for i, part := range [][2]world.Vec3{ // from, to
				{{-2.7, 0, -2.2}, {-2.5, 2.6, 2.2}},
				{{2.5, 0, -2.2}, {2.7, 2.6, 2.2}},
				{{-2.5, 0, 2}, {-0.5, 2.6, 2.2}},
				{{0.5, 0, 2}, {2.5, 2.6, 2.2}},
				{{-0.5, 2.1, 2}, {0.5, 2.6, 2.2}},
				{{-2.5, 0, -2.2}, {-0.5, 2.6, -2}},
				{{0.5, 0, -2.2}, {2.5, 2.6, -2}},
				{{-0.5, 0, -2.2}, {0.5, 1, -2}},
				{{-0.5, 2, -2.2}, {0.5, 2.6, -2}},
				{{-2.7, 2.6, -2.2}, {2.7, 2.8, 2.2}},
			} {
				ops = append(ops, box(fmt.Sprintf("part%d", i), part[0].Add(part[1]).Scale(0.5), part[1].Sub(part[0]), args{"static": true, "material": "brick"})...)
			}
			_, err = a.Batch(ops...)
			return err
		},
		Spoil: func(s *Stage) error {
			made := s.made()
			return s.shift(made[len(made)-1].id, world.Vec3{0.5, 0, 0}) // the roof
		},
		Check: checkRoom,
	}
}

const voxel = 0.1 // metres

// checkRoom floods the room through its openings.
func checkRoom(s *Stage) error {
	door := [2]world.Vec3{{-0.5, 0, 1.9}, {0.5, 2.1, 2.3}}
	window := [2]world.Vec3{{-0.5, 1, -2.3}, {0.5, 2, -1.9}}
	f := s.flood(door, window)
	if f.out {
		return fmt.Errorf("the room is open elsewhere than at its door and window")
	}
	if volume := f.cells * voxel * voxel * voxel; volume < 0.9*5*4*2.6 {
		return fmt.Errorf("inside there are %.1f m³", volume)
	}
	for name, opening := range map[string][2][2]world.Vec3{"door": {door, window}, "window": {window, door}} {
		if !s.flood(opening[1]).out {
			return fmt.Errorf("there is no %s", name)
		}
		// All of it is open, but for a rim of half a voxel.
		lo, hi := opening[0][0], opening[0][1]
		for x := lo[0] + 0.05; x < hi[0]; x += voxel {
			for y := lo[1] + 0.05; y < hi[1]; y += voxel {
				for z := lo[2] + 0.05; z < hi[2]; z += voxel {
					if s.filled(world.Vec3{x, y, z}) {
						return fmt.Errorf("the %s is not open at %.2f, %.2f, %.2f", name, x, y, z)
					}
				}
			}
		}
	}
	return s.kept()
}

// filled reports whether a point is in something upright.
func (s *Stage) filled(p world.Vec3) bool {
	for _, t := range s.things() {
		if within(p, t.lo(), t.hi()) {
			return true
		}
	}
	return false
}

func within(p, lo, hi world.Vec3) bool {
	return p[0] > lo[0] && p[0] < hi[0] && p[1] > lo[1] && p[1] < hi[1] && p[2] > lo[2] && p[2] < hi[2]
}

// flooded is how far water gets.
type flooded struct {
	cells float64
	out   bool
}

// flood fills the room from its middle, through cells of a tenth of a metre, with plugs in.
func (s *Stage) flood(plugs ...[2]world.Vec3) (f flooded) {
	const nx, ny, nz = 80, 40, 70
	at := func(c [3]int) world.Vec3 {
		return world.Vec3{(float64(c[0]) + 0.5 - nx/2) * voxel, (float64(c[1]) + 0.5) * voxel, (float64(c[2]) + 0.5 - nz/2) * voxel}
	}
	var wall [nx][ny][nz]bool
	for _, t := range s.things() {
		plugs = append(plugs, [2]world.Vec3{t.lo(), t.hi()})
	}
	for x := range nx {
		for y := range ny {
			for z := range nz {
				for _, b := range plugs {
					wall[x][y][z] = wall[x][y][z] || within(at([3]int{x, y, z}), b[0], b[1])
				}
			}
		}
	}
	queue := [][3]int{{nx / 2, 10, nz / 2}}
	for len(queue) > 0 {
		c := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for axis := range 3 {
			for _, d := range []int{-1, 1} {
				next := c
				next[axis] += d
				if next[1] < 0 { // the ground
					continue
				}
				if next[0] < 0 || next[0] >= nx || next[1] >= ny || next[2] < 0 || next[2] >= nz {
					f.out = true
					continue
				}
				if w := &wall[next[0]][next[1]][next[2]]; !*w {
					*w = true
					f.cells++
					queue = append(queue, next)
				}
			}
		}
	}
	return f
}
