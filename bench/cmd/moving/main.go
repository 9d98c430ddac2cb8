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
	rounds := flag.Int("rounds", 7, "rounds of which the best is shown")
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
	fmt.Println("| bodies | a step in Limina's engine, µs | in Node, µs | ratio | World.step adds in Node, µs | the whole world's step, µs | with a viewer of all, µs | on top of the engine, µs | same place |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, s := range []scene{{0, 2000, false}, {200, 60, false}, {1000, 90, false}, {3000, 60, false}, {10_000, 500, true}} {
		if err := s.row(runtime, node, rounds); err != nil {
			return err
		}
	}
	return rays(rounds)
}

// row measures a scene, each round one after the other, and prints the best of each: what the machine did beside it
// can only have made the others slower.
func (s scene) row(runtime *rapier.Runtime, node string, rounds int) error {
	var bare, script, books, whole, viewed []float64
	here, there := "", ""
	for range rounds {
		e, at, err := s.bare(runtime)
		if err != nil {
			return err
		}
		n, extra, place, err := s.node(node)
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
		books = append(books, extra)
	}
	name := fmt.Sprintf("%d awake", s.count)
	if s.asleep {
		name = fmt.Sprintf("%d asleep", s.count)
	}
	same := "–"
	if node != "" {
		same = fmt.Sprint(here == there)
	}
	e, n := slices.Min(bare), slices.Min(script)
	fmt.Printf("| %s | %.0f | %.0f | %.2f | %.0f | %.0f | %.0f | %.0f | %s |\n", name, e, n, e/n, slices.Min(books),
		slices.Min(whole), slices.Min(viewed), slices.Min(viewed)-e, same)
	return nil
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

// node runs the same scene in Node, with everything compiled by V8's optimising compiler before it begins,
// and returns microseconds for a step of the engine and for the bookkeeping that World.step adds.
func (s scene) node(dir string) (step, books float64, place string, err error) {
	if dir == "" {
		return 0, 0, "", nil
	}
	mode := "awake"
	if s.asleep {
		mode = "asleep"
	}
	cmd := exec.Command("node", "--no-liftoff", "scene.mjs", fmt.Sprint(s.count), fmt.Sprint(s.steps), mode)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return 0, 0, "", fmt.Errorf("%s: %w: %s", filepath.Join(dir, "scene.mjs"), err, exit.Stderr)
	}
	if err != nil {
		return 0, 0, "", err
	}
	fields := strings.Fields(string(out))
	if len(fields) < 2 {
		return 0, 0, "", fmt.Errorf("scene.mjs printed %q", out)
	}
	if _, err := fmt.Sscan(fields[0]+" "+fields[1], &step, &books); err != nil {
		return 0, 0, "", err
	}
	return step / 1000, books / 1000, strings.Join(fields[2:], " "), nil
}
