package physics

import (
	"math"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// Ground says which tile a body is the ground of. Ground is static, or kinematic, and a [Field].
type Ground struct {
	Tile  world.Ground
	Scale world.Vec3 // none of it below zero
}

// ground makes a body that of a tile; false if there is no such land.
func (p *Physics) ground(b *Body, g world.Ground, scale world.Vec3) bool {
	if p.w.Surface(g) == nil {
		return false
	}
	b.Ground = &Ground{Tile: g, Scale: world.Vec3{math.Abs(scale[0]), math.Abs(scale[1]), math.Abs(scale[2])}}
	if b.Kind == Dynamic {
		b.Kind = Static
	}
	b.Mass = 0
	return true
}

// Tile returns the body of an entity that is generated ground, at rest, for an engine of one's own, see
// [Physics.Apart]; false if it is none, or out of [Reach].
func (p *Physics) Tile(v *world.View, id world.ID) (Body, bool) {
	g, ok := p.w.Grounds.Get(v, id)
	t, _ := v.WorldTransform(id)
	b := Body{Position: t.Position, Rotation: t.Rotation, Friction: 0.5}
	if !ok || !within(t.Position, Reach) || !p.ground(&b, g, t.Scale) {
		return Body{}, false
	}
	b.Field = p.field(b.Ground)
	return b, true
}

// field is what an engine is told of ground.
func (p *Physics) field(g *Ground) *Field {
	tile := p.w.Surface(g.Tile)
	n := tile.Side
	f := &Field{Rows: n - 1, Columns: n - 1, Heights: make([]float32, n*n)}
	f.Size = world.Vec3{float64(tile.Cell * float64(n-1)), 1, float64(tile.Cell * float64(n-1))}.Mul(g.Scale)
	for i := range f.Size {
		f.Size[i] = max(f.Size[i], thinnest)
	}
	for x := range n {
		for z := range n {
			f.Heights[x*n+z] = tile.Heights[z*n+x]
		}
	}
	return f
}

func sameGround(a, b *Ground) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// solid returns what a body is in room.
func (p *Physics) solid(b *Body) solid.Solid {
	if b.Ground == nil {
		return b.Form.at(b.Position, b.Rotation)
	}
	return solid.NewField(p.w.Surface(b.Ground.Tile), world.Transform{Position: b.Position, Rotation: b.Rotation, Scale: b.Ground.Scale})
}
