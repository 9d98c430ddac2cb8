package build

import (
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// recovery brings back what was deleted.
func recovery() Task {
	return Task{
		Name:   "after a bulk delete",
		Prompt: "Your last call destroyed most of what you had built. Bring all of it back, in at most three calls.",
		Calls:  1, Agents: 1,
		Start: func(s *Stage) error {
			if err := s.ground(); err != nil {
				return err
			}
			a, err := s.Agent("ann")
			if err != nil {
				return err
			}
			var ops []op
			for i := range 40 {
				f := float64(i)
				ops = append(ops, box(fmt.Sprintf("thing%d", i), world.Vec3{2 * float64(i%8), 0.5 + f/80, 2 * float64(i/8)}, world.Vec3{1, 1 + f/40, 1}, args{"color": 0x10203 * i, "static": true})...)
			}
			if _, err := a.Batch(ops...); err != nil {
				return err
			}
			s.before = s.things()
			ops = nil
			for i := range 30 {
				ops = append(ops, op{"scene.destroyEntity", args{"entity": fmt.Sprintf("ent_%d", i+5)}, ""})
			}
			_, err = a.Batch(ops...)
			return err
		},
		Solve: func(s *Stage) error {
			a, err := s.Agent("ann")
			if err != nil {
				return err
			}
			return a.Call("world_undo", args{}, nil)
		},
		Spoil: func(s *Stage) error { return s.destroy(20) },
		Check: func(s *Stage) error {
			now := s.things()
			for id, was := range s.before {
				if t, ok := now[id]; !ok || t.color != was.color || t.body != was.body {
					return fmt.Errorf("%s is not as it was", id)
				}
			}
			if n := len(s.made()); n > 0 {
				return fmt.Errorf("there are %d more than before", n)
			}
			return s.kept()
		},
	}
}
