package architecture

import (
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// tag is what all parts of a building are tagged with, so that it is found again.
const tag = "building"

// create adds the part as an entity with a static body, named after its kind, where spec says.
func (b box) create(w *world.World, tx *world.Tx, spec world.Spec, color int) (world.ID, error) {
	spec.Name, spec.Tags = b.kind, []string{tag}
	id, err := tx.Create(spec)
	if err != nil {
		return 0, err
	}
	if err := w.Shapes.Set(tx, id, b.shape(color)); err != nil {
		return 0, err
	}
	if b.glass {
		m := glass()
		pane := world.Material{Name: m.Name}
		pane.Roughness, pane.Metalness = m.Values()
		if err := w.Materials.Set(tx, id, pane); err != nil {
			return 0, err
		}
	}
	return id, w.Bodies.Set(tx, id, world.Body{Type: "static", Collider: b.form(), Friction: 0.5})
}

// glass is what panes are made of.
func glass() *material.Material {
	m, _ := material.Named(nil, material.Glass) // every world has it
	return m
}

// form is the shape of a part, and what it collides as.
func (b box) form() string {
	if b.wedge {
		return "wedge"
	}
	return "box"
}

func (b box) shape(color int) world.Shape {
	return world.Shape{Kind: b.form(), Size: b.size, Color: b.shade(color)}
}

// shade returns the colour of a box of a building with walls of the given colour.
func (b box) shade(color int) uint32 {
	c := uint32(color)
	if b.glass {
		return glass().Color
	}
	if !b.roof {
		return c
	}
	r, g, bl := c>>16&0xff, c>>8&0xff, c&0xff
	return r*3/5<<16 | g*3/5<<8 | bl*3/5
}
