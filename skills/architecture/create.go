package architecture

import (
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// tag is what all parts of a building are tagged with, so that it is found again.
const tag = "building"

// create adds the part as an entity with a static body, named after its kind, where spec says.
func (b box) create(w *world.World, tx *world.Tx, spec world.Spec, l *look) (world.ID, error) {
	spec.Name, spec.Tags = b.kind, []string{tag}
	if b.dug {
		spec.Tags = append(spec.Tags, solid.Foundation)
	}
	id, err := tx.Create(spec)
	if err != nil {
		return 0, err
	}
	if err := w.Shapes.Set(tx, id, b.shape(l)); err != nil {
		return 0, err
	}
	if l.surface != nil {
		if err := w.Materials.Set(tx, id, *l.surface); err != nil {
			return 0, err
		}
	}
	return id, w.Bodies.Set(tx, id, world.Body{Type: "static", Collider: b.form(), Friction: 0.5})
}

// form is the shape of a part, and what it collides as.
func (b box) form() string {
	if b.wedge {
		return "wedge"
	}
	return "box"
}

func (b box) shape(l *look) world.Shape {
	return world.Shape{Kind: b.form(), Size: b.size, Color: l.color}
}
