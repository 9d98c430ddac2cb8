package registry_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

type heavyIn struct {
	Name string `json:"name"`
}

// heavy has a skill whose calls take turns. One that has its turn is in running, and goes on when proceed has something for it.
type heavy struct {
	reg     *registry.Registry
	turns   *registry.Turns
	proceed chan struct{}

	mu      sync.Mutex
	running []string
	most    int
	served  []string
	ended   int
}

func newHeavy(t testing.TB, width int) *heavy {
	t.Helper()
	h := &heavy{reg: registry.New(registry.Options{}), turns: registry.NewTurns(width), proceed: make(chan struct{})}
	err := h.reg.Register(registry.Define(registry.Spec[heavyIn, struct{}]{
		Name: "demo.heavy", Description: "Take long.", Permissions: []profiles.Permission{profiles.Anyone}, Slow: true, Timeout: -1,
		Handle: func(c *registry.Call, in heavyIn) (out struct{}, err error) {
			done, err := h.turns.Take(c)
			if err != nil {
				return out, err
			}
			defer done()
			h.mu.Lock()
			h.running, h.served = append(h.running, in.Name), append(h.served, in.Name)
			h.most = max(h.most, len(h.running))
			h.mu.Unlock()
			<-h.proceed
			h.mu.Lock()
			h.running = slices.DeleteFunc(h.running, func(name string) bool { return name == in.Name })
			h.mu.Unlock()
			return out, nil
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// start starts a call; what stands before the first digit in its name is its session, and what stands before a slash in that whose it is, else ann's. A bot
// has the token of all bots.
func (h *heavy) start(ctx context.Context, name string) {
	session := strings.TrimRight(name, "0123456789")
	p := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Session: session}
	if who, _, other := strings.Cut(session, "/"); other {
		p.ID = who
	}
	if strings.HasPrefix(p.ID, "bot") {
		p.Holder = "bot*"
	}
	go func() {
		h.reg.Invoke(ctx, &registry.Request{Name: "demo.heavy", Input: fmt.Appendf(nil, `{"name":%q}`, name), Principal: p}, nil)
		h.mu.Lock()
		h.ended++
		h.mu.Unlock()
	}()
	synctest.Wait()
}

// Who has many sessions, or a token that is for many names, has a turn as often as who has one, and each of his sessions has one in turn.
func TestTurnsOfOneCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeavy(t, 1)
		calls := []string{"first1", "a1", "a2", "b1", "c1", "botx/p1", "boty/q1", "bob/r1", "bob/r2", "d1"}
		for _, name := range calls {
			h.start(t.Context(), name)
		}
		for range calls {
			h.proceed <- struct{}{}
			synctest.Wait()
		}
		if got, want := strings.Join(h.served, " "), "first1 a1 botx/p1 bob/r1 b1 boty/q1 bob/r2 c1 d1 a2"; got != want {
			t.Errorf("turns are had by %s, want %s", got, want)
		}
	})
}

// TestTurns has one session want four turns, and two others, that come later, one each.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeavy(t, 1)
		gone, cancel := context.WithCancel(t.Context())
		for _, name := range []string{"a1", "a2"} {
			h.start(t.Context(), name)
		}
		h.start(gone, "a3")
		for _, name := range []string{"a4", "b1"} {
			h.start(t.Context(), name)
		}
		h.start(gone, "c1")
		cancel()
		synctest.Wait()
		if h.ended != 2 {
			t.Errorf("%d calls that were cancelled have ended, want 2", h.ended)
		}
		for range 4 {
			h.proceed <- struct{}{}
			synctest.Wait()
		}
		if want := []string{"a1", "a2", "b1", "a4"}; !slices.Equal(h.served, want) {
			t.Errorf("served %v, want %v", h.served, want)
		}
	})
}

// TestTurnsAtRandom starts calls, has them end and cancels them: there are never more at a time than the width, nobody waits
// while there is room, and every turn is given back.
func TestTurnsAtRandom(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		synctest.Test(t, func(t *testing.T) {
			width := rapid.IntRange(1, 3).Draw(rt, "width")
			h := newHeavy(t, width)
			var cancels []context.CancelFunc
			begun := 0
			check := func() {
				synctest.Wait()
				open := begun - h.ended
				if want := min(width, open); len(h.running) != want {
					rt.Fatalf("%d calls have a turn of %d, want %d", len(h.running), open, want)
				}
			}
			for range rapid.IntRange(1, 30).Draw(rt, "steps") {
				switch rapid.IntRange(0, 3).Draw(rt, "what") {
				case 0, 1:
					ctx, cancel := context.WithCancel(t.Context())
					cancels = append(cancels, cancel)
					h.start(ctx, fmt.Sprintf("%s%d", rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "session"), begun))
					begun++
				case 2:
					if len(h.running) > 0 {
						h.proceed <- struct{}{}
					}
				case 3:
					if len(cancels) > 0 {
						cancels[rapid.IntRange(0, len(cancels)-1).Draw(rt, "who")]()
					}
				}
				check()
			}
			for begun > h.ended {
				h.proceed <- struct{}{}
				synctest.Wait()
			}
			if h.most > width {
				rt.Fatalf("%d calls at a time, at most %d may be", h.most, width)
			}
			for _, cancel := range cancels {
				cancel()
			}
		})
	})
}

// A turn that is given to a call just when it ends goes on to the next.
func TestTurnOfWhoHasGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeavy(t, 1)
		for i := range 1000 {
			ctx, cancel := context.WithCancel(t.Context())
			h.start(t.Context(), "a1")
			h.start(ctx, "b1")
			cancel()
			h.proceed <- struct{}{} // the turn may go to b1 before that has left
			synctest.Wait()
			if len(h.running) == 1 {
				h.proceed <- struct{}{}
				synctest.Wait()
			}
			if want := 2 * (i + 1); h.ended != want {
				t.Fatalf("%d calls have ended, want %d", h.ended, want)
			}
		}
		h.start(t.Context(), "c1")
		if len(h.running) != 1 {
			t.Fatal("a turn is lost")
		}
		h.proceed <- struct{}{}
	})
}
