package architecture

import (
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// What stairs are made by, in metres: such that the characters of player.spawn walk up them, slow or fast. There are at most maxSteps from storey to
// storey, which are at least leastHeight apart, so that nobody hits the floor above when he lifts himself onto the first one. A step is no higher than
// riser, and as deep as going if there is room, else at least leastGoing. Before and behind a flight, and beside it, there is room for somebody to pass.
// Between it and the room is a wall: nobody comes onto the steps from aside, where he would hang on the next one, or falls off.
const (
	maxSteps    = 40
	leastHeight = 2.7

	riser      = 0.2
	going      = 0.28
	leastGoing = 0.26
	stairWidth = 1.2
	leastWidth = 0.9
	passage    = 1.2

	cheek   = 0.1 // the thickness of the wall beside a flight
	railing = 1.0 // the height of what is beside the opening in the uppermost floor
)

// flight is stairs from one storey to the next. They lie in all storeys alike, along a wall: u goes along it in the direction in which they rise, and v
// from it into the house, both from the middle of the house.
type flight struct {
	u, v          world.Vec3
	along, across float64 // half of the room that there is, along u and v
	from, to      float64 // of u
	far           float64 // of v; from -across
	steps         int     // without the last, which is the floor
	rise          float64
}

// inside returns half of what a house has between its walls, along x and z.
func (in *BuildingIn) inside() (x, z float64) {
	return nano(in.Width/2 - in.WallThickness), nano(in.Depth/2 - in.WallThickness)
}

// flight returns the stairs of a house, nil if it has none. It fails where there is no room for them.
func (in *BuildingIn) flight() (*flight, error) {
	if in.Storeys == 1 || !in.Stairs {
		return nil, nil
	}
	x, z := in.inside()
	n := int(math.Ceil(nano(in.Height / riser)))
	if n > maxSteps || in.Height < leastHeight {
		return nil, registry.Invalidf("height: must be from %g to %g where stairs lead from storey to storey, got %g; or give stairs false", leastHeight, maxSteps*riser, in.Height)
	}
	steps := n - 1
	back, left := stairsAlong(2*x, 2*z, steps), stairsAlong(2*z, 2*x, steps)
	f := &flight{u: world.Vec3{1, 0, 0}, v: world.Vec3{0, 0, 1}, along: x, across: z, steps: steps, rise: in.Height / float64(steps+1)}
	depth := back
	if left > back {
		f.u, f.v, f.along, f.across = world.Vec3{0, 0, -1}, world.Vec3{1, 0, 0}, z, x
		depth = left
	}
	if depth < leastGoing {
		return nil, registry.Invalidf("storeys: stairs for storeys %g high need %g metres inside along a wall and %g across, and there are %g by %g; "+
			"make the house larger, or give a lower height, or stairs false", in.Height, nano(float64(float64(steps)*leastGoing)+2*passage), leastWidth+cheek+passage, nano(2*x), nano(2*z))
	}
	run := nano(depth * float64(steps))
	f.from, f.to = nano(-run/2), nano(run/2)
	f.far = nano(min(stairWidth, nano(2*f.across-passage-cheek)) - f.across)
	return f, nil
}

// stairsAlong returns how deep steps may be along a wall of a length in a room that is so wide, 0 if stairs have no room there.
func stairsAlong(length, width float64, steps int) float64 {
	if nano(width-passage-cheek) < leastWidth {
		return 0
	}
	return nano(min(going, (length-2*passage)/float64(steps)))
}

// floorThickness is that of the floors of upper storeys, between which stairs lead, or none.
func (in *BuildingIn) floorThickness(f *flight) float64 {
	thick := min(roofThickness(in.WallThickness), in.Height/4)
	if f != nil {
		thick = max(thick, f.rise) // as the last step reaches
	}
	return thick
}

// upstairs returns what upper storeys have besides walls: floors, with openings for the stairs, and these.
func upstairs(in *BuildingIn) (list []box) {
	if in.Storeys == 1 {
		return nil
	}
	f, _ := in.flight() // fit has seen that there is room
	x, z := in.inside()
	thick := in.floorThickness(f)
	for storey := 1; storey < in.Storeys; storey++ {
		top := float64(in.Height * float64(storey))
		if f == nil {
			list = append(list, box{kind: "floor", centre: world.Vec3{0, top - thick/2, 0}, size: world.Vec3{2 * x, thick, 2 * z}, turn: world.NoRotation()})
			continue
		}
		list = append(
			list,
			f.box("floor", -f.along, f.along, f.far, f.across, top-thick, top),
			f.box("floor", -f.along, f.from, -f.across, f.far, top-thick, top),
			f.box("floor", f.to, f.along, -f.across, f.far, top-thick, top),
		)
		floor := float64(in.Height * float64(storey-1))
		list = append(list, f.rising(floor)...)
		list = append(list, f.box("stairWall", f.from, f.to, f.far, f.far+cheek, floor, top-thick))
		if storey == in.Storeys-1 {
			list = append(list, f.box("railing", f.from, f.to, f.far, f.far+cheek, top, top+railing))
		}
	}
	return list
}

// rising returns the steps that lead up from a floor. Each is two rises thick, so that it hangs on the one before.
func (f *flight) rising(floor float64) (list []box) {
	depth := (f.to - f.from) / float64(f.steps)
	for i := range f.steps {
		low, high := floor+float64(f.rise*float64(i-1)), floor+float64(f.rise*float64(i+1))
		if floor == 0 {
			low = max(low, 0)
		}
		from := f.from + float64(depth*float64(i))
		to := f.from + float64(depth*float64(i+1))
		if i == f.steps-1 {
			to = f.to
		}
		list = append(list, f.box("step", nano(from), nano(to), -f.across, f.far, nano(low), nano(high)))
	}
	return list
}

// box returns the part between two places along the stairs' wall, from it, and above the ground.
func (f *flight) box(kind string, fromU, toU, fromV, toV, low, high float64) box {
	size := f.u.Scale(toU - fromU).Add(f.v.Scale(toV - fromV))
	return box{
		kind:   kind,
		centre: f.u.Scale((fromU + toU) / 2).Add(f.v.Scale((fromV + toV) / 2)).Add(world.Vec3{0, (low + high) / 2, 0}),
		size:   world.Vec3{math.Abs(size[0]), high - low, math.Abs(size[2])},
		turn:   world.NoRotation(),
	}
}
