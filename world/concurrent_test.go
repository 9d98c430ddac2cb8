package world_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestConcurrent has writers, readers, steps and observers at once. Every transaction moves a pair
// of entities together, so whoever sees them apart has seen half of one. It is meant for -race.
func TestConcurrent(t *testing.T) {
	w := world.New(world.Config{})
	var a, b world.ID
	must(t, w, func(tx *world.Tx) error {
		a, b = create(t, tx, world.Spec{}), create(t, tx, world.Spec{})
		return nil
	})
	pair := func(tx *world.Tx, x float64) error {
		if err := tx.SetPosition(a, world.Vec3{x, 0, 0}); err != nil {
			return err
		}
		id := create(t, tx, world.Spec{Position: world.Vec3{x, 0, 0}, Tags: []string{"mark"}})
		if id%4 != 0 {
			tx.Destroy(id)
		}
		return tx.SetPosition(b, world.Vec3{x, 0, 0})
	}
	together := func(v *world.View) {
		p, _ := v.Position(a)
		q, _ := v.Position(b)
		if p != q || len(v.Tagged("mark"))+2 != v.Len() {
			t.Error("a transaction was seen half done")
		}
	}
	w.OnStep("pair", func(tx *world.Tx) error { return pair(tx, tx.Rand().Float64()) })
	tick := uint64(1)
	w.Observe(func(c *world.Commit) {
		if tick++; c.Tick != tick {
			t.Errorf("commit %d came as number %d", c.Tick, tick)
		}
		together(c.View())
	})

	var all sync.WaitGroup
	var writing atomic.Int32
	for i := range 4 {
		writing.Add(1)
		all.Go(func() {
			defer writing.Add(-1)
			r, c := rand.New(rand.NewPCG(uint64(i), 0)), &call{}
			for n := range 300 {
				fail := r.UintN(3) == 0
				_, _ = world.Do(w, c, func(tx *world.Tx) (nothing, error) { return nothing{}, pair(tx, r.Float64()*100) })
				c.end(uint64(n), fail)
				if i == 0 {
					w.Step(context.Background())
				}
			}
		})
	}
	for range 3 {
		all.Go(func() {
			c := &call{}
			for writing.Load() > 0 {
				w.View(together)
				_, _ = world.Read(w, c, func(v *world.View) (nothing, error) {
					together(v)
					v.Near(world.Vec3{}, 50)
					return nothing{}, nil
				})
				w.Hash()
				w.Tick()
				w.Observe(func(*world.Commit) {})()
			}
		})
	}
	all.Wait()
	if w.Steps() != 300 || w.Tick() < 300 {
		t.Errorf("step %d, tick %d: something was lost", w.Steps(), w.Tick())
	}
}
