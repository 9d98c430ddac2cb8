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
	hz := flag.Int("hz", 20, "ticks a second")
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

func run(ctx context.Context, addr string, hz, entities int, move float64, bound bool) error {
	sleep, err := alarm.New()
	if err != nil {
		return err
	}
	config := engine.Config{StepRate: hz, Alarm: sleep}
	var ticks gate
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
	var told beat
	if bound {
		e.World.OnStep("gate", func(*world.Tx) error {
			ticks.open()
			return nil
		})
	}
	if move > 0 {
		e.World.OnStep("cube", func(tx *world.Tx) error {
			told.begun = now()
			return c.Move(tx)
		})
		e.World.OnCommit(told.commit)
	}
	s, err := server.Listen(server.Config{Core: e.Mcp, Address: addr, Rate: -1})
	if err != nil {
		return err
	}
	return e.Run(ctx, func(ctx context.Context) error {
		fmt.Println("READY")
		return s.Run(ctx)
	})
}

// beat says of each tick when its changes began. It belongs to who holds the world's lock.
type beat struct {
	begun int64 // of the running step, 0 if there is none
	lines []byte
	said  int64
}

// commit notes the tick, and prints what it has noted every fifth of a second.
func (b *beat) commit(v *world.View, _ []world.Change) {
	if b.begun == 0 {
		return // it is no step
	}
	b.lines = fmt.Appendf(b.lines, "T %d %d\n", v.Tick(), b.begun)
	if b.begun-b.said > 200_000 {
		b.said = b.begun
		say(b.lines)
		b.lines = b.lines[:0]
	}
	b.begun = 0
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

// say writes to standard output without telling Go's scheduler, for the same reason. If nobody reads it, the lines are lost.
func say(p []byte) {
	for len(p) > 0 {
		n, _, errno := unix.RawSyscall(unix.SYS_WRITE, 1, uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
		if errno != 0 {
			return
		}
		p = p[n:]
	}
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
