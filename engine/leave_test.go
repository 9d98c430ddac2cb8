package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
	"github.com/limina-mcp/limina/world"
)

// house is a served engine in which tests open doors.
type house struct {
	*engine.Engine
	t      *testing.T
	door   *memnet.Listener
	mu     sync.Mutex
	told   []string
	finish func()
}

// newHouse serves an engine until the test ends, or finish is called. dir is where the world is kept, "" for nowhere.
func newHouse(t *testing.T, c engine.Config, dir string) *house {
	t.Helper()
	c.Rigid = true
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{Engine: e, t: t, door: memnet.Listen()}
	stop := e.World.Observe(func(c *world.Commit) {
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, m := range c.Moments {
			if kind := m.Kind; kind == "agent.joined" || kind == "agent.left" || kind == "player.left" || kind == "event.custom" {
				h.told = append(h.told, fmt.Sprint(kind, " ", m.Placed, " ", string(m.Payload)))
			}
		}
	})
	if dir != "" {
		if err := e.Keep(dir); err != nil {
			t.Fatal(err)
		}
	}
	s, err := server.On(h.door, true, server.Config{Core: e.Mcp})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- e.Run(ctx, s.Run) }()
	h.finish = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run = %v", err)
		}
		stop()
	})
	t.Cleanup(h.finish)
	return h
}

// enter has an agent come over WebSocket, and the world told of it.
func (h *house) enter(agent string) *client {
	h.t.Helper()
	c := dial(h.t, h.door.DialContext)
	c.send("initialize", identity(agent, "builder.readWrite"))
	c.until(`"sessionId"`)
	time.Sleep(100 * time.Millisecond) // so that they are told
	return c
}

// do makes a call that has to succeed.
func (c *client) do(name, input string) {
	c.t.Helper()
	c.send("callTool", tool(name, input))
	if got := c.until(`"id":"callTool"`); !strings.Contains(got, `"success":true`) {
		c.t.Fatalf("%s: %s", name, got)
	}
}

// leave hangs up without a word.
func (c *client) leave() { _ = c.NetConn().Close() }

// heard returns what viewers of all were told of who comes and goes, since it was asked last.
func (h *house) heard() []string {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	told := h.told
	h.told = nil
	return told
}

// after waits, and holds what was told in that time.
func (h *house) after(seconds int, want ...string) {
	h.t.Helper()
	time.Sleep(time.Duration(seconds) * time.Second)
	if got := h.heard(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		h.t.Errorf("after %d s they are told\n%s\nwant\n%s", seconds, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// holds compares the ids of the entities that there are.
func (h *house) holds(want string) {
	h.t.Helper()
	var ids []string
	h.World.View(func(v *world.View) {
		for id := range v.All() {
			ids = append(ids, id.String())
		}
	})
	if got := strings.Join(ids, " "); got != want {
		h.t.Errorf("there are %q, want %q", got, want)
	}
}

const (
	annJoins   = `agent.joined false {"agent":"ann","by":"ann"}`
	annReturns = `agent.joined false {"agent":"ann","entity":"ent_0","by":"ann"}`
	annLeaves  = `agent.left false {"agent":"ann","entity":"ent_0","by":"ann"}`
	ent0Goes   = `player.left true {"agent":"ann","entity":"ent_0","by":"ann"}`
)

// TestLeave has ann come, make things, and lose her connections: what goes with her goes ten seconds after the last of them, and nothing else.
func TestLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, engine.Config{Leave: 10}, "")
		ann := h.enter("ann")
		viewer := dial(t, h.door.DialContext)
		viewer.send("initialize", identity("viewer", "system.readonly"))
		viewer.until(`"sessionId"`)
		viewer.send("state/subscribe", `{"aoi":{"center":[5000,0,0],"radius":1}}`) // of a place where nothing is
		viewer.until(`"id":"state/subscribe","result"`)
		seen := make(chan bool, 1)
		go func() { // one that does not read is let go
			for {
				_, text, err := viewer.ReadMessage()
				if err != nil {
					return
				}
				if strings.Contains(string(text), "agent.left") && strings.Contains(string(text), `"agent":"ann"`) {
					seen <- true
					return
				}
			}
		}()
		h.after(1, annJoins, `agent.joined false {"agent":"viewer","by":"viewer"}`)

		ann.do("player.spawn", `{"position":[0,1,0]}`)             // ent_0
		ann.do("agent.embody", `{"position":[3,0,0]}`)             // ent_1
		ann.do("player.spawn", `{"position":[6,1,0],"stay":true}`) // ent_2
		ann.do("scene.createEntity", `{"position":[9,1,0]}`)       // ent_3
		ann.do("player.spawn", `{"position":[12,1,0]}`)            // ent_4, who lives by itself
		ann.do("behavior.define", `{"id":"guard","name":"Guard"}`) //
		ann.do("behavior.assign", `{"entity":"ent_4","profileId":"guard"}`)
		ann.do("event.listen", `{"eventName":"agent.left","action":{"type":"custom","target":"so sad"}}`)
		second := dial(t, h.door.DialContext)
		second.send("initialize", `{"agentId":"ann","sessionId":"another","profile":"player.limited"}`)
		second.until(`"sessionId"`)
		ann.leave()
		h.after(15) // she is still there
		second.leave()
		h.after(7, annLeaves, `event.custom true {"listenerId":"lst_0","on":"agent.left","entity":"ent_0","target":"so sad","by":"ann"}`)
		<-seen // wherever one looks
		viewer.leave()
		h.after(1, `agent.left false {"agent":"viewer","by":"viewer"}`, `event.custom false {"listenerId":"lst_0","on":"agent.left","target":"so sad","by":"ann"}`)

		ann = h.enter("ann")
		h.after(15, annReturns)
		h.holds("ent_0 ent_1 ent_2 ent_3 ent_4")
		ann.do("player.move", `{"entity":"ent_0"}`) // it is hers as before
		ann.send("shutdown", `{}`)
		h.after(9, annLeaves, `event.custom true {"listenerId":"lst_0","on":"agent.left","entity":"ent_0","target":"so sad","by":"ann"}`)
		h.holds("ent_0 ent_1 ent_2 ent_3 ent_4")
		h.after(2, ent0Goes, `player.left true {"agent":"ann","entity":"ent_1","by":"ann"}`)
		h.holds("ent_2 ent_3 ent_4")
		h.after(15)
		ann = h.enter("ann")
		h.after(1, annJoins)
		ann.do("agent.embody", `{"entity":"ent_3"}`) // what was a thing before stays one
		ann.leave()
		h.after(15, `agent.left false {"agent":"ann","by":"ann"}`, `event.custom false {"listenerId":"lst_0","on":"agent.left","target":"so sad","by":"ann"}`)
		h.holds("ent_2 ent_3 ent_4")
		steps := h.World.Steps()
		if time.Sleep(time.Minute); h.World.Steps() > steps+1 {
			t.Error("time goes on, and nobody is awaited")
		}
	})
}

// TestLeaveBack has a character brought back whose owner is not there: by an undo, and by a checkpoint.
func TestLeaveBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, engine.Config{Leave: 5}, "")
		ann, bob := h.enter("ann"), h.enter("bob")
		ann.do("player.spawn", `{"position":[0,1,0]}`)
		bob.do("checkpoint.create", `{"name":"both"}`)
		h.heard()
		ann.leave()
		h.after(1, annLeaves)
		bob.do("scene.destroyEntity", `{"entity":"ent_0"}`)
		h.after(5) // there is nothing that could go
		h.holds("")
		bob.do("world.undo", `{}`)
		h.after(4)
		h.holds("ent_0")
		h.after(2, ent0Goes)
		h.holds("")
		bob.do("checkpoint.load", `{"name":"both"}`)
		h.after(4)
		h.holds("ent_0")
		h.after(2, ent0Goes)
		bob.do("checkpoint.load", `{"name":"both"}`)
		h.enter("ann")
		h.after(9, annReturns)
		h.holds("ent_0")
	})
}

// TestLeaveSaved has a world come from a save: what goes with somebody who is not here has the grace of this server, whatever that of the other was.
func TestLeaveSaved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		key := func() ([]byte, error) { return bytes.Repeat([]byte("k"), 32), nil }
		there := newHouse(t, engine.Config{Leave: 3600, SaveKey: key}, "")
		ann := there.enter("ann")
		ann.do("player.spawn", `{"position":[0,1,0]}`)
		ann.do("save.export", `{"name":"a"}`)
		ann.send("callTool", tool("save.slot", `{"action":"load","name":"a"}`))
		var answer struct {
			Result struct{ Result struct{ Data string } }
		}
		if text := ann.until(`"id":"callTool"`); json.Unmarshal([]byte(text), &answer) != nil || answer.Result.Result.Data == "" {
			t.Fatal(text)
		}
		there.finish()
		for _, c := range []struct {
			leave float64
			left  string
		}{{5, ""}, {0, "ent_0"}} {
			here := newHouse(t, engine.Config{Leave: c.leave, Always: true, SaveKey: key}, "")
			bob := here.enter("bob")
			bob.do("save.import", fmt.Sprintf(`{"data":%q}`, answer.Result.Result.Data))
			here.heard()
			time.Sleep(4 * time.Second)
			here.holds("ent_0")
			time.Sleep(2 * time.Second)
			here.holds(c.left)
			here.finish()
		}
	})
}

// TestLeaveNever has sessions end where nothing is to follow from it.
func TestLeaveNever(t *testing.T) {
	for _, c := range []struct {
		leave       float64
		joins, goes string
	}{{0, "", ""}, {-1, annJoins, annLeaves}} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t, engine.Config{Leave: c.leave, Always: true}, "")
			ann := h.enter("ann")
			tick := h.World.Tick()
			synctest.Wait()
			if c.leave == 0 && (h.World.Tick() != tick || h.Trace.Len() != 0) {
				t.Error("that a session was opened is in the world, or the trace")
			}
			ann.do("player.spawn", `{"position":[0,1,0]}`)
			ann.leave()
			time.Sleep(time.Hour)
			if got := strings.Join(h.heard(), "\n"); got != strings.Trim(c.joins+"\n"+c.goes, "\n") {
				t.Errorf("leave %v: they are told %s", c.leave, got)
			}
			h.holds("ent_0")
		})
	}
}

// TestLeaveHTTP has sessions over HTTP end by DELETE, and because nobody uses them; who has none neither comes nor goes.
func TestLeaveHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, engine.Config{Leave: 60}, "")
		transport := &http.Transport{DialContext: h.door.DialContext}
		defer transport.CloseIdleConnections()
		send := func(method, text string, headers ...string) (string, http.Header) {
			t.Helper()
			req, err := http.NewRequestWithContext(t.Context(), method, "http://localhost/mcp", strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			for i := 0; i < len(headers); i += 2 {
				req.Header.Set(headers[i], headers[i+1])
			}
			answer, err := transport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			body, _ := io.ReadAll(answer.Body)
			return string(body), answer.Header
		}
		begin := func() (session string) {
			t.Helper()
			_, header := send(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"ann","version":"1"}}}`)
			session = header.Get("Mcp-Session-Id")
			time.Sleep(100 * time.Millisecond)
			if got, _ := send(http.MethodPost, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"player_spawn","arguments":{"position":[0,1,0]}}}`, "Mcp-Session-Id", session); !strings.Contains(got, `"entity":"ent_`) {
				t.Fatalf("spawn: %s", got)
			}
			return session
		}
		session := begin()
		h.after(1, annJoins)
		send(http.MethodDelete, "", "Mcp-Session-Id", session)
		h.after(61, annLeaves, ent0Goes)
		begin()
		h.after(29*60, annJoins)
		h.after(3*60, strings.ReplaceAll(annLeaves, "ent_0", "ent_1"), strings.ReplaceAll(ent0Goes, "ent_0", "ent_1"))

		const version = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"bob","version":"1"}}`
		got, _ := send(http.MethodPost, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"player_spawn","arguments":{"position":[0,1,0]},`+version+`}}`,
			"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "player_spawn")
		if !strings.Contains(got, `"entity":"ent_2"`) {
			t.Errorf("a call without a session: %s", got)
		}
		h.after(600)
		h.holds("ent_2")
		session = begin() // and makes ent_3
		send(http.MethodPost, `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"world_undo","arguments":{}}}`, "Mcp-Session-Id", session)
		h.after(600, annJoins)
		h.holds("ent_2") // whatever is undone
	})
}

// TestLeaveKept has a world go on from its folder, in order and not: who was there when it ended has a whole grace from the start.
func TestLeaveKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		h := newHouse(t, engine.Config{Leave: 30, Always: true}, dir)
		ann, bob := h.enter("ann"), h.enter("bob")
		synctest.Wait()
		ann.do("player.spawn", `{"position":[0,1,0]}`)
		bob.do("player.spawn", `{"position":[5,1,0]}`)
		ann.leave()
		h.after(20, annJoins, `agent.joined false {"agent":"bob","by":"bob"}`, annLeaves)
		h.finish() // bob leaves with the server
		h.after(0, strings.NewReplacer("ann", "bob", "ent_0", "ent_1").Replace(annLeaves))

		h = newHouse(t, engine.Config{Leave: 30, Always: true}, dir)
		bob = h.enter("bob")
		h.after(29, strings.NewReplacer("ann", "bob", "ent_0", "ent_1").Replace(annReturns))
		h.holds("ent_0 ent_1")
		h.after(2, ent0Goes)
		h.finish()
		h.heard()

		h = newHouse(t, engine.Config{Leave: -1, Always: true}, dir) // never
		h.after(600)
		h.holds("ent_1")
		_ = bob
	})
}

// record is a Recorder that notes calls that have changed something, with the step before which they have.
type record struct {
	mu    sync.Mutex
	w     func() *world.World
	calls []recorded
}

type recorded struct {
	step  uint64
	skill string
	input json.RawMessage
	by    profiles.Principal
}

func (r *record) Record(c *registry.Call, input []byte) (func(registry.Outcome) error, error) {
	text := append([]byte(nil), input...)
	by, name := *c.Principal(), c.Skill().Name
	return func(o registry.Outcome) error {
		r.mu.Lock()
		defer r.mu.Unlock()
		if o.Tick != 0 {
			r.calls = append(r.calls, recorded{r.w().Steps(), name, text, by})
		}
		return nil
	}, nil
}

// TestLeaveReplay makes the calls that a recorder was told of again, each before the step before which it was made: the same world comes of it, without a session.
func TestLeaveReplay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h *house
		r := &record{w: func() *world.World { return h.World }}
		h = newHouse(t, engine.Config{Leave: 5, Recorder: r, Always: true}, "")
		ann, bob := h.enter("ann"), h.enter("bob")
		ann.do("event.listen", `{"eventName":"agent.left:bob","action":{"type":"spawn","data":{"size":2}}}`)
		ann.do("event.listen", `{"eventName":"player.left","action":{"type":"setState","data":{"game":{"counter":{"name":"gone"}}}}}`)
		ann.do("player.spawn", `{"position":[0,1,0]}`)
		bob.do("player.spawn", `{"position":[5,1,0]}`)
		time.Sleep(time.Second)
		bob.leave()
		time.Sleep(2 * time.Second)
		bob = h.enter("bob")
		time.Sleep(10 * time.Second)
		bob.leave()
		time.Sleep(20 * time.Second)
		h.finish()
		h.holds("ent_0 ent_2 ent_3")
		want, steps := h.World.Hash(), h.World.Steps()

		again, err := engine.New(engine.Config{Rigid: true})
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		attended := 0
		for _, c := range r.calls {
			for again.World.Steps() < c.step {
				again.World.Step(t.Context())
			}
			req := registry.Request{Name: c.skill, Input: c.input, Principal: &c.by}
			if c.skill == "agent.attend" {
				req.Skill = again.Presence.Attend()
				attended++
			}
			if res := again.Registry.Invoke(t.Context(), &req, nil); res.Err != nil {
				t.Fatalf("%s %s: %v", c.skill, c.input, res.Err)
			}
		}
		for again.World.Steps() < steps {
			again.World.Step(t.Context())
		}
		if got := again.World.Hash(); got != want || attended < 4 {
			t.Errorf("%d calls, %d of them of who comes and goes, made again give another world", len(r.calls), attended)
		}
	})
}

// TestLeaveInProcess opens sessions without a connection, a crowd at once, and closes them before anybody was told.
func TestLeaveInProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, engine.Config{Leave: 1, Always: true}, "")
		const crowd = 600
		var all []*mcp.Session
		for i := range crowd {
			s, err := h.Mcp.Open(mcp.Identity{AgentID: fmt.Sprintf("agent %03d", i), SessionID: fmt.Sprint(i), Profile: "builder.readWrite"})
			if err != nil {
				t.Fatal(err)
			}
			if i%2 == 0 {
				res := h.Mcp.CallTool(t.Context(), s, mcp.Request{Tool: "player.spawn", Input: fmt.Appendf(nil, `{"position":[%d,1,0]}`, 3*i)})
				if res.Error != nil {
					t.Fatal(res.Error)
				}
			}
			if i%3 == 0 {
				s.Close()
				s.Close()
				continue
			}
			all = append(all, s)
		}
		time.Sleep(5 * time.Second)
		if got := h.World.Tick(); h.entities() != crowd/2-crowd/6 {
			t.Errorf("%d entities are left at %d", h.entities(), got)
		}
		for _, s := range all {
			s.Close()
		}
		time.Sleep(5 * time.Second)
		if n := h.entities(); n != 0 {
			t.Errorf("%d entities are left", n)
		}
		counts := map[string]int{}
		for _, m := range h.heard() {
			what, _, _ := strings.Cut(m, " ")
			counts[what]++
		}
		if j, l := counts["agent.joined"], counts["agent.left"]; j != l || j < len(all) || counts["player.left"] != crowd/2 {
			t.Errorf("told: %v", counts)
		}
	})
}

func (h *house) entities() (n int) {
	h.World.View(func(v *world.View) { n = v.Len() })
	return n
}

// TestLeaveAtOnce has many come and go again at once: nobody is told, except of who was here for long enough to have made something.
func TestLeaveAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, engine.Config{Leave: 1, Always: true}, "")
		for i := range 100 {
			s, err := h.Mcp.Open(mcp.Identity{AgentID: fmt.Sprintf("agent %d", i), SessionID: "s", Profile: "builder.readWrite"})
			if err != nil {
				t.Fatal(err)
			}
			if i == 50 {
				h.Mcp.CallTool(t.Context(), s, mcp.Request{Tool: "player.spawn", Input: []byte(`{"position":[0,1,0]}`)})
			}
			synctest.Wait()
			s.Close()
		}
		h.holds("ent_0")
		h.after(2, `player.left true {"agent":"agent 50","entity":"ent_0","by":"agent 50"}`)
		h.holds("")
	})
}
