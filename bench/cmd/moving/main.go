// Command moving measures what bodies that move cost: a step of the engine, in wazero and in Node, in
// turns, so that both see the same machine; a step of the world around it; and a ray.
//
//	moving -node DIR    DIR is where npm has installed bench/npm/rapier; without it there are no Node rows
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
	"github.com/limina-mcp/limina/world/physics/rapier"
)

func main() {
	node := flag.String("node", "", "folder with scene.mjs and its node_modules")
	rounds := flag.Int("rounds", 5, "rounds of which the median is shown")
	flag.Parse()
	if err := run(*node, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "moving:", err)
		os.Exit(1)
	}
}

// scene is so many boxes, and how many steps of them are timed.
type scene struct {
	count, steps int
	asleep       bool
}

func run(node string, rounds int) error {
	runtime := rapier.New("")
	defer runtime.Close()
	fmt.Println("| bodies | a step in Limina's engine, µs | in Node, µs | ratio | the whole world's step, µs | with a viewer of all, µs | same place |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, s := range []scene{{0, 2000, false}, {200, 120, false}, {1000, 90, false}, {3000, 60, false}, {10_000, 500, true}} {
		if err := s.row(runtime, node, rounds); err != nil {
			return err
		}
	}
	return rays(runtime)
}

// row measures a scene, each round one after the other, and prints the medians.
func (s scene) row(runtime *rapier.Runtime, node string, rounds int) error {
	var bare, script, whole, viewed, ratio []float64
	here, there := "", ""
	for range rounds {
		e, at, err := s.bare(runtime)
		if err != nil {
			return err
		}
		n, place, err := s.node(node)
		if err != nil {
			return err
		}
		here, there = at, place
		w, err := s.whole(runtime, false)
		if err != nil {
			return err
		}
		v, err := s.whole(runtime, true)
		if err != nil {
			return err
		}
		bare, script, whole, viewed = append(bare, e), append(script, n), append(whole, w), append(viewed, v)
		ratio = append(ratio, e/n)
	}
	name := fmt.Sprintf("%d awake", s.count)
	if s.asleep {
		name = fmt.Sprintf("%d asleep", s.count)
	}
	same := "–"
	if node != "" {
		same = fmt.Sprint(here == there)
	}
	fmt.Printf("| %s | %.0f | %.0f | %.2f | %.0f | %.0f | %s |\n", name, median(bare), median(script), median(ratio), median(whole), median(viewed), same)
	return nil
}

func median(xs []float64) float64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}

// place is where the i-th box begins.
func (s scene) place(i int) world.Vec3 {
	if s.asleep {
		return world.Vec3{float64(i%100) * 1.5, 0.5, float64(i/100) * 1.5}
	}
	return world.Vec3{float64(float64(i%10)*1.1) + float64(float64(i/100)*0.05), 1 + float64(float64(i/100)*1.3), float64(i/10%10) * 1.1}
}

// before is how many steps are taken before time is.
func (s scene) before() int {
	if s.asleep {
		return 200
	}
	return 30
}

// bare steps the engine alone and returns microseconds for a step.
func (s scene) bare(runtime *rapier.Runtime) (float64, string, error) {
	e, err := runtime.Open(context.Background(), physics.Settings{Gravity: -9.81, TimeStep: 1.0 / 60})
	if err != nil {
		return 0, "", err
	}
	defer e.Close()
	add := func(kind physics.Kind, half, at world.Vec3) (physics.Handle, error) {
		return e.Add(&physics.Body{Kind: kind, Form: physics.Form{Half: half}, Position: at, Rotation: world.NoRotation(), Friction: 0.5})
	}
	if _, err := add(physics.Static, world.Vec3{500, 0.5, 500}, world.Vec3{0, -0.5, 0}); err != nil {
		return 0, "", err
	}
	var last physics.Handle
	for i := range s.count {
		if last, err = add(physics.Dynamic, world.Vec3{0.5, 0.5, 0.5}, s.place(i)); err != nil {
			return 0, "", err
		}
	}
	for range s.before() {
		if err := e.Step(); err != nil {
			return 0, "", err
		}
	}
	start := time.Now()
	for range s.steps {
		if err := e.Step(); err != nil {
			return 0, "", err
		}
	}
	took := micros(start, s.steps)
	all, err := e.Awake(nil)
	for _, b := range all {
		if b.Handle == last {
			return took, fmt.Sprint(b.Position[0], b.Position[1], b.Position[2]), err
		}
	}
	return took, "", err
}

func micros(start time.Time, n int) float64 {
	return float64(time.Since(start).Nanoseconds()) / 1000 / float64(n)
}

// node runs the same scene in Node.
func (s scene) node(dir string) (float64, string, error) {
	if dir == "" {
		return 0, "", nil
	}
	mode := "awake"
	if s.asleep {
		mode = "asleep"
	}
	cmd := exec.Command("node", "scene.mjs", fmt.Sprint(s.count), fmt.Sprint(s.steps), mode)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return 0, "", fmt.Errorf("%s: %w: %s", filepath.Join(dir, "scene.mjs"), err, exit.Stderr)
	}
	if err != nil {
		return 0, "", err
	}
	var ns float64
	if _, err := fmt.Sscan(string(out), &ns); err != nil {
		return 0, "", err
	}
	_, place, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if s.asleep || s.count == 0 {
		place = ""
	}
	return ns / 1000, place, nil
}
