package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/client"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// TestConverge has clients build a world together and watch it, in every encoding, while areas move,
// connections break and the server is restarted. When it is quiet again each copy is its area, and
// what its followers were told adds up to it.
func TestConverge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rapid.Check(struct{ rapid.TB }{t}, func(t *rapid.T) { // without Deadline, which a bubble refuses
			w := newTown(t)
			defer func() { w.stop() }()
			r := &round{town: w}
			defer r.follow.Wait()
			for _, agent := range []string{"ada", "ben"} {
				c := w.client(t, agent)
				defer c.Close()
				r.clients = append(r.clients, c)
			}
			for i := range 4 {
				r.subscribe(t, i%2)
			}
			for range rapid.IntRange(1, 80).Draw(t, "rounds") {
				r.act(t)
			}
			for range 3 {
				time.Sleep(time.Minute) // who has lost his connection comes back
				r.calls.Wait()
				synctest.Wait()
			}
			for _, v := range r.views {
				if err := v.Err(); err != nil {
					t.Fatalf("view %q has ended: %v", v.Name(), err)
				}
				if v.Area() != v.area {
					t.Fatalf("view %q is of %v, declared was %v", v.Name(), v.Area(), v.area)
				}
				if diff := w.differs(v.View, v.encoding); diff != "" {
					t.Fatalf("view %q, %s of %v, differs (-world +copy):\n%s", v.Name(), v.encoding, v.Area(), diff)
				}
				v.mu.Lock()
				if len(v.held) != v.Len() {
					t.Fatalf("a follower of %q holds %d entities, the view %d", v.Name(), len(v.held), v.Len())
				}
				if len(v.strange) > 0 {
					t.Fatalf("a follower of %q was told that %v are gone, which he never had", v.Name(), v.strange)
				}
				v.mu.Unlock()
			}
		})
	})
}

// round is one world that is built.
type round struct {
	*town
	clients []*client.Client
	views   []*watchedView
	calls   sync.WaitGroup
	follow  sync.WaitGroup
	made    int
}

// watchedView is a view with somebody who follows it.
type watchedView struct {
	*client.View
	owner    int
	encoding client.Encoding
	area     client.Area // declared last

	mu      sync.Mutex // guards what follows
	held    map[client.ID]bool
	strange []client.ID // were removed, and were not held
}

func (v *watchedView) follow() {
	for u := range v.Updates(context.Background()) {
		v.mu.Lock()
		if u.Snapshot {
			clear(v.held)
		}
		for _, id := range u.Removed {
			if !v.held[id] {
				v.strange = append(v.strange, id)
			}
			delete(v.held, id)
		}
		for _, id := range u.Changed {
			v.held[id] = true
		}
		v.mu.Unlock()
		if v.owner == 1 {
			time.Sleep(2 * time.Second) // so that much is folded into the next
		}
	}
}

// call calls a skill without waiting for it. Calls that are lost, and ids of nothing, are part of the
// game.
func (r *round) call(t *rapid.T, who int, name string, in any) {
	c := r.clients[who]
	r.calls.Go(func() {
		err := c.Call(context.Background(), name, in, nil)
		var refused *client.Error
		if err != nil && !errors.Is(err, client.ErrLost) && !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	})
}

// act does something.
func (r *round) act(t *rapid.T) {
	who := rapid.IntRange(0, 1).Draw(t, "who")
	some := func() string { return fmt.Sprintf("ent_%d", rapid.IntRange(0, max(r.made-1, 0)).Draw(t, "entity")) }
	switch rapid.SampledFrom([]string{"create", "create", "create", "move", "move", "destroy", "tag", "house", "weather", "subscribe", "unsubscribe", "declare", "cut", "restart", "pause", "pause"}).Draw(t, "what") {
	case "create":
		r.made++
		r.call(t, who, "scene.createEntity", map[string]any{"shape": "sphere", "position": drawPoint(t)})
	case "move":
		r.call(t, who, "three.setTransform", map[string]any{"entity": some(), "position": drawPoint(t), "rotationEuler": drawPoint(t)})
	case "destroy":
		r.call(t, who, "scene.destroyEntity", map[string]any{"entity": some()})
	case "tag":
		r.call(t, who, "ecs.addComponent", map[string]any{"entity": some(), "component": "tree"})
	case "house":
		r.made += 8
		r.call(t, who, "architecture.building", map[string]any{"position": drawPoint(t), "rotation": 1})
	case "weather":
		r.call(t, who, "world.setWeather", map[string]any{"weather": "rain"})
	case "subscribe":
		r.subscribe(t, who)
	case "unsubscribe":
		if len(r.views) > 0 {
			i := rapid.IntRange(0, len(r.views)-1).Draw(t, "view")
			if err := r.views[i].Unsubscribe(context.Background()); err != nil {
				t.Fatal(err)
			}
			r.views = slices.Delete(r.views, i, i+1)
		}
	case "declare":
		if len(r.views) > 0 {
			v := rapid.SampledFrom(r.views).Draw(t, "view")
			v.area = drawArea(t)
			if err := v.Declare(context.Background(), v.area); err != nil {
				t.Fatal(err)
			}
		}
	case "cut":
		r.cut([]string{"ada", "ben"}[who])
	case "restart":
		r.restart(t)
	case "pause":
		time.Sleep(time.Duration(rapid.IntRange(0, 300).Draw(t, "ms")) * time.Millisecond)
		synctest.Wait()
	}
}

func (r *round) subscribe(t *rapid.T, who int) {
	v := &watchedView{
		owner: who, held: map[client.ID]bool{}, area: drawArea(t),
		encoding: rapid.SampledFrom([]client.Encoding{client.JSON, client.Packed, client.Binary}).Draw(t, "encoding"),
	}
	name := rapid.SampledFrom([]string{"", "north", "south"}).Draw(t, "name")
	if slices.ContainsFunc(r.views, func(o *watchedView) bool { return o.owner == who && o.Name() == name }) {
		return
	}
	var err error
	v.View, err = r.clients[who].Subscribe(context.Background(), client.Subscription{
		Name: name, Area: v.area, Encoding: v.encoding, Batch: rapid.Bool().Draw(t, "batch"),
	})
	if err != nil {
		t.Fatal(err)
	}
	r.views = append(r.views, v)
	r.follow.Go(v.follow)
}

func drawPoint(t *rapid.T) [3]float64 {
	var p [3]float64
	for i := range p {
		p[i] = rapid.Float64Range(-20, 20).Draw(t, "x")
	}
	return p
}

func drawArea(t *rapid.T) client.Area {
	if rapid.IntRange(0, 4).Draw(t, "whole") == 0 {
		return client.Whole()
	}
	return client.Within(drawPoint(t), rapid.Float64Range(1, 30).Draw(t, "radius"))
}

// What a server refuses is what a program gets.
func TestRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		defer w.stop()
		ctx := t.Context()
		c := w.client(t, "ada")
		defer c.Close()
		if got := c.Session(); got != (client.Session{AgentID: "ada", SessionID: "session of ada", Profile: "builder.readWrite"}) {
			t.Errorf("Session = %+v", got)
		}
		for _, x := range []struct {
			name   string
			do     func() error
			code   int
			reason string
			text   string
		}{
			{"a skill that there is not", func() error { return c.Call(ctx, "scene.creat", nil, nil) }, client.CodeNotFound, "not_found", "unknown skill: scene.creat"},
			{"bad input", func() error {
				return c.Call(ctx, "scene.createEntity", map[string]any{"size": 70, "shpae": "box"}, nil)
			}, client.CodeInvalidInput, "invalid_input", "at most 50, got 70"},
			{"a permission", func() error { return c.Call(ctx, "trace.tail", nil, nil) }, client.CodeForbidden, "forbidden", "missing permission: trace.read"},
			{"an entity", func() error {
				return c.Call(ctx, "three.setTransform", map[string]any{"entity": "ent_9"}, nil)
			}, client.CodeHandlerError, "handler_error", "ent_9"},
			{"an area", func() error {
				_, err := c.Subscribe(ctx, client.Subscription{Name: "x", Area: client.Within([3]float64{}, 1e300)})
				return err
			}, client.CodeInvalidInput, "invalid_input", "radius"},
			{"the same session twice", func() error {
				_, err := client.Dial(ctx, w.options("ada"))
				return err
			}, client.CodeForbidden, "", "is in use on another connection"},
			{"a profile", func() error {
				_, err := client.Dial(ctx, w.options("eve", func(o *client.Options) { o.Profile = "god" }))
				return err
			}, client.CodeInvalidInput, "", "god"},
		} {
			var refused *client.Error
			if err := x.do(); !errors.As(err, &refused) || refused.Code != x.code || refused.Reason != x.reason || !strings.Contains(refused.Message, x.text) {
				t.Errorf("%s: %v, want %d %s with %q", x.name, err, x.code, x.reason, x.text)
			}
		}
		// This the server would take, as another name.
		soon, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		if _, err := c.Subscribe(soon, client.Subscription{Name: "\xff", Area: client.Whole()}); err == nil || !strings.Contains(err.Error(), "must be UTF-8") || c.Err() != nil {
			t.Errorf("a name that is not UTF-8: %v; the connection: %v", err, c.Err())
		}
		tools, err := c.List(ctx)
		if err != nil || len(tools) < 20 || !slices.ContainsFunc(tools, func(x client.Tool) bool { return x.Name == "scene.createEntity" && len(x.InputSchema) > 0 }) {
			t.Errorf("List: %d tools, %v", len(tools), err)
		}
		if err := c.Ping(ctx); err != nil {
			t.Error(err)
		}
	})
}

// Who watches learns which call has done what he sees.
func TestCausedBy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		defer w.stop()
		ada, ben := w.client(t, "ada"), w.client(t, "ben")
		defer ada.Close()
		defer ben.Close()
		v, err := ben.Subscribe(t.Context(), client.Subscription{Area: client.Within([3]float64{}, 10)})
		if err != nil {
			t.Fatal(err)
		}
		var (
			made    struct{ Entity client.ID }
			intent  uint64
			updates int
		)
		for u := range v.Updates(t.Context()) {
			if updates++; updates == 1 {
				r, err := ada.Do(t.Context(), client.Request{Name: "scene.createEntity", Arguments: map[string]any{"position": []int{1, 2, 3}}})
				if err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal(r.Result, &made); err != nil {
					t.Fatal(err)
				}
				intent = r.Metadata.Intent
				continue
			}
			if !slices.Equal(u.CausedBy, []uint64{intent}) || !slices.Equal(u.Changed, []client.ID{made.Entity}) {
				t.Errorf("update %+v, want that %v was made by intent %d", u, made.Entity, intent)
			}
			break
		}
		if e, ok := v.Get(made.Entity); !ok || e.Position != [3]float64{1, 2, 3} {
			t.Errorf("Get(%v) = %+v, %v", made.Entity, e, ok)
		}
	})
}

// A call may be tried out, and held to what its caller has seen.
func TestTerms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		defer w.stop()
		ada, ben := w.client(t, "ada"), w.client(t, "ben")
		defer ada.Close()
		defer ben.Close()
		box := client.Request{Name: "scene.createEntity", DryRun: true}
		for range 2 { // the first leaves nothing
			r, err := ada.Do(t.Context(), box)
			if err != nil {
				t.Fatal(err)
			}
			var changes struct{ Created int }
			if err := json.Unmarshal(r.Changes, &changes); err != nil || changes.Created != 1 || string(r.Result) != `{"entity":"ent_0"}` {
				t.Errorf("a dry run answers %s and changes %s, %v", r.Result, r.Changes, err)
			}
		}
		box.DryRun, box.IfRevision = false, new(uint64)
		made, err := ada.Do(t.Context(), box)
		if err != nil {
			t.Fatal(err)
		}
		if made.Metadata.Revision == 0 || made.Changes != nil {
			t.Errorf("the answer %+v, want a revision and no changes", made)
		}
		move := client.Request{Name: "three.setTransform", Arguments: map[string]any{"entity": "ent_0", "position": []int{1, 2, 3}}}
		if _, err := ben.Do(t.Context(), move); err != nil {
			t.Fatal(err)
		}
		move.Arguments, move.IfRevision = map[string]any{"entity": "ent_0", "position": []int{3, 2, 1}}, &made.Metadata.Revision
		var refused *client.Error
		if _, err := ada.Do(t.Context(), move); !errors.As(err, &refused) || !strings.Contains(refused.Message, "ben") {
			t.Errorf("a move of what ben has moved since: %v, want a refusal that names him", err)
		}
	})
}

// A call that is given up is cancelled where it runs; one that runs while the server shuts down is answered first.
func TestSlowCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		defer func() { w.stop() }()
		ended := make(chan error, 1)
		err := w.Registry.Register(registry.Define(registry.Spec[struct{}, struct{}]{
			Name: "demo.work", Description: "Take ten seconds.", Permissions: []profiles.Permission{profiles.Anyone}, Slow: true,
			Handle: func(c *registry.Call, _ struct{}) (out struct{}, err error) {
				select {
				case <-time.After(5 * time.Second):
				case <-c.Context().Done():
					err = context.Cause(c.Context())
				}
				ended <- err
				return out, err
			},
		}))
		if err != nil {
			t.Fatal(err)
		}
		c := w.client(t, "ada")
		defer c.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		if err := c.Call(ctx, "demo.work", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Call: %v, want context.DeadlineExceeded", err)
		}
		if err := <-ended; err == nil || time.Since(begun) != time.Second {
			t.Errorf("the skill ended after %v with %v, want that it was cancelled after a second", time.Since(begun), err)
		}
		answered := make(chan error, 1)
		go func() { answered <- c.Call(t.Context(), "demo.work", nil, nil) }()
		time.Sleep(time.Second)
		w.restart(t)
		if err := <-answered; err != nil {
			t.Errorf("the call that was running when the server was shut down: %v", err)
		}
		synctest.Wait() // for the client to notice
		if err := c.Ping(t.Context()); err != nil {
			t.Errorf("Ping after the restart: %v", err)
		}
	})
}

// A server that comes back with another world is found out by its steps, and views are filled anew.
func TestAnotherWorld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		old, young := newTown(t), newTown(t)
		defer young.stop()
		c := old.client(t, "ada")
		defer c.Close()
		create := func(n int) {
			for i := range n {
				if err := c.Call(t.Context(), "scene.createEntity", map[string]any{"position": []int{i, n, 0}}, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range 100 {
			old.World.Step(t.Context())
		}
		create(3)
		v, err := c.Subscribe(t.Context(), client.Subscription{Area: client.Whole()})
		if err != nil {
			t.Fatal(err)
		}
		old.stop()
		synctest.Wait()
		old.mu.Lock()
		old.listener = young.listener
		old.mu.Unlock()
		create(5)
		time.Sleep(time.Second)
		synctest.Wait()
		if diff := young.differs(v, client.JSON); diff != "" || v.Len() != 5 {
			t.Errorf("the view differs from the new world (-world +copy):\n%s", diff)
		}
	})
}
