package agents_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/world"
)

// TestKept has agents go and come back, with more characters than are kept, more agents than are, and with what cannot be given back.
func TestKept(t *testing.T) {
	s := newScene()
	purse := world.NewComponent[int](s.World, "purse")
	poor := error(nil)
	s.Keeps(agents.Belongs("purse", purse.Get, func(tx *world.Tx, id world.ID, n int, w agents.While) error {
		if poor != nil {
			return poor
		}
		return purse.Set(tx, id, n)
	}))
	s.OnStep("leave", func(tx *world.Tx) error { return s.Leave(tx, func(string, world.ID) error { return nil }) })
	holder := ""
	visit := func(agent string, purses ...int) {
		t.Helper()
		s.must(t, func(tx *world.Tx) error {
			if _, err := s.Attend(tx, []agents.Attendance{{agent, true}}, 1); err != nil {
				return err
			}
			for _, n := range purses {
				id, err := tx.Create(world.Spec{Tags: []string{"tag"}})
				if err != nil {
					return err
				}
				if err := s.Bind(tx, agent, holder, id, false); err != nil {
					return err
				}
				if n == 0 { // nothing but a name
					err = tx.SetName(id, "nobody")
				} else {
					err = purse.Set(tx, id, n)
				}
				if err != nil {
					return err
				}
			}
			_, err := s.Attend(tx, []agents.Attendance{{agent, false}}, 1)
			return err
		})
		s.Step(t.Context())
		s.Step(t.Context())
	}
	back := func(agent string) string {
		t.Helper()
		var text string
		s.must(t, func(tx *world.Tx) error {
			id, err := tx.Create(world.Spec{})
			if err != nil {
				return err
			}
			given, missed, err := s.GiveBack(tx, agent, id)
			n, _ := purse.Get(&tx.View, id)
			text = fmt.Sprint(given, missed, n, tx.Tags(id), tx.Name(id))
			tx.Destroy(id)
			return err
		})
		return text
	}
	want := func(agent, text string) {
		t.Helper()
		if got := back(agent); got != text {
			t.Errorf("%s has %q, want %q", agent, got, text)
		}
	}
	const nothing = "[] [] 0 []"
	has := func(n int) string { return fmt.Sprintf("[purse] [] %d [tag]", n) }
	want("ann", nothing)
	visit("ann", 0)
	want("ann", nothing)
	visit("ann", 1, 2)
	visit("ann", 3, 4, 5)
	for _, n := range []int{3, 4, 5, 1} {
		want("ann", has(n))
	}
	want("ann", nothing)

	visit("bob", 6)
	poor = errors.New("no room")
	want("bob", "[] [{purse no room}] 0 [tag]")
	poor = nil
	want("bob", has(6))
	want("bob", nothing)

	for i := range agents.MaxKept {
		visit(fmt.Sprint("agent", (i+500)%agents.MaxKept), 7)
	}
	visit("agent500", 8) // is the newest now
	visit("carl", 9)
	want("agent501", nothing)
	want("agent502", has(7))
	want("agent500", has(8))
	want("carl", has(9))

	// Who makes up names, by a token for many, pushes out nobody but himself, once he has more than others.
	visit("dora", 10)
	holder = "guest-*"
	for i := range 2 * agents.MaxKept {
		visit(fmt.Sprint("guest-", i), 11)
	}
	holder = ""
	visit("emil", 12)
	want("dora", has(10))
	want("emil", has(12))
	want("agent1", has(7))
	want("guest-0", nothing)
	want(fmt.Sprint("guest-", 2*agents.MaxKept-1), has(11))
	var text string
	s.View(func(v *world.View) { text = string(v.AppendSnapshot(nil)) })
	if n := strings.Count(text, `"purse"`); n < agents.MaxKept-8 {
		t.Errorf("%d are kept", n)
	}
}
