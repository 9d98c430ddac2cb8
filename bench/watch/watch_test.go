package watch

import (
	"context"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/bench/cube"
	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/world"
)

// A watcher reads from Limina's own messages, in each encoding, which tick they are of and how many
// entities have changed; a tick that comes late is an error.
func TestWatcher(t *testing.T) {
	for _, encoding := range []statesync.Encoding{statesync.JSON, statesync.Packed, statesync.Binary} {
		w := world.New(world.Config{})
		c, err := cube.Fill(w, 100, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		feed := statesync.New(w, statesync.Config{}).Connect(nil)
		first, view, err := feed.Subscribe(nil, statesync.Options{Area: statesync.Whole(), Encoding: encoding})
		if err != nil {
			t.Fatal(err)
		}
		view.Start()
		watcher := &watcher{run: &run{Options: Options{Protocol: Limina, Each: 1}}, counts: true}
		watcher.run.counting.Store(true)
		op := byte(opText)
		if encoding == statesync.Binary {
			op = opBinary
		}
		if err := watcher.take(op, first, len(first), 1); err != nil {
			t.Fatalf("%s: snapshot: %v", encoding, err)
		}
		updates := watcher.updates
		var last []byte
		for range 3 {
			commit, err := w.Update(t.Context(), c.Move)
			if err != nil {
				t.Fatal(err)
			}
			last, _ = feed.Append(nil)
			if err := watcher.take(op, last, len(last), 1); err != nil {
				t.Fatalf("%s: delta: %v", encoding, err)
			}
			if watcher.tick != commit.Tick {
				t.Errorf("%s: read tick %d, want %d", encoding, watcher.tick, commit.Tick)
			}
		}
		if n := watcher.updates - updates; n != 30 || len(watcher.arrived) != 4 {
			t.Errorf("%s: %d updates in %d messages, want 30 in 4", encoding, n, len(watcher.arrived))
		}
		if encoding != statesync.JSON {
			continue // their ticks are differences
		}
		if err := watcher.take(op, last, len(last), 1); err == nil || !strings.Contains(err.Error(), "came after") {
			t.Errorf("%s: a tick told twice: %v", encoding, err)
		}
	}
}

// A server's lines become its rate and the times of its ticks.
func TestServerLines(t *testing.T) {
	s := &server{ready: make(chan struct{}), begun: map[uint64]int64{}}
	for _, line := range []string{"READY", "hello 1 2", "T 5 1000000", "T 6 1050000", "T x 1", "T 7 1100000", "T 8 9000000"} {
		s.line(line)
	}
	<-s.ready
	if got := s.rate(900_000, 2_000_000); got != 20 {
		t.Errorf("rate = %v, want 20", got)
	}
	if at, ok := s.at(6); !ok || at != 1050000 {
		t.Errorf("at(6) = %d, %v", at, ok)
	}
	if stamp([]byte("..@@000000000012345..")) != 12345 || stamp([]byte("@@123")) != 0 {
		t.Error("a stamp is read wrongly")
	}
	if _, err := Run(context.Background(), Options{}, "/nonexistent"); err == nil {
		t.Error("Run of a program that there is not = nil")
	}
}
