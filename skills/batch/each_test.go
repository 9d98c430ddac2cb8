package batch_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// hamlet is two houses, each an entity with a wall and a roof below it, and a tree.
func hamlet(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
	t.Helper()
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		for range 2 {
			house, err := tx.Create(world.Spec{Name: "house", Tags: []string{"old"}})
			if err != nil {
				return err
			}
			for _, name := range []string{"wall", "roofLeft"} {
				id, err := tx.Create(world.Spec{Name: name, Parent: house, Tags: []string{"part"}})
				if err != nil {
					return err
				}
				if err := s.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 1, 1}}); err != nil {
					return err
				}
			}
		}
		_, err := tx.Create(world.Spec{Name: "Tree"})
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// picky is demo.paint, which paints no walls.
func picky(w *world.World) registry.Skill {
	type in struct {
		Entity world.ID `json:"entity" jsonschema_description:"Which."`
	}
	type out struct {
		OK     bool   `json:"ok" jsonschema_description:"Whether it was painted."`
		Reason string `json:"reason,omitempty" jsonschema_description:"Why not."`
	}
	return registry.Define(registry.Spec[in, out]{
		Name: "demo.paint", Description: "Paint what is no wall.", Permissions: []profiles.Permission{"scene.write"}, Effect: registry.Writes,
		Handle: func(c *registry.Call, in in) (out, error) {
			return world.Do(w, c, func(tx *world.Tx) (out, error) {
				if tx.Name(in.Entity) == "wall" {
					return out{Reason: "a wall stays as it is"}, nil
				}
				return out{OK: true}, nil
			})
		},
	})
}

func TestForEach(t *testing.T) {
	has := func(id, part string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
		return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			if got := s.Entity(t, id); !strings.Contains(got, part) {
				t.Errorf("%s is %s, want %s", id, got, part)
			}
		}
	}
	count := func(n int) func(testing.TB, *skilltest.Server, *profiles.Principal) {
		return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			if s.Len() != n {
				t.Errorf("%d entities are left, want %d", s.Len(), n)
			}
		}
	}
	skills := func(w *world.World, a *agents.Agents) []registry.Skill { return append(builders(w, a), picky(w)) }
	skilltest.Run(t, skills, "scene.forEach", []skilltest.Case{
		{
			Name: "paint all roofs", Setup: hamlet, Input: `{"name":"ROOF","skill":"three.setMaterial","input":{"color":255}}`,
			Want: `{"count":2,"entities":["ent_2","ent_5"]}`, Check: has("ent_5", `"color":255`),
		},
		{Name: "tag what is below one", Setup: hamlet, Input: `{"below":"ent_3","skill":"ecs.addComponent","input":{"component":"mine"}}`, Want: `{"count":2,"entities":["ent_4","ent_5"]}`, Check: has("ent_4", `"mine"`)},
		{Name: "tag and name", Setup: hamlet, Input: `{"tag":"part","name":"wall","below":"ent_0","skill":"scene.setName","input":{ "name":"$1" }}`, Want: `{"count":1,"entities":["ent_1"]}`, Check: has("ent_1", `"name":"$1"`)},
		{Name: "remove, with what is below", Setup: hamlet, Input: `{"tag":"old","skill":"scene.destroyEntity"}`, Want: `{"count":2,"entities":["ent_0","ent_3"]}`, Check: count(1)},
		{Name: "remove what goes with another", Setup: hamlet, Input: `{"name":"o","skill":"scene.destroyEntity","input":{}}`, Want: `{"count":2,"entities":["ent_0","ent_3"]}`, Check: count(1)},
		{ // a skill that answers ok false has not done it
			Name: "some decline", Setup: hamlet, Input: `{"below":"ent_0","skill":"demo.paint","input":{}}`,
			Want: `{"count":1,"entities":["ent_2"],"declined":[{"entity":"ent_1","reason":"a wall stays as it is"}]}`,
		},
		{
			Name: "declined without a reason", Setup: hamlet, Input: `{"below":"ent_3","skill":"ecs.removeComponent","input":{"component":"new"}}`,
			Want: `{"count":0,"entities":[],"declined":[{"entity":"ent_4"},{"entity":"ent_5"}]}`,
		},
		{Name: "nothing", Setup: hamlet, Input: `{"tag":"new","skill":"scene.destroyEntity"}`, Want: `{"count":0,"entities":[]}`, Check: count(7)},
		{Name: "all of it or nothing", Setup: hamlet, Input: `{"tag":"part","skill":"three.setTransform","input":{"scale":[0]}}`, Code: registry.CodeInvalidInput, Err: "three.setTransform of ent_1: scale: must have 3 items, got 1"},
		{Name: "whom", Setup: hamlet, Input: `{"skill":"scene.destroyEntity"}`, Code: registry.CodeInvalidInput, Err: "tag: give it, name, below or near: which entities are meant"},
		{Name: "a batch", Setup: hamlet, Input: `{"tag":"part","skill":"world.batch"}`, Code: registry.CodeInvalidInput, Err: "skill: a batch cannot be an operation: put its operations here"},
		{Name: "nobody", Setup: hamlet, Input: `{"below":"ent_9","skill":"scene.destroyEntity"}`, Err: "unknown entity ent_9; the nearest are ent_4, ent_5, ent_6"},
	})
	skilltest.Needs(t, builders, "scene.forEach", `{"tag":"x","skill":"scene.destroyEntity"}`, "scene.write", "builder.readWrite", "builder.review", "terrain.author")
}

// It is one step to undo, and too many are refused.
func TestForEachIsOneStep(t *testing.T) {
	s := skilltest.New(t, builders)
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	hamlet(t, s, ann)
	before := s.Content()
	s.Must(t, ann, "world.batch", `{"operations":[{"skill":"scene.forEach","input":{"name":"roof","skill":"scene.destroyEntity"}},{"skill":"scene.forEach","input":{"name":"wall","skill":"three.setMaterial","input":{"material":"brick"}}}]}`)
	if s.Len() != 5 {
		t.Errorf("%d entities are left, want 5", s.Len())
	}
	s.Must(t, ann, "world.undo", `{}`)
	if s.Content() != before {
		t.Error("one undo does not give the world back")
	}
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		for range batch.MostEach + 1 {
			if _, err := tx.Create(world.Spec{Tags: []string{"many"}}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	res := s.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.forEach", Input: []byte(`{"tag":"many","skill":"scene.destroyEntity"}`), Principal: ann}, nil)
	if res.Err == nil || res.Err.Code != registry.CodeCapacityExceeded || !strings.HasPrefix(res.Err.Message, "501 entities match, 500 are allowed") {
		t.Errorf("for more than 500: %v", res.Err)
	}
	// All of them in turn, as the refusal says.
	var counts []int
	for after := ""; len(counts) < 9; {
		var out batch.EachOut
		got := s.Must(t, ann, "scene.forEach", `{"tag":"many","limit":200,"skill":"ecs.addComponent","input":{"component":"seen"}`+after+`}`)
		if err := json.Unmarshal([]byte(got), &out); err != nil {
			t.Fatal(err)
		}
		counts = append(counts, out.Count, out.Left)
		if out.Last == nil {
			break
		}
		after = fmt.Sprintf(`,"after":%q`, out.Last)
	}
	if want := []int{200, 301, 200, 101, 101, 0}; !slices.Equal(counts, want) {
		t.Errorf("in turn %v, want %v", counts, want)
	}
	if got := s.Must(t, ann, "scene.inspect", `{"tag":"seen","sampleSize":0}`); !strings.HasPrefix(got, `{"entityCount":501,`) {
		t.Errorf("seen were %s", got)
	}
	s.Must(t, ann, "scene.destroyEntity", `{"entity":"ent_7"}`)
	if got := s.Must(t, ann, "scene.forEach", `{"tag":"many","skill":"scene.destroyEntity"}`); !strings.HasPrefix(got, `{"count":500,`) {
		t.Errorf("for 500: %.100s", got)
	}
}

// What somebody does for each who is under review is held as one call, and done as one when it is granted.
func TestForEachIsHeld(t *testing.T) {
	w := world.New(world.Config{Seed: 1})
	gate := approval.NewGate(approval.Options{Profiles: []string{"builder.review"}})
	reg := registry.New(registry.Options{Tick: w.Tick, Gate: gate, Clock: func() time.Time { return time.Unix(1, 0) }})
	if err := reg.Register(builders(w, agents.New(w))...); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Update(t.Context(), func(tx *world.Tx) error {
		for i := range 3 {
			if _, err := tx.Create(world.Spec{Name: fmt.Sprintf("tree %d", i)}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	dora, rita := skilltest.Caller(t, "dora", "builder.review"), skilltest.Caller(t, "rita", "reviewer")
	res := reg.Invoke(t.Context(), &registry.Request{Name: "scene.forEach", Input: []byte(`{"name":"tree","skill":"scene.destroyEntity"}`), Principal: dora}, nil)
	if res.Err == nil || res.Err.Code != registry.CodePendingApproval || len(gate.List()) != 1 {
		t.Fatalf("got %v, held are %+v", res.Err, gate.List())
	}
	_, granted, err := gate.Grant(t.Context(), res.Err.Message, rita)
	if err != nil || granted.Err != nil || string(granted.Output) != `{"count":3,"entities":["ent_0","ent_1","ent_2"]}` || len(gate.List()) != 0 {
		t.Fatalf("granted: %s, %v, %v; still held are %+v", granted.Output, granted.Err, err, gate.List())
	}
}
