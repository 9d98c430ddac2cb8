// Command limina-sync is limina --mcp-ws with a world that moves by itself: what package watch
// measures.
//
//	limina-sync -addr 127.0.0.1:8787 [-hz 20] [-entities 2000] [-move 0.1] [-bound]
//
// It prints READY, and for each tick a line «T number µs» with the number of the commit and the
// monotonic clock when its changes began.
//
// With -bound what clients ask for is done at ticks only, as in a server that is built around its tick:
// for comparison.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/limina-mcp/limina/bench/cube"
	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/alarm"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8787", "address to listen on")
	hz := flag.Float64("hz", 20, "ticks a second")
	entities := flag.Int("entities", 2000, "entities")
	move := flag.Float64("move", 0.1, "share of the entities that moves in each tick")
	bound := flag.Bool("bound", false, "do what clients ask for at ticks only")
	flag.Parse()
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
	defer stop()
	if err := run(ctx, *addr, *hz, *entities, *move, *bound); err != nil && ctx.Err() == nil {
		log.Fatal("limina-sync: ", err)
	}
}

func run(ctx context.Context, addr string, hz float64, entities int, move float64, bound bool) error {
	var ticks gate
	sleep, err := alarm.New()
	if err != nil {
		return err
	}
	beats, err := alarm.New()
	if err != nil {
		return err
	}
	config := engine.Config{Alarm: sleep}
	if bound {
		config.Recorder = &ticks
	}
	e, err := engine.New(config)
	if err != nil {
		return err
	}
	c, err := cube.Fill(e.World, entities, move)
	if err != nil {
		return err
	}
	s, err := server.Listen(server.Config{Core: e.Mcp, Address: addr, Rate: -1})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() { cancel(beat(ctx, c, beats, hz, move > 0, &ticks)) }()
	return e.Run(ctx, func(ctx context.Context) error {
		fmt.Println("READY")
		return s.Run(ctx)
	})
}

// beat ticks at a fixed rate, by the alarm that world.Run of the product sleeps by. What comes late is caught up
// with, up to a quarter of a second, as there.
func beat(ctx context.Context, c *cube.Cube, sleep world.Alarm, hz float64, moves bool, ticks *gate) error {
	out := bufio.NewWriter(quiet{})
	period := time.Duration(float64(time.Second) / hz)
	next, said := time.Now().Add(period), time.Now()
	for ctx.Err() == nil {
		sleep.Wait(max(0, time.Until(next)))
		if late := time.Now().Add(-time.Second / 4); next.Before(late) {
			next = late
		}
		next = next.Add(period)
		ticks.open()
		if !moves {
			continue
		}
		begun := now()
		n, err := c.Tick()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "T %d %d\n", n, begun)
		if time.Since(said) > 200*time.Millisecond {
			said = time.Now()
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// now is the monotonic clock that all processes of the machine share, in microseconds. It is read by a system
// call once, and then by Go, which reads the same one without: a call in each tick would wake the runtime's monitor
// thread, which then looks every 70 µs, as long as the tick takes, for what hangs in a call.
func now() int64 { return (monotonic + int64(time.Since(start))) / 1000 }

// start is when monotonic, in nanoseconds, was read.
var monotonic, start = readMonotonic(), time.Now()

func readMonotonic() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano()
}

// quiet is standard output, written to without telling Go's scheduler, for the same reason.
type quiet struct{}

func (quiet) Write(p []byte) (n int, err error) {
	for n < len(p) {
		m, _, errno := unix.RawSyscall(unix.SYS_WRITE, 1, uintptr(unsafe.Pointer(&p[n])), uintptr(len(p)-n))
		if errno != 0 {
			return n, errno
		}
		n += int(m)
	}
	return n, nil
}

// gate is a Recorder that has each call wait for the next tick.
type gate struct {
	mu   sync.Mutex
	next chan struct{}
}

// Record implements registry.Recorder.
func (g *gate) Record(*registry.Call, []byte) (func(registry.Outcome) error, error) {
	g.mu.Lock()
	if g.next == nil {
		g.next = make(chan struct{})
	}
	next := g.next
	g.mu.Unlock()
	<-next
	return nil, nil
}

// open lets go those that wait.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.next != nil {
		close(g.next)
		g.next = nil
	}
}
