package share_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/share"
)

// One alone may have three quarters, and whoever comes late some.
func TestKept(t *testing.T) {
	things := share.Kept{Most: 64, What: "things", Free: "thing.remove takes one away"}
	rows := map[int]string{}
	fill := func(agent string, want int, refusal string) {
		t.Helper()
		n := 0
		for {
			err := share.RoomIn(&things, maps.All(rows), agent, func(by *string) string { return *by })
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
