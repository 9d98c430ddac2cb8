package animation

import (
	"math"
	"reflect"

	"github.com/limina-mcp/limina/world"
)

// pose is how an entity stood when it began to play, its rest, and where steps have put it since.
type pose struct {
	Rest  world.Transform `json:"rest"`
	At    world.Transform `json:"at"` // as the last step left it
	Color *colors         `json:"color,omitempty"`
	Lamp  *lamps          `json:"lamp,omitempty"`
}

// colors are the color that an entity's material had, nil for that of its shape, and the one that it was given.
type colors struct {
	Rest *uint32 `json:"rest,omitempty"`
	At   uint32  `json:"at"`
}

// lamps are the intensity that a lamp had, and the one that it was given.
type lamps struct {
	Rest float64 `json:"rest"`
	At   float64 `json:"at"`
}

// white is the color of what has no shape and is no water.
const white = 0xFFFFFF

// place returns where an entity is that looks so.
func (p *pose) place(l *look) world.Transform {
	return world.Transform{
		Position: p.Rest.Position.Add(p.Rest.Rotation.Rotate(l.position)),
		Rotation: p.Rest.Rotation.Mul(l.rotation),
		Scale:    p.Rest.Scale.Mul(l.scale),
	}
}

// moved has the rest be where an entity would stand that somebody has put to where it is now.
func (p *pose) moved(now world.Transform) {
	back := p.Rest.Rotation.Conj()
	turn := back.Mul(p.At.Rotation)
	shift := back.Rotate(p.At.Position.Sub(p.Rest.Position))
	var factor world.Vec3
	for i := range factor {
		factor[i] = 1
		if p.Rest.Scale[i] != 0 && p.At.Scale[i] != 0 {
			factor[i] = p.At.Scale[i] / p.Rest.Scale[i]
		}
	}
	if p.At.Rotation != now.Rotation {
		if q, ok := now.Rotation.Mul(turn.Conj()).Unit(); ok {
			p.Rest.Rotation = q
		}
	}
	p.Rest.Position = now.Position.Sub(p.Rest.Rotation.Rotate(shift))
	if p.At.Scale != now.Scale {
		for i := range factor {
			p.Rest.Scale[i] = now.Scale[i] / factor[i]
		}
	}
}

// pose returns an entity's pose, which heeds what others have done to it since the last step.
func (c *Clips) pose(v *world.View, id world.ID) pose {
	now, _ := v.Transform(id)
	p, ok := c.poses.Get(v, id)
	switch {
	case !ok:
		p = pose{Rest: now, At: now}
	case p.At != now:
		p.moved(now)
	}
	if p.Color != nil {
		if m, _ := c.w.Materials.Get(v, id); m.Color == nil || *m.Color != p.Color.At {
			p.Color = nil
		}
	}
	if p.Lamp != nil {
		if l, _ := c.w.Lights.Get(v, id); l.Intensity != p.Lamp.At {
			p.Lamp = nil
		}
	}
	return p
}

// base is how an entity looks at rest.
func (c *Clips) base(v *world.View, id world.ID, p *pose) look {
	l := restLook()
	own := p.Color
	if own == nil {
		m, _ := c.w.Materials.Get(v, id)
		own = &colors{Rest: m.Color}
	}
	tint := uint32(white)
	if shape, ok := c.w.Shapes.Get(v, id); ok {
		tint = shape.Color
	} else if water, ok := c.w.Waters.Get(v, id); ok {
		tint = water.Color
	}
	if own.Rest != nil {
		tint = *own.Rest
	}
	for i := range l.color {
		l.color[i] = float64(tint >> (16 - 8*i) & 255)
	}
	if p.Lamp != nil {
		l.intensity = p.Lamp.Rest
	} else if lamp, ok := c.w.Lights.Get(v, id); ok {
		l.intensity = lamp.Intensity
	}
	return l
}

// show has an entity look so. What nothing plays any more has its rest again.
func (c *Clips) show(tx *world.Tx, id world.ID, p *pose, l *look) error {
	if !c.own(&tx.View, id) {
		if err := tx.SetTransform(id, p.place(l)); err != nil {
			return err
		}
	}
	p.At, _ = tx.Transform(id)
	if err := c.paint(tx, id, p, l); err != nil {
		return err
	}
	return c.shine(tx, id, p, l)
}

func (c *Clips) paint(tx *world.Tx, id world.ID, p *pose, l *look) error {
	if !l.has[color] && p.Color == nil {
		return nil
	}
	m, _ := c.w.Materials.Get(&tx.View, id)
	if !l.has[color] {
		m.Color, p.Color = p.Color.Rest, nil
		if reflect.ValueOf(m).IsZero() {
			c.w.Materials.Remove(tx, id)
			return nil
		}
		return c.w.Materials.Set(tx, id, m)
	}
	tint := uint32(0)
	for _, x := range l.color {
		tint = tint<<8 | uint32(min(max(math.Round(x), 0), 255))
	}
	if p.Color == nil {
		p.Color = &colors{Rest: m.Color}
	}
	p.Color = &colors{Rest: p.Color.Rest, At: tint}
	if m.Color != nil && *m.Color == tint {
		return nil
	}
	m.Color = &tint
	return c.w.Materials.Set(tx, id, m)
}

func (c *Clips) shine(tx *world.Tx, id world.ID, p *pose, l *look) error {
	lamp, ok := c.w.Lights.Get(&tx.View, id)
	switch {
	case !ok:
		p.Lamp = nil
		return nil
	case !l.has[intensity] && p.Lamp == nil:
		return nil
	case !l.has[intensity]:
		lamp.Intensity, p.Lamp = p.Lamp.Rest, nil
		return c.w.Lights.Set(tx, id, lamp)
	}
	rest := lamp.Intensity
	if p.Lamp != nil {
		rest = p.Lamp.Rest
	}
	p.Lamp = &lamps{Rest: rest, At: l.intensity}
	if lamp.Intensity == l.intensity {
		return nil
	}
	lamp.Intensity = l.intensity
	return c.w.Lights.Set(tx, id, lamp)
}
