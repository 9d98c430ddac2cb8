// Package cube is the world of the state sync measurements: entities spread evenly over a cube of
// 1,000 m, of which a share moves by up to 2 m along each axis in each tick. npm/sync/world.mjs is the
// same for the peers.
package cube

import (
	"context"
	"math/rand/v2"

	"github.com/limina-mcp/limina/world"
)

// Side is the length of the cube's edge in metres.
const Side = 1000.0

// Cube is such a world. Its methods are for one goroutine.
type Cube struct {
	ids  []world.ID
	rng  *rand.Rand
	perm []int
	move int // entities in each tick
	at   int

	moving []world.ID // of Move
}

// Fill puts entities into w, the first of which, ent_0, stays in the middle, and has a share of the
// others move in each tick.
func Fill(w *world.World, entities int, share float64) (*Cube, error) {
	c := &Cube{rng: rand.New(rand.NewPCG(7, 7)), move: int(float64(entities) * share)}
	_, err := w.Update(context.Background(), func(tx *world.Tx) error {
		if _, err := tx.Create(world.Spec{Position: world.Vec3{Side / 2, Side / 2, Side / 2}}); err != nil {
			return err
		}
		for range entities {
			id, err := tx.Create(world.Spec{Position: world.Vec3{c.rng.Float64() * Side, c.rng.Float64() * Side, c.rng.Float64() * Side}})
			if err != nil {
				return err
			}
			c.ids = append(c.ids, id)
		}
		return nil
	})
	c.perm = c.rng.Perm(entities)
	return c, err
}

// Move moves a tick's share.
func (c *Cube) Move(tx *world.Tx) error {
	c.moving = c.moving[:0]
	for range c.move {
		c.moving = append(c.moving, c.ids[c.perm[c.at]])
		c.at = (c.at + 1) % len(c.ids)
	}
	tx.Prefetch(c.moving)
	for _, id := range c.moving {
		p, _ := tx.Position(id)
		for i := range p {
			p[i] = min(max(p[i]+c.rng.Float64()*4-2, 0), Side-1)
		}
		if err := tx.SetPosition(id, p); err != nil {
			return err
		}
	}
	return nil
}
