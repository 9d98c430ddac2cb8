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
	Shape  string          `json:"shape"` // "box", "sphere"
	Center world.Vec3      `json:"center"`
	Entity world.ID        `json:"entity,omitempty"` // that it goes with; 0: it stays where it is
	Offset world.Vec3      `json:"offset,omitzero"`  // … from where it is, in its own axes
	Size   world.Vec3      `json:"size"`             // half the edges of a box; of a sphere the first is the radius
	Tag    string          `json:"tag,omitempty"`
	Config registry.Object `json:"config,omitempty"`
	Enter  []kept          `json:"enter,omitempty"`
	Exit   []kept          `json:"exit,omitempty"`
	Stay   []kept          `json:"stay,omitempty"`
	By     string          `json:"by,omitempty"` // who made it; "" if an earlier program did not say
}

// contains reports whether a point is in the zone, its surface included.
func (z *zone) contains(p world.Vec3) bool {
	if z.Shape == "sphere" {
		return p.Dist2(z.Center) <= float64(z.Size[0]*z.Size[0])
	}
	for i := range p {
		if math.Abs(p[i]-z.Center[i]) > z.Size[i] {
			return false
		}
	}
	return true
}

// half returns how far the zone extends from its centre along x, y and z.
func (z *zone) half() world.Vec3 {
	if z.Shape == "sphere" {
		return world.Vec3{z.Size[0], z.Size[0], z.Size[0]}
	}
	return z.Size
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
