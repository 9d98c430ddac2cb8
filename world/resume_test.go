package world_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestResume restores state of every kind that holds the step in which something ends: it has as many steps left as it had.
func TestResume(t *testing.T) {
	w := world.New(world.Config{})
	ends := world.NewComponent[uint64](w, "ends", world.Private)
	rows := world.NewTable[string, uint64](w, "rows", 4)
	one := world.NewGlobal[uint64](w, "one", 0)
	later := func(end, past uint64) uint64 { return end + past }
	ends.Resume(later)
	rows.Resume(later)
	one.Resume(later)
	broken := false
	w.OnRestore(func(*world.Tx, uint64) error {
		if broken {
			return errors.New("broken")
		}
		return nil
	})
	steps := func(n int) {
		for range n {
			w.Step(t.Context())
		}
	}
	var id world.ID
	set := func(end uint64) {
		must(t, w, func(tx *world.Tx) error {
			if id == 0 {
				id = create(t, tx, world.Spec{})
			}
			return errors.Join(ends.Set(tx, id, end), rows.Set(tx, "a", end), one.Set(tx, end))
		})
	}
	left := func() (text string) {
		w.View(func(v *world.View) {
			end, _ := ends.Get(v, id)
			row, _ := rows.Get(v, "a")
			text = fmt.Sprint(end-v.Step(), row-v.Step(), one.Get(v)-v.Step())
		})
		return text
	}
	holds := func(when, want string) {
		t.Helper()
		if got := left(); got != want {
			t.Errorf("%s %s steps are left, want %s", when, got, want)
		}
	}
	steps(3)
	set(10)
	var text []byte
	w.View(func(v *world.View) { text = v.AppendSnapshot(nil) })
	steps(4)
	set(1000)
	holds("at first", "993 993 993")
	restore := func(text []byte) error {
		_, err := w.Update(t.Context(), func(tx *world.Tx) error { return tx.Restore(text) })
		return err
	}
	broken = true
	if err := restore(text); err == nil || err.Error() != "broken" {
		t.Errorf("a restore that cannot go on: %v", err)
	}
	holds("after a restore that failed", "993 993 993")
	broken = false
	for range 2 {
		if err := restore(text); err != nil {
			t.Fatal(err)
		}
		holds("after a restore", "7 7 7")
		steps(2)
		holds("two steps later", "5 5 5")
	}
	old := bytes.Replace(text, []byte(`"step":3,`), nil, 1)
	if len(old) == len(text) {
		t.Fatalf("the snapshot is %s", text)
	}
	if err := restore(old); err != nil {
		t.Fatal(err)
	}
	w.View(func(v *world.View) {
		if got := one.Get(v); got != 10 {
			t.Errorf("of a snapshot that does not say when it was made it ends at %d, want 10 as it is written", got)
		}
	})
}
