package build

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/world"
)

// halves is a bridge that two agents build, each his own half.
func halves() Task {
	return Task{
		Name: "two halves of a bridge",
		Prompt: "Two banks, whose tops are at y 0, end at x -5 and x 5. You are two: one builds the bridge from the west bank to the middle of the gap, the other from the east bank, along z 0, 2 m wide, of static planks 0.3 m thick at most. " +
			"The halves meet in the middle: at most 5 cm apart, neither in the other, and their tops level within 5 cm. Each claims his half, so that the other does not build there.",
		Calls: 4, Agents: 2,
		Start: banks,
		Solve: func(s *Stage) error {
			for _, half := range []struct {
				name string
				side float64
			}{{"ann", -1}, {"bob", 1}} {
				a, err := s.Agent(half.name)
				if err != nil {
					return err
				}
				lo, hi := min(0.01*half.side, 6*half.side), max(0.01*half.side, 6*half.side)
				claim := args{"min": world.Vec3{lo, -2, -4}, "max": world.Vec3{hi, 4, 4}, "seconds": 300, "reason": "a half of the bridge"}
				if err := a.Call("skills_call", args{"name": "world.claim", "input": claim}, nil); err != nil {
					return err
				}
			}
			for _, half := range []struct {
				name string
				side float64
			}{{"ann", -1}, {"bob", 1}} {
				a, err := s.Agent(half.name)
				if err != nil {
					return err
				}
				var ops []op
				for i := range 4 { // from the bank inwards, 1.49 m each
					x := half.side * (5.96 - 0.745 - 1.49*float64(i))
					ops = append(ops, box(fmt.Sprintf("plank%d", i), world.Vec3{x, 0.1, 0}, world.Vec3{1.49, 0.2, 2}, args{"static": true, "material": "wood"})...)
				}
				if _, err := a.Batch(ops...); err != nil {
					return err
				}
			}
			return nil
		},
		Spoil: func(s *Stage) error {
			for _, t := range s.made() {
				if t.at[0] > 0 {
					if err := s.shift(t.id, world.Vec3{0.06, 0, 0}); err != nil {
						return err
					}
				}
			}
			return nil
		},
		Check: checkHalves,
	}
}

// checkHalves follows each half from its bank.
func checkHalves(s *Stage) error {
	var end, top [2]float64 // of the halves: how far from the middle they end, and how high
	for i, side := range []float64{-1, 1} {
		end[i] = 5 // the bank
		for range s.made() {
			for _, t := range s.made() {
				if t.body != "static" || t.half[1] > 0.15 || t.half[2] < 0.99 || !near(t.at[2], 0) {
					return fmt.Errorf("%s is no plank: %+v", t.id, t)
				}
				a, b := side*t.at[0]-t.half[0], side*t.at[0]+t.half[0]
				if side*t.at[0] > 0 && a < end[i] && b > end[i]-0.05 {
					end[i], top[i] = a, t.hi()[1]
				}
			}
		}
	}
	gap := end[0] + end[1]
	if gap > 0.05 || gap < -0.01 || math.Abs(top[0]-top[1]) > 0.05 {
		return fmt.Errorf("in the middle there is a gap of %.2f m, and the tops are at %.2f and %.2f m", gap, top[0], top[1])
	}
	claims := map[string]bool{}
	s.World.View(func(v *world.View) {
		for _, c := range v.Claims() {
			claims[c.Holder] = true
		}
	})
	if len(claims) < 2 {
		return fmt.Errorf("%d of two have claimed their half", len(claims))
	}
	return s.kept()
}
