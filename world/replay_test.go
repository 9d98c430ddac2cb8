package world_test

import (
	"context"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/world"
)

// pinned is the hash of the world that replay ends in. It is the same on every platform, with
// GOAMD64=v3 too, and changes only when what is hashed, or what an operation does, is changed on
// purpose.
const pinned = "4a96277a557327f0a675ee23731f9c93c7ee51daee7773daa1633eb3cfd62118"

// entry is one operation of a log.
type entry struct {
	op      byte
	a, b    world.ID
	x, y, z float64
}

// randomLog makes a log as callers would: most of it sense, some of it nonsense.
func randomLog(n int) []entry {
	r := rand.New(rand.NewPCG(20, 26))
	log := make([]entry, n)
	for i := range log {
		near := func() world.ID { return world.ID(r.Uint64N(uint64(i)/8 + 2)) }
		coordinate := func() float64 { return float64(int64(r.Uint64N(1<<40))-1<<39) / (1 << 32) }
		log[i] = entry{byte(r.UintN(24)), near(), near(), coordinate(), coordinate(), coordinate()}
		if r.UintN(50) == 0 {
			log[i].y = 1e300
		}
	}
	return log
}

// apply does one operation; what is refused is refused.
func (f *fixture) apply(tx *world.Tx, e entry) error {
	p := world.Vec3{e.x, e.y, e.z}
	switch e.op {
	case 0, 1, 2, 3:
		id, err := tx.Create(world.Spec{Position: p})
		if err != nil {
			return err
		}
		return f.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 2, e.x / 128}})
	case 4:
		_, err := tx.Create(world.Spec{Position: p, Parent: e.a, Tags: []string{"child"}, Name: e.b.String()})
		return err
	case 5, 6, 7, 8, 9:
		return tx.SetPosition(e.a, p)
	case 10:
		return tx.SetRotation(e.a, world.QuatFromEuler(e.x, e.y, e.z))
	case 11:
		return tx.SetScale(e.a, world.Vec3{1 + e.x/1024, 1, 1 - e.z/1024})
	case 12:
		return tx.SetParent(e.a, e.b)
	case 13:
		return tx.SetParent(e.a, 0)
	case 14:
		tx.Destroy(e.a)
	case 15:
		_, err := tx.AddTag(e.a, e.b.String())
		return err
	case 16:
		_, err := tx.RemoveTag(e.a, "child")
		return err
	case 17:
		return tx.SetPosition(e.a, world.Vec3{tx.Rand().Float64(), e.y, e.z})
	case 18:
		return f.secrets.Set(tx, e.a, e.b.String())
	case 19:
		f.secrets.Remove(tx, e.a)
		return f.global.Set(tx, e.x)
	case 20:
		return f.rows.Set(tx, e.a.String()[:min(5, len(e.a.String()))], int(f.rows.Next(tx)))
	case 21: // what is here decides what happens
		hits, _ := tx.AppendNearest(nil, p, 20, 3)
		for _, hit := range hits {
			if q, ok := world.Yaw(e.x-hit.Position[0], e.z-hit.Position[2]); ok {
				if err := tx.SetRotation(hit.ID, q); err != nil {
					return err
				}
			}
		}
	case 22: // half of it done, then refused
		if _, err := tx.Create(world.Spec{Position: p}); err != nil {
			return err
		}
		tx.Rand().Uint64()
		return tx.SetPosition(e.a, world.Vec3{1e300})
	}
	return nil
}

// replay runs a log, with a simulation step after each hundredth operation.
func replay(log []entry, config world.Config) *world.World {
	f := newFixture(config)
	f.OnStep("orbit", func(tx *world.Tx) error {
		turn := world.QuatFromEuler(0, 0.01, 0)
		for id := range f.secrets.All(&tx.View) {
			at, _ := tx.Transform(id)
			if err := tx.SetPosition(id, turn.Rotate(at.Position)); err != nil {
				return err
			}
		}
		return nil
	})
	for i, e := range log {
		_, _ = f.Update(context.Background(), func(tx *world.Tx) error { return f.apply(tx, e) })
		if i%100 == 99 {
			f.Step(context.Background())
		}
	}
	return f.World
}

// TestReplay runs 100,000 random operations twice, in worlds whose grids differ.
func TestReplay(t *testing.T) {
	if race.Enabled {
		return // it takes as long, in one goroutine
	}
	log := randomLog(100_000)
	a, b := replay(log, world.Config{}), replay(log, world.Config{CellSize: 50})
	got := a.Hash()
	if got != b.Hash() {
		t.Errorf("two runs of the same log end in different worlds")
	}
	if hex.EncodeToString(got[:]) != pinned {
		t.Errorf("the log ends in a world with the hash\n%x, want\n%s", got, pinned)
	}
	a.View(func(v *world.View) {
		t.Logf("%d entities, tick %d, step %d", v.Len(), v.Tick(), v.Step())
		if v.Len() < 2000 {
			t.Errorf("only %d entities are left: the log is no test", v.Len())
		}
	})
}
