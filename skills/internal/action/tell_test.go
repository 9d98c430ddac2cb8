package action_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// TestTell tells viewers and two who hear of what has come about; that one of those has no room stops nothing.
func TestTell(t *testing.T) {
	s := newStage(t)
	var second []string
	full := false
	s.does.OnEmit(func(_ *world.Tx, e *action.Event) error {
		if full {
			return registry.Errorf(registry.CodeCapacityExceeded, "too much")
		}
		second = append(second, e.Name)
		return nil
	})
	s.todo = func(tx *world.Tx) {
		id, err := tx.Create(world.Spec{Position: world.Vec3{1, 2, 3}})
		if err != nil {
			t.Fatal(err)
		}
		data := struct {
			N int `json:"n"`
		}{7}
		tell := func() error { return s.does.Tell(tx, "quest", "completed", "dragon", id, "ann", &data) }
		if err := s.does.After(4, tell); err != nil {
			t.Error(err)
		}
		full = true
		if err := tell(); err != nil {
			t.Error(err)
		}
	}
	s.w.Step(t.Context())
	for _, c := range []struct{ got, want []string }{
		{s.heard, []string{
			`quest.completed ent_0 {"n":7} 5 ann`, `quest.completed:dragon ent_0 {"n":7} 5 ann`, `quest.completed ent_0 {"n":7} 0 ann`, `quest.completed:dragon ent_0 {"n":7} 0 ann`,
		}},
		{second, []string{"quest.completed", "quest.completed:dragon"}},
		{s.moments, []string{
			`quest.completed true[1 2 3] {"n":7,"entity":"ent_0","by":"ann"}`,
			`quest.completed true[1 2 3] {"n":7,"entity":"ent_0","by":"ann","error":"too much"}`,
		}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestNames that only the server may say, with what follows a colon too.
func TestNames(t *testing.T) {
	for name, free := range map[string]bool{
		"": true, "quest": true, "quest.begun": true, "my:quest.completed": true, "quest.completed": false, "quest.completed:dragon": false, "progression.levelUp:5": false, "game.won:": false,
	} {
		if err := action.CheckName("f", name); (err == nil) != free {
			t.Errorf("%q: %v", name, err)
		}
	}
}
