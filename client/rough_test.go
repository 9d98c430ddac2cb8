package client_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/limina-mcp/limina/client"
	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/internal/leak"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/world"
)

// line is a proxy before a server: what goes through is held up, cut, half closed or reset after some bytes, until it is mended.
type line struct {
	net.Listener
	network, address string // of the server
	serving          sync.WaitGroup

	mu     sync.Mutex // guards what follows
	chance *rand.Rand
	mended bool
	cuts   int
	open   map[net.Conn]bool
}

// fate is what happens on the way from one end to the other after some bytes, and once a pause is over.
type fate struct {
	after int64
	pause time.Duration
	kind  int
}

// The kinds of fates.
const (
	goesOn = iota
	closes
	halfCloses
	resets
	fates
)

// draw returns what is to happen next, nil for nothing.
func (l *line) draw() *fate {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.mended {
		return nil
	}
	f := fate{after: l.chance.Int64N(64 << l.chance.IntN(14)), kind: l.chance.IntN(fates)}
	if f.kind == goesOn || l.chance.IntN(3) == 0 {
		f.pause = time.Duration(l.chance.IntN(10)) * time.Millisecond
	}
	if f.kind != goesOn {
		l.cuts++
	}
	return &f
}

// enter takes note of an open connection.
func (l *line) enter(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[c] = true
}

// mend has the line pass all that comes on connections that are made from now on. Those that there are end.
func (l *line) mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mended = true
	for c := range l.open {
		_ = c.Close()
	}
}

func (l *line) serve() {
	for {
		near, err := l.Accept()
		if err != nil {
			return
		}
		l.serving.Go(func() { l.join(near) })
	}
}

// join connects somebody to the server.
func (l *line) join(near net.Conn) {
	defer near.Close()
	there, back := l.draw(), l.draw() // before mend can pass over it
	l.enter(near)
	far, err := net.Dial(l.network, l.address)
	if err != nil {
		return
	}
	defer far.Close()
	var pumping sync.WaitGroup
	pumping.Go(func() { l.pump(far, near, there) })
	pumping.Go(func() { l.pump(near, far, back) })
	pumping.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, near)
}

// half is what sockets can do.
type half interface{ CloseWrite() error }

func (l *line) pump(to, from net.Conn, f *fate) {
	for f != nil {
		if _, err := io.CopyN(to, from, f.after); err != nil {
			l.over(to, from, err)
			return
		}
		time.Sleep(f.pause) // the line is slow
		switch f.kind {
		case halfCloses:
			_ = to.(half).CloseWrite()
			_, _ = io.Copy(io.Discard, from)
			return
		case resets:
			for _, c := range []net.Conn{to, from} {
				if c, ok := c.(*net.TCPConn); ok {
					_ = c.SetLinger(0)
				}
			}
			fallthrough
		case closes:
			_, _ = to.Close(), from.Close()
			return
		}
		f = l.draw()
	}
	_, err := io.Copy(to, from)
	l.over(to, from, err)
}

// over passes on that one end has ended.
func (l *line) over(to, from net.Conn, err error) {
	if err == nil || errors.Is(err, io.EOF) {
		_ = to.(half).CloseWrite()
		return
	}
	_, _ = to.Close(), from.Close()
}

// TestRoughLines has clients call, watch, move what they watch, leave and close, at a real server behind real sockets, while
// connections are cut. Each call has one outcome, which the world bears out; each view that is left is in the end what the server
// has, and so is what its follower was told.
func TestRoughLines(t *testing.T) {
	certified := httptest.NewTLSServer(nil)
	defer certified.Close()
	roots := x509.NewCertPool()
	roots.AddCert(certified.Certificate())
	ignore := goleak.IgnoreCurrent()
	defer func() { leak.Check(t, ignore) }()
	t.Run("on", func(t *testing.T) { roughLines(t, certified.TLS.Certificates, roots) }) // ends with what is parallel in it
}

func roughLines(t *testing.T, certificates []tls.Certificate, roots *x509.CertPool) {
	t.Helper()
	for _, tt := range []struct{ name, address, scheme string }{
		{"tcp", "127.0.0.1:0", "ws://"},
		{"tls", "127.0.0.1:0", "wss://"},
		{"unix", "unix:", "unix:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e, err := engine.New(engine.Config{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			config := server.Config{Core: e.Mcp, Address: tt.address}
			l := &line{network: "tcp", chance: rand.New(rand.NewPCG(rand.Uint64(), 0)), open: map[net.Conn]bool{}}
			front := tt.address
			if tt.name == "unix" {
				folder := t.TempDir()
				l.network, front, config.Address = "unix", filepath.Join(folder, "front"), "unix:"+filepath.Join(folder, "back")
			}
			if tt.name == "tls" {
				config.TLS = &tls.Config{Certificates: certificates}
			}
			s, err := server.Listen(config)
			if err != nil {
				t.Fatal(err)
			}
			l.address = strings.TrimPrefix(s.Address(), "unix:")
			if l.Listener, err = net.Listen(l.network, front); err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(context.Background())
			stopped := make(chan error, 1)
			go func() { stopped <- s.Run(ctx) }()
			l.serving.Go(l.serve)

			g := &rough{t: t, town: &town{Engine: e}, line: l, booked: map[world.Vec3]entry{}, options: client.Options{
				URL: tt.scheme + l.Addr().String(), Profile: "builder.readWrite", TLS: &tls.Config{RootCAs: roots},
				Backoff: client.Backoff{Min: time.Millisecond, Max: 5 * time.Millisecond, GiveUp: -1},
			}}
			g.play()
			stop()
			if err := <-stopped; err != nil {
				t.Errorf("Run = %v", err)
			}
			_ = l.Close()
			l.serving.Wait()
			g.audit()
		})
	}
}

// rough is a game on rough lines.
type rough struct {
	*town
	t       *testing.T
	line    *line
	options client.Options

	quiet     atomic.Bool // all that is left to happen is that views become what the server has
	following sync.WaitGroup
	places    atomic.Int64 // that are taken

	mu     sync.Mutex // guards what follows
	booked map[world.Vec3]entry
}

// entry is what became of the call that was to create something at a place of its own.
type entry struct {
	entity client.ID
	err    error
}

// play returns when everybody has gone.
func (g *rough) play() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute) // until it is taken for stuck
	defer cancel()
	var (
		playing sync.WaitGroup
		mu      sync.Mutex
		left    []*client.View
	)
	ada, ben, leaver := g.dial(ctx, "ada"), g.dial(ctx, "ben"), g.dial(ctx, "leaver")
	for _, c := range []*client.Client{ada, ben, leaver} {
		for range 2 {
			playing.Go(func() {
				for range 10 {
					g.call(ctx, c)
				}
			})
		}
	}
	for n, encoding := range []client.Encoding{client.JSON, client.Packed, client.Binary, client.JSON} {
		c := []*client.Client{ada, ben}[n%2]
		playing.Go(func() {
			v := g.watch(ctx, c, client.Subscription{Name: fmt.Sprint("view ", n), Encoding: encoding, Batch: n > 1})
			mu.Lock()
			defer mu.Unlock()
			left = append(left, v)
		})
	}
	playing.Go(func() { // goes in the middle of it
		v, err := leaver.Subscribe(ctx, client.Subscription{Area: client.Whole()})
		if err != nil {
			g.t.Errorf("Subscribe: %v", err)
			return
		}
		for range 5 {
			g.call(ctx, leaver)
		}
		leaver.Close()
		if err := v.Err(); !errors.Is(err, client.ErrClosed) {
			g.t.Errorf("a view of a client that was closed has ended with %v, want client.ErrClosed", err)
		}
		if err := leaver.Ping(ctx); !errors.Is(err, client.ErrClosed) {
			g.t.Errorf("Ping: %v, want client.ErrClosed", err)
		}
	})
	playing.Wait()
	g.line.mend()
	for n, v := range left {
		if v == nil {
			continue // g.watch has said why
		}
		area := []client.Area{client.Whole(), client.Within([3]float64{}, 12)}[n%2]
		if err := v.Declare(ctx, area); err != nil {
			g.t.Errorf("Declare: %v", err)
		}
	}
	g.quiet.Store(true)
	for n := 1; ctx.Err() == nil; n++ { // until it is not lost with a connection that was there before mend
		if g.create(ctx, ada, client.Request{}, world.Vec3{0, float64(-n), 0}) {
			break
		}
	}
	followed := make(chan struct{})
	go func() {
		g.following.Wait()
		close(followed)
	}()
	select {
	case <-followed:
	case <-ctx.Done():
		for _, v := range left {
			g.t.Errorf("there is a follower to whom this does not add up: view %q (%v), of %v, differs for good (-world +copy):\n%s", v.Name(), v.Err(), v.Area(), g.differs(v, client.Packed))
		}
	}
	ada.Close()
	ben.Close()
	<-followed
}

// dial connects, once the line lets it.
func (g *rough) dial(ctx context.Context, agent string) *client.Client {
	o := g.options
	o.AgentID = agent
	for {
		c, err := client.Dial(ctx, o)
		if err == nil {
			return c
		}
		if ctx.Err() != nil {
			g.t.Fatalf("Dial: %v", err)
		}
	}
}

// hasty returns a context that sometimes ends soon.
func hasty(ctx context.Context) (context.Context, context.CancelFunc) {
	if rand.IntN(6) > 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Duration(rand.IntN(5000))*time.Microsecond)
}

// call makes a call of some kind.
func (g *rough) call(ctx context.Context, c *client.Client) {
	ctx, cancel := hasty(ctx)
	defer cancel()
	var r client.Request
	switch rand.IntN(8) {
	case 0:
		_, err := c.List(ctx)
		g.check(ctx, "List", err)
		return
	case 1, 2:
		long, _ := json.Marshal(strings.Repeat("x", rand.IntN(100_000)))
		r.PreviousResults = []json.RawMessage{long}
	}
	n := g.places.Add(1)
	g.create(ctx, c, r, world.Vec3{float64(n % 20), float64(n / 20), 0})
}

// create creates something at a place where nothing else is, and books what came of it.
func (g *rough) create(ctx context.Context, c *client.Client, r client.Request, place world.Vec3) bool {
	r.Name, r.Arguments = "scene.createEntity", map[string]any{"position": place}
	var made struct{ Entity client.ID }
	response, err := c.Do(ctx, r)
	g.check(ctx, "Do", err)
	if err == nil {
		if err := json.Unmarshal(response.Result, &made); err != nil {
			g.t.Error(err)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.booked[place] = entry{made.Entity, err}
	return err == nil
}

// check holds an outcome to those that there are.
func (g *rough) check(ctx context.Context, what string, err error) {
	switch {
	case err == nil, errors.Is(err, client.ErrLost), errors.Is(err, client.ErrClosed):
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
	default:
		g.t.Errorf("%s: %v", what, err)
	}
}

// watch subscribes, declares and unsubscribes, and returns the view that is left.
func (g *rough) watch(ctx context.Context, c *client.Client, s client.Subscription) (v *client.View) {
	for n := range 8 {
		s.Area = client.Within([3]float64{float64(rand.IntN(20)), 0, 0}, 1+float64(rand.IntN(20)))
		soon, cancel := hasty(ctx)
		if n == 7 {
			soon = ctx
		}
		var err error
		switch {
		case v == nil:
			if v, err = c.Subscribe(soon, s); err == nil {
				followed := v
				g.following.Go(func() { g.follow(followed, s.Encoding) })
			}
		case rand.IntN(3) > 0:
			err = v.Declare(soon, s.Area)
		case n < 7:
			err = v.Unsubscribe(soon)
			if why := v.Err(); !errors.Is(why, client.ErrUnsubscribed) {
				g.t.Errorf("a view that was left has ended with %v, want client.ErrUnsubscribed", why)
			}
			v = nil
		}
		g.check(soon, "a view", err)
		cancel()
	}
	return v
}

// follow returns when the view has ended, or is what the server has, as is what was told of it.
func (g *rough) follow(v *client.View, encoding client.Encoding) {
	held := map[client.ID]bool{}
	for u := range v.Updates(context.Background()) {
		if u.Snapshot {
			clear(held)
		}
		for _, id := range u.Removed {
			if !held[id] {
				g.t.Errorf("a follower of %q was told that %v is gone, which he never had", v.Name(), id)
			}
			delete(held, id)
		}
		for _, id := range u.Changed {
			held[id] = true
		}
		if g.quiet.Load() && len(held) == v.Len() && g.differs(v, encoding) == "" {
			return
		}
	}
}

// audit compares what was answered with the world.
func (g *rough) audit() {
	there := map[world.Vec3][]string{}
	g.World.View(func(wv *world.View) {
		for id := range wv.All() {
			p, _ := wv.Position(id)
			there[p] = append(there[p], id.String())
		}
	})
	var outcomes [4]int
	for place, e := range g.booked {
		got := there[place]
		delete(there, place)
		switch {
		case e.err == nil:
			outcomes[0]++
			if len(got) != 1 || got[0] != e.entity.String() {
				g.t.Errorf("a call that has created %v at %v has left %v there", e.entity, place, got)
			}
		case errors.Is(e.err, client.ErrLost):
			outcomes[1]++
			if len(got) > 1 {
				g.t.Errorf("a call was lost (%v), and made more than once: %v", e.err, got)
			}
		case errors.Is(e.err, client.ErrClosed):
			outcomes[2]++
			if len(got) > 0 {
				g.t.Errorf("a call of a client that is closed (%v) was made: %v", e.err, got)
			}
		default:
			outcomes[3]++
			if len(got) > 1 {
				g.t.Errorf("a call was given up (%v), and made more than once: %v", e.err, got)
			}
		}
	}
	if len(there) > 0 {
		g.t.Errorf("nobody has created %v", there)
	}
	if outcomes[0] == 0 || g.line.cuts == 0 {
		g.t.Errorf("%d calls were answered, and %d cuts planned: nothing was tried", outcomes[0], g.line.cuts)
	}
	g.t.Logf("%d calls answered, %d lost, %d of a closed client, %d given up; %d cuts planned", outcomes[0], outcomes[1], outcomes[2], outcomes[3], g.line.cuts)
}
