package statesync

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/world"
)

// Area is what a view is interested in: a sphere, or the whole world. The zero Area is a sphere of
// radius 0 at the origin.
type Area struct {
	Center world.Vec3
	Radius float64 // metres; what is exactly that far away is inside
	Whole  bool    // the whole world; Center and Radius mean nothing
}

// Whole is the whole world.
func Whole() Area { return Area{Whole: true} }

// Within is the sphere about center.
func Within(center world.Vec3, radius float64) Area { return Area{Center: center, Radius: radius} }

// Holds reports whether a point is inside: the squared distance, as [world.Vec3.Dist2] computes it, is
// at most the square of the radius.
func (a Area) Holds(p world.Vec3) bool {
	return a.Whole || p.Dist2(a.Center) <= float64(a.Radius*a.Radius)
}

// check refuses an area that no client can mean. A malformed area never becomes the whole world.
func (a Area) check() error {
	if a.Whole {
		return nil
	}
	for i, x := range a.Center {
		if !(math.Abs(x) <= world.MaxNumber) {
			return invalid("center[%d]: must be within ±3.4e38, got %v", i, x)
		}
	}
	if !(a.Radius >= 0 && a.Radius <= world.MaxNumber) {
		return invalid("radius: must be within 0 and 3.4e38, got %v", a.Radius)
	}
	return nil
}

func invalid(format string, args ...any) error {
	return &world.Error{Code: "invalid_input", Message: fmt.Sprintf(format, args...)}
}

// region is an Area in the form that is asked once for every entity that moves.
type region struct {
	center world.Vec3
	r2     float64 // infinite for the whole world
}

func (a Area) region() region {
	if a.Whole {
		return region{r2: math.Inf(1)}
	}
	return region{a.Center, float64(a.Radius * a.Radius)}
}

func (g *region) holds(p *world.Vec3) bool {
	x, y, z := p[0]-g.center[0], p[1]-g.center[1], p[2]-g.center[2]
	return float64(x*x)+float64(y*y)+float64(z*z) <= g.r2
}

// entered reports whether an entity that is now at p may have come into the sphere by a move whose shell
// is given: whether p is inside, and so near to the surface that it was perhaps outside before. It
// compares once, by the bits, which are in order for what is not negative and greater for what is:
// whether an entity is inside cannot be predicted, but that it crosses the surface it seldom does.
func (g *region) entered(p *world.Vec3, shell uint64) bool {
	x, y, z := p[0]-g.center[0], p[1]-g.center[1], p[2]-g.center[2]
	return math.Float64bits(g.r2-(float64(x*x)+float64(y*y)+float64(z*z))) <= shell
}
