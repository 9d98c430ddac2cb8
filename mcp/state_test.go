package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/transport/ws"
	"github.com/limina-mcp/limina/world"
)

// stateRig is a world whose state is served over WebSockets.
type stateRig struct {
	t    *testing.T
	w    *world.World
	hub  *statesync.Hub
	core *mcp.Mcp
	dial func() *websocket.Conn
}

func newStateRig(t *testing.T) *stateRig {
	t.Helper()
	w := world.New(world.Config{})
	hub := statesync.New(w, statesync.Config{})
	t.Cleanup(hub.Close)
	set, err := profiles.Builtin().With([]byte(`profiles: {blind: {grants: [scene.write]}}`), "test")
	if err != nil {
		t.Fatal(err)
	}
	reg := registry.New(registry.Options{})
	core, err := mcp.New(reg, mcp.Options{State: hub, Profiles: set})
	if err != nil {
		t.Fatal(err)
	}
	r := &stateRig{t: t, w: w, hub: hub, core: core}
	if err := reg.Register(r.create(), r.pause()); err != nil {
		t.Fatal(err)
	}
	r.dial = listenWebSocket(t.Context(), t, core, ws.Options{}, make(chan error, 100))
	return r
}

// views returns how many subscriptions there are.
func (r *stateRig) views() int { return r.hub.Stats().Views }

type atIn struct {
	At world.Vec3 `json:"at"`
}

func (r *stateRig) create() registry.Skill {
	return registry.Define(registry.Spec[atIn, createOut]{
		Name: "demo.create", Description: "Create an entity.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, in atIn) (createOut, error) {
			return world.Do(r.w, c, func(tx *world.Tx) (createOut, error) {
				id, err := tx.Create(world.Spec{Position: in.At})
				return createOut{Entity: id.String()}, err
			})
		},
	})
}

// pause creates an entity in a commit of its own and then keeps its connection waiting.
func (r *stateRig) pause() registry.Skill {
	return registry.Define(registry.Spec[none, none]{
		Name: "demo.pause", Description: "Create an entity, and wait.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(*registry.Call, none) (none, error) {
			r.put(world.Vec3{})
			time.Sleep(time.Millisecond)
			return none{}, nil
		},
	})
}

// put creates an entity without a call.
func (r *stateRig) put(at world.Vec3) {
	r.t.Helper()
	if _, err := r.w.Update(context.Background(), func(tx *world.Tx) error {
		_, err := tx.Create(world.Spec{Position: at})
		return err
	}); err != nil {
		r.t.Fatal(err)
	}
}

// viewer is a client of the rig.
type viewer struct {
	*websocket.Conn
	t *testing.T
}

// connect dials and initializes.
func (r *stateRig) connect(session, profile string) *viewer {
	r.t.Helper()
	v := &viewer{r.dial(), r.t}
	r.t.Cleanup(func() { _ = v.Close() })
	if got := v.ask(initAs("ada", session, profile, "")); !strings.Contains(got, `"result"`) {
		r.t.Fatalf("initialize: %s", got)
	}
	return v
}

func (v *viewer) send(text string) {
	v.t.Helper()
	if err := v.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		v.t.Errorf("send: %v", err)
	}
}

// next returns the next frame; a binary one as its kind and length.
func (v *viewer) next() string {
	v.t.Helper()
	kind, text, err := v.ReadMessage()
	if err != nil {
		v.t.Errorf("receive: %v", err)
	}
	if kind == websocket.BinaryMessage {
		return fmt.Sprintf("binary of %d bytes", len(text))
	}
	return string(text)
}

func (v *viewer) ask(text string) string {
	v.t.Helper()
	v.send(text)
	return v.next()
}

// nothing checks that there is no frame.
func (v *viewer) nothing(because string) {
	v.t.Helper()
	synctest.Wait()
	if got := v.ask(`{"jsonrpc":"2.0","id":"nothing","method":"ping"}`); got != `{"jsonrpc":"2.0","id":"nothing","result":{}}` {
		v.t.Errorf("%s, but there is %s", because, got)
	}
}

// told takes a state message apart.
func told(t *testing.T, text string) (n struct {
	Method string
	Params struct {
		Tick         uint64
		Subscription string
		Epoch        string
		Entities     []struct{ ID string }
		Changes      []struct{ ID string }
		Removed      []string
		CausedBy     []uint64
	}
},
) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &n); err != nil {
		t.Errorf("no message: %s", text)
	}
	return n
}

func request(id int, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

// The snapshot comes first, then the result, then the deltas; what one client does the other is told,
// and that it was done by its call.
func TestSubscribe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		r.put(world.Vec3{1, 2, 3})
		a, b := r.connect("a", "builder.readWrite"), r.connect("b", "system.readonly")
		first := told(t, b.ask(`{"jsonrpc":"2.0","id":1,"method":"state/subscribe"}`))
		if first.Method != "state/snapshot" || len(first.Params.Entities) != 1 || first.Params.Tick != 1 {
			t.Errorf("first came %+v", first)
		}
		if got := b.next(); got != `{"jsonrpc":"2.0","id":1,"result":{"ok":true,"tick":1}}` {
			t.Errorf("then came %s", got)
		}
		b.nothing("nothing has happened")
		answer := a.ask(request(7, "tools/call", `{"name":"demo.create","arguments":{"at":[5,0,0]}}`))
		if !strings.Contains(answer, `"intent":1}`) {
			t.Errorf("the call: %s", answer)
		}
		if d := told(t, b.next()); d.Method != "state/delta" || len(d.Params.Changes) != 1 || d.Params.Changes[0].ID != "ent_1" || !slices.Equal(d.Params.CausedBy, []uint64{1}) {
			t.Errorf("the delta: %+v", d)
		}
		a.nothing("it has not subscribed")
		if got := b.ask(request(2, "state/unsubscribe", `{}`)); got != `{"jsonrpc":"2.0","id":2,"result":{"ok":true}}` {
			t.Errorf("unsubscribe: %s", got)
		}
		r.put(world.Vec3{})
		b.nothing("it has unsubscribed")
		if got := b.ask(request(3, "state/set", `{}`)); !strings.Contains(got, "-32601") {
			t.Errorf("state/set: %s", got)
		}
	})
}

// What happens while the answers of one read are still being gathered comes after the snapshot among
// them.
func TestSnapshotIsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		v := r.connect("a", "builder.readWrite")
		burst := []byte(nil)
		for _, text := range []string{
			request(1, "state/subscribe", `{}`),
			request(2, "tools/call", `{"name":"demo.pause"}`),
			request(3, "state/subscribe", `{"encoding":"xml"}`), // refused, and changes nothing
			request(4, "tools/call", `{"name":"demo.pause"}`),
			request(5, "state/subscribe", `{"subscription":"b"}`),
			request(6, "tools/call", `{"name":"demo.pause"}`),
		} {
			if len(text) < 126 { // a length is written as short as it goes: RFC 6455, 5.2
				burst = append(burst, 0x81, 0x80|byte(len(text)), 0, 0, 0, 0)
			} else {
				burst = append(burst, 0x81, 0x80|126, 0, byte(len(text)), 0, 0, 0, 0)
			}
			burst = append(burst, text...)
		}
		if _, err := v.NetConn().Write(burst); err != nil {
			t.Fatal(err)
		}
		var order []string
		for range 10 {
			text := v.next()
			if n := told(t, text); n.Method != "" {
				order = append(order, fmt.Sprintf("%s%s %d", n.Method, n.Params.Subscription, n.Params.Tick))
				continue
			}
			var answer struct{ ID int }
			_ = json.Unmarshal([]byte(text), &answer)
			order = append(order, fmt.Sprint(answer.ID))
		}
		want := []string{"state/snapshot 0", "1", "2", "3", "4", "state/snapshotb 2", "5", "6", "state/delta 3", "state/deltab 3"}
		if diff := cmp.Diff(want, order); diff != "" {
			t.Errorf("what came (-want +got):\n%s", diff)
		}
	})
}

// However fast the world changes, and whatever else is asked in the same breath, nothing is told before
// the snapshot, and no tick twice or in the wrong order.
func TestSubscribeInTheMiddle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		v := r.connect("a", "builder.readWrite")
		over := make(chan struct{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			for {
				select {
				case <-over:
					return
				default:
					r.put(world.Vec3{})
					time.Sleep(20 * time.Microsecond)
				}
			}
		}()
		const rounds = 30
		go func() {
			for i := range rounds {
				v.send(request(3*i, "tools/call", `{"name":"demo.create","arguments":{"at":[5,0,0]}}`))
				v.send(request(3*i+1, "state/subscribe", `{}`))
				v.send(request(3*i+2, "ping", `{}`))
				time.Sleep(time.Millisecond)
			}
		}()
		subscribed, tick, known := 0, uint64(0), 0
		for subscribed < rounds {
			text := v.next()
			n := told(t, text)
			switch n.Method {
			case "state/snapshot":
				tick, known = n.Params.Tick, len(n.Params.Entities)
				if known != int(tick) {
					t.Fatalf("the snapshot of tick %d has %d entities", tick, known)
				}
				if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"ok":true,"tick":%d}}`, 3*subscribed+1, tick); v.next() != want {
					t.Fatalf("after the snapshot comes another thing than its result")
				}
				subscribed++
			case "state/delta":
				known += len(n.Params.Changes)
				if n.Params.Tick <= tick || known != int(n.Params.Tick) {
					t.Fatalf("a delta of tick %d after %d makes %d entities", n.Params.Tick, tick, known)
				}
				tick = n.Params.Tick
			}
		}
		close(over)
		<-done
		time.Sleep(time.Second)
	})
}

// A request that is malformed is refused by name and changes nothing: no area becomes the whole world.
func TestStateParams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		v := r.connect("a", "builder.readWrite")
		v.ask(request(0, "state/subscribe", `{"aoi":{"center":[0,0,0],"radius":10}}`))
		v.next()
		for _, tt := range []struct{ method, params, want string }{
			{"aoi/declare", `{"center":[0,0,0]}`, "radius: missing"},
			{"aoi/declare", `{"radius":5}`, "center: missing"},
			{"aoi/declare", `{"center":[0,0],"radius":5}`, "center: must be an array of three numbers"},
			{"aoi/declare", `{"center":[0,0,0,0],"radius":5}`, "center: must be an array"},
			{"aoi/declare", `{"center":{"x":0},"radius":5}`, "center: must be an array"},
			{"aoi/declare", `{"center":null,"radius":5}`, "center: must be an array"},
			{"aoi/declare", `{"center":[0,"0",0],"radius":5}`, "center[1]: must be a number"},
			{"aoi/declare", `{"center":[0,null,0],"radius":5}`, "center[1]: must be a number"},
			{"aoi/declare", `{"center":[0,0,1e39],"radius":5}`, "center[2]: must be a number within"},
			{"aoi/declare", `{"center":[0,0,1e999],"radius":5}`, "center[2]: must be a number within"},
			{"aoi/declare", `{"center":[0,0,0],"radius":-1}`, "radius: must be a number within"},
			{"aoi/declare", `{"center":[0,0,0],"radius":"5"}`, "radius: must be a number"},
			{"aoi/declare", `{"center":[0,0,0],"radius":null}`, "radius: must be a number"},
			{"aoi/declare", `{"center":[0,0,0],"radius":1e999}`, "radius: must be a number"},
			{"aoi/declare", `{"centre":[0,0,0],"Radius":5}`, "centre: unknown member, allowed: center, radius, subscription"},
			{"aoi/declare", `{"aoi":{"center":[0,0,0],"radius":5}}`, "aoi: unknown member"},
			{"aoi/declare", `{"center":[0,0,0],"radius":5,"radius":50}`, "radius: given twice"},
			{"aoi/declare", `[]`, "params must be an object"},
			{"aoi/declare", `{"subscription":7}`, "subscription: must be a string"},
			{"aoi/declare", `{"subscription":"north"}`, `there is none of the name "north"`},
			{"state/unsubscribe", `{"name":"x"}`, "name: unknown member"},
			{"state/unsubscribe", `{"subscription":null}`, "subscription: must be a string"},
			{"state/subscribe", `{"aoi":null}`, "aoi: must be {center"},
			{"state/subscribe", `{"aoi":[0,0,0]}`, "aoi: must be {center"},
			{"state/subscribe", `{"aoi":{"radius":1}}`, "aoi.center: missing"},
			{"state/subscribe", `{"aoi":{"center":[0,0,0],"radius":1,"shape":"box"}}`, "aoi.shape: unknown member"},
			{"state/subscribe", `{"center":[0,0,0],"radius":1}`, "center: unknown member, allowed: aoi, since"},
			{"state/subscribe", `{"encoding":"xml"}`, `encoding: must be one of`},
			{"state/subscribe", `{"encoding":1}`, "encoding: must be a string"},
			{"state/subscribe", `{"batch":"yes"}`, "batch: must be true or false"},
			{"state/subscribe", `{"since":-1}`, "since: must be a tick"},
			{"state/subscribe", `{"since":1.5}`, "since: must be a tick"},
			{"state/subscribe", `{"since":"7"}`, "since: must be a tick"},
			{"state/subscribe", `{"since":1e300}`, "since: must be a tick"},
			{"state/subscribe", `{"subscription":"` + strings.Repeat("x", 200) + `"}`, "subscription: must be at most 128 bytes"},
		} {
			if got := v.ask(request(1, tt.method, tt.params)); !strings.Contains(got, `"error":{"code":-32602,"message":`) || !strings.Contains(got, strings.ReplaceAll(tt.want, `"`, `\"`)) {
				t.Errorf("%s %s: %s, want %s", tt.method, tt.params, got, tt.want)
			}
		}
		r.put(world.Vec3{100, 0, 0})
		v.nothing("it is outside the area")
		r.put(world.Vec3{10, 0, 0})
		if d := told(t, v.next()); len(d.Params.Changes) != 1 || d.Params.Changes[0].ID != "ent_1" {
			t.Errorf("delta %+v", d)
		}
		// And the forms that are good.
		for _, params := range []string{`{"center":[1.5,-2e3,0],"radius":0}`, `{"center":[0,0,0],"radius":10,"_meta":{"x":1}}`, `{"subscription":"","center":[0,0,0],"radius":1e3}`} {
			v.send(request(1, "aoi/declare", params))
			for got := v.next(); !strings.Contains(got, `"result":{"ok":true}`); got = v.next() {
				if !strings.Contains(got, "state/delta") {
					t.Errorf("aoi/declare %s: %s", params, got)
				}
			}
		}
		synctest.Wait()
	})
}

// The area of aoi/declare holds for a subscription that comes after it, once.
func TestDeclareFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		r.put(world.Vec3{0, 0, 0})
		r.put(world.Vec3{50, 0, 0})
		v := r.connect("a", "builder.readWrite")
		v.ask(request(1, "aoi/declare", `{"center":[0,0,0],"radius":10}`))
		for _, want := range []int{1, 2} {
			if n := told(t, v.ask(request(2, "state/subscribe", `{}`))); len(n.Params.Entities) != want {
				t.Errorf("%d entities in the snapshot, want %d", len(n.Params.Entities), want)
			}
			v.next()
		}
	})
}

// A notification subscribes, declares and ends a subscription as a call does, without an answer: what is due afterwards comes.
func TestStateByNotification(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		r.put(world.Vec3{50, 0, 0})
		v := r.connect("a", "builder.readWrite")
		_ = v.SetReadDeadline(time.Now().Add(time.Second))
		tell := func(method, params string) {
			v.send(`{"jsonrpc":"2.0","method":"` + method + `","params":` + params + `}`)
		}
		tell("state/subscribe", `{"aoi":{"center":[0,0,0],"radius":10}}`)
		if n := told(t, v.next()); len(n.Params.Entities) != 0 {
			t.Errorf("snapshot %+v", n)
		}
		tell("aoi/declare", `{"center":[50,0,0],"radius":10}`)
		if d := told(t, v.next()); len(d.Params.Changes) != 1 {
			t.Errorf("delta %+v", d)
		}
		r.put(world.Vec3{51, 0, 0})
		if d := told(t, v.next()); len(d.Params.Changes) != 1 {
			t.Errorf("delta %+v", d)
		}
		tell("state/unsubscribe", `{}`)
		synctest.Wait()
		r.put(world.Vec3{52, 0, 0})
		v.nothing("the subscription has ended")
	})
}

// Without a session there is no state, nor without the permission, nor where nothing can be pushed or in
// the standard dialect.
func TestWhoMaySubscribe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		v := &viewer{r.dial(), t}
		defer v.Close()
		methods := []string{"state/subscribe", "state/unsubscribe", "aoi/declare"}
		for _, method := range methods {
			if got := v.ask(request(1, method, `{}`)); !strings.Contains(got, `-32000,"message":"MCP session is not initialized"`) {
				t.Errorf("%s without a session: %s", method, got)
			}
		}
		v.ask(initAs("ada", "s", "blind", ""))
		for _, method := range methods {
			if got := v.ask(request(1, method, `{}`)); !strings.Contains(got, `-32001,"message":"missing permission: scene.read"`) {
				t.Errorf("%s without the permission: %s", method, got)
			}
		}
		p := dial(t, r.core, 0)
		p.send(initAs("ada", "stdio", "builder.readWrite", ""))
		for _, method := range methods {
			p.send(request(1, method, `{}`) + "\n")
		}
		synctest.Wait()
		if said := p.said(); len(said) != 4 || strings.Count(strings.Join(said, ""), "-32601") != 3 {
			t.Errorf("over lines: %q", said)
		}
		p.close()
	})
}

// A subscription ends with its session, and with the permission, and not otherwise.
func TestSubscriptionEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		v := r.connect("a", "builder.readWrite")
		subscribe := func() {
			v.ask(request(1, "state/subscribe", `{}`))
			v.next()
		}
		subscribe()
		v.ask(initAs("ada", "a", "player.limited", ""))
		r.put(world.Vec3{})
		if d := told(t, v.next()); len(d.Params.Changes) != 1 {
			t.Errorf("after another initialize: %+v", d)
		}
		v.ask(initAs("ada", "a", "blind", ""))
		r.put(world.Vec3{})
		v.nothing("it may not see any more")
		v.ask(initAs("ada", "a", "player.limited", ""))
		v.nothing("it has not subscribed again")
		subscribe()
		v.ask(request(1, "shutdown", `{}`))
		r.put(world.Vec3{})
		v.nothing("its session has ended")
	})
}

// Subscriptions by name, in one frame and in other encodings; each is its own.
func TestNamedSubscriptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		r.put(world.Vec3{0, 0, 0})
		v := r.connect("a", "builder.readWrite")
		for i, name := range []string{"west", "east"} {
			params := fmt.Sprintf(`{"subscription":%q,"batch":true,"aoi":{"center":[%d,0,0],"radius":10}}`, name, 100*i)
			var batch []json.RawMessage
			if err := json.Unmarshal([]byte(v.ask(request(1, "state/subscribe", params))), &batch); err != nil || len(batch) != 1 {
				t.Fatalf("no batch of one: %v", err)
			}
			if n := told(t, string(batch[0])); n.Params.Subscription != name || n.Method != "state/snapshot" {
				t.Errorf("subscribed %+v", n)
			}
			v.next()
		}
		if got := v.ask(request(2, "state/subscribe", `{"subscription":"packed","encoding":"packed"}`)); !strings.Contains(got, `"subscription":"packed"`) {
			t.Errorf("packed: %s", got)
		}
		v.next()
		if got := v.ask(request(2, "state/subscribe", `{"subscription":"binary","encoding":"binary"}`)); !strings.HasPrefix(got, "binary of ") {
			t.Errorf("binary: %s", got)
		}
		v.next()
		// One commit, seen by all four: the two that share a frame in one.
		if _, err := r.w.Update(t.Context(), func(tx *world.Tx) error {
			for _, x := range []float64{1, 101} {
				if _, err := tx.Create(world.Spec{Position: world.Vec3{x, 0, 0}}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		kinds := map[string]int{}
		for range 3 {
			switch got := v.next(); {
			case strings.HasPrefix(got, "["):
				kinds["batch"] += strings.Count(got, `"state/delta"`)
			case strings.HasPrefix(got, "binary"):
				kinds["binary"]++
			case strings.Contains(got, `"subscription":"packed"`):
				kinds["packed"]++
			}
		}
		if kinds["batch"] != 2 || kinds["binary"] != 1 || kinds["packed"] != 1 {
			t.Errorf("frames %v", kinds)
		}
		if got := v.ask(request(3, "aoi/declare", `{"subscription":"west","center":[500,0,0],"radius":1}`)); !strings.Contains(got, "result") && !strings.Contains(got, `"removed":["ent_0","ent_1"]`) {
			t.Errorf("declare: %s", got)
		}
		v.next()
		for _, name := range []string{"west", "east", "packed", "binary", "binary", "never"} {
			if got := v.ask(request(4, "state/unsubscribe", fmt.Sprintf(`{"subscription":%q}`, name))); !strings.Contains(got, `"ok":true`) {
				t.Errorf("unsubscribe %s: %s", name, got)
			}
		}
		r.put(world.Vec3{})
		v.nothing("there is no subscription left")
	})
}

// Who comes back with the tick that he has seen is told what he missed.
func TestResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		for i := range 3 {
			r.put(world.Vec3{float64(i), 0, 0})
		}
		v := r.connect("a", "builder.readWrite")
		v.ask(request(1, "state/subscribe", `{}`))
		v.next()
		_ = v.Close()
		r.put(world.Vec3{7, 0, 0})
		v = r.connect("b", "builder.readWrite")
		if n := told(t, v.ask(request(1, "state/subscribe", `{"since":3}`))); n.Method != "state/delta" || len(n.Params.Changes) != 1 || n.Params.Changes[0].ID != "ent_3" {
			t.Errorf("resumed with %+v", n)
		}
		if got := v.next(); got != `{"jsonrpc":"2.0","id":1,"result":{"ok":true,"tick":4}}` {
			t.Errorf("then came %s", got)
		}
	})
}

// A tick of another run of the world means nothing: who says which it was is told everything.
func TestResumeAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		for i := range 3 {
			r.put(world.Vec3{float64(i), 0, 0})
		}
		v := &viewer{r.dial(), t}
		defer v.Close()
		var bound struct{ Result struct{ Epoch string } }
		if err := json.Unmarshal([]byte(v.ask(initAs("ada", "a", "builder.readWrite", ""))), &bound); err != nil || len(bound.Result.Epoch) < 8 {
			t.Fatalf("initialize says %+v, %v", bound, err)
		}
		for _, tt := range []struct{ epoch, want string }{{bound.Result.Epoch, "state/delta"}, {"another", "state/snapshot"}, {"", "state/delta"}} {
			n := told(t, v.ask(request(1, "state/subscribe", fmt.Sprintf(`{"since":3,"epoch":%q}`, tt.epoch))))
			if n.Method != tt.want {
				t.Errorf("epoch %q: came %s, want %s", tt.epoch, n.Method, tt.want)
			}
			if tt.want == "state/snapshot" && n.Params.Epoch != bound.Result.Epoch {
				t.Errorf("the snapshot is of epoch %q, want %q", n.Params.Epoch, bound.Result.Epoch)
			}
			v.next()
		}
	})
}

// A reader that is slow gets the newest state in few deltas; the world does not wait for him, nor do
// others.
func TestSlowViewer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		slow, quick := r.connect("a", "builder.readWrite"), r.connect("b", "builder.readWrite")
		for _, v := range []*viewer{slow, quick} {
			v.ask(request(1, "state/subscribe", `{}`))
			v.next()
		}
		for i := range 100 {
			r.put(world.Vec3{})
			if d := told(t, quick.next()); len(d.Params.Changes) != 1 || d.Params.Tick != uint64(i+1) {
				t.Errorf("the quick one got %+v", d)
			}
			if i == 0 {
				synctest.Wait() // the slow one has been written the first delta, and does not read it
			}
		}
		first, second := told(t, slow.next()), told(t, slow.next())
		if len(first.Params.Changes)+len(second.Params.Changes) != 100 || second.Params.Tick != 100 {
			t.Errorf("the slow one got %d and then %d changes, up to tick %d", len(first.Params.Changes), len(second.Params.Changes), second.Params.Tick)
		}
		slow.nothing("that was all")
	})
}

// Whoever has many connections, by whatever names of one token, sees no more over all of them than is left for others; a listen counts, too.
func TestSeenIsSharedByOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		for range 10 {
			r.put(world.Vec3{})
		}
		hub := statesync.New(r.w, statesync.Config{MaxAll: 60})
		defer hub.Close()
		fleet := mcp.Credential{Principal: "fleet-*", Profiles: []string{"builder.readWrite"}}
		core, err := mcp.New(r.core.Registry(), mcp.Options{State: hub, Tokens: func(token string) (mcp.Credential, bool) { return fleet, token == "fleet" }})
		if err != nil {
			t.Fatal(err)
		}
		dial := listenWebSocket(t.Context(), t, core, ws.Options{}, make(chan error, 100))
		connect := func(name, token string) (see func() string) {
			v := &viewer{dial(), t}
			t.Cleanup(func() { _ = v.Close() })
			v.ask(initAs(name, "s-"+name, "builder.readWrite", token))
			return func() string {
				v.send(request(1, "state/subscribe", `{}`))
				if got := v.next(); !strings.Contains(got, "state/snapshot") {
					return got
				}
				return v.next()
			}
		}
		const full = "your subscriptions over all your connections may see 30 entities together"
		l := core.Link(t.Context(), mcp.Peer{Credential: &fleet}, nil)
		var o mcp.Outline
		o.Read([]byte(listenWorld(7, `{}`)))
		l.Deliver(&o, &deaf{})
		for _, name := range []string{"fleet-1", "fleet-2"} {
			if got := connect(name, "fleet")(); !strings.Contains(got, `"ok":true`) {
				t.Errorf("%s: %s", name, got)
			}
		}
		if got := connect("fleet-3", "fleet")(); !strings.Contains(got, full) {
			t.Errorf("a third one, beside a listen: %s", got)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if got := connect("fleet-4", "fleet")(); !strings.Contains(got, `"ok":true`) {
			t.Errorf("the listen has ended: %s", got)
		}
		if got := connect("ada", "")(); !strings.Contains(got, `"ok":true`) {
			t.Errorf("somebody else: %s", got)
		}
	})
}

// Who is banned sees nothing any more of what changes from then on, also as long as it takes until his connection has ended.
func TestBannedSeesNothingMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		viewer := r.connect("s", "builder.readWrite")
		viewer.send(request(1, "state/subscribe", `{}`))
		viewer.next()
		viewer.next()
		x := &deaf{}
		l := r.core.Link(t.Context(), mcp.Peer{Credential: &mcp.Credential{Principal: "eve", Profiles: []string{"builder.readWrite"}}}, x.Tell)
		var o mcp.Outline
		o.Read([]byte(listenWorld(7, `{}`)))
		l.Deliver(&o, x)
		x.taken(t)
		r.put(world.Vec3{})
		if got := viewer.next(); !strings.Contains(got, "state/delta") {
			t.Errorf("before that %s", got)
		}
		time.Sleep(time.Second)
		if got := x.taken(t); len(got) != 1 || !strings.Contains(got[0], "state/delta") {
			t.Errorf("a listen: before that %q", got)
		}
		r.core.Ban([]string{"ada", "eve"})
		r.put(world.Vec3{1, 0, 0})
		for {
			_, text, err := viewer.ReadMessage()
			if err != nil {
				break
			}
			t.Errorf("then %s", text)
		}
		time.Sleep(time.Second)
		for _, text := range x.taken(t) {
			if strings.Contains(text, "state/") {
				t.Errorf("a listen: then %s", text)
			}
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
}
