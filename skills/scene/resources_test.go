package scene_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// newReader returns a server whose world can be read: ent_0 is tagged and carries ent_1.
func newReader(t *testing.T) *skilltest.Server {
	t.Helper()
	s := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill { return scene.All(w) })
	if err := s.Registry.Resources().Register(scene.Resources(s.World)...); err != nil {
		t.Fatal(err)
	}
	update(t, s, func(tx *world.Tx) error {
		house, err := tx.Create(world.Spec{Position: world.Vec3{1, 2, 3}, Name: "house", Tags: []string{"old"}})
		if err != nil {
			return err
		}
		_, err = tx.Create(world.Spec{Position: world.Vec3{0, 1, 0}, Parent: house})
		return err
	})
	return s
}

func update(t *testing.T, s *skilltest.Server, fn func(tx *world.Tx) error) {
	t.Helper()
	if _, err := s.World.Update(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

// read returns what a resource holds, or the error.
func read(t *testing.T, s *skilltest.Server, uri string) string {
	t.Helper()
	contents, err := s.Registry.Read(t.Context(), skilltest.Caller(t, "ada", "player.limited"), uri)
	if err != nil {
		var e *registry.Error
		errors.As(err, &e)
		return string(e.Code) + ": " + e.Message
	}
	if len(contents) != 1 || contents[0].URI != uri || contents[0].MIMEType != "application/json" || !json.Valid([]byte(contents[0].Text)) {
		t.Errorf("Read %s: %+v", uri, contents)
	}
	return contents[0].Text
}

func TestEntityResource(t *testing.T) {
	s := newReader(t)
	for uri, want := range map[string]string{
		"limina://entity/ent_0":  `{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[1,1,1],"name":"house","tags":["old"],"children":["ent_1"]}`,
		"limina://entity/ent_1":  `{"id":"ent_1","eid":1,"pos":[1,3,3],"rot":[0,0,0,1],"scale":[1,1,1],"parent":"ent_0"}`,
		"limina://entity/ent_2":  "not_found: there is no entity ent_2: there are 2, the next to be made is ent_2",
		"limina://entity/house":  `not_found: "house" is not an entity id; ids look like "ent_0", "ent_17"`,
		"limina://entity/ent_00": `not_found: "ent_00" is not an entity id; ids look like "ent_0", "ent_17"`,
		"limina://entity/":       `not_found: "" is not an entity id; ids look like "ent_0", "ent_17"`,
	} {
		if got := read(t, s, uri); got != want {
			t.Errorf("%s: %s, want %s", uri, got, want)
		}
	}
}

// What an entity has may be more than a resource shows: then it says who shows it.
func TestEntityResourceIsBounded(t *testing.T) {
	s := newReader(t)
	notes := world.NewComponent[string](s.World, "note")
	update(t, s, func(tx *world.Tx) error {
		parent, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		for range 120 {
			if _, err := tx.Create(world.Spec{Parent: parent}); err != nil {
				return err
			}
		}
		for i := range 150 {
			if _, err := tx.AddTag(1+world.ID(i%2), fmt.Sprint("tag", i)); err != nil {
				return err
			}
		}
		return errors.Join(notes.Set(tx, 1, strings.Repeat("x", 70_000)), notes.Set(tx, 2, strings.Repeat("x", 70_000)))
	})
	var many struct {
		Children      []string
		ChildrenTotal int
	}
	if err := json.Unmarshal([]byte(read(t, s, "limina://entity/ent_2")), &many); err != nil || len(many.Children) != 100 || many.ChildrenTotal != 120 {
		t.Errorf("an entity with many children: %d of %d, %v", len(many.Children), many.ChildrenTotal, err)
	}
	want := `{"id":"ent_0","bytes":70728,"note":"too long to show here: skills_call {\"name\":\"inspector.snapshot\",\"input\":{\"limit\":1}} shows what matters"}`
	if got := read(t, s, "limina://entity/ent_0"); got != want {
		t.Errorf("an entity with much: %.300s, want %s", got, want)
	}
	if got, want := read(t, s, "limina://entity/ent_1"), `{\"name\":\"inspector.snapshot\",\"input\":{\"afterEntity\":\"ent_0\",\"limit\":1}}`; !strings.Contains(got, want) {
		t.Errorf("the next entity with much: %.300s, want it to point to %s", got, want)
	}
	var summary scene.Summary
	if err := json.Unmarshal([]byte(read(t, s, scene.SummaryURI)), &summary); err != nil || len(summary.TagCounts) != 100 || summary.MoreTags != 51 {
		t.Errorf("a world of many tags: %d and %d more, %v", len(summary.TagCounts), summary.MoreTags, err)
	}
}

func TestSummaryResource(t *testing.T) {
	s := newReader(t)
	want := `{"tick":1,"step":0,"stepRate":60,"entityCount":2,"bounds":{"min":[1,2,3],"max":[1,3,3]},"center":[1,2.5,3],"size":[0,1,0],` +
		`"tagCounts":{"old":1},"sample":[{"entity":"ent_0","name":"house","position":[1,2,3]},{"entity":"ent_1","position":[1,3,3]}]`
	if diff := cmp.Diff(want, summary(t, s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	empty := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill { return nil })
	if err := empty.Registry.Resources().Register(scene.Resources(empty.World)...); err != nil {
		t.Fatal(err)
	}
	want = `{"tick":0,"step":0,"stepRate":60,"entityCount":0,"bounds":null,"center":null,"size":null,"tagCounts":{},"sample":[]`
	if diff := cmp.Diff(want, summary(t, empty)); diff != "" {
		t.Errorf("an empty world (-want +got):\n%s", diff)
	}
	if got := read(t, empty, "limina://entity/ent_0"); got != "not_found: there is no entity ent_0: the world is empty" {
		t.Errorf("an entity of an empty world: %s", got)
	}
}

// summary returns the summary without the environment, which it has too.
func summary(t *testing.T, s *skilltest.Server) string {
	t.Helper()
	before, environment, _ := strings.Cut(read(t, s, scene.SummaryURI), `,"environment":`)
	if want := `{"time":{"hour":12},"weather":{"kind":"clear","intensity":0},"timeScale":1,`; !strings.HasPrefix(environment, want) {
		t.Errorf("the environment is %s, want it to begin with %s", environment, want)
	}
	return before
}

func TestEntityCompletion(t *testing.T) {
	s := newReader(t)
	r, _ := s.Registry.Resources().Template("limina://entity/{id}")
	update(t, s, func(tx *world.Tx) error { tx.Destroy(2); return nil })
	for written, want := range map[string]string{"": "ent_0", "ent_0": "ent_0", "ent_1": "", "house": ""} {
		got, err := r.Complete(context.Background(), registry.Partial{Name: "id", Value: written, Principal: skilltest.Caller(t, "ada", "player.limited")})
		if err != nil || strings.Join(got.Values, " ") != want || got.More {
			t.Errorf("%q: %v, %v, want %q", written, got, err, want)
		}
	}
}

// Followers are told of what they follow, once however often it changes, and the world is observed
// only while there are any.
func TestWatch(t *testing.T) {
	s := newReader(t)
	f := s.Registry.Resources().Follow(func() {})
	for _, uri := range []string{"limina://entity/ent_0", "limina://entity/ent_1", "limina://entity/ent_2"} {
		if err := f.Add(uri); err != nil {
			t.Fatal(err)
		}
	}
	var e *registry.Error
	if err := f.Add("limina://entity/door"); !errors.As(err, &e) || e.Code != registry.CodeNotFound {
		t.Errorf("Add of what can never be: %v", err)
	}
	expect := func(what string, want ...string) {
		t.Helper()
		got := f.Take()
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	expect("nothing yet")
	update(t, s, func(tx *world.Tx) error { return tx.SetPosition(1, world.Vec3{5, 0, 0}) })
	expect("a move takes the child along", "limina://entity/ent_0", "limina://entity/ent_1")
	update(t, s, func(tx *world.Tx) error { return tx.SetName(2, "door") })
	update(t, s, func(tx *world.Tx) error { return tx.SetName(2, "gate") })
	expect("two changes", "limina://entity/ent_1")
	update(t, s, func(tx *world.Tx) error {
		for range 10 { // more than are followed
			if _, err := tx.Create(world.Spec{}); err != nil {
				return err
			}
		}
		return nil
	})
	expect("it has come to be", "limina://entity/ent_2")
	if err := f.Add(scene.SummaryURI); err != nil {
		t.Fatal(err)
	}
	update(t, s, func(tx *world.Tx) error { tx.Destroy(1); return nil })
	expect("it is gone, and what it carried", "limina://entity/ent_0", "limina://entity/ent_1", scene.SummaryURI)
	_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		_ = tx.SetName(3, "never")
		return errors.New("no")
	})
	expect("a rollback: "+err.Error(), nil...)
	f.Close()
	update(t, s, func(tx *world.Tx) error { return tx.SetName(3, "later") })
	expect("after Close")
}
