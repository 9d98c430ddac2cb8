package build

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/world"
)

// From where to where the path goes.
var (
	pathFrom = world.Vec3{-8, 0, -8}
	pathTo   = world.Vec3{8, 0, 8}
)

// path leads around walls.
func path() Task {
	return Task{
		Name: "a path from A to B",
		Prompt: "Walls stand between A (-8, 0, -8) and B (8, 0, 8). Mark a way from A to B with spheres 0.2 m large that have the tag path, lying on the ground: the first at A, the last at B, each at most 1 m from the next, " +
			"so that whoever goes straight from each to the next stays 0.3 m away from every wall.",
		Calls: 3, Agents: 1,
		Start: func(s *Stage) error {
			if err := s.ground(); err != nil {
				return err
			}
			for _, w := range [][2]world.Vec3{
				{{-10, 0, -5}, {6, 2, -4.5}},
				{{-6, 0, 0}, {10, 2, 0.5}},
				{{-10, 0, 4}, {3, 2, 4.5}},
				{{3, 0, 4}, {3.5, 2, 8}},
				{{-10, 0, -10.5}, {10, 2, -10}},
				{{-10, 0, 10}, {10, 2, 10.5}},
				{{-10.5, 0, -10.5}, {-10, 2, 10.5}},
				{{10, 0, -10.5}, {10.5, 2, 10.5}},
			} {
				if _, err := s.put(w[0].Add(w[1]).Scale(0.5), w[1].Sub(w[0]), "wall"); err != nil {
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
			grid := args{"bounds": args{"minX": -10, "minZ": -10, "maxX": 10, "maxZ": 10}, "cellSize": 0.5, "diagonal": true, "agentRadius": 0.3}
			if err := a.Call("skills_call", args{"name": "navmesh.build", "input": grid}, nil); err != nil {
				return err
			}
			var out struct{ Path []world.Vec3 }
			if err := a.Call("skills_call", args{"name": "navmesh.findPath", "input": args{"from": pathFrom, "to": pathTo}}, &out); err != nil {
				return err
			}
			var ops []op
			mark := func(p world.Vec3) {
				as := fmt.Sprintf("mark%d", len(ops))
				ops = append(ops,
					op{"scene.createEntity", args{"shape": "sphere", "size": 0.2, "position": world.Vec3{p[0], 0.1, p[2]}}, as},
					op{"ecs.addComponent", args{"entity": "$" + as + ".entity", "component": "path"}, ""})
			}
			mark(pathFrom)
			for i, p := range out.Path {
				if i == 0 {
					continue
				}
				way := p.Sub(out.Path[i-1])
				n := math.Ceil(way.Len() / 0.95)
				for k := 1.0; k <= n; k++ {
					mark(out.Path[i-1].Add(way.Scale(k / n)))
				}
			}
			_, err = a.Batch(ops...)
			return err
		},
		Spoil: func(s *Stage) error {
			made := s.made()
			return s.destroy(made[len(made)/2].id)
		},
		Check: checkPath,
	}
}

// checkPath goes from A by marks that are near enough to each other, and away from the walls, and looks
// whether it gets to B.
func checkPath(s *Stage) error {
	marks := s.made()
	reached := map[int]bool{}
	var queue []int
	for i, m := range marks {
		if m.kind != "sphere" || !near(m.half[0], 0.1) || !near(m.at[1], 0.1) || len(m.tags) != 1 || m.tags[0] != "path" {
			return fmt.Errorf("%s is no mark: %+v", m.id, m)
		}
		if apart(m.at, pathFrom) < 0.01 {
			reached[i] = true
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		at := marks[queue[0]].at
		queue = queue[1:]
		if apart(at, pathTo) < 0.01 {
			return s.kept()
		}
		for i, m := range marks {
			if !reached[i] && apart(at, m.at) <= 1+1e-9 && s.clear(at, m.at) {
				reached[i] = true
				queue = append(queue, i)
			}
		}
	}
	return fmt.Errorf("the marks do not lead from A to B")
}

func apart(a, b world.Vec3) float64 { return math.Hypot(a[0]-b[0], a[2]-b[2]) }

// clear reports whether every point between two is 0.3 m away from the walls.
func (s *Stage) clear(a, b world.Vec3) bool {
	for _, w := range s.before {
		if w.half[1] < 0.9 { // the ground
			continue
		}
		for i := range 101 {
			p := a.Add(b.Sub(a).Scale(float64(i) / 100))
			x := max(math.Abs(p[0]-w.at[0])-w.half[0], 0)
			z := max(math.Abs(p[2]-w.at[2])-w.half[2], 0)
			if math.Hypot(x, z) < 0.3-1e-6 {
				return false
			}
		}
	}
	return true
}
