package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/internal/leak"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
	"github.com/limina-mcp/limina/world"
)

// client is a WebSocket client of a served engine.
type client struct {
	*websocket.Conn
	t *testing.T
}

func dial(t *testing.T, network func(context.Context, string, string) (net.Conn, error)) *client {
	t.Helper()
	d := websocket.Dialer{NetDialContext: network}
	c, answer, err := d.Dial("ws://localhost/", nil)
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	_ = answer.Body.Close()
	return &client{c, t}
}

func (c *client) send(method, params string) {
	c.t.Helper()
	text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":%q,"params":%s}`, method, method, params)
	if err := c.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		c.t.Errorf("%s: %v", method, err)
	}
}

// next returns the next frame.
func (c *client) next() string {
	c.t.Helper()
	_, text, err := c.ReadMessage()
	if err != nil {
		c.t.Errorf("receive: %v", err)
	}
	return string(text)
}

// until returns the next frame that holds all of wanted.
func (c *client) until(wanted ...string) string {
	c.t.Helper()
	for {
		_, text, err := c.ReadMessage()
		if err != nil {
			c.t.Fatalf("waiting for %q: %v", wanted, err)
		}
		found := true
		for _, w := range wanted {
			found = found && strings.Contains(string(text), w)
		}
		if found {
			return string(text)
		}
	}
}

func identity(agent, profile string) string {
	return fmt.Sprintf(`{"agentId":%q,"sessionId":"s-%s","profile":%q}`, agent, agent, profile)
}

func tool(name, input string) string { return fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, input) }

// The clients of the original engine keep working: a native initialize, a subscription without an area,
// calls, and deltas that are followed by id.
func TestOriginalClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(engine.Config{})
		if err != nil {
			t.Fatal(err)
		}
		l := memnet.Listen()
		s, err := server.On(l, true, server.Config{Core: e.Mcp, Figures: e.Figures})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- e.Run(ctx, s.Run) }()

		builder, viewer := dial(t, l.DialContext), dial(t, l.DialContext)
		builder.send("initialize", identity("builder", "builder.readWrite"))
		if got := builder.next(); !strings.Contains(got, `"result":{"protocolVersion":"2026-06-23","session":{"agentId":"builder","sessionId":"s-builder","profile":"builder.readWrite"}`) {
			t.Errorf("initialize: %s", got)
		}
		viewer.send("initialize", identity("viewer", "player.limited"))
		viewer.next()
		viewer.send("state/subscribe", `{}`)
		var snapshot struct {
			Method string
			Params struct {
				Tick     *uint64
				Step     *uint64
				Entities []json.RawMessage
			}
		}
		if err := json.Unmarshal([]byte(viewer.next()), &snapshot); err != nil || snapshot.Method != "state/snapshot" || snapshot.Params.Tick == nil || snapshot.Params.Step == nil || snapshot.Params.Entities == nil {
			t.Errorf("snapshot: %+v, %v", snapshot, err)
		}
		viewer.until(`"id":"state/subscribe","result":{"ok":true,"tick":`)

		builder.send("callTool", tool("scene.createEntity", `{"shape":"box","size":2,"position":[0,1,0]}`))
		if got := builder.next(); !strings.Contains(got, `"success":true,"result":{"entity":"ent_0"}`) {
			t.Errorf("the call: %s", got)
		}
		delta := viewer.until("state/delta", `"ent_0"`)
		var d struct {
			Params struct {
				Changes []struct {
					ID              string
					EID             *uint64
					Pos, Rot, Scale []float64
				}
				Removed  []string
				CausedBy []uint64
			}
		}
		if err := json.Unmarshal([]byte(delta), &d); err != nil || len(d.Params.Changes) != 1 || d.Params.Removed == nil || len(d.Params.CausedBy) != 1 {
			t.Fatalf("delta: %s, %v", delta, err)
		}
		if c := d.Params.Changes[0]; c.ID != "ent_0" || c.EID == nil || len(c.Pos) != 3 || len(c.Rot) != 4 || len(c.Scale) != 3 || c.Pos[1] != 1 {
			t.Errorf("entity %+v", c)
		}
		viewer.send("tools/call", tool("ecs.updateComponent", `{"entity":"ent_0","component":"position","value":[9,9,9]}`))
		if got := viewer.until(`"id":"tools/call"`); !strings.Contains(got, `"error":{"code":-32001,"message":"missing permission: ecs.modify"`) {
			t.Errorf("a call that player.limited may not make: %s", got)
		}
		viewer.send("state/set", `{"entity":"ent_0"}`)
		if got := viewer.until(`"id":"state/set"`); !strings.Contains(got, `"error":{"code":-32601,"message":"Method not found: state/set"`) {
			t.Errorf("state/set: %s", got)
		}
		viewer.send("initialize", identity("viewer", "builder.readWrite"))
		if got := viewer.until(`"id":"initialize"`); !strings.Contains(got, `"profile":"builder.readWrite"`) {
			t.Errorf("initialize again: %s", got)
		}
		viewer.send("tools/call", tool("scene.destroyEntity", `{"entity":"ent_0"}`))
		for removed, answered := false, false; !removed || !answered; {
			got := viewer.next()
			removed = removed || strings.Contains(got, `"removed":["ent_0"]`)
			answered = answered || strings.Contains(got, `"id":"tools/call","result"`)
			if strings.Contains(got, `"error"`) {
				t.Fatalf("destroy: %s", got)
			}
		}

		res, err := (&http.Transport{DialContext: l.DialContext, DisableKeepAlives: true}).RoundTrip(metricsRequest(t))
		if err != nil {
			t.Fatal(err)
		}
		text := readAll(res)
		for _, want := range []string{"limina_ticks_total ", "limina_steps_total ", "limina_entities 0\n", "limina_views 1\n", "limina_delta_bytes_total ", `limina_calls_total{skill="scene.createEntity",outcome="ok"} 1`} {
			if !strings.Contains(text, want) {
				t.Errorf("metrics lack %q", want)
			}
		}
		cancel()
		for _, c := range []*client{builder, viewer} {
			for err = nil; err == nil; {
				_, _, err = c.ReadMessage()
			}
			if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
				t.Errorf("closed with %v", err)
			}
			_ = c.Close()
		}
		if err := <-done; err != nil {
			t.Errorf("Run = %v", err)
		}
	})
}

func metricsRequest(t *testing.T) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func readAll(res *http.Response) string {
	defer res.Body.Close()
	var text strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := res.Body.Read(buf)
		text.Write(buf[:n])
		if err != nil {
			return text.String()
		}
	}
}

// A thousand viewers that come and go as they please, in a world that moves, leave nothing behind.
func TestViewersComeAndGo(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	const entities = 200
	if _, err := e.World.Update(t.Context(), func(tx *world.Tx) error {
		for i := range entities {
			if _, err := tx.Create(world.Spec{Position: world.Vec3{float64(i), 0, 0}}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "limina.sock")
	network := func(context.Context, string, string) (net.Conn, error) { return net.Dial("unix", path) }
	round := func(viewers int) {
		s, err := server.Listen(server.Config{Core: e.Mcp, Address: "unix:" + path, Drain: 100 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- e.Run(ctx, s.Run) }()
		over := make(chan struct{})
		var moving, coming sync.WaitGroup
		moving.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-over:
					return
				default:
					shake(t, e.World, i)
					runtime.Gosched()
				}
			}
		})
		slots := make(chan struct{}, 40)
		for n := range viewers {
			slots <- struct{}{}
			coming.Go(func() {
				view(network, n)
				<-slots
			})
		}
		coming.Wait()
		close(over)
		moving.Wait()
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run = %v", err)
		}
		if s := e.State.Stats(); s.Views != 0 || s.Entities != 0 {
			t.Errorf("left in the hub: %+v", s)
		}
	}
	round(200) // what is made once is there now
	before := heap()
	round(1000)
	leak.Check(t, ignore)
	if after := heap(); after > before+2<<20 {
		t.Errorf("%d KiB of heap are in use, %d KiB were before", after>>10, before>>10)
	}
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// shake moves some entities.
func shake(t *testing.T, w *world.World, i int) {
	t.Helper()
	if _, err := w.Update(context.Background(), func(tx *world.Tx) error {
		for n := range 10 {
			id := world.ID(1 + (i*7+n*13)%200)
			p, _ := tx.Position(id)
			p[1] = float64(i % 100)
			if err := tx.SetPosition(id, p); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// view comes, subscribes to something, reads for a while or not at all, and goes, well or badly.
func view(network func(context.Context, string, string) (net.Conn, error), n int) {
	r := rand.New(rand.NewPCG(2, uint64(n)))
	d := websocket.Dialer{NetDialContext: network}
	c, answer, err := d.Dial("ws://localhost/", nil)
	if err != nil {
		return
	}
	_ = answer.Body.Close()
	defer c.Close()
	send := func(method, params string) {
		_ = c.WriteMessage(websocket.TextMessage, []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)))
	}
	send("initialize", identity(fmt.Sprint("v", n), "player.limited"))
	area := func() string { return fmt.Sprintf(`{"center":[%d,0,0],"radius":%d}`, r.IntN(200), r.IntN(200)) }
	subscribed := false
	for range 1 + r.IntN(5) {
		switch r.IntN(5) {
		case 0, 1:
			encoding := []string{"json", "packed", "binary"}[r.IntN(3)]
			send("state/subscribe", fmt.Sprintf(`{"subscription":"%d","aoi":%s,"encoding":%q,"batch":%t}`, r.IntN(3), area(), encoding, r.IntN(2) == 0))
			subscribed = true
		case 2:
			send("aoi/declare", area())
		case 3:
			send("state/unsubscribe", fmt.Sprintf(`{"subscription":"%d"}`, r.IntN(3)))
		default:
			for range r.IntN(20) {
				if !subscribed { // what is asked for may not be coming
					break
				}
				_ = c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
				if _, _, err := c.ReadMessage(); err != nil {
					return
				}
			}
		}
	}
	if r.IntN(2) == 0 {
		_ = c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(1000, ""), time.Now().Add(time.Second))
	}
}
