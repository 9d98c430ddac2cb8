package trigger

import (
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/handle"
	"github.com/limina-mcp/limina/world"
)

// Handle names a zone. The n-th of a world, counted from 0, is "trg_<n>". No handle names two zones.
type Handle = handle.Of[kind]

type kind struct{}

func (kind) Prefix() string { return "trg_" }
func (kind) Noun() string   { return "trigger" }

// zone is a row of the table of zones. Rows are immutable.
type zone struct {
	Shape   string          `json:"shape"` // "box", "sphere"
	Center  world.Vec3      `json:"center"`
	Entity  world.ID        `json:"entity,omitempty"` // that it goes with; 0: it stays where it is
	Offset  world.Vec3      `json:"offset,omitzero"`  // … from where it is, in its own axes
	Size    world.Vec3      `json:"size"`             // half the edges of a box; of a sphere the first is the radius
	Scale   world.Vec3      `json:"scale,omitzero"`   // that the entity had when it was made; 0 of what an earlier program made: its box is along the axes of the world
	Turn    world.Quat      `json:"turn,omitzero"`    // how a box is turned now; 0: it is not
	Grown   world.Vec3      `json:"grown,omitzero"`   // its size now; 0: it is Size
	Tag     string          `json:"tag,omitempty"`
	Players bool            `json:"players,omitempty"` // it notices only what somebody plays
	Config  registry.Object `json:"config,omitempty"`
	Enter   []kept          `json:"enter,omitempty"`
	Exit    []kept          `json:"exit,omitempty"`
	Stay    []kept          `json:"stay,omitempty"`
	By      string          `json:"by,omitempty"` // who made it; "" if an earlier program did not say
}

// size returns half the edges that a box has now; of a sphere the first is the radius.
func (z *zone) size() world.Vec3 {
	if z.Grown != (world.Vec3{}) {
		return z.Grown
	}
	return z.Size
}

// own returns a direction of the world as one along the axes of the zone.
func (z *zone) own(d world.Vec3) world.Vec3 {
	if z.Turn == (world.Quat{}) {
		return d
	}
	return z.Turn.Conj().Rotate(d)
}

// contains reports whether a point is in the zone, its surface included.
func (z *zone) contains(p world.Vec3) bool {
	size := z.size()
	if z.Shape == "sphere" {
		return p.Dist2(z.Center) <= float64(size[0]*size[0])
	}
	p = z.own(p.Sub(z.Center))
	for i := range p {
		if math.Abs(p[i]) > size[i] {
			return false
		}
	}
	return true
}

// half returns how far the zone extends from its centre along x, y and z of the world.
func (z *zone) half() world.Vec3 {
	size := z.size()
	if z.Shape == "sphere" {
		return world.Vec3{size[0], size[0], size[0]}
	}
	if z.Turn == (world.Quat{}) {
		return size
	}
	var half world.Vec3
	for i := range size {
		var edge world.Vec3
		edge[i] = size[i]
		for k, far := range z.Turn.Rotate(edge) {
			half[k] += math.Abs(far)
		}
	}
	return half
}

// of returns the actions of an occasion.
func (z *zone) of(on occasion) *[]kept {
	switch on {
	case onEnter:
		return &z.Enter
	case onExit:
		return &z.Exit
	default:
		return &z.Stay
	}
}

// occasion is when an action runs.
type occasion string

const (
	onEnter occasion = "enter"
	onExit  occasion = "exit"
	onStay  occasion = "stay"
)
