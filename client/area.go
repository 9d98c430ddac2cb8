package client

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/statesync/replica"
)

// Area is what a view is of: a sphere, or the whole world. The zero Area is a sphere of radius 0 at the
// origin.
type Area struct {
	Center [3]float64
	Radius float64 // metres; what is exactly that far away is inside
	Whole  bool    // the whole world; Center and Radius mean nothing
}

// Whole is the whole world.
func Whole() Area { return Area{Whole: true} }

// Within is the sphere about center.
func Within(center [3]float64, radius float64) Area { return Area{Center: center, Radius: radius} }

// check refuses what JSON cannot say, and what no area can be.
func (a Area) check() error {
	if a.Whole {
		return nil
	}
	for i, x := range a.Center {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("client: area: center[%d] must be a number, got %v", i, x)
		}
	}
	if !(a.Radius >= 0) || math.IsInf(a.Radius, 0) {
		return fmt.Errorf("client: area: radius must be a number from 0, got %v", a.Radius)
	}
	return nil
}

// sphere is an Area as it travels; that of the whole world has no members.
type sphere struct {
	Center *[3]float64 `json:"center,omitempty"`
	Radius *float64    `json:"radius,omitempty"`
}

func (a Area) sphere() sphere {
	if a.Whole {
		return sphere{}
	}
	return sphere{&a.Center, &a.Radius}
}

func areaOf(a replica.Area) Area {
	if a.Whole {
		return Whole()
	}
	return Within(a.Center, a.Radius)
}
