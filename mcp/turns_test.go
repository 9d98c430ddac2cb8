package mcp_test

import (
	"bufio"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/transport/stdio"
	"github.com/limina-mcp/limina/world"
)

// Builders who send one call at a time are not held up by one who sends a flood: between two calls of
// theirs a few of its calls are run, not all of them. It is counted, not timed, and on one processor,
// where nothing but turns lets them in.
func TestFairTurns(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const (
		flood, calls, builders = 50_000, 100, 4
		most                   = 10 * 16 // calls of the flood between two of a builder: turns of 16
	)
	var (
		mu    sync.Mutex // guards what follows
		order []string
		begin = make(chan struct{}) // closed when the flood has begun
	)
	core := newCore(t, mcp.Options{})
	if err := core.Registry().Register(registry.Define(registry.Spec[none, none]{
		Name: "demo.note", Description: "Note who called.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ none) (none, error) {
			mu.Lock()
			defer mu.Unlock()
			if len(order) == 0 {
				close(begin)
			}
			order = append(order, c.Principal().ID)
			return none{}, nil
		},
	})); err != nil {
		t.Fatal(err)
	}
	const note = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.note"}}` + "\n"
	var running sync.WaitGroup
	open := func(agent string) (in *io.PipeWriter, out *bufio.Reader) {
		r, in := io.Pipe()
		outR, outW := io.Pipe()
		running.Go(func() {
			if err := core.Serve(t.Context(), stdio.New(r, outW, stdio.Options{})); err != nil {
				t.Errorf("Serve = %v", err)
			}
			_ = outW.Close()
		})
		out = bufio.NewReaderSize(outR, 1<<20)
		_, _ = io.WriteString(in, initAs(agent, agent, "builder.readWrite", ""))
		_, _ = out.ReadString('\n')
		return in, out
	}
	for i := range builders {
		name := fmt.Sprint("builder", i)
		in, out := open(name)
		running.Go(func() {
			<-begin
			for range calls {
				_, _ = io.WriteString(in, note)
				_, _ = out.ReadString('\n')
			}
			_ = in.Close()
		})
	}
	running.Go(func() { // it never waits for anything
		in := strings.NewReader(initAs("flood", "flood", "builder.readWrite", "") + strings.Repeat(note, flood))
		if err := core.Serve(t.Context(), stdio.New(in, io.Discard, stdio.Options{})); err != nil {
			t.Errorf("Serve = %v", err)
		}
	})
	running.Wait()

	last := map[string]int{} // where each builder's last call is in the order of the flood's calls
	done, floods := map[string]int{}, 0
	var late []int // how many calls of the flood were too many between two of a builder
	for _, who := range order {
		if who == "flood" {
			floods++
			continue
		}
		if done[who] > 0 && floods-last[who] > most {
			late = append(late, floods-last[who])
		}
		last[who] = floods
		done[who]++
	}
	// Where the machine is busy, Go's monitor may find that a builder's goroutine has run for 10 ms, and put it behind all others.
	if len(late) > calls*builders/100 {
		t.Errorf("between two calls of a builder as many of the flood were run: %v", late)
	}
	for i := range builders {
		if name := fmt.Sprint("builder", i); done[name] != calls || last[name] == flood {
			t.Errorf("%s had %d calls, the last after %d of the flood", name, done[name], last[name])
		}
	}
}

// stone is a component that takes as long to read as a test wants.
type stone struct{ Name string }

// stoneRead is closed when stones may be read; nil: at once.
var stoneRead chan struct{}

func (s stone) AppendJSON(dst []byte) []byte {
	if stoneRead != nil {
		<-stoneRead
	}
	return strconv.AppendQuote(dst, s.Name)
}

// Who reads a large area keeps a processor busy, but not the turn of a connection: others' messages are read on.
func TestLargeAreaGivesTurnBack(t *testing.T) {
	for _, c := range []struct{ method, area, message string }{
		{"state/subscribe", `{}`, "state/snapshot"},
		{"aoi/declare", `{"center":[0,0,0],"radius":500}`, "state/delta"},
	} {
		t.Run(c.method, func(t *testing.T) { testLargeArea(t, c.method, c.area, c.message) })
	}
}

func testLargeArea(t *testing.T, method, area, message string) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		stones := world.NewComponent[stone](r.w, "stone")
		var last world.ID
		if _, err := r.w.Update(t.Context(), func(tx *world.Tx) error {
			for range 3000 {
				id, err := tx.Create(world.Spec{})
				if err != nil {
					return err
				}
				last = id
			}
			return stones.Set(tx, last, stone{"a"})
		}); err != nil {
			t.Fatal(err)
		}
		r.put(world.Vec3{100, 0, 0})
		viewer, other := r.connect("viewer", "builder.readWrite"), r.connect("other", "builder.readWrite")
		if method == "aoi/declare" {
			viewer.send(request(1, "state/subscribe", `{"aoi":{"center":[100,0,0],"radius":1}}`))
			viewer.next()
			viewer.next()
		}
		stoneRead = make(chan struct{})
		defer func() { stoneRead = nil }()
		viewer.send(request(1, method, area))
		synctest.Wait()
		answered := make(chan string, 1)
		go func() { answered <- other.ask(request(2, "ping", `{}`)) }()
		synctest.Wait()
		select {
		case <-answered:
		default:
			t.Error("while a large area is read, another connection's ping is not answered")
		}
		close(stoneRead)
		got := told(t, viewer.next())
		if n := len(got.Params.Entities) + len(got.Params.Changes); got.Method != message || n < 3000 || n > 3001 {
			t.Errorf("the viewer was told %s of %d entities, want a %s of all", got.Method, n, message)
		}
		if answer := viewer.next(); !strings.Contains(answer, `"result":{"ok":true`) {
			t.Errorf("the answer is %s", answer)
		}
		if _, err := r.w.Update(t.Context(), func(tx *world.Tx) error { return tx.SetPosition(last, world.Vec3{1, 0, 0}) }); err != nil {
			t.Fatal(err)
		}
		if got := told(t, viewer.next()); got.Method != "state/delta" || len(got.Params.Changes) != 1 {
			t.Errorf("after a move the viewer was told %s of %d changes", got.Method, len(got.Params.Changes))
		}
	})
}

// Who calls too often is refused, and may call again when time has passed.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dialAs(t, newCore(t, mcp.Options{}), 0, mcp.Peer{Rate: 10})
		echo := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.echo","arguments":{"text":"x"}}}` + "\n"
		burst := func(n int, text string) (passed int, said []string) {
			p.send(strings.Repeat(text, n))
			synctest.Wait()
			said = p.said()
			for _, line := range said {
				if !strings.Contains(line, "more than 10 calls a second") {
					passed++
				}
			}
			return passed, said
		}
		p.send(initNative)
		synctest.Wait()
		p.said()
		n, said := burst(25, echo)
		if want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"more than 10 calls a second on this connection, which is its limit: wait a moment","data":{"success":false,"error":{"code":"capacity_exceeded",`; n != 10 || !strings.HasPrefix(said[24], want) {
			t.Errorf("%d calls of a burst passed; the last was answered %s", n, said[24])
		}
		if n, _ := burst(5, fmt.Sprintf(ping, 1)); n != 5 {
			t.Errorf("%d pings of 5 passed", n)
		}
		time.Sleep(300 * time.Millisecond)
		if n, _ := burst(25, echo); n != 3 {
			t.Errorf("%d calls passed after 0.3 s", n)
		}
		time.Sleep(time.Hour)
		if n, _ := burst(25, echo); n != 10 {
			t.Errorf("%d calls passed after an hour", n)
		}
		p.send(initStandard)
		synctest.Wait()
		p.said()
		if _, said := burst(1, echo); !strings.Contains(said[0], "capacity_exceeded: more than 10 calls") || !strings.Contains(said[0], `"isError":true`) {
			t.Errorf("in the standard dialect: %s", said[0])
		}
		if _, said := burst(1, strings.Replace(echo, "demo.echo", "demo.nothing", 1)); !strings.Contains(said[0], `-32002,"message":"more than 10 calls`) {
			t.Errorf("of an unknown tool: %s", said[0])
		}
		p.close()
	})
}

// No more connections have their messages run at a time than there are processors: the others wait, in the order in which
// they came, and are counted.
func TestTurnsAreAsManyAsProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		goOn, begun := make(chan struct{}), 0
		if err := core.Registry().Register(registry.Define(registry.Spec[none, none]{
			Name: "demo.hold", Description: "Hold the turn.", Permissions: []profiles.Permission{profiles.Anyone},
			Handle: func(*registry.Call, none) (none, error) {
				begun++ // never two at once: the test waits for each
				<-goOn
				return none{}, nil
			},
		})); err != nil {
			t.Fatal(err)
		}
		const peers = 5
		var all []*peer
		for i := range peers {
			p := dial(t, core, 0)
			p.send(strings.Replace(initNative, `"s1"`, fmt.Sprintf(`"s%d"`, i), 1))
			all = append(all, p)
		}
		synctest.Wait()
		for _, p := range all {
			p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.hold"}}` + "\n")
			synctest.Wait()
		}
		for done := range peers {
			if running, waiting := min(2, peers-done), max(peers-done-2, 0); begun != done+running || core.Stats().Waiting != waiting {
				t.Errorf("after %d calls %d have begun and %d wait, want %d and %d", done, begun, core.Stats().Waiting, done+running, waiting)
			}
			goOn <- struct{}{}
			synctest.Wait()
		}
		for i, p := range all {
			if said := p.said(); len(said) != 2 || !strings.Contains(said[1], `"success":true`) {
				t.Errorf("peer %d: said %q", i, said)
			}
			p.close()
		}
	})
}

// What waits for its turn is counted, and so are sessions.
func TestStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		p := dial(t, core, 0)
		p.send(initNative)
		synctest.Wait()
		if s := core.Stats(); s != (mcp.Stats{Sessions: 1, Agents: 1}) {
			t.Errorf("stats %+v", s)
		}
		p.close()
		if s := core.Stats(); s != (mcp.Stats{}) {
			t.Errorf("stats %+v", s)
		}
	})
}

// others returns how many calls are not ada's.
func others(order []string) (n int) {
	for _, who := range order {
		if who != "ada" {
			n++
		}
	}
	return n
}

// Whoever has many connections has no more turns than who has one, by whatever names he comes over them; and of his own none is left out.
func TestTurnsAreSharedByOwner(t *testing.T) {
	const (
		peers, calls = 20, 48 // three turns of each connection
		quantum      = 16
	)
	fleet := &mcp.Credential{Principal: "fleet-*", Profiles: []string{"builder.readWrite"}}
	for _, tt := range []struct {
		name string
		peer mcp.Peer
		init string // of connection %d
		call string
	}{
		{"names of one token", mcp.Peer{Credential: fleet}, initAs("fleet-%[1]d", "s%[1]d", "builder.readWrite", ""), "demo.note"},
		{"one name without a token", mcp.Peer{}, initAs("eve", "s%d", "builder.readWrite", ""), "demo.note"},
		{"a token before there is a session", mcp.Peer{Credential: fleet}, "", ""},
		{"strangers", mcp.Peer{}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			synctest.Test(t, func(t *testing.T) {
				core := newCore(t, mcp.Options{})
				held, goOn := 0, make(chan struct{})
				var order []string
				ended := make(chan struct{}) // holds the last of ada's calls
				skill := func(name string, run func(who string)) registry.Skill {
					return registry.Define(registry.Spec[none, none]{
						Name: name, Description: "Note who called.", Permissions: []profiles.Permission{profiles.Anyone},
						Handle: func(c *registry.Call, _ none) (none, error) {
							run(c.Principal().ID)
							return none{}, nil
						},
					})
				}
				if err := core.Registry().Register(
					skill("demo.note", func(who string) {
						if order = append(order, who); who == "ada" && len(order)-others(order) == calls {
							<-ended
						}
					}),
					skill("demo.hold", func(string) { held++; <-goOn }),
				); err != nil {
					t.Fatal(err)
				}
				note := func(n int) string {
					return strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.note"}}`+"\n", n)
				}
				holder := dial(t, core, 0)
				holder.send(initAs("holder", "h", "builder.readWrite", "") + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.hold"}}` + "\n")
				synctest.Wait()
				var all []*peer
				for i := range peers {
					p := dialAs(t, core, 0, tt.peer)
					all = append(all, p)
					if tt.init == "" {
						p.send(strings.Repeat(fmt.Sprintf(ping, 1), calls))
					} else {
						p.send(fmt.Sprintf(tt.init, i) + note(calls))
					}
				}
				synctest.Wait()
				ada := dialAs(t, core, 0, mcp.Peer{})
				ada.send(initAs("ada", "a", "builder.readWrite", "") + note(calls))
				synctest.Wait()
				if w := core.Stats().Waiting; held != 1 || w != peers+1 {
					t.Fatalf("%d calls hold the turn and %d connections wait, want one and %d", held, w, peers+1)
				}
				close(goOn)
				synctest.Wait()
				// She is one of two who want something, but for her first message, before which nothing is known of her.
				if n, most := others(order), calls+2*quantum; len(order)-n != calls || n > most {
					t.Errorf("before %d calls of somebody with one connection %d of somebody with %d were run, want at most %d", len(order)-n, n, peers, most)
				}
				answered := map[*peer][]string{}
				for _, p := range all {
					if said := p.said(); len(said) > 1 { // the first may be the answer to initialize
						answered[p] = said
					}
				}
				if len(answered) > 2 {
					t.Errorf("meanwhile %d of the connections had all their answers, want 2 at most", len(answered))
				}
				close(ended)
				synctest.Wait()
				for i, p := range all {
					want := calls
					if tt.init != "" {
						want++
					}
					if said := slices.Concat(answered[p], p.said()); len(said) != want {
						t.Errorf("peer %d has %d answers, want %d", i, len(said), want)
					}
					p.close()
				}
				ada.close()
				holder.close()
			})
		})
	}
}
