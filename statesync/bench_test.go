package statesync_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/statesync/replica"
	"github.com/limina-mcp/limina/world"
)

// cube is the world of the state sync benchmarks: entities that are evenly spread over a cube of
// 1,000 m, of which a share moves by up to 2 m along each axis in each tick.
type cube struct {
	w    *world.World
	ids  []world.ID
	rng  *rand.Rand
	perm []int
	move int
	at   int
}

const side = 1000.0

func newCube(tb testing.TB, entities int, share float64) *cube {
	tb.Helper()
	c := &cube{w: world.New(world.Config{CellSize: 100}), rng: rand.New(rand.NewPCG(7, 7)), move: int(float64(entities) * share)}
	_, err := c.w.Update(context.Background(), func(tx *world.Tx) error {
		for range entities {
			id, err := tx.Create(world.Spec{Position: c.point()})
			if err != nil {
				return err
			}
			c.ids = append(c.ids, id)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	c.perm = c.rng.Perm(entities)
	return c
}

func (c *cube) point() world.Vec3 {
	return world.Vec3{c.rng.Float64() * side, c.rng.Float64() * side, c.rng.Float64() * side}
}

func (c *cube) tick(tb testing.TB) {
	tb.Helper()
	_, err := c.w.Update(context.Background(), func(tx *world.Tx) error {
		for range c.move {
			id := c.ids[c.perm[c.at]]
			c.at = (c.at + 1) % len(c.ids)
			p, _ := tx.Position(id)
			for i := range p {
				p[i] = min(max(p[i]+c.rng.Float64()*4-2, 0), side-1)
			}
			if err := tx.SetPosition(id, p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// sphere returns an area away from the faces of the cube.
func (c *cube) sphere(r float64) statesync.Area {
	var p world.Vec3
	for i := range p {
		p[i] = r + c.rng.Float64()*(side-2*r)
	}
	return statesync.Within(p, r)
}

func subscribe(tb testing.TB, f *statesync.Feed, o statesync.Options) *statesync.View {
	tb.Helper()
	_, v, err := f.Subscribe(nil, o)
	if err != nil {
		tb.Fatal(err)
	}
	v.Start()
	return v
}

// drain pulls everything that is due and returns how many bytes it was.
func drain(f *statesync.Feed, buf []byte) ([]byte, int) {
	n := 0
	for {
		out, kind := f.Append(buf[:0])
		if kind == statesync.NoFrame {
			return out, n
		}
		n += len(out)
		buf = out
	}
}

// BenchmarkTick is a tick without any socket: commit, interest, encoding, frames. It is what syncfloor's
// BenchmarkTick is, with a world behind it.
func BenchmarkTick(b *testing.B) {
	for _, encoding := range []statesync.Encoding{statesync.JSON, statesync.Packed, statesync.Binary} {
		for _, q := range []struct {
			name    string
			share   float64
			radius  float64
			clients int
		}{
			{"sparse/500", 0.1, 181.4, 500},
			{"sparse/5000", 0.1, 181.4, 5000},
			{"crowd/50", 1, 390.8, 50},
			{"crowd/200", 1, 390.8, 200},
		} {
			b.Run(fmt.Sprintf("%s/%s", encoding, q.name), func(b *testing.B) {
				c := newCube(b, 2000, q.share)
				hub := statesync.New(c.w, statesync.Config{})
				feeds := make([]*statesync.Feed, q.clients)
				for i := range feeds {
					feeds[i] = hub.Connect(func() {})
					subscribe(b, feeds[i], statesync.Options{Area: c.sphere(q.radius), Encoding: encoding})
				}
				var buf []byte
				bytes, messages := 0, 0
				one := func() {
					c.tick(b)
					for _, f := range feeds {
						var n int
						if buf, n = drain(f, buf); n > 0 {
							messages++
						}
						bytes += n
					}
				}
				for range 20 {
					one()
				}
				bytes, messages = 0, 0
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					one()
				}
				b.StopTimer()
				updates := 2000 * q.share * 4 / 3 * math.Pi * q.radius * q.radius * q.radius / 1e9
				per := float64(b.N) * float64(q.clients)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/per, "ns/client")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/per/updates, "ns/update")
				b.ReportMetric(float64(bytes)/per/updates, "B/update")
				b.ReportMetric(float64(messages)/per, "messages/client")
			})
		}
	}
}

// BenchmarkWorldOnly is the part of BenchmarkTick that is not state sync.
func BenchmarkWorldOnly(b *testing.B) {
	for _, share := range []float64{0.1, 1} {
		b.Run(fmt.Sprint(share), func(b *testing.B) {
			c := newCube(b, 2000, share)
			for b.Loop() {
				c.tick(b)
			}
		})
	}
}

// BenchmarkFarAway is a tick of worlds of different sizes, with one subscriber who sees nothing of it.
func BenchmarkFarAway(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		for _, share := range []float64{0, 0.01} {
			for _, watched := range []bool{false, true} {
				b.Run(fmt.Sprintf("%d/moving=%v/watched=%v", n, share, watched), func(b *testing.B) {
					c := newCube(b, n, share)
					var lone world.ID
					_, err := c.w.Update(context.Background(), func(tx *world.Tx) (err error) {
						lone, err = tx.Create(world.Spec{Position: world.Vec3{1e5, 0, 0}})
						return err
					})
					if err != nil {
						b.Fatal(err)
					}
					f := statesync.New(c.w, statesync.Config{}).Connect(func() {})
					if watched {
						subscribe(b, f, statesync.Options{Area: statesync.Within(world.Vec3{1e5, 0, 0}, 50)})
					}
					var buf []byte
					x := 0.0
					b.ReportAllocs()
					for b.Loop() {
						if share > 0 {
							c.tick(b)
						}
						_, err := c.w.Update(context.Background(), func(tx *world.Tx) error {
							x = 1 - x
							return tx.SetPosition(lone, world.Vec3{1e5, x, 0})
						})
						if err != nil {
							b.Fatal(err)
						}
						buf, _ = drain(f, buf)
					}
					if share > 0 {
						b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.move), "ns/moved")
					}
				})
			}
		}
	}
}

// BenchmarkMultiplexed is 64 subscriptions of each connection, in one frame.
//
// Cold, the caches hold something else before each tick, as they do on a server that ticks twenty times a second and
// shares its machine.
func BenchmarkMultiplexed(b *testing.B) {
	for _, q := range []struct {
		encoding statesync.Encoding
		cold     bool
	}{{statesync.JSON, false}, {statesync.Packed, false}, {statesync.Binary, false}, {statesync.Binary, true}} {
		encoding, name := q.encoding, string(q.encoding)
		if q.cold {
			name += "/cold"
		}
		b.Run(name, func(b *testing.B) {
			var other []byte
			if q.cold {
				other = make([]byte, 24<<20)
			}
			c := newCube(b, 2000, 0.1)
			hub := statesync.New(c.w, statesync.Config{})
			feeds := make([]*statesync.Feed, 64)
			for i := range feeds {
				feeds[i] = hub.Connect(func() {})
				for k := range 64 {
					subscribe(b, feeds[i], statesync.Options{Name: fmt.Sprint("s", k), Area: c.sphere(181.4), Encoding: encoding, Batch: true})
				}
			}
			var buf []byte
			bytes := 0
			for b.Loop() {
				b.StopTimer()
				for i := 0; i < len(other); i += 64 {
					other[i]++
				}
				b.StartTimer()
				c.tick(b)
				for _, f := range feeds {
					var n int
					buf, n = drain(f, buf)
					bytes += n
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/subscription")
			b.ReportMetric(float64(bytes)/float64(b.N)/4096, "B/subscription")
		})
	}
}

// BenchmarkMemory is what a subscriber who has been told everything holds in memory.
func BenchmarkMemory(b *testing.B) {
	for _, encoding := range []statesync.Encoding{statesync.JSON, statesync.Packed, statesync.Binary} {
		b.Run(string(encoding), func(b *testing.B) {
			c := newCube(b, 2000, 0.1)
			hub := statesync.New(c.w, statesync.Config{})
			keep := hub.Connect(func() {})
			subscribe(b, keep, statesync.Options{Area: statesync.Whole(), Encoding: encoding}) // the records are everybody's
			const clients = 2000
			feeds := make([]*statesync.Feed, clients)
			before := heap()
			for i := range feeds {
				feeds[i] = hub.Connect(func() {})
				subscribe(b, feeds[i], statesync.Options{Area: c.sphere(181.4), Encoding: encoding})
			}
			var buf []byte
			for range 20 {
				c.tick(b)
				for _, f := range feeds {
					buf, _ = drain(f, buf)
				}
			}
			held := float64(heap()-before) / clients
			for b.Loop() {
			}
			b.ReportMetric(held, "B/subscriber")
			runtime.KeepAlive(feeds)
			runtime.KeepAlive(keep)
		})
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkDeclare moves an area of 50 entities by a step.
func BenchmarkDeclare(b *testing.B) {
	c := newCube(b, 2000, 0.1)
	hub := statesync.New(c.w, statesync.Config{})
	for range 500 {
		subscribe(b, hub.Connect(func() {}), statesync.Options{Area: c.sphere(181.4)})
	}
	f := hub.Connect(func() {})
	area := statesync.Within(world.Vec3{500, 500, 500}, 181.4)
	v := subscribe(b, f, statesync.Options{Area: area})
	var buf []byte
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		area.Center[0] = 500 + float64(i%20)
		if _, err := v.Declare(nil, area); err != nil {
			b.Fatal(err)
		}
		v.Start()
		buf, _ = drain(f, buf)
	}
}

// BenchmarkReplica applies the deltas of a crowd.
func BenchmarkReplica(b *testing.B) {
	for _, encoding := range []statesync.Encoding{statesync.JSON, statesync.Packed, statesync.Binary} {
		b.Run(string(encoding), func(b *testing.B) {
			c := newCube(b, 2000, 1)
			f := statesync.New(c.w, statesync.Config{}).Connect(func() {})
			frame, v, err := f.Subscribe(nil, statesync.Options{Area: c.sphere(390.8), Encoding: encoding})
			if err != nil {
				b.Fatal(err)
			}
			v.Start()
			var held replica.Copy
			take := func(frame []byte) {
				if _, err := apply(&held, encoding == statesync.Binary, frame); err != nil {
					b.Fatal(err)
				}
			}
			take(frame)
			for b.Loop() {
				b.StopTimer()
				c.tick(b)
				frame, _ = f.Append(frame[:0])
				b.StartTimer()
				take(frame)
			}
		})
	}
}

// BenchmarkSnapshot subscribes to a whole world of 100,000 entities, and reports for how long at most a
// commit had to wait.
func BenchmarkSnapshot(b *testing.B) {
	for _, encoding := range []statesync.Encoding{statesync.JSON, statesync.Packed, statesync.Binary} {
		b.Run(string(encoding), func(b *testing.B) {
			c := newCube(b, 100_000, 0)
			hub := statesync.New(c.w, statesync.Config{})
			longest, done := make(chan time.Duration), make(chan struct{})
			go func() {
				var most time.Duration
				for x := 0.0; ; x = 1 - x {
					select {
					case <-done:
						longest <- most
						return
					default:
					}
					start := time.Now()
					_, err := c.w.Update(context.Background(), func(tx *world.Tx) error {
						return tx.SetPosition(c.ids[0], world.Vec3{x, 0, 0})
					})
					if err != nil {
						b.Error(err)
					}
					most = max(most, time.Since(start))
				}
			}()
			var buf []byte
			for b.Loop() {
				f := hub.Connect(nil)
				frame, _, err := f.Subscribe(buf[:0], statesync.Options{Area: statesync.Whole(), Encoding: encoding})
				if err != nil {
					b.Fatal(err)
				}
				buf = frame
				f.Close()
			}
			close(done)
			b.ReportMetric(float64((<-longest).Microseconds())/1000, "ms/longest-commit")
			b.ReportMetric(float64(len(buf)), "B/snapshot")
		})
	}
}
