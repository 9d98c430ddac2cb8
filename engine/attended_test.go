package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/transport/stdio"
	"github.com/limina-mcp/limina/world"
)

// place is a running engine without a transport.
type place struct {
	*engine.Engine
	t *testing.T
}

// start runs an engine until the test ends.
func start(t *testing.T, c engine.Config) *place {
	t.Helper()
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		done <- e.Run(ctx, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return &place{e, t}
}

// passed returns how many steps there are in so many seconds from now.
func (p *place) passed(seconds int) uint64 {
	before := p.World.Steps()
	time.Sleep(time.Duration(seconds) * time.Second)
	synctest.Wait()
	return p.World.Steps() - before
}

// stands holds that time stands still, and says so.
func (p *place) stands(when string) {
	p.t.Helper()
	if n := p.passed(60); n != 0 || !p.World.Standing() {
		p.t.Errorf("%s: %d steps in a minute, standing %v", when, n, p.World.Standing())
	}
}

// visit has ann open a session, make calls and leave at once.
func (p *place) visit(calls ...string) {
	p.t.Helper()
	s := p.open()
	defer s.Close()
	for i := 0; i < len(calls); i += 2 {
		if res := p.Mcp.CallTool(context.Background(), s, mcp.Request{Tool: calls[i], Input: []byte(calls[i+1])}); !res.Success {
			p.t.Fatalf("%s %s: %v", calls[i], calls[i+1], res.Error)
		}
	}
}

func (p *place) open() *mcp.Session {
	p.t.Helper()
	s, err := p.Mcp.Open(mcp.Identity{AgentID: "ann", SessionID: "s1", Profile: "builder.readWrite"})
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// TestAttended holds that time passes while somebody is there, and otherwise only as long as something
// is awake, timed or leased.
func TestAttended(t *testing.T) {
	const floor, down = "scene.createEntity", `{"size":50,"position":[0,-25,0],"static":true}`
	for _, c := range []struct {
		name   string
		calls  []string
		lo, hi uint64 // how many steps there are after it
	}{
		{"nothing", nil, 0, 0},
		{"a box without a body", []string{"scene.createEntity", `{"position":[0,9,0]}`}, 0, 1},
		{"a box that falls and comes to rest", []string{floor, down, "scene.createEntity", `{"position":[0,3,0],"dynamic":true}`}, 60, 600},
		{"a character on its way", []string{floor, down, "player.spawn", `{"position":[0,1,0]}`, "player.move", `{"entity":"ent_1","forward":1,"seconds":3}`}, 180, 240},
		{"dusk, for 5 s", []string{"world.setTime", `{"time":19,"transitionMs":5000}`}, 300, 301},
		{"a claim, for 10 s", []string{"world.claim", `{"min":[0,0,0],"max":[1,1,1],"seconds":10}`}, 600, 601},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := start(t, engine.Config{})
				p.stands("before anybody came")
				p.visit(c.calls...)
				if n := p.passed(60); n < c.lo || n > c.hi {
					t.Errorf("%d steps in a minute, want %d to %d", n, c.lo, c.hi)
				}
				p.stands("after it")
				s := p.open()
				if n := p.passed(10); n != 600 {
					t.Errorf("%d steps in 10 s while somebody is there, want 600", n)
				}
				s.Close()
				p.passed(1) // in which the step is taken that was due
				p.stands("after the last has left")
			})
		})
	}
}

// TestAlways has time pass for nobody, unless it is stopped.
func TestAlways(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, engine.Config{Always: true})
		if n := p.passed(60); n != 3600 {
			t.Errorf("%d steps in a minute, want 3600", n)
		}
		for _, scale := range []float64{0.5, 0, 2} {
			p.visit("world.setTimeScale", fmt.Sprintf(`{"scale":%v}`, scale))
			if n, want := p.passed(60), uint64(3600*scale); n < want || n > want+1 {
				t.Errorf("at a scale of %v %d steps in a minute, want %d", scale, n, want)
			}
		}
	})
}

// TestAttendedByConnections has clients come and go without a word: time passes while there is one.
func TestAttendedByConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, engine.Config{})
		p.stands("before anybody came")
		for n := range 3 {
			in, peer := io.Pipe()
			done := make(chan error)
			go func() { done <- p.Mcp.Serve(t.Context(), stdio.New(in, io.Discard, stdio.Options{})) }()
			p.stands("before it has said who it is")
			fmt.Fprintln(peer, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"agentId":"ada","sessionId":"s1","profile":"builder.readWrite"}}`)
			synctest.Wait()
			if n := p.passed(10); n != 600 {
				t.Errorf("%d steps in 10 s while somebody is there, want 600", n)
			}
			if n == 2 { // in the middle of a message
				fmt.Fprint(peer, `{"jsonrpc":"2.0","id":2,`)
			}
			_ = peer.CloseWithError(io.ErrUnexpectedEOF)
			<-done
			synctest.Wait()
			p.stands("after it has gone")
		}
	})
}

// releases counts how often it is told that a step is over.
type releases struct{ n atomic.Int64 }

func (r *releases) Hold()        {}
func (r *releases) Release(bool) { r.n.Add(1) }

// TestStepRate takes as many steps in a second as it says, after each of which who pushes is lent the goroutine.
func TestStepRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, engine.Config{Always: true, StepRate: 20})
		p.World.OnStep("nothing", func(*world.Tx) error { return nil })
		p.passed(1)
		var r releases
		stop := p.Mcp.Help(&r)
		if n := p.passed(10); n != 200 || r.n.Load() != 200 {
			t.Errorf("%d steps in ten seconds and %d releases, want 200", n, r.n.Load())
		}
		stop()
		if p.passed(10); r.n.Load() != 200 {
			t.Errorf("%d releases after the end", r.n.Load()-200)
		}
	})
}
