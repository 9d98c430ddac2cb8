package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/world"
)

const listenMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// listenWorld asks for the state of the world on a listen of its own.
func listenWorld(id int, filter string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{%s,"notifications":{"dev.limina/state-sync":%s}}}`, id, listenMeta, filter)
}

// deaf is an exchange whose peer does not always read.
type deaf struct {
	way
	full bool
}

func (d *deaf) Tell(text []byte) bool {
	d.mu.Lock()
	full := d.full
	d.mu.Unlock()
	return !full && d.way.Tell(text)
}

func (d *deaf) set(full bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = full
}

// taken returns what was told since it was last called.
func (d *deaf) taken(t *testing.T) (list []string) {
	t.Helper()
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, text := range d.list {
		text = strings.TrimPrefix(text, "told ")
		if strings.Contains(text, `"method":"state/`) {
			var m struct {
				Params struct {
					Meta map[string]any `json:"_meta"`
				}
			}
			if err := json.Unmarshal([]byte(text), &m); err != nil || m.Params.Meta["io.modelcontextprotocol/subscriptionId"] != 7.0 {
				t.Errorf("a message without its tag: %s, %v", text, err)
			}
		}
		list = append(list, text)
	}
	d.list = nil
	return list
}

// A modern client follows the world on a listen: after the acknowledgement a snapshot, then what
// changes, twenty times a second at most. What it had no room for it gets later, as one delta.
func TestStateOnListen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		r.put(world.Vec3{1, 0, 0})
		l := r.core.Link(t.Context(), mcp.Peer{}, nil)
		x := &deaf{}
		var o mcp.Outline
		o.Read([]byte(listenWorld(7, `{"aoi":{"center":[0,0,0],"radius":10}}`)))
		l.Deliver(&o, x)
		first := x.taken(t)
		if len(first) != 2 || !strings.Contains(first[0], `"notifications":{"dev.limina/state-sync":{"aoi":{"center":[0,0,0],"radius":10}}}`) {
			t.Fatalf("it begins with %q, want an acknowledgement and a snapshot", first)
		}
		if m := told(t, first[1]); m.Method != "state/snapshot" || len(m.Params.Entities) != 1 || m.Params.Entities[0].ID != "ent_0" {
			t.Errorf("the snapshot: %s", first[1])
		}
		expect := func(what string, wait time.Duration, ids ...string) {
			t.Helper()
			time.Sleep(wait)
			var got []string
			for _, text := range x.taken(t) {
				m := told(t, text)
				if m.Method != "state/delta" {
					t.Errorf("%s: %s", what, text)
				}
				for _, c := range m.Params.Changes {
					got = append(got, c.ID)
				}
			}
			if strings.Join(got, " ") != strings.Join(ids, " ") {
				t.Errorf("%s: told of %q, want %q", what, got, ids)
			}
		}
		r.put(world.Vec3{2, 0, 0})
		expect("a change", 0, "ent_1")
		r.put(world.Vec3{3, 0, 0})
		r.put(world.Vec3{99, 0, 0})
		expect("too soon", 0)
		expect("what is in the area", 50*time.Millisecond, "ent_2")

		x.set(true)
		for range 3 {
			r.put(world.Vec3{4, 0, 0})
			expect("a peer that does not read", 100*time.Millisecond)
		}
		x.set(false)
		expect("it reads again", 2*time.Second, "ent_4", "ent_5", "ent_6")
		r.put(world.Vec3{5, 0, 0})
		expect("and goes on", 100*time.Millisecond, "ent_7")

		deliver(l, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
		r.put(world.Vec3{6, 0, 0})
		time.Sleep(time.Second)
		if got := x.taken(t); len(got) != 1 || got[0] != "answer 0 " {
			t.Errorf("after the end: %q", got)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Packed deltas of a listen say whose they are, and are messages of JSON-RPC like all others.
func TestPackedOnListen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		r.put(world.Vec3{})
		l := r.core.Link(t.Context(), mcp.Peer{}, nil)
		x := &deaf{}
		var o mcp.Outline
		o.Read([]byte(listenWorld(7, `{"encoding":"packed"}`)))
		l.Deliver(&o, x)
		time.Sleep(100 * time.Millisecond)
		x.taken(t)
		r.put(world.Vec3{1, 2, 3})
		time.Sleep(100 * time.Millisecond)
		const want = `{"jsonrpc":"2.0","method":"state/delta","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7},"`
		if got := x.taken(t); len(got) != 1 || !strings.HasPrefix(got[0], want) || !json.Valid([]byte(got[0])) || strings.Count(got[0], "_meta") != 1 {
			t.Errorf("got %q, want one of %s", got, want)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A peer that misses even the snapshot gets it later.
func TestStateOnListenBeginsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		r.put(world.Vec3{})
		l := r.core.Link(t.Context(), mcp.Peer{}, nil)
		x := &deaf{full: true}
		var o mcp.Outline
		o.Read([]byte(listenWorld(7, `{"encoding":"packed"}`)))
		l.Deliver(&o, x)
		r.put(world.Vec3{})
		time.Sleep(500 * time.Millisecond)
		x.set(false)
		time.Sleep(time.Second)
		if got := x.taken(t); len(got) != 1 || !strings.Contains(got[0], `"method":"state/snapshot"`) || !strings.Contains(got[0], `"tick":2`) {
			t.Errorf("got %q, want the snapshot of tick 2", got)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if n := r.views(); n != 0 {
			t.Errorf("%d views are left of a peer that is gone", n)
		}
	})
}

func TestStateOnListenRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		l := r.core.Link(t.Context(), mcp.Peer{}, nil)
		for filter, want := range map[string]string{
			`[]`:                    "notifications.dev.limina/state-sync: must be an object",
			`{"aoi":{"radius":1}}`:  "notifications.dev.limina/state-sync.aoi.center: missing",
			`{"area":{}}`:           "notifications.dev.limina/state-sync.area: unknown member",
			`{"encoding":"binary"}`: `notifications.dev.limina/state-sync.encoding: must be one of "json", "packed"`,
			`{"encoding":"xml"}`:    `notifications.dev.limina/state-sync.encoding: must be one of "json", "packed"`,
			`{"batch":true}`:        "notifications.dev.limina/state-sync.batch: a listen has each message by itself",
			`{"subscription":"a"}`:  "notifications.dev.limina/state-sync.subscription: a listen has one",
			`{"since":-1}`:          "notifications.dev.limina/state-sync.since: must be a tick",
		} {
			if got := deliver(l, listenWorld(1, filter)).got(); !strings.Contains(got, "answer -32602") || !strings.Contains(got, strings.ReplaceAll(want, `"`, `\"`)) {
				t.Errorf("%s: %s, want %s", filter, got, want)
			}
		}
		if n := r.views(); n != 0 {
			t.Errorf("%d views are left", n)
		}
		blind, err := mcp.New(r.core.Registry(), mcp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := deliver(blind.Link(t.Context(), mcp.Peer{}, nil), listenWorld(1, `{}`)).got(); !strings.Contains(got, `"notifications":{}`) {
			t.Errorf("without a state: %s, want it left out", got)
		}
		set, err := profiles.Builtin().With([]byte(`profiles: {blind: {grants: [scene.write]}}`), "test")
		if err != nil {
			t.Fatal(err)
		}
		blind, err = mcp.New(r.core.Registry(), mcp.Options{State: r.hub, Profiles: set, Profile: "blind"})
		if err != nil {
			t.Fatal(err)
		}
		if got := deliver(blind.Link(t.Context(), mcp.Peer{}, nil), listenWorld(1, `{}`)).got(); !strings.Contains(got, `"notifications":{}`) || strings.Contains(got, "state/") {
			t.Errorf("without the permission: %s, want it left out", got)
		}
		eager := r.core.Link(t.Context(), mcp.Peer{Rate: 3}, nil)
		for n := range 5 { // each reads the world
			got := deliver(eager, listenWorld(n, `{}`)).got()
			if refused := strings.Contains(got, "more than 3 calls a second"); refused != (n >= 3) {
				t.Errorf("listen %d of a second: %s", n, got)
			}
		}
		if err := eager.Close(); err != nil {
			t.Error(err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A legacy client has the methods that native ones have, where its transport can push.
func TestStateForLegacyClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		v := &viewer{r.dial(), t}
		defer v.Close()
		hi := v.ask(fmt.Sprintf(hello, "2025-11-25"))
		if !strings.Contains(hi, `"extensions":{"dev.limina/state-sync":{"encodings":["json","packed","binary"]}}`) {
			t.Errorf("initialize: %s", hi)
		}
		v.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		if got := told(t, v.ask(`{"jsonrpc":"2.0","id":2,"method":"state/subscribe","params":{"subscription":"near","aoi":{"center":[0,0,0],"radius":5}}}`)); got.Method != "state/snapshot" || got.Params.Subscription != "near" {
			t.Errorf("subscribe: %+v", got)
		}
		if got := v.next(); got != `{"jsonrpc":"2.0","id":2,"result":{"ok":true,"tick":0}}` {
			t.Errorf("subscribe: %s", got)
		}
		r.put(world.Vec3{1, 0, 0})
		if got := told(t, v.next()); got.Method != "state/delta" || got.Params.Subscription != "near" || len(got.Params.Changes) != 1 {
			t.Errorf("delta: %+v", got)
		}
	})
}

// crowder is an exchange that has the world grow when it is told that a listen has begun, and has no room for what comes next.
type crowder struct {
	deaf
	grow func()
}

func (c *crowder) Tell(text []byte) bool {
	if !strings.Contains(string(text), "acknowledged") {
		return c.deaf.Tell(text)
	}
	defer c.set(true)
	c.grow()
	time.Sleep(10 * time.Millisecond) // whoever is woken runs now
	return c.deaf.Tell(text)
}

// A listen whose area comes to hold too much before its first message is told begins when there is room again; nothing of it is left when it ends.
func TestStateOnListenIsFullBeforeItBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStateRig(t)
		hub := statesync.New(r.w, statesync.Config{MaxHeld: 10})
		defer hub.Close()
		core, err := mcp.New(r.core.Registry(), mcp.Options{State: hub})
		if err != nil {
			t.Fatal(err)
		}
		l := core.Link(t.Context(), mcp.Peer{}, nil)
		x := &crowder{grow: func() {
			for range 20 {
				r.put(world.Vec3{})
			}
		}}
		var o mcp.Outline
		o.Read([]byte(listenWorld(7, `{}`)))
		l.Deliver(&o, x)
		time.Sleep(5 * time.Second)
		if got := x.taken(t); len(got) != 1 || !strings.Contains(got[0], "acknowledged") {
			t.Errorf("it begins with %q, want an acknowledgement", got)
		}
		x.set(false)
		if _, err := r.w.Update(t.Context(), func(tx *world.Tx) error {
			for id := range world.ID(15) {
				tx.Destroy(id + 1)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		if got := x.taken(t); len(got) != 1 || !strings.Contains(got[0], `"method":"state/snapshot"`) || strings.Count(got[0], `"eid"`) != 5 {
			t.Errorf("when there is room it is told %q, want a snapshot of 5", got)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		time.Sleep(5 * time.Second)
		if n := hub.Stats().Views; n != 0 {
			t.Errorf("%d views are left of a listen that has ended", n)
		}
	})
}
