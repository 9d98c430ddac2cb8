package architecture

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// What a house stands on, in metres. Steps before the door are as high as those of stairs, and wider than the door by besideDoor on each side.
const (
	floorThickness = 0.01 // of the floor of the lowest storey, so that nobody trips
	above          = 0.02 // the highest ground, so that no grass comes through the floor
	buried         = 0.3  // below the lowest ground
	tread          = 0.4  // more than the radius of a character, so that two steps at once are nowhere in his way
	besideDoor     = 0.2
	maxDoorSteps   = 40
	maxFoundation  = 40

	finest, places = 0.25, 64 // how near to each other, and how many each way, the places are where one looks at the ground
)

// footing returns what a house stands on: a foundation under its walls, whose top is the floor, steps down from the door, and a floor of its own.
func footing(in *BuildingIn) (list []box) {
	part := func(kind string, z, low, high, width, depth float64, dug bool) {
		list = append(list, box{kind: kind, centre: world.Vec3{0, (low + high) / 2, z}, size: world.Vec3{width, high - low, depth}, turn: world.NoRotation(), dug: dug})
	}
	if in.Foundation > 0 {
		part("foundation", 0, -in.Foundation, 0, in.Width, in.Depth, true)
	}
	if in.DoorSteps != nil {
		for i := range *in.DoorSteps {
			top, low := nano(-float64(riser*float64(i+1))), -in.Foundation
			if low >= top {
				low = top - riser
			}
			part("doorStep", nano(in.Depth/2+float64(tread*(float64(i)+0.5))), low, top, in.stepWidth(), tread, true)
		}
	}
	if in.Floor {
		x, z := in.inside()
		part("floor", 0, 0, floorThickness, 2*x, 2*z, false)
	}
	return list
}

// stepWidth is that of the steps before the door.
func (in *BuildingIn) stepWidth() float64 {
	return nano(min(in.Width, in.DoorWidth+float64(2*besideDoor)))
}

// lie is the ground about a house, in the house's own frame but for the heights, which are the world's.
type lie struct {
	fields    []solid.Solid
	at        world.Vec3
	turn      world.Quat
	generated bool // somewhere that was looked at
}

// lieOf returns the ground about a house.
func lieOf(w *world.World, v *world.View, in *BuildingIn) *lie {
	g := &lie{at: in.Position, turn: world.QuatFromEuler(0, in.Rotation, 0)}
	around := in.Width + in.Depth + float64(tread*(maxDoorSteps+1))
	for id := range w.Grounds.All(v) {
		at, _ := v.WorldTransform(id)
		reach := around + float64(terrain.Size*max(math.Abs(at.Scale[0]), math.Abs(at.Scale[1]), math.Abs(at.Scale[2])))
		if math.Abs(at.Position[0]-in.Position[0]) > reach || math.Abs(at.Position[2]-in.Position[2]) > reach {
			continue // its heights need not be worked out
		}
		if s, ok := solid.Of(w, v, id); ok && s.Kind == solid.Field {
			g.fields = append(g.fields, s)
		}
	}
	return g
}

// height returns how high the ground is at a place of the house's own frame: that of generated ground, else 0.
func (g *lie) height(x, z float64) (y float64) {
	at := g.at.Add(g.turn.Rotate(world.Vec3{x, 0, z}))
	there := false
	for i := range g.fields {
		if _, high, over := g.fields[i].Column(at[0], at[2]); over && (!there || high > y) {
			y, there = high, true
		}
	}
	g.generated = g.generated || there
	return y
}

// span returns how high the ground is at least and at most in a rectangle of the house's own frame.
func (g *lie) span(fromX, toX, fromZ, toZ float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	if len(g.fields) == 0 {
		return 0, 0
	}
	nx, nz := cells(toX-fromX), cells(toZ-fromZ)
	for i := range nx + 1 {
		for k := range nz + 1 {
			y := g.height(fromX+float64((toX-fromX)*float64(i))/float64(nx), fromZ+float64((toZ-fromZ)*float64(k))/float64(nz))
			low, high = min(low, y), max(high, y)
		}
	}
	return low, high
}

// cells is into how many parts a length is cut in order to look at the ground.
func cells(length float64) int { return int(min(math.Ceil(length/finest), places)) }

// stand has a house stand on the ground where it is to do so, and says how many steps lead up to its door where nobody else has. The note says what
// of that may be in the way.
func (in *BuildingIn) stand(w *world.World, v *world.View) (note string, err error) {
	if !in.OnGround && (in.Foundation == 0 || in.DoorSteps != nil) {
		return "", nil
	}
	g := lieOf(w, v, in)
	x, z := in.Width/2, in.Depth/2
	low, high := g.span(-x, x, -z, z)
	if in.OnGround {
		half := in.stepWidth() / 2
		_, before := g.span(-half, half, z, z+doorstep)
		in.Position[1] += max(high, before)
		if g.generated {
			in.Position[1] += above
		}
	}
	steps := 0
	if in.DoorSteps != nil {
		steps = *in.DoorSteps
	} else if steps = in.descend(g); steps > 0 {
		in.DoorSteps = &steps
	}
	end := z + float64(tread*float64(steps))
	if drop := in.Position[1] - g.height(0, end+tread/2) - float64(riser*float64(steps)); drop > riser+above {
		note = fmt.Sprintf("before the door the ground is %.2g m below the last step, which nobody climbs: turn the house, or move it", drop)
	}
	if !in.OnGround || !g.generated {
		return note, nil
	}
	if steps > 0 {
		half := in.stepWidth() / 2
		under, _ := g.span(-half, half, z, end)
		low = min(low, under)
	}
	deep := nano(math.Ceil((in.Position[1]-low+buried)*100) / 100)
	if deep > maxFoundation {
		return "", registry.Invalidf("onGround: the lowest ground under the house is %.4g below its floor, and a foundation has at most %d metres: choose another place, or a lower y", in.Position[1]-low, maxFoundation)
	}
	in.Foundation = max(in.Foundation, deep)
	return note, nil
}

// descend returns how many steps lead down from the door until the ground is no deeper than one, maxDoorSteps if it always is.
func (in *BuildingIn) descend(g *lie) int {
	for n := range maxDoorSteps {
		foot := in.Depth/2 + float64(tread*(float64(n)+0.5))
		if in.Position[1]-g.height(0, foot) <= float64(riser*float64(n+1)) {
			return n
		}
	}
	return maxDoorSteps
}
