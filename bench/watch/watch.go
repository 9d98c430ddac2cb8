// Package watch measures state sync servers with one bare client: it starts a server as a child, has
// many clients watch its world, and counts what reaches them and what it costs the server. Linux only.
//
//	r, err := watch.Run(ctx, watch.Options{Clients: 500}, "limina-sync", "-addr", "{addr}")
//
// Limina names a tick in each of its messages, and its server says when that began; the peers stamp their
// messages with the clock (npm/sync/world.mjs).
package watch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options say who watches what. The zero value is 50 clients of Limina, each with an area of about 50 of
// 2,000 entities, for four seconds.
type Options struct {
	Protocol string        // Limina, Colyseus or SocketIO
	Encoding string        // of Limina: json, packed or binary
	Clients  int           // subscriptions
	Each     int           // of them on one connection, in one frame; default 1
	Radius   float64       // of an area; default 181.4
	Stalled  float64       // share of the clients that never reads
	Warm     time.Duration // before it counts; default 1.5 s
	Count    time.Duration // default 4 s
	Env      []string      // added to the server's environment

	Address string // set by Run
}

func (o Options) withDefaults() Options {
	if o.Protocol == "" {
		o.Protocol = Limina
	}
	if o.Encoding == "" {
		o.Encoding = "json"
	}
	if o.Clients == 0 {
		o.Clients = 50
	}
	if o.Radius == 0 {
		o.Radius = 181.4
	}
	if o.Warm == 0 {
		o.Warm = 1500 * time.Millisecond
	}
	if o.Count == 0 {
		o.Count = 4 * time.Second
	}
	o.Each = max(o.Each, 1)
	return o
}

// Result is what was measured. A client·tick is one tick of the world for one client.
type Result struct {
	Ticks         float64       // of the world, a second
	CPU           time.Duration // of the server, per client·tick
	P50, P95, P99 time.Duration // from the change to its arrival
	Messages      float64       // that reached clients, per client·tick
	Bytes         float64       // per client·tick, headers of frames included
	Updates       float64       // of entities, per client·tick; Limina only
	Even          float64       // messages of the worst-served twentieth of the clients over the median's
	RSS           int64         // of the server, in bytes
	Load          float64       // what the harness itself used, in CPUs
}

// run is one measurement.
type run struct {
	Options
	server   *server
	watchers []*watcher
	counting atomic.Bool
}

// Run starts a server, has it watched and stops it. {addr} and {port} in the command and the
// environment stand for where it is to listen.
func Run(ctx context.Context, o Options, command ...string) (Result, error) {
	r, err := begin(ctx, o, command)
	if err != nil {
		return Result{}, err
	}
	defer r.end()
	if err := r.join(ctx); err != nil {
		return Result{}, r.server.fail(err)
	}
	return r.count(ctx)
}

// begin starts the server.
func begin(ctx context.Context, o Options, command []string) (*run, error) {
	r := &run{Options: o.withDefaults()}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r.Address = l.Addr().String()
	_ = l.Close()
	_, port, _ := net.SplitHostPort(r.Address)
	where := strings.NewReplacer("{addr}", r.Address, "{port}", port)
	command, env := slices.Clone(command), slices.Clone(r.Env)
	for i := range command {
		command[i] = where.Replace(command[i])
	}
	for i := range env {
		env[i] = where.Replace(env[i])
	}
	r.server, err = start(ctx, env, command)
	if err != nil {
		return nil, err
	}
	for tries := 0; ; tries++ {
		c, err := net.Dial("tcp", r.Address)
		if err == nil {
			_ = c.Close()
			return r, nil
		}
		if tries == 100 {
			return nil, r.server.fail(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// end hangs up and stops the server.
func (r *run) end() {
	for _, w := range r.watchers {
		_ = w.Close()
	}
	r.server.stop()
}

// join has all clients subscribe. Those that stall read nothing from then on.
func (r *run) join(ctx context.Context) error {
	conns := (r.Clients + r.Each - 1) / r.Each
	stalled := int(float64(conns) * r.Stalled)
	rng := rand.New(rand.NewPCG(3, 3))
	r.watchers = make([]*watcher, conns)
	errs := make([]error, conns)
	var joining sync.WaitGroup
	room := make(chan struct{}, 8)
	for i := range conns {
		areas := make([]sphere, r.Each)
		for k := range areas {
			areas[k] = r.area(rng)
		}
		room <- struct{}{}
		joining.Go(func() {
			defer func() { <-room }()
			if ctx.Err() != nil {
				errs[i] = ctx.Err()
				return
			}
			var s *socket
			if s, errs[i] = r.subscribe(i, areas); errs[i] != nil {
				return
			}
			w := &watcher{socket: s, run: r, counts: i%37 == 5 && r.Protocol == Limina && r.Each == 1}
			r.watchers[i] = w
			if w.stalled = i < stalled; !w.stalled {
				go w.watch()
			}
		})
		if i == 0 {
			joining.Wait() // the first one makes the room that the others join
		}
	}
	joining.Wait()
	r.watchers = slices.DeleteFunc(r.watchers, func(w *watcher) bool { return w == nil })
	return errors.Join(errs...)
}

// area returns an area that lies inside the cube.
func (r *run) area(rng *rand.Rand) sphere {
	s := sphere{radius: r.Radius}
	for i := range s.at {
		s.at[i] = r.Radius + rng.Float64()*(1000-2*r.Radius)
	}
	return s
}

// count lets the world run and counts.
func (r *run) count(ctx context.Context) (Result, error) {
	if err := pause(ctx, r.Warm); err != nil {
		return Result{}, err
	}
	begun, cpu, own := now(), r.server.cpu(), ownCPU()
	r.counting.Store(true)
	if err := pause(ctx, r.Count); err != nil {
		return Result{}, err
	}
	r.counting.Store(false)
	ended := now()
	cpu, own = r.server.cpu()-cpu, ownCPU()-own
	res := Result{RSS: r.server.rss()}
	_ = pause(ctx, 300*time.Millisecond) // the server tells of its ticks in pieces
	if res.Ticks = r.server.rate(begun, ended); res.Ticks == 0 {
		return Result{}, r.server.fail(errors.New("the world has not moved"))
	}
	took := float64(ended-begun) / 1e6
	clientTicks := res.Ticks * took * float64(r.Clients)
	res.CPU, res.Load = time.Duration(float64(cpu)/clientTicks), own.Seconds()/took
	return res, r.gather(&res, clientTicks)
}

// gather puts together what the clients have seen.
func (r *run) gather(res *Result, clientTicks float64) error {
	var took []time.Duration
	var each []float64
	messages, bytes, updates, counted := 0, 0, 0, 0
	for _, w := range r.watchers {
		w.mu.Lock()
		if w.err != nil {
			return r.server.fail(fmt.Errorf("a client: %w", w.err))
		}
		took = append(took, w.latencies()...)
		messages, bytes = messages+w.messages, bytes+w.bytes
		if w.counts {
			updates, counted = updates+w.updates, counted+1
		}
		if !w.stalled {
			each = append(each, float64(w.messages))
		}
		w.mu.Unlock()
	}
	if messages == 0 {
		return r.server.fail(errors.New("nothing has arrived"))
	}
	res.Messages, res.Bytes = float64(messages)/clientTicks, float64(bytes)/clientTicks
	if counted > 0 {
		res.Updates = float64(updates) / (clientTicks * float64(counted) / float64(r.Clients))
	}
	slices.Sort(each)
	res.Even = each[len(each)/20] / each[len(each)/2]
	if len(took) == 0 {
		return nil // not every protocol tells when something has changed
	}
	slices.Sort(took)
	res.P50, res.P95, res.P99 = quantile(took, .5), quantile(took, .95), quantile(took, .99)
	return nil
}

func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[int(q*float64(len(sorted)-1))]
}

// pause waits, unless ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
