// Command house builds a house the way an agent does: it starts limina --mcp-stdio, connects with the
// official Go SDK's client, looks for skills, makes a mistake, reads the error, corrects itself,
// looks at what it made, and prints what stands there in the end.
//
//	go run ./examples/house [-picture FILE] [-limina PATH]
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	file := flag.String("picture", "", "write the picture of what was built, a JPEG, into this file")
	limina := flag.String("limina", "", "the limina program (default: one that is compiled from ./cmd/limina)")
	flag.Parse()
	if err := house(*limina, *file); err != nil {
		log.Fatal(err)
	}
}

// house has a limina program build a house, "" for one that is compiled for it, and writes a picture of it into a file, "" for none.
func house(limina, file string) error {
	if limina == "" { // compiling it may take minutes on a new machine, which are not the agent's
		dir, err := os.MkdirTemp("", "house")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		limina = filepath.Join(dir, "limina")
		compile := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "github.com/limina-mcp/limina/cmd/limina")
		compile.Stderr = os.Stderr
		if err := compile.Run(); err != nil {
			return fmt.Errorf("compile limina: %w", err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	server := exec.Command(limina, "--mcp-stdio")
	server.Stderr = os.Stderr
	return run(ctx, server, os.Stdout, file)
}

func run(ctx context.Context, server *exec.Cmd, out io.Writer, file string) error {
	client := mcp.NewClient(&mcp.Implementation{Name: "house-builder", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		return fmt.Errorf("start limina: %w", err)
	}
	b := &builder{session: session, out: out}
	err = b.build(ctx)
	if err == nil {
		err = b.look(ctx, file)
	}
	if cerr := session.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("stop limina: %w", cerr)
	}
	return err
}

// build is what the agent does, step by step.
func (b *builder) build(ctx context.Context) error {
	tools, err := b.session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	b.say("%d tools are listed; what else there is, skills_search finds.", len(tools.Tools))

	var found struct {
		Matches []struct{ Name, Description string }
	}
	if err := b.call(ctx, "skills_search", args{"query": "build a house"}, &found); err != nil {
		return err
	}
	if len(found.Matches) == 0 {
		return fmt.Errorf("no skill builds houses")
	}
	skill := found.Matches[0].Name
	b.say("%s looks right.", skill)

	// The mistake: a word that is not known, and a roof that no house can carry.
	house := args{
		"position": vec{0, 0, 0}, "width": 9, "depth": 7, "roofStyle": "gabled", "roofPitch": 300, "color": 0xC8A27A, "gableEnds": true,
		"windows": []args{{"wall": "front", "at": -2.6}, {"wall": "front", "at": 2.6}, {"wall": "left", "at": -1.5}, {"wall": "left", "at": 1.5}, {"wall": "back", "width": 2.4}},
	}
	var built struct {
		EntityCount int
		Bounds      struct{ Min, Max vec }
		Parts       []struct {
			Kind     string
			Position vec
			Size     vec
		}
	}
	if err := b.callCorrecting(ctx, skill, house, &built); err != nil {
		return err
	}
	b.say("The house has %d parts and reaches from %v to %v.", built.EntityCount, built.Bounds.Min, built.Bounds.Max)

	return b.furnish(ctx, built.Bounds.Min, built.Bounds.Max)
}

// furnish puts things around a house with the given bounds.
func (b *builder) furnish(ctx context.Context, lo, hi vec) error {
	var made struct{ Entity string }
	chimney := args{"shape": "box", "size": 1, "position": vec{1.2, hi[1] - 1, 0}, "color": 0x8C4A3A, "static": true}
	if err := b.call(ctx, "scene_createEntity", chimney, &made); err != nil {
		return err
	}
	if err := b.call(ctx, "ecs_addComponent", args{"entity": made.Entity, "component": "chimney"}, nil); err != nil {
		return err
	}
	for i := range 5 {
		x := lo[0] + float64(i)*(hi[0]-lo[0])/4
		for _, part := range []args{
			{"shape": "box", "size": 0.6, "position": vec{x, 0.3, hi[2] + 3}, "color": 0x6B4A2B, "static": true},
			{"shape": "sphere", "size": 1.8, "position": vec{x, 1.4, hi[2] + 3}, "color": 0x4F8F3A, "static": true},
		} {
			if err := b.call(ctx, "scene_createEntity", part, nil); err != nil {
				return err
			}
		}
	}
	light := args{"directionalColor": 0xFFE2B0, "directionalIntensity": 4, "direction": vec{6, 8, 4}, "castShadow": true}
	if err := b.call(ctx, "three_setLighting", light, nil); err != nil {
		return err
	}
	// Not one of the listed tools: skills_call runs any skill by its name.
	label := args{"anchor": args{"kind": "world", "point": vec{0, hi[1] + 1, 0}}, "text": "Limina house"}
	if err := b.call(ctx, "skills_call", args{"name": "ui.label", "input": label}, nil); err != nil {
		return err
	}
	return b.report(ctx)
}

// report prints what stands there.
func (b *builder) report(ctx context.Context) error {
	var world struct {
		EntityCount int
		Size        vec
		TagCounts   map[string]int
	}
	if err := b.call(ctx, "scene_inspect", args{}, &world); err != nil {
		return err
	}
	b.say("What stands there: %d entities on %.1f × %.1f metres, %.1f metres high; tags %v.",
		world.EntityCount, world.Size[0], world.Size[2], world.Size[1], world.TagCounts)
	return nil
}
