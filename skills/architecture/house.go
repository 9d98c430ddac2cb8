package architecture

import (
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// box is one part of a house: a box of the given size, turned and then moved to its centre.
type box struct {
	kind   string
	centre world.Vec3
	size   world.Vec3
	turn   world.Quat
	roof   bool
	glass  bool
	wedge  bool
	dug    bool // it may be in the ground

	corners []world.Vec3 // of a hull that fills the box, about its centre; nil for all others
}

// The defaults of a door. A door of exactly this size is one that nobody asked for: where the wall
// has no room for it, it is made smaller instead of being refused.
const (
	defaultDoorWidth  = 1.4
	defaultDoorHeight = 2.2
)

// maxRoofThickness bounds the roof's slabs; below that they are as thick as the walls.
const maxRoofThickness = 0.25

// fit makes a door that nobody asked for small enough, and refuses what cannot be built.
func (in *BuildingIn) fit() error {
	if span := min(in.Width, in.Depth); float64(2*in.WallThickness) >= span {
		return registry.Invalidf("wallThickness: must be less than half of width and depth, that is less than %g, got %g", span/2, in.WallThickness)
	}
	if widest := in.Width - float64(2*in.WallThickness); in.DoorWidth > widest {
		if in.DoorWidth != defaultDoorWidth {
			return registry.Invalidf("doorWidth: must be at most %g, the width less both side walls, got %g", widest, in.DoorWidth)
		}
		in.DoorWidth = widest
	}
	if in.DoorHeight > in.Height {
		if in.DoorHeight != defaultDoorHeight {
			return registry.Invalidf("doorHeight: must be at most %g, the height of the walls%s, got %g", in.Height, in.each(), in.DoorHeight)
		}
		in.DoorHeight = in.Height
	}
	if in.Storeys > 1 && in.top() > maxTop {
		return registry.Invalidf("storeys: must be at most %d, since they are %g high and the walls may have %d metres in all, got %d", int(maxTop/in.Height), in.Height, maxTop, in.Storeys)
	}
	if _, err := in.flight(); err != nil {
		return err
	}
	if err := in.glaze(); err != nil {
		return err
	}
	if err := in.tops(); err != nil {
		return err
	}
	return in.divide()
}

// maxTop bounds the height of all storeys together, in metres.
const maxTop = 200

// each says of what walls errors speak that name their height.
func (in *BuildingIn) each() string {
	if in.Storeys > 1 {
		return " of a storey"
	}
	return ""
}

// top is the height of the walls.
func (in *BuildingIn) top() float64 { return float64(in.Height * float64(in.Storeys)) }

// note says what of a house that fits may be a mistake.
func (in *BuildingIn) note() string {
	if in.GableEnds && (!in.WithRoof || in.RoofStyle != "gable") {
		return "gableEnds closes the ends of a gable roof, and this house has none"
	}
	return in.blocked()
}

// lasting returns what of an input is kept with the house, wherever that goes and whatever it is called.
func (in *BuildingIn) lasting() BuildingIn {
	kept := *in
	kept.Name, kept.Position, kept.Rotation, kept.OnGround, kept.Meta, kept.List = "", world.Vec3{}, 0, false, nil, nil
	return kept
}

// plan returns the boxes of a house that stands on the origin and faces +z. Boxes touch where they
// meet and overlap nowhere, but for the slabs of a gable roof at the ridge, what stands on a roof, and what stands on a floor in the lowest storey.
//
// The front and the back wall are as wide as the house, the side walls stand between them. What is
// left of the front wall beside the door goes up to the roof, the lintel fills in above the door. Walls that have windows are taken
// apart around them.
func plan(in *BuildingIn) []box {
	var (
		w, d, h, t = in.Width, in.Depth, in.top(), in.WallThickness
		beside     = (w - in.DoorWidth) / 2 // what is left of the front wall, on each side
		front      = (d - t) / 2            // of the middle of the front wall
		side       = (w - t) / 2
		post       = (w + in.DoorWidth) / 4
	)
	upright := func(kind string, x, y, z, sx, sy, sz float64) box {
		return box{kind: kind, centre: world.Vec3{x, y, z}, size: world.Vec3{sx, sy, sz}, turn: world.NoRotation()}
	}
	var boxes []box
	around := walls(in)
	wall := func(name string, whole ...box) {
		if w := around[name]; len(w.holes) > 0 {
			whole = w.boxes(nano(in.top()), t, whole)
		}
		boxes = append(boxes, whole...)
	}
	wall("back", upright("backWall", 0, h/2, -front, w, h, t))
	wall("left", upright("leftWall", -side, h/2, 0, t, h, d-float64(2*t)))
	wall("right", upright("rightWall", side, h/2, 0, t, h, d-float64(2*t)))
	before := []box{
		upright("frontWallLeft", -post, h/2, front, beside, h, t),
		upright("frontWallRight", post, h/2, front, beside, h, t),
	}
	if in.DoorHeight < h {
		before = append(before, upright("lintel", 0, (h+in.DoorHeight)/2, front, in.DoorWidth, h-in.DoorHeight, t))
	}
	wall("front", before...)
	boxes = append(boxes, footing(in)...)
	boxes = append(boxes, upstairs(in)...)
	boxes = append(boxes, rooms(in)...)
	if !in.WithRoof {
		return boxes
	}
	boxes = append(boxes, stacks(in)...)
	if in.RoofStyle == "flat" {
		thick, over := roofThickness(t), float64(2*in.RoofOverhang)
		slab := upright("roof", 0, h+thick/2, 0, w+over, thick, d+over)
		slab.roof = true
		var holes []hole
		for i := range in.Skylights {
			holes = append(holes, in.Skylights[i].open(in.RoofOverhang))
		}
		return append(boxes, slabs(slab, world.Vec3{1, 0, 0}, world.Vec3{0, 0, -1}, holes)...)
	}
	if in.RoofStyle == "hip" {
		return append(append(boxes, hip(in)), dormers(in)...)
	}
	boxes = append(boxes, pierced(in)...)
	if in.GableEnds {
		boxes = append(boxes, ends(in)...)
	}
	return boxes
}

// ends returns what closes the triangles between the front and the back wall and a gable roof: two wedges each, which rise to the
// middle, where their backs meet.
func ends(in *BuildingIn) (list []box) {
	var (
		front = (in.Depth - in.WallThickness) / 2
		size  = world.Vec3{in.WallThickness, in.RoofPitch, in.Width / 2}
		s     = math.Sqrt(0.5)
	)
	for _, end := range [...]struct {
		kind string
		z    float64
	}{{"gableFront", front}, {"gableBack", -front}} {
		for _, half := range [...]struct {
			kind string
			sign float64
		}{{"Left", -1}, {"Right", 1}} {
			list = append(list, box{
				kind: end.kind + half.kind, centre: world.Vec3{half.sign * in.Width / 4, in.top() + in.RoofPitch/2, end.z}, size: size,
				turn: world.Quat{0, half.sign * s, 0, s}, wedge: true,
			})
		}
	}
	return list
}

// hip returns a roof that rises from all four walls, as steeply from each: to a ridge along the longer ones, or to a point over a square. It lies on the walls,
// level below, and its eaves are as far beyond them on all sides.
func hip(in *BuildingIn) box {
	x, z, y := in.Width/2+in.RoofOverhang, in.Depth/2+in.RoofOverhang, in.RoofPitch/2
	ridge := world.Vec3{max(x-z, 0), y, max(z-x, 0)}
	b := box{
		kind: "roofHip", centre: world.Vec3{0, in.top() + y, 0}, size: world.Vec3{2 * x, in.RoofPitch, 2 * z}, turn: world.NoRotation(), roof: true,
		corners: []world.Vec3{ridge, {-ridge[0], y, -ridge[2]}},
	}
	for _, s := range [...][2]float64{{-1, -1}, {-1, 1}, {1, 1}, {1, -1}} {
		b.corners = append(b.corners, world.Vec3{s[0] * x, -y, s[1] * z})
	}
	return b
}

func roofThickness(wall float64) float64 { return min(wall, maxRoofThickness) }

// lap is how far one slab of a gable roof sticks out before the other at each end, in metres: where they are in each other neither flickers through.
const lap = 0.001

// steepest is how many times their thickness slabs of a gable roof go on beyond the ridge at most.
const steepest = 1.5

// gable returns the two slabs of a pitched roof. Its ridge runs from front to back, so that the
// eaves are at the sides and never hang before the door. The underside of each slab rises from the
// outer upper edge of a side wall, on which it rests, to the ridge, where the two meet. From there each goes on into the other, until
// their upper sides meet, too; on a roof steeper than 45 degrees only as far as neither comes out of the other.
func gable(in *BuildingIn) []box {
	var (
		half  = in.Width / 2
		slope = math.Sqrt(float64(half*half) + float64(in.RoofPitch*in.RoofPitch)) // wall to ridge
		cos   = half / slope
		sin   = in.RoofPitch / slope
		thick = roofThickness(in.WallThickness)
		// The eaves reach down beyond the wall, but not into the ground.
		eave = min(in.RoofOverhang, in.top()/sin)
		// Beyond the ridge.
		beyond = float64(thick * min(in.RoofPitch/half, 1/float64(float64(2*sin)*cos), steepest))
		left   = world.Vec3{slope + eave + beyond, thick, in.Depth + float64(2*in.RoofOverhang)}
		right  = left
		// Half way down the underside, then half the thickness outwards.
		down = (slope + eave - beyond) / 2
		x    = float64(cos*down) + float64(sin*thick)/2
		y    = in.top() + in.RoofPitch - float64(sin*down) + float64(cos*thick)/2
		// Half of the angle that a slab is tilted by.
		c = math.Sqrt((1 + cos) / 2)
		s = sin / float64(2*c)
	)
	left[2] += 2 * lap
	return []box{
		{kind: "roofLeft", centre: world.Vec3{-x, y, 0}, size: left, turn: world.Quat{0, 0, s, c}, roof: true},
		{kind: "roofRight", centre: world.Vec3{x, y, 0}, size: right, turn: world.Quat{0, 0, -s, c}, roof: true},
	}
}

// place turns a box about the y axis of the origin and moves it, as a part of a house does when
// the house is turned and put somewhere.
func (b box) place(turn world.Quat, to world.Vec3) box {
	b.centre = to.Add(turn.Rotate(b.centre))
	b.turn = turn.Mul(b.turn)
	return b
}

// bounds returns the corners of the smallest upright box around b.
func (b box) bounds() (lo, hi world.Vec3) {
	half := b.size.Scale(0.5)
	var reach world.Vec3
	for i := range 3 {
		var edge world.Vec3
		edge[i] = half[i]
		for k, x := range b.turn.Rotate(edge) {
			reach[k] += math.Abs(x)
		}
	}
	return b.centre.Sub(reach), b.centre.Add(reach)
}
