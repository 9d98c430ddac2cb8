package architecture

import "github.com/limina-mcp/limina/world"

// tag is what all parts of a building are tagged with, so that it is found again.
const tag = "building"

// create adds the box as an entity with a static body, named after its kind.
func (b box) create(w *world.World, tx *world.Tx, color int) (world.ID, error) {
	id, err := tx.Create(world.Spec{Position: b.centre, Rotation: b.turn, Name: b.kind, Tags: []string{tag}})
	if err != nil {
		return 0, err
	}
	if err := w.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: b.size, Color: b.shade(color)}); err != nil {
		return 0, err
	}
	return id, w.Bodies.Set(tx, id, world.Body{Type: "static", Collider: "box", Friction: 0.5})
}

// shade returns the colour of a box of a building with walls of the given colour.
func (b box) shade(color int) uint32 {
	c := uint32(color)
	if !b.roof {
		return c
	}
	r, g, bl := c>>16&0xff, c>>8&0xff, c&0xff
	return r*3/5<<16 | g*3/5<<8 | bl*3/5
}
