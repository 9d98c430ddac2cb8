package picture

import (
	"math"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/skills/internal/figure"
	"github.com/limina-mcp/limina/world"
)

// Pace says how fast an entity walks by itself, in m/s; 0 if it does not. It goes by the world alone.
type Pace func(v *world.View, id world.ID) float64

// figure makes a person of an object, if its entity is drawn as one: its color is that of the clothes by then.
func (s Source) figure(v *world.View, id world.ID, kind string, o *render.Object) {
	if !(figure.Who{Agents: s.Agents, Physics: s.Physics}).Is(v, id, kind) {
		return
	}
	m, has := s.World.Materials.Get(v, id)
	o.Kind, o.Dressed, o.Pose = render.Figure, !has || figure.Dressed(&m), s.pose(v, id, &o.Transform)
}

// pose returns how an entity holds itself. How far it is in its stride goes by how far its place is along the way that it looks, so that its feet go on by what it
// has walked, and a picture of the same world is the same.
func (s Source) pose(v *world.View, id world.ID, t *world.Transform) (p render.Pose) {
	for _, pace := range s.Paces {
		p.Speed = max(p.Speed, pace(v, id))
	}
	if s.Physics != nil && s.Physics.Walks(v, id) {
		c, _ := s.Physics.Character(v, id) // there is one
		p.Low, p.Aloft = c.Crouching, s.Physics.Aloft(v, id)
	}
	if p.Speed > 0 {
		ahead := t.Rotation.Rotate(world.Vec3{0, 0, 1})
		p.Stride = float64(2*math.Pi*math.Mod(t.Position.Dot(ahead), render.StrideOf(p.Speed))) / render.StrideOf(p.Speed)
	}
	return p
}
