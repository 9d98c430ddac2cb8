package share_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// One alone may have three quarters, and whoever comes late some.
func TestKept(t *testing.T) {
	w := world.New(world.Config{})
	things := share.Kept{Most: 64, What: "things", Free: "thing.remove takes one away"}
	rows := map[int]string{}
	fill := func(agent string, want int, refusal string) {
		t.Helper()
		n := 0
		for {
			var err error
			w.View(func(v *world.View) {
				err = share.RoomIn(v, &things, maps.All(rows), agent, func(by *string) string { return *by })
			})
			if err != nil {
				var refused *registry.Error
				if err.Error() != refusal || !errors.As(err, &refused) || refused.Code != registry.CodeCapacityExceeded {
					t.Errorf("%s: %v, want %s", agent, err, refusal)
				}
				break
			}
			rows[len(rows)] = agent
			n++
		}
		if n != want {
			t.Errorf("%s has %d, want %d", agent, n, want)
		}
	}
	fill("ann", 48, "48 of 64 things are yours, and the 16 that are left are for others: thing.remove takes one away")
	fill("bob", 12, "12 of 64 things are yours, and the 4 that are left are for others: thing.remove takes one away")
	fill("cy", 3, "3 of 64 things are yours, and the 1 that are left are for others: thing.remove takes one away")
	fill("dee", 1, "there are 64 things, which is the most; 1 are yours: thing.remove takes one away")
	if all := slices.Collect(maps.Values(rows)); len(all) != 64 {
		t.Errorf("%d things", len(all))
	}
}

// What is counted in pieces of many has the same bounds: three quarters for one alone, and no more than there are.
func TestRoomFor(t *testing.T) {
	bytes := share.Kept{Most: 1000, What: "bytes", Free: "remove some"}
	for _, c := range []struct {
		n, has, there int
		want          string
	}{
		{750, 0, 0, ""},
		{751, 0, 0, "with this 751 of 1000 bytes would be yours, and the 249 that are left are for others: remove some"},
		{1, 749, 749, ""},
		{1, 750, 750, "with this 751 of 1000 bytes would be yours, and the 249 that are left are for others: remove some"},
		{250, 0, 750, "with this 250 of 1000 bytes would be yours, and the 0 that are left are for others: remove some"},
		{187, 0, 750, ""},
		{251, 0, 750, "with this there would be 1001 bytes, at most 1000; 0 are yours: remove some"},
	} {
		got := ""
		if err := bytes.RoomFor(c.n, c.has, c.there); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%d for who has %d of %d: %q, want %q", c.n, c.has, c.there, got, c.want)
		}
		var one string
		if err := bytes.Room(c.has, c.there); err != nil {
			one = err.Error()
		}
		if c.n == 1 && (one == "") != (got == "") {
			t.Errorf("Room says %q of who has %d of %d, RoomFor %q", one, c.has, c.there, got)
		}
	}
}
