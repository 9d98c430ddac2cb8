package physics_test

import (
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// stage is a box that sleeps on a plate, which lies on a floor, and another beside it.
type stage struct {
	*rig
	plate, box, other world.ID
}

// disturbances are what may wake what sleeps on a stage.
var disturbances = map[string]func(*stage, *world.Tx) error{
	"plate destroyed":    func(s *stage, tx *world.Tx) error { tx.Destroy(s.plate); return nil },
	"plate unbodied":     func(s *stage, tx *world.Tx) error { s.Bodies.Remove(tx, s.plate); return nil },
	"plate far":          moved((*stage).thePlate, world.Vec3{50, 0, 0}),
	"plate aside":        moved((*stage).thePlate, world.Vec3{1.2, 0, 0}),
	"plate a hair aside": moved((*stage).thePlate, world.Vec3{0.002, 0, 0}),
	"plate down":         moved((*stage).thePlate, world.Vec3{0, -0.3, 0}),
	"plate a hair down":  moved((*stage).thePlate, world.Vec3{0, -0.002, 0}),
	"plate up":           moved((*stage).thePlate, world.Vec3{0, 0.1, 0}),
	"plate tilted": func(s *stage, tx *world.Tx) error {
		at, _ := tx.Transform(s.plate)
		at.Rotation = world.QuatFromEuler(0, 0, 0.6)
		return tx.SetTransform(s.plate, at)
	},
	"plate small":     func(s *stage, tx *world.Tx) error { return tx.SetScale(s.plate, world.Vec3{0.2, 1, 0.2}) },
	"plate slippery":  bodied((*stage).thePlate, world.Body{Type: "kinematic", Collider: "box"}),
	"plate static":    bodied((*stage).thePlate, world.Body{Type: "static", Collider: "box", Friction: 0.5}),
	"plate dynamic":   bodied((*stage).thePlate, world.Body{Type: "dynamic", Collider: "box", Friction: 0.5}),
	"box static":      bodied((*stage).theBox, world.Body{Type: "static", Collider: "box"}),
	"box a hair up":   moved((*stage).theBox, world.Vec3{0, 0.001, 0}),
	"box up":          moved((*stage).theBox, world.Vec3{0, 1, 0}),
	"box into other":  moved((*stage).theBox, world.Vec3{2.7, 0, 0}),
	"box hardly push": pushed(world.Vec3{0.0001, 0, 0}),
	"box pushed":      pushed(world.Vec3{1, 2, 0}),
	"box and a wall":  joined(world.Body{Type: "static"}),
	"box and a door":  joined(world.Body{Type: "kinematic"}),
	"box and a friend": func(s *stage, tx *world.Tx) error {
		_, err := s.Spawn(tx, s.beside(tx), physics.Character{HalfHeight: 0.5, Radius: 0.5, WalkSpeed: 4, RunSpeed: 8, Gravity: 20, JumpSpeed: 5})
		return err
	},
}

func (s *stage) thePlate() world.ID { return s.plate }
func (s *stage) theBox() world.ID   { return s.box }

// beside is a place from which something that is a metre wide sticks out into the box.
func (s *stage) beside(tx *world.Tx) world.Vec3 {
	at, _ := tx.Position(s.box)
	return at.Add(world.Vec3{0.9, 0, 0})
}

func moved(id func(*stage) world.ID, by world.Vec3) func(*stage, *world.Tx) error {
	return func(s *stage, tx *world.Tx) error {
		at, _ := tx.Position(id(s))
		return tx.SetPosition(id(s), at.Add(by))
	}
}

func bodied(id func(*stage) world.ID, b world.Body) func(*stage, *world.Tx) error {
	return func(s *stage, tx *world.Tx) error { return s.Bodies.Set(tx, id(s), b) }
}

func pushed(impulse world.Vec3) func(*stage, *world.Tx) error {
	return func(s *stage, tx *world.Tx) error {
		_, err := s.Push(tx, s.box, impulse)
		return err
	}
}

func joined(b world.Body) func(*stage, *world.Tx) error {
	return func(s *stage, tx *world.Tx) error {
		_, err := s.create(tx, s.beside(tx), world.Vec3{1, 1, 1}, b)
		return err
	}
}

// TestIdle holds that no body needs a step which the engine does not take because nothing is awake: whatever
// is done to a stage on which all sleep, it goes on like one with something far away that never rests.
func TestIdle(t *testing.T) {
	counts := 3
	if race.Enabled {
		counts = 1
	}
	// play returns where everything was after each step, when the stage was disturbed by a call (in no step) or
	// in that many steps.
	play := func(t *testing.T, plate string, disturb func(*stage, *world.Tx) error, steps int, restless bool) (was []world.Vec3) {
		t.Helper()
		s := &stage{rig: newRig(t)}
		s.floor()
		s.plate = s.thing(world.Vec3{0, 0.25, 0}, world.Vec3{2, 0.5, 2}, world.Body{Type: plate, Friction: 0.5})
		s.box = s.rig.box(world.Vec3{0, 1, 0})
		s.other = s.rig.box(world.Vec3{3.5, 0.5, 0})
		if restless {
			s.rig.box(world.Vec3{0, 50_000, 50_000})
		}
		s.steps(200)
		if !s.resting(s.box) || !s.resting(s.other) {
			t.Fatal("they do not sleep")
		}
		if steps == 0 {
			s.must(func(tx *world.Tx) error { return disturb(s, tx) })
		} else {
			s.mover = func(tx *world.Tx) error {
				if steps--; steps == 0 {
					s.mover = nil
				}
				return disturb(s, tx)
			}
		}
		for range 300 {
			s.steps(1)
			was = append(was, s.at(s.box), s.at(s.other), s.at(s.plate))
		}
		return was
	}
	for _, plate := range []string{"static", "kinematic"} {
		for name, disturb := range disturbances {
			for _, steps := range []int{0, 1, 3}[:counts] {
				t.Run(fmt.Sprintf("%s plate, %s, %d steps", plate, name, steps), func(t *testing.T) {
					got, want := play(t, plate, disturb, steps, false), play(t, plate, disturb, steps, true)
					for i := range got {
						if d := got[i].Dist(want[i]); d > 0.001 {
							t.Fatalf("in step %d something is at %v, want %v", i/3, got[i], want[i])
						}
					}
				})
			}
		}
	}
}
