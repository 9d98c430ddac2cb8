package agents_test

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/world"
)

// scene is a world with agents, and the ways to change it that have to succeed.
type scene struct {
	*world.World
	*agents.Agents
}

func newScene() scene {
	w := world.New(world.Config{})
	return scene{w, agents.New(w)}
}

func (s scene) must(tb testing.TB, fn func(tx *world.Tx) error) {
	tb.Helper()
	if _, err := s.Update(tb.Context(), fn); err != nil {
		tb.Fatal(err)
	}
}

// thing creates an entity.
func (s scene) thing(tb testing.TB, at world.Vec3) (id world.ID) {
	tb.Helper()
	s.must(tb, func(tx *world.Tx) (err error) {
		id, err = tx.Create(world.Spec{Position: at})
		return err
	})
	return id
}

// agent creates an entity that is an agent's body.
func (s scene) agent(tb testing.TB, name string, at world.Vec3) (id world.ID) {
	tb.Helper()
	id = s.thing(tb, at)
	s.must(tb, func(tx *world.Tx) error { return s.Embody(tx, name, id) })
	return id
}

// body returns the agent's body and checks that both ways of asking agree.
func (s scene) body(tb testing.TB, name string) (id world.ID) {
	tb.Helper()
	s.View(func(v *world.View) {
		var ok bool
		if id, ok = s.Body(v, name); !ok {
			return
		}
		if owner, _ := s.Agent(v, id); owner != name || !v.Exists(id) {
			tb.Errorf("%s is the body of %q, which does not exist or is %q's", id, name, owner)
		}
	})
	return id
}

func (s scene) position(id world.ID) (p world.Vec3) {
	s.View(func(v *world.View) { p, _ = v.Position(id) })
	return p
}

func TestEmbody(t *testing.T) {
	s := newScene()
	one, two := s.thing(t, world.Vec3{}), s.thing(t, world.Vec3{})
	s.must(t, func(tx *world.Tx) error {
		if err := s.Embody(tx, "alice", one); err != nil {
			return err
		}
		return s.Embody(tx, "bob", two)
	})
	if s.body(t, "alice") != one || s.body(t, "bob") != two || s.body(t, "carol") != 0 {
		t.Errorf("bodies are %s, %s, %s", s.body(t, "alice"), s.body(t, "bob"), s.body(t, "carol"))
	}
	var text string
	s.View(func(v *world.View) { text = string(s.AppendEntity(nil, v, one)) })
	if !strings.Contains(text, `"agent":"alice"`) {
		t.Errorf("viewers do not see whose body it is: %s", text)
	}
	three := s.thing(t, world.Vec3{})
	s.must(t, func(tx *world.Tx) error { return s.Embody(tx, "alice", three) })
	if s.body(t, "alice") != three {
		t.Errorf("alice did not change bodies")
	}
	s.must(t, func(tx *world.Tx) error { return s.Embody(tx, "bob", one) })
	if s.body(t, "bob") != one {
		t.Errorf("bob did not get the body that alice left")
	}
	s.must(t, func(tx *world.Tx) error {
		if !s.Release(tx, "bob") || s.Release(tx, "bob") {
			t.Error("Release does not say whether there was a body")
		}
		return nil
	})
	if s.body(t, "bob") != 0 {
		t.Error("bob has a body after Release")
	}
	before := s.Tick()
	s.must(t, func(tx *world.Tx) error { return s.Embody(tx, "alice", three) })
	if s.Tick() != before {
		t.Error("what is so already made a commit")
	}
}

func TestRefusals(t *testing.T) {
	s := newScene()
	body := s.agent(t, "alice", world.Vec3{})
	free := s.thing(t, world.Vec3{})
	tests := []struct {
		name string
		do   func(tx *world.Tx) error
		want string
	}{
		{"taken", func(tx *world.Tx) error { return s.Embody(tx, "bob", body) }, "handler_error: ent_0 is the body of another agent, alice"},
		{"unknown body", func(tx *world.Tx) error { return s.Embody(tx, "bob", 99) }, "handler_error: unknown entity ent_98; the nearest are ent_0, ent_1"},
		{"nobody", func(tx *world.Tx) error { return s.Embody(tx, "", free) }, "invalid_input: agent: must have 1 to 256 bytes, got 0"},
		{"long id", func(tx *world.Tx) error { return s.Embody(tx, strings.Repeat("a", 257), free) }, "invalid_input: agent: must have 1 to 256 bytes, got 257"},
		{"perceive without body", func(tx *world.Tx) error { _, err := s.Perceive(&tx.View, "bob", 10, 0); return err }, `handler_error: agent "bob" has no body; agent.embody gives it one`},
		{"perceive too near", func(tx *world.Tx) error { _, err := s.Perceive(&tx.View, "alice", -1, 0); return err }, "invalid_input: radius: must be a number of metres, 0 or more, got -1"},
		{"perceive all", func(tx *world.Tx) error { _, err := s.Perceive(&tx.View, "alice", math.Inf(1), 0); return err }, "invalid_input: radius: must be a number of metres, 0 or more, got +Inf"},
		{"approach without body", func(tx *world.Tx) error { return s.Approach(tx, "bob", agents.Target{Entity: free}, 1) }, `handler_error: agent "bob" has no body; agent.embody gives it one`},
		{"approach oneself", func(tx *world.Tx) error { return s.Approach(tx, "alice", agents.Target{Entity: body}, 1) }, "handler_error: ent_0 is the agent's own body"},
		{"approach nobody", func(tx *world.Tx) error { return s.Approach(tx, "alice", agents.Target{Entity: 5}, 1) }, "handler_error: unknown entity ent_4; the nearest are ent_0, ent_1"},
		{"approach nowhere", func(tx *world.Tx) error {
			return s.Approach(tx, "alice", agents.Target{Point: world.Vec3{0, math.NaN(), 0}}, 1)
		}, "invalid_input: agents.walk.point[1]: must be a finite number within ±3.4e38, got NaN"},
		{"approach from behind", func(tx *world.Tx) error { return s.Approach(tx, "alice", agents.Target{Entity: free}, math.NaN()) }, "invalid_input: distance: must be a number of metres, 0 or more, got NaN"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := s.Hash()
			_, err := s.Update(t.Context(), tt.do)
			var e *world.Error
			if !errors.As(err, &e) || e.Code+": "+e.Message != tt.want {
				t.Errorf("error = %v\nwant %s", err, tt.want)
			}
			if s.Hash() != before {
				t.Error("the world has changed")
			}
		})
	}
}

// TestDeath destroys bodies, and what carries them, and takes it back.
func TestDeath(t *testing.T) {
	s := newScene()
	cart := s.thing(t, world.Vec3{})
	alice := s.agent(t, "alice", world.Vec3{1, 0, 0})
	bob := s.agent(t, "bob", world.Vec3{5, 0, 0})
	s.must(t, func(tx *world.Tx) error {
		if err := tx.SetParent(alice, cart); err != nil {
			return err
		}
		return s.Approach(tx, "alice", agents.Target{Entity: bob}, 1)
	})
	hash := s.Hash()
	s.must(t, func(tx *world.Tx) error {
		mark := tx.Savepoint()
		tx.Destroy(cart)
		if _, ok := s.Body(&tx.View, "alice"); ok {
			t.Error("alice has a body that is destroyed")
		}
		tx.RollbackTo(mark)
		return nil
	})
	if s.body(t, "alice") != alice || s.Hash() != hash {
		t.Error("the rollback did not give alice her body back")
	}
	s.must(t, func(tx *world.Tx) error { tx.Destroy(bob); return nil })
	stood := s.position(alice)
	s.Step(t.Context())
	if at := s.position(alice); at != stood {
		t.Errorf("after bob's end alice went on to %v", at)
	}
	s.View(func(v *world.View) {
		if s.Walks(v, alice) {
			t.Error("after bob's end alice is still on her way")
		}
		p, err := s.Perceive(v, "alice", 100, 0)
		if err != nil || p.Walking != nil || len(p.Seen) != 1 {
			t.Errorf("after bob's end alice perceives %+v, %v; want the cart, and no walk", p, err)
		}
	})
	again := s.agent(t, "bob", world.Vec3{})
	if s.body(t, "bob") != again {
		t.Error("bob got no new body")
	}
}

// TestPerceive compares with going through all.
func TestPerceive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newScene()
		n := rapid.IntRange(0, 40).Draw(rt, "things")
		body := s.agent(t, "alice", world.Vec3{1, 1, 1})
		s.must(t, func(tx *world.Tx) error {
			for range n {
				c := rapid.Float64Range(-6, 6)
				if rapid.Bool().Draw(rt, "same place") {
					c = rapid.Just(1.0)
				}
				spec := world.Spec{Position: world.Vec3{c.Draw(rt, "x"), c.Draw(rt, "y"), c.Draw(rt, "z")}, Name: "n", Tags: []string{"t"}}
				if _, err := tx.Create(spec); err != nil {
					return err
				}
			}
			// A body with a higher id than what is at its place.
			if last := world.ID(n + 1); n > 0 && rapid.Bool().Draw(rt, "last") {
				body = last
				if err := tx.SetPosition(last, world.Vec3{1, 1, 1}); err != nil {
					return err
				}
				return s.Embody(tx, "alice", last)
			}
			return nil
		})
		radius, limit := rapid.Float64Range(0, 10).Draw(rt, "radius"), rapid.IntRange(0, 50).Draw(rt, "limit")
		s.View(func(v *world.View) {
			want := []agents.Seen{}
			here, _ := v.Position(body)
			for id := range v.All() {
				if p, _ := v.Position(id); id != body && p.Dist2(here) <= radius*radius {
					want = append(want, agents.Seen{Entity: id, Name: v.Name(id), Tags: v.Tags(id), Position: p, Distance: p.Dist(here)})
				}
			}
			slices.SortStableFunc(want, func(a, b agents.Seen) int {
				return cmp.Compare(a.Position.Dist2(here), b.Position.Dist2(here))
			})
			bound := limit
			if bound == 0 {
				bound = agents.DefaultLimit
			}
			more := max(0, len(want)-bound)
			want = want[:len(want)-more]
			got, err := s.Perceive(v, "alice", radius, limit)
			if err != nil {
				rt.Fatal(err)
			}
			if diff := gocmp.Diff(agents.Perception{Agent: "alice", Body: body, Position: here, Seen: want, More: more}, got); diff != "" {
				rt.Errorf("Perceive (-want +got):\n%s", diff)
			}
		})
	})
}

// TestWalk walks 9 m at 4.5 m/s, which are two seconds, and stops where it should.
func TestWalk(t *testing.T) {
	s := newScene()
	body := s.agent(t, "alice", world.Vec3{0, 1, 0})
	goal := s.thing(t, world.Vec3{0, 7, -11})
	s.must(t, func(tx *world.Tx) error { return s.Approach(tx, "alice", agents.Target{Entity: goal}, 2) })
	for range 60 {
		s.Step(t.Context())
	}
	if got, want := s.position(body), (world.Vec3{0, 1, -4.5}); got.Dist(want) > 1e-9 {
		t.Errorf("after a second the body is at %v, want %v", got, want)
	}
	s.View(func(v *world.View) {
		p, _ := s.Perceive(v, "alice", 1, 0)
		if diff := gocmp.Diff(&agents.Walking{Entity: goal, Point: world.Vec3{0, 7, -11}, Distance: 2}, p.Walking); diff != "" {
			t.Errorf("Walking (-want +got):\n%s", diff)
		}
		at, _ := v.Transform(body)
		if facing := at.Rotation.Rotate(world.Vec3{0, 0, 1}); facing.Dist(world.Vec3{0, 0, -1}) > 1e-9 {
			t.Errorf("the body faces %v, want the way it goes", facing)
		}
	})
	for range 60 {
		s.Step(t.Context())
	}
	if got, want := s.position(body), (world.Vec3{0, 1, -9}); got.Dist(want) > 1e-9 {
		t.Errorf("after two seconds the body is at %v, want %v", got, want)
	}
	s.Step(t.Context()) // rounding may take one more to be there
	s.View(func(v *world.View) {
		if s.Walks(v, body) {
			t.Error("the body has arrived and is still on its way")
		}
	})
	if c, changed := s.Step(t.Context()); changed {
		t.Errorf("the body has arrived and there is still something to do: %v", c)
	}
}

func TestWalkFollows(t *testing.T) {
	s := newScene()
	body, goal := s.agent(t, "alice", world.Vec3{}), s.agent(t, "bob", world.Vec3{30, 0, 0})
	s.must(t, func(tx *world.Tx) error {
		if err := s.Approach(tx, "alice", agents.Target{Entity: goal}, 1); err != nil {
			return err
		}
		return s.Approach(tx, "bob", agents.Target{Point: world.Vec3{30, 0, 20}}, 0)
	})
	for range 60 * 60 {
		s.Step(t.Context())
	}
	if got := s.position(goal); got.Dist(world.Vec3{30, 0, 20}) > 1e-9 {
		t.Errorf("bob is at %v", got)
	}
	if d := s.position(body).Dist(s.position(goal)); math.Abs(d-1) > 1e-9 {
		t.Errorf("alice stopped %v m from bob, want 1", d)
	}
}

// TestWalkStops: there already, told to stop, released, target gone, nowhere to go.
func TestWalkStops(t *testing.T) {
	near, far := agents.Target{Point: world.Vec3{0.5, 0, 0}}, agents.Target{Point: world.Vec3{100, 0, 0}}
	tests := map[string]func(s scene, tx *world.Tx) error{
		"there already": func(s scene, tx *world.Tx) error { return s.Approach(tx, "alice", near, 1) },
		"told to stop": func(s scene, tx *world.Tx) error {
			err := s.Approach(tx, "alice", far, 1)
			if !s.Stop(tx, "alice") || s.Stop(tx, "alice") || s.Stop(tx, "bob") {
				t.Error("Stop does not say whether there was a walk")
			}
			return err
		},
		"released": func(s scene, tx *world.Tx) error {
			err := s.Approach(tx, "alice", far, 1)
			s.Release(tx, "alice")
			return err
		},
		"another body": func(s scene, tx *world.Tx) error {
			id, err := tx.Create(world.Spec{})
			return errors.Join(err, s.Approach(tx, "alice", far, 1), s.Embody(tx, "alice", id))
		},
		"right below": func(s scene, tx *world.Tx) error {
			return s.Approach(tx, "alice", agents.Target{Point: world.Vec3{0, -50, 0}}, 0)
		},
	}
	for name, do := range tests {
		t.Run(name, func(t *testing.T) {
			s := newScene()
			body := s.agent(t, "alice", world.Vec3{})
			s.must(t, func(tx *world.Tx) error { return do(s, tx) })
			for range 10 {
				s.Step(t.Context())
			}
			if p := s.position(body); p != (world.Vec3{}) {
				t.Errorf("the body went to %v", p)
			}
			if _, changed := s.Step(t.Context()); changed {
				t.Error("there is still something to do")
			}
			s.View(func(v *world.View) {
				if s.Walks(v, body) {
					t.Error("the body is still on its way")
				}
			})
		})
	}
}

// TestWalkUnderParent walks in world space, whatever carries the body.
func TestWalkUnderParent(t *testing.T) {
	s := newScene()
	cart := s.thing(t, world.Vec3{3, 0, 4})
	body := s.agent(t, "alice", world.Vec3{})
	scale := world.Vec3{1.1, 0.3, 1.0 / 3}
	s.must(t, func(tx *world.Tx) error {
		if err := tx.SetTransform(body, world.Transform{Rotation: world.Quat{0, 0, 0, 1}, Scale: scale}); err != nil {
			return err
		}
		if err := tx.SetTransform(cart, world.Transform{Position: world.Vec3{3, 0, 4}, Rotation: world.Quat{0, 0.6, 0, 0.8}, Scale: world.Vec3{2, 2, 2}}); err != nil {
			return err
		}
		if err := tx.SetParent(body, cart); err != nil {
			return err
		}
		return s.Approach(tx, "alice", agents.Target{Point: world.Vec3{-6, 0, 4}}, 0)
	})
	for range 200 {
		s.Step(t.Context())
	}
	if got, want := s.position(body), (world.Vec3{-6, 0, 4}); got.Dist(want) > 1e-9 {
		t.Errorf("the body is at %v, want %v", got, want)
	}
	s.View(func(v *world.View) {
		if at, _ := v.Transform(body); at.Scale != scale {
			t.Errorf("walking has made the body's scale %v, of %v", at.Scale, scale)
		}
	})
}

// TestReplay runs the same crowd twice.
func TestReplay(t *testing.T) {
	run := func() [32]byte {
		s := newScene()
		crowd(t, s, 50, 500)
		s.must(t, func(tx *world.Tx) error {
			for i := range 50 {
				if err := s.Approach(tx, name(i), agents.Target{Entity: world.ID(1 + tx.Rand().Uint64N(500))}, 1); err != nil {
					continue // its own body
				}
			}
			return nil
		})
		for range 300 {
			s.Step(t.Context())
		}
		return s.Hash()
	}
	if first, second := run(), run(); first != second {
		t.Error("the same crowd went different ways")
	}
}
