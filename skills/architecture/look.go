package architecture

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// usual is the colour of walls that nobody has chosen one for.
const usual = 10128506

// look is how a part looks.
type look struct {
	color   uint32
	surface *world.Material // nil for none
}

// looks are those of a house.
type looks struct{ walls, roof, panes look }

// looks returns how the parts of a house look. It fails where there is no such material.
func (in *BuildingIn) looks(v *world.View) (l looks, err error) {
	if l.walls, err = made(v, "material", in.Material, uint32(in.Color), in.Color != usual); err != nil {
		return l, err
	}
	color, chosen := darker(l.walls.color), in.RoofColor != nil
	if chosen {
		color = uint32(*in.RoofColor)
	}
	if l.roof, err = made(v, "roofMaterial", in.RoofMaterial, color, chosen); err != nil {
		return l, err
	}
	l.panes, err = made(v, "windows", material.Glass, 0, false)
	return l, err
}

// made is the look of what is of a material, "" for none. It has the material's own colour unless one was chosen. The error begins with the field.
func made(v *world.View, field, name string, color uint32, chosen bool) (look, error) {
	if name == "" {
		return look{color: color}, nil
	}
	m, err := material.Named(v, name)
	if err != nil {
		if field == "material" { // as it says itself
			return look{}, err
		}
		return look{}, registry.Under(field, err)
	}
	if !chosen {
		color = m.Color
	}
	surface := m.Worn()
	return look{color, &surface}, nil
}

// darker is the shade of a colour that roofs have.
func darker(c uint32) uint32 {
	r, g, b := c>>16&0xff, c>>8&0xff, c&0xff
	return r*3/5<<16 | g*3/5<<8 | b*3/5
}

// of returns how a part looks.
func (l *looks) of(b *box) *look {
	switch {
	case b.glass:
		return &l.panes
	case b.roof:
		return &l.roof
	}
	return &l.walls
}
