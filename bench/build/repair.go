package build

import (
	"encoding/json"
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// planted is where the twelve defects of repair are: boxes with edges of 1 m.
var planted = []world.Vec3{
	{-20, 1.5, 10}, {-15, 0.7, 10}, {-10, 4, 10}, // in the air
	{-5, 0.3, 10}, {0, 0.1, 10}, {5, -2, 10}, // sunk
	{-20.6, 0.5, 0}, {-14.3, 0.5, 0.2}, {-10, 0.5, 0.9}, // in their neighbours
	{-5, 0.5, 0}, {0, 0.5, 0}, {5, 0.5, 0}, // there twice
}

// sound is what is right already.
var sound = []world.Vec3{
	{-20, 0.5, 0},
	{-15, 0.5, 0},
	{-10, 0.5, 0},
	{-5, 0.5, 0},
	{0, 0.5, 0},
	{5, 0.5, 0},
	{10, 0.5, 0},
	{10, 1.5, 0},
	{15, 0.5, 0},
	{15.4, 1.5, 0},
}

// repair has twelve defects.
func repair() Task {
	return Task{
		Name: "12 defects",
		Prompt: "In this yard twelve boxes are wrong: some hang in the air, some have sunk into the ground, some cut into their neighbours, some are there twice. " +
			"Repair it: every box stands on the ground or on another, none is in another by more than a centimetre, no box is there twice, and none is lost. What is right stays where it is.",
		Calls: 2, Agents: 1,
		Start: func(s *Stage) error {
			if err := s.ground(); err != nil {
				return err
			}
			for _, list := range [][]world.Vec3{sound, planted} {
				for _, at := range list {
					if _, err := s.put(at, world.Vec3{1, 1, 1}); err != nil {
						return err
					}
				}
			}
			return nil
		},
		Solve: func(s *Stage) error {
			a, err := s.Agent("ann")
			if err != nil {
				return err
			}
			var out struct {
				Findings []struct {
					Fix []struct {
						Skill string
						Input json.RawMessage
					}
				}
			}
			if err := a.Call("scene_validate", args{}, &out); err != nil {
				return err
			}
			var ops []op
			for _, f := range out.Findings {
				for _, fix := range f.Fix {
					var in args
					if err := json.Unmarshal(fix.Input, &in); err != nil {
						return err
					}
					ops = append(ops, op{fix.Skill, in, ""})
				}
			}
			_, err = a.Batch(ops...)
			return err
		},
		Spoil: func(s *Stage) error { // one that was repaired
			for id, t := range s.things() {
				if t.at.Dist(s.before[id].at) > 0.1 {
					return s.shift(id, world.Vec3{0, 0.1, 0})
				}
			}
			return fmt.Errorf("nothing was repaired")
		},
		Check: checkYard,
	}
}

// checkYard compares every box with the ground and every other.
func checkYard(s *Stage) error {
	if len(s.made()) > 0 {
		return fmt.Errorf("there is something new")
	}
	now := s.things()
	if n := len(s.before) - len(now); n != 3 {
		return fmt.Errorf("%d boxes are gone; three were there twice", n)
	}
	places := map[world.Vec3]int{}
	for id, was := range s.before {
		t, ok := now[id]
		right := was.half[0] > 1 // the ground
		for _, at := range sound {
			right = right || was.at == at
		}
		if ok && right && t.at == was.at {
			places[was.at]++
		}
		if ok && !right && t.at.Dist(was.at) > 4.5 {
			return fmt.Errorf("%s was taken from %v to %v, far from where it was", id, was.at, t.at)
		}
	}
	for _, at := range sound {
		if places[at] != 1 {
			return fmt.Errorf("at %v, where one box was right, there are %d", at, places[at])
		}
	}
	for id, t := range now {
		if t.half[0] > 1 {
			continue
		}
		stands := near(t.lo()[1], 0)
		for other, o := range now {
			if id == other || o.half[0] > 1 {
				continue
			}
			lap := world.Vec3{}
			for i := range lap {
				lap[i] = min(t.hi()[i], o.hi()[i]) - max(t.lo()[i], o.lo()[i])
			}
			if min(lap[0], lap[1], lap[2]) > 0.01 {
				return fmt.Errorf("%s and %s are in each other", id, other)
			}
			stands = stands || min(lap[0], lap[2]) > 0.1 && near(t.lo()[1], o.hi()[1])
		}
		if !stands {
			return fmt.Errorf("%s, at %v, stands on nothing", id, t.at)
		}
	}
	return nil
}
