package skills_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// TestKept writes a world down while random calls are made in it, piece by piece, loads it into another one, and has
// both go on: they are the same before and after. Undone and asked for is only what is remembered of before, which
// the loaded world does not.
func TestKept(t *testing.T) {
	rounds, length := 3, 2_000
	if race.Enabled {
		length = 300
	}
	log := write(t, rounds*length)
	s := newServer(t, 20_000)
	tracker, err := s.world.Track()
	if err != nil {
		t.Fatal(err)
	}
	var kept world.Image
	flush := func() {
		var m world.Image
		if err := json.Unmarshal(tracker.Append(nil), &m); err != nil {
			t.Fatal(err)
		}
		kept.Merge(&m)
	}
	for round := range rounds {
		for i, e := range log[round*length : (round+1)*length] {
			s.do(t, e)
			if i%97 == 0 {
				flush()
			}
		}
		flush()
		other := newServer(t, 20_000)
		if err := other.world.Load(&kept); err != nil {
			t.Fatal(err)
		}
		if s.world.Hash() != other.world.Hash() {
			t.Fatalf("after %d calls the world that was loaded is another one", (round+1)*length)
		}
		for n, e := range log[:length] {
			if remembers(e) {
				continue
			}
			s.do(t, e)
			other.do(t, e)
			if n%100 == 99 && s.world.Hash() != other.world.Hash() {
				t.Fatalf("after %d calls, and %d of both since, the world that was loaded is another one", (round+1)*length, n+1)
			}
		}
	}
}

// remembers says whether what comes of a call depends on what came before the world as it is.
func remembers(e entry) bool {
	for _, prefix := range [...]string{"world.undo", "world.redo", "world.changes", "approval.", "skills.call", "world.batch"} {
		if strings.HasPrefix(e.skill, prefix) {
			return true
		}
	}
	return strings.Contains(string(e.input), "ifRevision")
}

// do takes the steps of an entry and makes its call.
func (s *server) do(t testing.TB, e entry) {
	t.Helper()
	for range e.steps {
		s.world.Step(context.Background())
	}
	_ = s.registry.Invoke(context.Background(), &registry.Request{Name: e.skill, Input: e.input, Principal: callers(t)[e.who]}, nil)
}
