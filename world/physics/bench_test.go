package physics_test

import (
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
	"github.com/limina-mcp/limina/world/terrain"
)

// crowd makes n characters on a floor among ten times as many boxes, and returns the characters.
func (r *rig) crowd(n int) (ids []world.ID) {
	r.floor()
	r.must(func(tx *world.Tx) error {
		for i := range n {
			x, z := float64(4*(i%20)-40), float64(4*(i/20)-40)
			for j := range 10 {
				at := world.Vec3{x - 1.8 + float64(0.36*float64(j)), 1, z + 1.5}
				if _, err := r.create(tx, at, world.Vec3{0.36, 2, 0.2}, world.Body{Type: "static"}); err != nil {
					return err
				}
			}
			id, err := r.Spawn(tx, world.Vec3{x, 0.87, z}, physics.Character{HalfHeight: 0.5, Radius: 0.35, WalkSpeed: 4.5, RunSpeed: 8, Gravity: 22, JumpSpeed: 8})
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return nil
	})
	r.steps(30)
	return ids
}

// BenchmarkWalk takes steps with so many characters that walk about.
func BenchmarkWalk(b *testing.B) {
	for _, n := range []int{1, 100, 400} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := newRig(b)
			ids := r.crowd(n)
			step := 0
			for b.Loop() {
				if step%60 == 0 {
					r.must(func(tx *world.Tx) error {
						for i, id := range ids {
							if err := r.Send(tx, id, physics.Intent{Forward: 0.5, Yaw: float64(i + step/60), Steps: 60}); err != nil {
								return err
							}
						}
						return nil
					})
				}
				step++
				r.steps(1)
			}
		})
	}
}

// watchful is an engine about whose places there is always something, so that its controller has to tell how far characters come.
type watchful struct{ physics.Engine }

func (w watchful) Around(dst []physics.Handle, _, _ world.Vec3, most int) ([]physics.Handle, error) {
	for range most {
		dst = append(dst, physics.NoHandle)
	}
	return dst, nil
}

// BenchmarkOpen takes steps with 100 characters that walk over hills, and with as many for whom the engine's controller is asked all the same.
func BenchmarkOpen(b *testing.B) {
	for _, name := range []string{"outright", "controller"} {
		b.Run(name, func(b *testing.B) {
			r := newRig(b)
			if name == "controller" {
				r.wrap = func(e physics.Engine) physics.Engine { return watchful{e} }
			}
			r.tile(world.Vec3{}, terrain.Hills, 0, world.Vec3{1, 1, 1})
			var ids []world.ID
			for i := range 100 {
				ids = append(ids, r.walker(world.Vec3{float64(4*(i%10)) - 18, 40, float64(4*(i/10)) - 18}))
			}
			r.steps(300)
			step := 0
			for b.Loop() {
				if step%60 == 0 {
					for i, id := range ids {
						r.send(id, physics.Intent{Forward: 0.5, Yaw: float64(i + step/60*3), Steps: 60})
					}
				}
				step++
				r.steps(1)
			}
		})
	}
}

// BenchmarkPushed takes steps in which walls push so many characters to and fro.
func BenchmarkPushed(b *testing.B) {
	for _, n := range []int{1, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := newRig(b)
			ids := r.crowd(n)
			var walls []world.ID
			var from []world.Vec3
			for _, id := range ids {
				at := r.at(id).Add(world.Vec3{-0.48, 0.2, 0})
				walls, from = append(walls, r.thing(at, world.Vec3{0.2, 2, 1}, world.Body{Type: "kinematic"})), append(from, at)
			}
			step := 0
			r.mover = func(tx *world.Tx) error {
				step++
				for i, id := range walls {
					if err := tx.SetPosition(id, from[i].Add(world.Vec3{0.005 * float64(step%200), 0, 0})); err != nil {
						return err
					}
				}
				return nil
			}
			for b.Loop() {
				r.steps(1)
			}
		})
	}
}
