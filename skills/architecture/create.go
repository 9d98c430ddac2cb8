package architecture

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/sculpt"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// tag is what all parts of a building are tagged with, so that it is found again.
const tag = "building"

// create adds a part as an entity with a static body, named after its kind, where spec says.
func (p *Plans) create(b *box, tx *world.Tx, spec world.Spec, l *look) (world.ID, error) {
	spec.Name, spec.Tags = b.kind, []string{tag}
	if b.dug {
		spec.Tags = append(spec.Tags, solid.Foundation)
	}
	id, err := tx.Create(spec)
	if err != nil {
		return 0, err
	}
	if err := p.form(b, tx, id, l); err != nil {
		return 0, err
	}
	if l.surface != nil {
		if err := p.w.Materials.Set(tx, id, *l.surface); err != nil {
			return 0, err
		}
	}
	return id, p.w.Bodies.Set(tx, id, world.Body{Type: "static", Collider: b.shape(), Friction: 0.5})
}

// shape is the kind of shape of a part, and what it collides as.
func (b *box) shape() string {
	switch {
	case b.corners != nil:
		return mesh.Shape
	case b.wedge:
		return "wedge"
	}
	return "box"
}

// form gives a part its shape.
func (p *Plans) form(b *box, tx *world.Tx, id world.ID, l *look) error {
	if b.corners == nil {
		shape := world.Shape{Kind: b.shape(), Size: b.size, Color: l.color}
		if now, ok := p.w.Shapes.Get(&tx.View, id); ok && now == shape {
			return nil
		}
		return p.w.Shapes.Set(tx, id, shape)
	}
	f, err := sculpt.Hull(b.corners)
	if err != nil {
		return registry.Failf("%s: %s", b.kind, err)
	}
	g, pieces := f.Solid()
	s, err := p.meshes.NewSolid(g, mesh.Pieces{Of: pieces})
	if err != nil {
		return err
	}
	asset, err := p.meshes.AddSolid(tx, s)
	if err != nil {
		return err
	}
	return p.meshes.Give(tx, id, asset, l.color)
}
