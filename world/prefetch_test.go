package world_test

import (
	"testing"

	"github.com/limina-mcp/limina/world"
)

// Looking at entities beforehand changes nothing, whatever is looked at.
func TestPrefetch(t *testing.T) {
	w := world.New(world.Config{})
	ids := scatter(t, w, 700)
	must(t, w, func(tx *world.Tx) error { tx.Destroy(ids[3]); return nil })
	before := w.Hash()
	for _, list := range [][]world.ID{nil, ids[:1], ids, {0, ids[3], 1 << 40, ids[5], ids[5]}} {
		c := must(t, w, func(tx *world.Tx) error { tx.Prefetch(list); return nil })
		if c.Tick != 0 {
			t.Errorf("looking at %d ids made commit %d", len(list), c.Tick)
		}
	}
	if w.Hash() != before {
		t.Error("the world is another one")
	}
}

// BenchmarkMoveCold moves 200 of 2,000 entities after the processor has forgotten them.
func BenchmarkMoveCold(b *testing.B) {
	for _, name := range []string{"alone", "prefetched"} {
		b.Run(name, func(b *testing.B) {
			w := world.New(world.Config{})
			ids := scatter(b, w, 2000)
			junk := make([]uint64, 4<<20)
			moving := make([]world.ID, 200)
			for i := range b.N {
				b.StopTimer()
				for j := 0; j < len(junk); j += 8 {
					junk[j]++
				}
				for j := range moving {
					moving[j] = ids[(i*len(moving)+j)*7919%len(ids)]
				}
				b.StartTimer()
				must(b, w, func(tx *world.Tx) error {
					if name == "prefetched" {
						tx.Prefetch(moving)
					}
					for _, id := range moving {
						p, _ := tx.Position(id)
						p[0] += 0.25
						if err := tx.SetPosition(id, p); err != nil {
							return err
						}
					}
					return nil
				})
			}
		})
	}
}
