package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/limina-mcp/limina/client"
)

// builder is somebody who builds in a world whose server is killed time and again, and knows what he was told.
type builder struct {
	name  string
	known map[client.ID][3]float64 // where each entity is that was made, by the last answer
	asked map[client.ID][3]float64 // where it may be as well: that was asked for when the server was killed
	gone  map[client.ID]bool       // removed, by an answer
	going map[client.ID]bool       // whose removal was not answered
	told  []string                 // names of the entities whose making was answered
	made  int
}

// build makes, moves and removes until the connection is lost, and says when each call has been answered.
func (b *builder) build(ctx context.Context, c *client.Client, random *rand.Rand, answered func()) error {
	for {
		var err error
		var ids []client.ID
		for id := range b.known {
			if !b.gone[id] && !b.going[id] {
				ids = append(ids, id)
			}
		}
		at := [3]float64{float64(random.IntN(1000)), 0, float64(random.IntN(1000))}
		switch what := random.IntN(5); {
		case what < 2 || len(ids) == 0:
			b.made++
			name := fmt.Sprintf("%s %d", b.name, b.made)
			var made struct{ Entity client.ID }
			if err = c.Call(ctx, "scene.createEntity", map[string]any{"name": name, "position": at}, &made); err == nil {
				b.known[made.Entity] = at
				b.told = append(b.told, name)
			}
		case what < 4:
			id := ids[random.IntN(len(ids))]
			if err = c.Call(ctx, "three.setTransform", map[string]any{"entity": id.String(), "position": at}, nil); err == nil {
				b.known[id] = at
			} else {
				b.asked[id] = at
			}
		default:
			id := ids[random.IntN(len(ids))]
			if err = c.Call(ctx, "scene.destroyEntity", map[string]any{"entity": id.String()}, nil); err == nil {
				b.gone[id] = true
			} else {
				b.going[id] = true
			}
		}
		if err != nil {
			return err
		}
		answered()
	}
}

// check compares the world with what the builder was told.
func (b *builder) check(t *testing.T, view *client.View) {
	t.Helper()
	for id, at := range b.known {
		e, there := view.Get(id)
		switch {
		case b.going[id]:
			b.gone[id] = !there
		case there == b.gone[id]:
			t.Errorf("%s: %s is there: %v, and was said to be gone: %v", b.name, id, there, b.gone[id])
		}
		if !there {
			continue
		}
		if asked, is := b.asked[id]; is && e.Position == asked {
			b.known[id] = asked
		} else if e.Position != at {
			t.Errorf("%s: %s is at %v, and was said to be at %v (asked for last: %v)", b.name, id, e.Position, at, asked)
		}
	}
	clear(b.asked)
	clear(b.going)
}

// TestKilled kills the program while several build, as the system does when there is no memory left: with --sync
// the world that is opened next has all that anybody was told is done, and the trace says so.
func TestKilled(t *testing.T) {
	world := t.TempDir()
	random := rand.New(rand.NewPCG(7, 2))
	var builders []*builder
	for i := range 3 {
		builders = append(builders, &builder{
			name: fmt.Sprintf("builder %d", i), known: map[client.ID][3]float64{}, asked: map[client.ID][3]float64{}, gone: map[client.ID]bool{}, going: map[client.ID]bool{},
		})
	}
	for range 4 {
		server := exec.CommandContext(t.Context(), "limina", "--mcp-ws", "--port", "0", "--world", world, "--sync", "--log-level", "off")
		out, err := server.StdoutPipe()
		if err == nil {
			err = server.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		_, address, ready := strings.Cut(strings.TrimSpace(line), " on ")
		if !ready {
			t.Fatalf("got %q, %v", line, err)
		}
		join := func(name string) *client.Client {
			c, err := client.Dial(t.Context(), client.Options{URL: "ws://" + address, AgentID: name, Profile: "builder.readWrite"})
			if err != nil {
				t.Fatal(err)
			}
			return c
		}

		looker := join("looker")
		view, err := looker.Subscribe(t.Context(), client.Subscription{Area: client.Whole()})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range builders {
			b.check(t, view)
		}
		looker.Close()

		answers := make(chan struct{})
		ended, end := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for _, b := range builders {
			c, own := join(b.name), rand.New(rand.NewPCG(random.Uint64(), 0))
			all.Go(func() {
				defer c.Close()
				defer end()
				err := b.build(ended, c, own, func() {
					select {
					case answers <- struct{}{}:
					case <-ended.Done():
					}
				})
				if !errors.Is(err, client.ErrLost) && !errors.Is(err, context.Canceled) { // what is called after the loss waits for a connection, until nobody wants it
					t.Errorf("%s ends with %v", b.name, err)
				}
			})
		}
		for range 100 + random.IntN(200) {
			select {
			case <-answers:
			case <-ended.Done(): // which is wrong, and said
			}
		}
		if err := server.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = server.Wait()
		end()
		all.Wait()

		if out, err := exec.CommandContext(t.Context(), "limina", "verify", filepath.Join(world, "trace")).CombinedOutput(); err != nil {
			t.Errorf("the trace: %v: %s", err, out)
		}
	}

	var trace strings.Builder
	if err := filepath.WalkDir(filepath.Join(world, "trace"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		trace.Write(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, b := range builders {
		for _, name := range b.told {
			if !strings.Contains(trace.String(), `"`+name+`"`) {
				t.Errorf("the trace does not have that %q was made", name)
			}
		}
	}
}
