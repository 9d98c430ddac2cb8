package share_test

import (
	"testing"

	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// One may have as many as are left for all others, and whoever comes late some.
func TestShares(t *testing.T) {
	w := world.New(world.Config{})
	s := share.New(w, "test.shares", 12)
	there := 0
	take := func(tx *world.Tx, agent string, want int) {
		t.Helper()
		n := 0
		for s.Take(tx, agent, there, "things wait") == nil {
			n++
			there++
		}
		if n != want {
			t.Errorf("%s takes %d more, want %d", agent, n, want)
		}
	}
	_, err := w.Update(t.Context(), func(tx *world.Tx) error {
		take(tx, "ann", 6)
		take(tx, "bob", 3)
		take(tx, "cy", 2)
		if err := s.Take(tx, "ann", there, "things wait"); err == nil || err.Error() != "6 things wait, which is the most" {
			t.Errorf("one more: %v", err)
		}
		for range 6 {
			if err := s.Give(tx, "ann"); err != nil {
				return err
			}
			there--
		}
		take(tx, "cy", 3)
		s.Clear(tx)
		there = 0
		take(tx, "bob", 6)
		if err := s.Remake(tx, []string{"bob", "cy", "bob"}); err != nil {
			return err
		}
		there = 3
		take(tx, "bob", 4)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
