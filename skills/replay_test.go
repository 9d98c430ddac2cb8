package skills_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// entry is one line of a log: so many steps, then a call.
type entry struct {
	steps int
	who   int
	skill string
	input []byte
}

// callers are those who call, by entry.who.
func callers(t testing.TB) []*profiles.Principal {
	t.Helper()
	all := []*profiles.Principal{god("ann")}
	for _, c := range [][2]string{{"bob", "builder.readWrite"}, {"carl", "social.actor"}, {"dora", "builder.review"}, {"eve", "reviewer"}} {
		id, profile := c[0], c[1]
		grants, err := profiles.Builtin().Resolve(profile)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &profiles.Principal{Kind: profiles.KindAgent, ID: id, Session: "session of " + id, Profile: profile, Grants: grants})
	}
	return all
}

// write writes a log of n random calls.
func write(t testing.TB, n int) []entry {
	t.Helper()
	a := newAuthor(t, 4, newServer(t, 10).registry)
	people := len(callers(t))
	log := make([]entry, n)
	for i := range log {
		e := entry{who: max(0, a.IntN(2*people)-people)} // one half is ann's, who may do all
		if a.IntN(8) == 0 {
			e.steps = 1 + a.IntN(3)
		}
		e.skill, e.input = a.call()
		log[i] = e
	}
	return log
}

// outcome is what came of a log.
type outcome struct {
	World    string // the world's hash
	Answers  string // a hash of every output and every error
	Done     int    // calls that succeeded
	Commits  uint64
	Entities int
}

// replay runs a log in a new world.
func replay(t testing.TB, log []entry) outcome {
	t.Helper()
	s := newServer(t, 20_000)
	people := callers(t)
	answers := sha256.New()
	var buf []byte
	o := outcome{}
	for _, e := range log {
		for range e.steps {
			s.world.Step(context.Background())
		}
		res := s.registry.Invoke(context.Background(), &registry.Request{Name: e.skill, Input: e.input, Principal: people[e.who]}, buf[:0])
		buf = res.Output
		answers.Write(res.Output)
		if res.Err != nil {
			if strings.HasPrefix(res.Err.Message, "internal error") {
				t.Fatalf("%s %s: %v", e.skill, e.input, res.Err) // no input is to bring that about
			}
			fmt.Fprintf(answers, "%s %s", res.Err.Code, res.Err.Message)
			continue
		}
		o.Done++
	}
	hash := s.world.Hash()
	o.World, o.Answers = hex.EncodeToString(hash[:]), hex.EncodeToString(answers.Sum(nil))
	o.Commits, o.Entities = s.world.Tick(), s.len()
	return o
}

// TestReplay runs the same log of random calls twice and gets the same answers and the same world,
// bit for bit. The world's hash is pinned, so that a change of what a call does is seen, and so that
// it is the same on every platform: run it with GOAMD64=v3 too, where Go fuses multiplications and
// additions unless it is told not to. Under the race detector, ten times as slow, the log is short.
func TestReplay(t *testing.T) {
	if race.Enabled {
		log := write(t, 5_000)
		first, second := replay(t, log), replay(t, log)
		if first != second {
			t.Errorf("the same log gave\n%+v\nand\n%+v", first, second)
		}
		return
	}
	const calls = 100_000
	log := write(t, calls)
	var text bytes.Buffer
	for _, e := range log {
		fmt.Fprintln(&text, e.steps, e.who, e.skill, string(e.input))
	}
	sum := sha256.Sum256(text.Bytes())
	const wantLog = "924f51ce4f755085c37b94b2f5eaac6b14eb3fd310812ffef8d14b842359c28e"
	if got := hex.EncodeToString(sum[:]); got != wantLog {
		t.Errorf("the log itself is another one, so the world will be: %s", got)
	}
	first := replay(t, log)
	const wantWorld = "0c894aebd3bdb9820859968ecb4baa6c660917e22719fdde542b95365e556f6d"
	if first.World != wantWorld {
		t.Errorf("world %s, want %s", first.World, wantWorld)
	}
	if first.Done < calls*3/10 {
		t.Errorf("%d of %d calls succeeded: too few to show anything", first.Done, calls)
	}
	if second := replay(t, log); first != second {
		t.Errorf("the same log gave\n%+v\nand\n%+v", first, second)
	}
}
