package batch_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/operations"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

type takeIn struct {
	Entity  world.ID `json:"entity,omitempty"` // which scene.forEach names
	Seconds int      `json:"seconds,omitempty"`
	Bytes   int      `json:"bytes,omitempty"`
	Note    string   `json:"note,omitempty"`
}

type takeOut struct {
	Text string `json:"text"`
}

// takers are the builders, and a skill that makes an entity and takes as long, and answers as much, as it is told.
func takers(w *world.World, a *agents.Agents) []registry.Skill {
	return append(builders(w, a), registry.Define(registry.Spec[takeIn, takeOut]{
		Name: "demo.take", Description: "Take long.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, in takeIn) (takeOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (takeOut, error) {
				time.Sleep(time.Duration(in.Seconds) * time.Second)
				_, err := tx.Create(world.Spec{})
				return takeOut{strings.Repeat("x", in.Bytes)}, err
			})
		},
	}))
}

func times(n int, input string) string {
	return strings.TrimSuffix(strings.Repeat(`{"skill":"demo.take","input":`+input+`},`, n), ",")
}

// A batch may have the world for so long, and answer so much. What is asked for beyond that is not begun.
func TestBounds(t *testing.T) {
	tests := []struct {
		name, operations string
		done             int // of 6 in all
		why              string
	}{
		{"long", times(6, `{"seconds":2}`), 3, "those before it have taken 5s, and everybody waits for the world meanwhile: do the rest in another call"},
		{"much", times(6, fmt.Sprintf(`{"bytes":%d}`, operations.MaxResults/3)), 3, "those before it have answered more than 4194304 bytes: ask for less, or do the rest in another call"},
		{
			"what names stand for", `{"skill":"demo.take","as":"a","input":{"bytes":2000000}},` + times(3, `{}`) + `,{"skill":"demo.take","input":{"note":["$a","$a","$a"]}}`, 4,
			`with what "$a" and others stand for the input has more than 4194304 bytes: name the fields that are needed`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := skilltest.New(t, takers)
				p := skilltest.Caller(t, "ann", skilltest.Builder)
				_, err := s.Call(p, "world.batch", `{"operations":[`+test.operations+`]}`)
				if err == nil || err.Code != registry.CodeCapacityExceeded || !strings.Contains(err.Message, fmt.Sprintf("operations[%d], demo.take: %s", test.done, test.why)) {
					t.Errorf("got %v, want %q", err, test.why)
				}
				if n := s.Len(); n != 0 {
					t.Errorf("%d entities are left of a batch that failed", n)
				}
				out := s.Must(t, p, "world.batch", `{"mode":"bestEffort","operations":[`+test.operations+`]}`)
				if n := s.Len(); n != test.done || !strings.Contains(out, fmt.Sprintf(`"applied":%d,`, test.done)) {
					t.Errorf("bestEffort: %d entities, want %d", n, test.done)
				}
			})
		})
	}
}

// scene.forEach is bounded as a batch is, and leaves nothing when it is stopped.
func TestBoundsOfForEach(t *testing.T) {
	for input, why := range map[string]string{
		`{"seconds":2}`: "those before it have taken 5s",
		fmt.Sprintf(`{"bytes":%d}`, operations.MaxResults/3): "those before it have answered more than 4194304 bytes",
	} {
		synctest.Test(t, func(t *testing.T) {
			s := skilltest.New(t, takers)
			p := skilltest.Caller(t, "ann", skilltest.Builder)
			hamlet(t, s, p)
			_, err := s.Call(p, "scene.forEach", `{"tag":"part","skill":"demo.take","input":`+input+`}`)
			if err == nil || err.Code != registry.CodeCapacityExceeded || !strings.Contains(err.Message, why) {
				t.Errorf("got %v, want %q", err, why)
			}
			if n := s.Len(); n != 7 {
				t.Errorf("there are %d entities, want 7", n)
			}
		})
	}
}

// One session sends three batches that take four seconds each, another one a short one after them: it is next but one.
func TestBatchesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, takers)
		ann, ben := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "ben", skilltest.Builder)
		begun := time.Now()
		var last <-chan *registry.Error
		for range 3 {
			last = s.Start(t.Context(), ann, "world.batch", `{"operations":[`+times(1, `{"seconds":4}`)+`]}`)
		}
		short := s.Start(t.Context(), ben, "world.batch", `{"operations":[`+times(1, `{}`)+`]}`)
		if err := <-short; err != nil || time.Since(begun) != 8*time.Second {
			t.Errorf("ben's batch was done after %v, %v; want 8s", time.Since(begun), err)
		}
		if err := <-last; err != nil || time.Since(begun) != 12*time.Second {
			t.Errorf("ann's last batch was done after %v, %v; want 12s", time.Since(begun), err)
		}
	})
}

// A batch whose caller leaves is no batch, in either mode, whether it was running or waited for its turn.
func TestCancelled(t *testing.T) {
	for _, mode := range []string{"atomic", "bestEffort"} {
		synctest.Test(t, func(t *testing.T) {
			s := skilltest.New(t, takers)
			ann, ben := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "ben", skilltest.Builder)
			ctx, leave := context.WithCancel(t.Context())
			input := `{"mode":"` + mode + `","operations":[` + times(2, `{"seconds":2}`) + `]}`
			running := s.Start(ctx, ann, "world.batch", input)
			waiting := s.Start(ctx, ben, "world.batch", input)
			time.Sleep(time.Second)
			leave()
			for _, outcome := range []<-chan *registry.Error{waiting, running} {
				if err := <-outcome; err == nil || err.Code != registry.CodeHandlerError {
					t.Errorf("%s: %v, want %s", mode, err, registry.CodeHandlerError)
				}
			}
			if n := s.Len(); n != 0 {
				t.Errorf("%s: %d entities are left", mode, n)
			}
			s.Must(t, ben, "world.batch", `{"operations":[`+times(1, `{}`)+`]}`)
		})
	}
}

// TestBoundsOfLists: what is a list itself takes of the time of the list that it is in. Each had time of its own, and prefabs in prefabs in a batch held everybody up for half a minute.
func TestBoundsOfLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, takers)
		p := skilltest.Caller(t, "ann", skilltest.Builder)
		for range 4 {
			s.Must(t, p, "scene.createEntity", `{"tags":["old"]}`)
		}
		begun := time.Now()
		out := s.Must(t, p, "world.batch", `{"mode":"bestEffort","operations":[`+times(2, `{"seconds":2}`)+`,{"skill":"scene.forEach","input":{"tag":"old","skill":"demo.take","input":{"seconds":2}}},`+times(1, `{}`)+`]}`)
		if took := time.Since(begun); took != 6*time.Second || !strings.Contains(out, `"applied":2,`) || strings.Count(out, "those before it have taken 5s") != 2 {
			t.Errorf("it took %v: %s", took, out)
		}
	})
}
