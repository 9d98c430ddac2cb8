package client_test

import (
	"context"
	"encoding/json"
	"math"
	"net"
	"sync"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/client"
	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
	"github.com/limina-mcp/limina/world"
)

// town is a real server, in memory, that can be stopped and started again over the same world.
type town struct {
	*engine.Engine

	mu       sync.Mutex // guards what follows
	listener *memnet.Listener
	stop     func()
	conns    map[string][]net.Conn // by agent
}

type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func newTown(t tester) *town {
	t.Helper()
	e, err := engine.New(engine.Config{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	w := &town{Engine: e, conns: map[string][]net.Conn{}}
	w.start(t)
	return w
}

// start opens the server's doors.
func (w *town) start(t tester) {
	t.Helper()
	l := memnet.Listen()
	s, err := server.On(l, true, server.Config{Core: w.Mcp})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Run(ctx) }()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listener = l
	w.stop = func() {
		cancel()
		_ = l.Close()
		<-stopped
	}
}

// restart closes the doors and opens them again.
func (w *town) restart(t tester) {
	t.Helper()
	w.stop()
	w.start(t)
}

// cut breaks the connections of an agent.
func (w *town) cut(agent string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.conns[agent] {
		c.Close()
	}
	w.conns[agent] = nil
}

// client returns a client of the town.
func (w *town) client(t tester, agent string, change ...func(*client.Options)) *client.Client {
	t.Helper()
	c, err := client.Dial(context.Background(), w.options(agent, change...))
	if err != nil {
		t.Fatalf("Dial: %v", err)
	}
	return c
}

func (w *town) options(agent string, change ...func(*client.Options)) client.Options {
	o := client.Options{
		URL: "ws://localhost/", AgentID: agent, SessionID: "session of " + agent, Profile: "builder.readWrite",
		Backoff: client.Backoff{Jitter: func() float64 { return 0.5 }},
		NetDial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			w.mu.Lock()
			l := w.listener
			w.mu.Unlock()
			c, err := l.Dial(ctx)
			if err == nil {
				w.mu.Lock()
				w.conns[agent] = append(w.conns[agent], c)
				w.mu.Unlock()
			}
			return c, err
		},
	}
	for _, f := range change {
		f(&o)
	}
	return o
}

// differs compares a view with the world, to the precision of its encoding.
func (w *town) differs(v *client.View, e client.Encoding) string {
	s := v.Snapshot()
	var want []client.Entity
	w.World.View(func(wv *world.View) {
		for id := range wv.All() {
			p, _ := wv.Position(id)
			c := world.Vec3(s.Area.Center)
			if !s.Area.Whole && p.Dist2(c) > s.Area.Radius*s.Area.Radius {
				continue
			}
			var members map[string]json.RawMessage
			var entity client.Entity
			if err := json.Unmarshal(w.World.AppendEntity(nil, wv, id), &members); err != nil {
				panic(err)
			}
			for name, into := range map[string]any{"id": &entity.ID, "pos": &entity.Position, "rot": &entity.Rotation, "scale": &entity.Scale} {
				if err := json.Unmarshal(members[name], into); err != nil {
					panic(err)
				}
				delete(members, name)
			}
			delete(members, "eid")
			delete(members, "body") // it says pos and rot once more
			entity.Components = members
			want = append(want, entity)
		}
	})
	var near cmp.Options
	if e != client.JSON {
		near = cmp.Options{
			cmp.Comparer(func(a, b [3]float64) bool { // to half of 2⁻⁶ metres
				return max(math.Abs(a[0]-b[0]), math.Abs(a[1]-b[1]), math.Abs(a[2]-b[2])) <= 1.0/128
			}),
			cmp.Comparer(func(a, b [4]float64) bool { // as rotations
				return math.Abs(a[0]*b[0]+a[1]*b[1]+a[2]*b[2]+a[3]*b[3]) > 0.9999
			}),
		}
	}
	near = append(near, cmp.Transformer("text", func(m json.RawMessage) string { return string(m) }),
		cmp.Transformer("map", func(m map[string]json.RawMessage) map[string]string {
			out := map[string]string{} // nil or empty is the same
			for k, v := range m {
				out[k] = string(v)
			}
			return out
		}))
	return cmp.Diff(want, append([]client.Entity(nil), s.Entities...), near)
}
