package architecture

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Dormer is a small house on a slope of a gable or a hip roof, with a window in its front. Under one on a hip roof, which is solid, the slope goes on. Lengths are in metres.
type Dormer struct {
	Side   string  `json:"side" validate:"oneof=left right front back" jsonschema_description:"On which slope, as seen from before the door. A gable roof has left and right."`
	At     float64 `json:"at" jsonschema:"default=0" jsonschema_description:"How far its middle is to the right of the middle of that side, as seen from outside."`
	Width  float64 `json:"width" validate:"gte=0.6,lte=20" jsonschema:"default=1.8" jsonschema_description:"Outer width."`
	Height float64 `json:"height" validate:"gte=0.6,lte=10" jsonschema:"default=1.2" jsonschema_description:"Height of its front, from the slope to its own eaves."`
	Inset  float64 `json:"inset" validate:"gte=0,lte=50" jsonschema:"default=0.4" jsonschema_description:"How far its front stands behind the outer face of the wall below."`
	Open   bool    `json:"open" jsonschema:"default=false" jsonschema_description:"Whether there is no pane of glass in its window."`
}

// Skylight is an opening in a roof. Lengths are in metres.
type Skylight struct {
	Side   string  `json:"side,omitempty" validate:"omitempty,oneof=left right" jsonschema_description:"On which slope of a gable roof, as seen from before the door. A flat roof has none: leave it out."`
	At     float64 `json:"at" jsonschema:"default=0" jsonschema_description:"How far its middle is to the right of the middle of that side, as seen from outside; on a flat roof of the house, as seen from before the door."`
	Up     float64 `json:"up" validate:"gte=0,lte=200" jsonschema:"default=1" jsonschema_description:"How far its lower edge is up the slope from the outer face of the wall; on a flat roof back from that of the front wall."`
	Width  float64 `json:"width" validate:"gt=0,lte=200" jsonschema:"default=0.8" jsonschema_description:"Clear width, along the wall."`
	Height float64 `json:"height" validate:"gt=0,lte=200" jsonschema:"default=1.2" jsonschema_description:"Clear height, along the slope; on a flat roof from front to back."`
	Open   bool    `json:"open" jsonschema:"default=false" jsonschema_description:"Whether there is no pane of glass in it: rain and light come in, smoke goes out."`
}

// Chimney is a stack on a roof. Lengths are in metres.
type Chimney struct {
	X      float64 `json:"x" validate:"gte=-100,lte=100" jsonschema:"default=0" jsonschema_description:"How far it is to the right of the middle of the house, as seen from before the door."`
	Z      float64 `json:"z" validate:"gte=-100,lte=100" jsonschema:"default=0" jsonschema_description:"How far it is before the middle of the house, towards the door."`
	Width  float64 `json:"width" validate:"gt=0,lte=20" jsonschema:"default=0.7" jsonschema_description:"How wide it is, and how deep."`
	Height float64 `json:"height" validate:"gt=0,lte=50" jsonschema:"default=0.8" jsonschema_description:"How high it is above the highest part of the roof."`
}

// What dormers are made by, in metres.
const (
	dormerWall = 0.12 // the thickness of their walls, and of their roofs, at most that of the house's
	dormerRise = 0.3  // how high their gables are, of their width
	dormerOver = 0.15 // how far their roofs reach beyond them
	frame      = 0.14 // how wide what is around the pane is
	ridgeSpare = 0.05 // from an opening to the ridge, at least
)

// slope is a side of a gable or a hip roof, with its measures. It is seen as if it were the right one.
type slope struct {
	in       *BuildingIn
	half     float64 // from the middle of the house to the outer face of the wall below
	wide     float64 // how long that wall is
	cos, sin float64 // of how steep it is
	thick    float64 // of its slab, 0 of a hip roof
	eave     float64 // how far it goes on beyond the wall, of a hip roof level
	long     float64 // from the wall to the ridge of a gable roof
	hip      float64 // how far it is from the edge to the ridge, level, of a hip roof; 0 of a gable roof
}

// slope returns a side of a roof.
func (in *BuildingIn) slope(side string) slope {
	half, wide := in.Width/2, in.Depth
	if in.RoofStyle == "hip" {
		if side == "front" || side == "back" {
			half, wide = in.Depth/2, in.Width
		}
		hip := min(in.Width, in.Depth)/2 + in.RoofOverhang
		long := math.Sqrt(float64(hip*hip) + float64(in.RoofPitch*in.RoofPitch))
		return slope{in: in, half: half, wide: wide, cos: hip / long, sin: in.RoofPitch / long, eave: in.RoofOverhang, hip: hip}
	}
	long := math.Sqrt(float64(half*half) + float64(in.RoofPitch*in.RoofPitch))
	sin := in.RoofPitch / long
	return slope{in: in, half: half, wide: wide, cos: half / long, sin: sin, thick: roofThickness(in.WallThickness), eave: min(in.RoofOverhang, in.top()/sin), long: long}
}

// up returns how high the upper side of the slope is so far from the middle of the house, and at returns how far that is where it is so high.
func (s *slope) up(x float64) float64 {
	if s.hip > 0 {
		return s.in.top() + float64(s.in.RoofPitch*(s.half+s.eave-x))/s.hip
	}
	return s.in.top() + float64(s.in.RoofPitch*(1-x/s.half)) + s.thick/s.cos
}

func (s *slope) at(y float64) float64 {
	if s.hip > 0 {
		return s.half + s.eave - float64((y-s.in.top())*s.hip)/s.in.RoofPitch
	}
	return float64(s.half * (1 - (y-s.in.top()-s.thick/s.cos)/s.in.RoofPitch))
}

// ridge returns how high the roof is at its highest.
func (s *slope) ridge() float64 {
	if s.hip > 0 {
		return s.in.top() + s.in.RoofPitch
	}
	return s.up(0)
}

// reach returns how far to each side of its middle the slope reaches so far from the middle of the house: that of a hip roof ends where the next ones begin.
func (s *slope) reach(x float64) float64 {
	if s.hip > 0 {
		return min(s.wide/2, s.wide/2-s.half+x)
	}
	return s.wide / 2
}

// along returns how far up the slope, from its lower edge, its upper side is so far from the middle of the house.
func (s *slope) along(x float64) float64 {
	if s.hip > 0 {
		return (s.half + s.eave - x) / s.cos
	}
	return s.eave + (s.half+float64(s.thick*s.sin)-x)/s.cos
}

// dormer is one with its measures, on the right slope.
type dormer struct {
	*Dormer
	z, front, wall, rise float64 // of its middle, its outer face, the thickness of its walls, the height of its gable
	low, high, back      float64 // how high its front begins and ends, and where the roof is as high as its eaves
}

func (d *Dormer) on(s *slope) dormer {
	x := dormer{Dormer: d, z: -d.At, front: s.half - d.Inset, wall: min(dormerWall, s.in.WallThickness, d.Width/5), rise: float64(d.Width * dormerRise)}
	x.low = s.up(x.front)
	x.high = x.low + d.Height
	x.back = s.at(x.high)
	return x
}

// open returns what the dormer takes out of the slab of its slope.
func (d *dormer) open(s *slope) hole {
	half := d.Width/2 - d.wall
	return hole{piece: piece{nano(d.At - half), nano(d.At + half), nano(s.along(d.front - d.wall)), nano(s.along(d.back))}}
}

// open returns what a skylight takes out of the slab of a roof whose lower edge is so far before the wall.
func (k *Skylight) open(eave float64) hole {
	return hole{piece{nano(k.At - k.Width/2), nano(k.At + k.Width/2), nano(eave + k.Up), nano(eave + k.Up + k.Height)}, !k.Open}
}

// tops reports what cannot be on the roof.
func (in *BuildingIn) tops() error {
	for i := range in.Chimneys {
		c := &in.Chimneys[i]
		if !in.WithRoof {
			return registry.Invalidf("chimneys: need a roof: leave withRoof out, or chimneys")
		}
		for _, axis := range [...]struct {
			name     string
			at, wide float64
		}{{"x", c.X, in.Width}, {"z", c.Z, in.Depth}} {
			most := nano((axis.wide - c.Width) / 2)
			if most < 0 {
				return registry.Invalidf("chimneys[%d].width: must be at most %g, got %g", i, min(in.Width, in.Depth), c.Width)
			}
			if math.Abs(axis.at) > most {
				return registry.Invalidf("chimneys[%d].%s: must be from %g to %g, where it is over the house, got %g", i, axis.name, -most, most, axis.at)
			}
		}
	}
	if len(in.Dormers) > 0 && (!in.WithRoof || in.RoofStyle == "flat") {
		return registry.Invalidf("dormers: need a gable or a hip roof: roofStyle gable or hip")
	}
	if len(in.Skylights) > 0 && (!in.WithRoof || in.RoofStyle == "hip") {
		return registry.Invalidf("skylights: need a gable or a flat roof; one of style hip is solid")
	}
	if len(in.Dormers)+len(in.Skylights) == 0 {
		return nil
	}
	holes, names := map[string][]hole{}, map[string][]string{}
	put := func(side, name string, h hole) error {
		for i, o := range holes[side] {
			if h.meets(o) {
				return registry.Invalidf("%s: is in %s: give it another at, or another size", name, names[side][i])
			}
		}
		holes[side], names[side] = append(holes[side], h), append(names[side], name)
		return nil
	}
	for i := range in.Dormers {
		name, s := fmt.Sprintf("dormers[%d]", i), in.slope(in.Dormers[i].Side)
		d := in.Dormers[i].on(&s)
		if err := d.fits(name, &s); err != nil {
			return err
		}
		h := d.open(&s)
		h.left, h.right = h.left-d.wall-dormerOver, h.right+d.wall+dormerOver // with its walls and its roof
		h.low, h.high = nano(s.along(d.front+dormerOver)), nano(s.along(s.at(d.high+d.rise+float64(2*d.wall))))
		if err := put(d.Side, name, h); err != nil {
			return err
		}
	}
	s := in.slope("")
	for i := range in.Skylights {
		name, k := fmt.Sprintf("skylights[%d]", i), &in.Skylights[i]
		if err := k.fits(name, in, &s); err != nil {
			return err
		}
		if err := put(k.Side, name, k.open(s.eave)); err != nil {
			return err
		}
	}
	return nil
}

// fits reports what is wrong with a dormer that its slope has no room for.
func (d *dormer) fits(name string, s *slope) error {
	if s.hip == 0 && (d.Side == "front" || d.Side == "back") {
		return registry.Invalidf("%s.side: must be left or right on a gable roof, got %s; a hip roof has all four", name, d.Side)
	}
	if most := nano((s.wide - d.Width) / 2); math.Abs(d.At) > most {
		if most < 0 {
			return registry.Invalidf("%s.width: must be at most %g, as long as the wall below, got %g", name, s.wide, d.Width)
		}
		return registry.Invalidf("%s.at: must be from %g to %g, where it is above the wall of its side, got %g", name, -most, most, d.At)
	}
	top := d.high + d.rise + dormerWall*2
	if ridge := s.ridge() - ridgeSpare; top > ridge {
		most := nano(math.Floor((d.Height-(top-ridge))*100) / 100)
		if most < 0.6 {
			low := s.in.RoofPitch + float64((top-ridge)*s.half/max(s.half-d.Inset, 0.1))
			if s.hip > 0 {
				low = s.in.RoofPitch + float64((top-ridge)*s.hip/max(s.hip-s.eave-d.Inset, 0.1))
			}
			return registry.Invalidf("%s: the roof is too low for it: give a roofPitch of at least %.3g, got %g, or a smaller inset, width or height", name, math.Ceil(low*10)/10, s.in.RoofPitch)
		}
		return registry.Invalidf("%s.height: must be at most %g, so that its roof is below the ridge of the house, got %g; or give a greater roofPitch", name, most, d.Height)
	}
	if s.hip == 0 {
		return nil
	}
	if most := math.Floor((s.reach(s.at(top))-d.Width/2-dormerOver)*100) / 100; math.Abs(d.At) > most {
		if most < 0 {
			return registry.Invalidf("%s: the %s slope, which narrows to the ridge, has no room for it: give a smaller width, height or inset, or a greater roofPitch", name, d.Side)
		}
		return registry.Invalidf("%s.at: must be from %g to %g, as the slope narrows to the ridge, got %g; a smaller width, height or inset leaves more", name, -most, most, d.At)
	}
	return nil
}

// fits reports what is wrong with a skylight that its roof has no room for.
func (k *Skylight) fits(name string, in *BuildingIn, s *slope) error {
	wide, long, flat := in.Depth, s.long, in.RoofStyle == "flat"
	switch {
	case flat && k.Side != "":
		return registry.Invalidf("%s.side: a flat roof has none: leave it out", name)
	case !flat && k.Side == "":
		return registry.Invalidf("%s.side: is required on a gable roof: left or right, as seen from before the door", name)
	case flat:
		wide, long = in.Width, in.Depth
	}
	if most := nano((wide - k.Width) / 2); math.Abs(k.At) > most {
		if most < 0 {
			return registry.Invalidf("%s.width: must be at most %g, got %g", name, wide, k.Width)
		}
		return registry.Invalidf("%s.at: must be from %g to %g, where it is over the house, got %g", name, -most, most, k.At)
	}
	if most := math.Floor((long-ridgeSpare)*100) / 100; nano(k.Up+k.Height) > most {
		if k.Height < most {
			return registry.Invalidf("%s.up: must be at most %g with a height of %g, on a roof of %.4g from edge to edge, got %g", name, nano(most-k.Height), k.Height, long, k.Up)
		}
		return registry.Invalidf("%s.height: must be less than %g, got %g", name, most, k.Height)
	}
	return nil
}

// slabs returns the parts of a slab of a roof, with the holes in it. It lies along its own x and z, as it is turned; right is along which of its axes at counts, up along
// which one goes up it.
func slabs(slab box, right, up world.Vec3, holes []hole) []box {
	if len(holes) == 0 {
		return []box{slab}
	}
	extent := func(axis world.Vec3) float64 { return math.Abs(slab.size.Dot(axis)) }
	wide, long := nano(extent(right)), nano(extent(up))
	w := wall{half: nano(wide / 2), holes: holes}
	var list []box
	add := func(kind string, p piece, thick float64) {
		part := slab
		part.kind, part.glass = kind, kind != slab.kind
		part.roof = !part.glass
		for i := range part.size {
			part.size[i] = math.Abs(float64(right[i]*(p.right-p.left))) + math.Abs(float64(up[i]*(p.high-p.low)))
		}
		part.size[1] = thick
		at := right.Scale((p.left + p.right) / 2).Add(up.Scale((p.low+p.high)/2 - long/2))
		part.centre = slab.centre.Add(slab.turn.Rotate(at))
		list = append(list, part)
	}
	for _, p := range w.pieces(long) {
		add(slab.kind, p, slab.size[1])
	}
	for _, h := range holes {
		if h.pane {
			add(slab.kind+"Pane", h.piece, min(paneThickness, slab.size[1]))
		}
	}
	return list
}

// pierced returns the two slabs of a gable roof with the holes that are in them.
func pierced(in *BuildingIn) (list []box) {
	s := in.slope("")
	for _, slab := range gable(in) {
		side, right, up := "left", world.Vec3{0, 0, 1}, world.Vec3{1, 0, 0}
		if slab.kind == "roofRight" {
			side, right, up = "right", world.Vec3{0, 0, -1}, world.Vec3{-1, 0, 0}
		}
		var holes []hole
		for i := range in.Dormers {
			if d := in.Dormers[i].on(&s); d.Side == side {
				holes = append(holes, d.open(&s))
			}
		}
		for i := range in.Skylights {
			if k := &in.Skylights[i]; k.Side == side {
				holes = append(holes, k.open(s.eave))
			}
		}
		list = append(list, slabs(slab, right, up, holes)...)
	}
	return append(list, dormers(in)...)
}

// dormers returns what the dormers of a roof are made of.
func dormers(in *BuildingIn) (list []box) {
	quarter := math.Sqrt(0.5)
	turns := map[string]world.Quat{"right": world.NoRotation(), "front": {0, -quarter, 0, quarter}, "left": {0, 1, 0, 0}, "back": {0, quarter, 0, quarter}}
	for i := range in.Dormers {
		s := in.slope(in.Dormers[i].Side)
		d := in.Dormers[i].on(&s)
		turn := turns[d.Side]
		for _, b := range d.parts(&s) {
			list = append(list, b.place(turn, world.Vec3{}))
		}
	}
	return list
}

// parts returns what a dormer on the right slope is made of: a front around a window, a gable over it, two cheeks, whose undersides lie on the slope, and a roof that goes back
// into it.
func (d *dormer) parts(s *slope) (list []box) {
	upright := func(kind string, z, low, high, wide float64) {
		list = append(list, box{
			kind: kind, centre: world.Vec3{d.front - d.wall/2, (low + high) / 2, z}, size: world.Vec3{d.wall, high - low, wide}, turn: world.NoRotation(),
		})
	}
	half := d.Width / 2
	edge := min(frame, d.Width/5)
	sill, lintel := d.low+edge, d.high-edge/2
	upright("dormerFrontSill", d.z, d.low, sill, d.Width)
	upright("dormerFrontLintel", d.z, lintel, d.high, d.Width)
	upright("dormerFrontPier", d.z-half+edge/2, sill, lintel, edge)
	upright("dormerFrontPier", d.z+half-edge/2, sill, lintel, edge)
	if !d.Open {
		list = append(list, box{
			kind: "dormerFrontPane", centre: world.Vec3{d.front - d.wall/2, (sill + lintel) / 2, d.z}, turn: world.NoRotation(), glass: true,
			size: world.Vec3{min(paneThickness, d.wall), lintel - sill, d.Width - float64(2*edge)},
		})
	}
	q := math.Sqrt(0.5)
	for _, sign := range [...]float64{-1, 1} {
		gable := box{
			kind: "dormerGable", centre: world.Vec3{d.front - d.wall/2, d.high + d.rise/2, d.z + float64(sign*half)/2}, size: world.Vec3{d.wall, d.rise, half}, turn: world.NoRotation(), wedge: true,
		}
		if sign < 0 {
			gable.turn = world.Quat{0, 1, 0, 0}
		}
		inner := d.front - d.wall
		foot := s.up(inner)
		cheek := box{ // a wedge upside down, whose full height is at the front
			kind: "dormerCheek", centre: world.Vec3{(inner + d.back) / 2, (foot + d.high) / 2, d.z + float64(sign*(half-d.wall/2))},
			size: world.Vec3{d.wall, d.high - foot, inner - d.back}, turn: world.Quat{0, -q, 0, q}.Mul(world.Quat{0, 0, 1, 0}), wedge: true,
		}
		list = append(list, gable, cheek, d.roof(s, sign))
	}
	return list
}

// roof returns the half of a dormer's roof on one side of its ridge: a slab that ends where it comes to the slope.
func (d *dormer) roof(s *slope, sign float64) box {
	half, thick := d.Width/2, d.wall
	steep := d.rise / half
	tall := float64(thick * math.Sqrt(1+float64(steep*steep))) // from its lower side to its upper one
	b := box{kind: "dormerRoof", turn: world.NoRotation(), roof: true}
	var corners []world.Vec3
	lo, hi := world.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}, world.Vec3{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, out := range [...]float64{0, half + dormerOver} {
		for _, y := range [...]float64{0, tall} {
			y += d.high + d.rise - float64(steep*out)
			z := d.z + float64(sign*out)
			for _, x := range [...]float64{d.front + dormerOver, s.at(y)} {
				p := world.Vec3{x, y, z}
				corners = append(corners, p)
				lo, hi = lo.Min(p), hi.Max(p)
			}
		}
	}
	b.centre, b.size = lo.Add(hi).Scale(0.5), hi.Sub(lo)
	for _, p := range corners {
		b.corners = append(b.corners, p.Sub(b.centre))
	}
	return b
}

// stacks returns the chimneys, each of which stands on the roof where that is lowest under it.
func stacks(in *BuildingIn) (list []box) {
	for i := range in.Chimneys {
		c := &in.Chimneys[i]
		x, z := math.Abs(c.X)+c.Width/2, math.Abs(c.Z)+c.Width/2
		thick := roofThickness(in.WallThickness)
		low, top := in.top()+thick, in.top()+thick
		switch in.RoofStyle {
		case "gable":
			s := in.slope("")
			low, top = s.up(x), s.up(0)
		case "hip":
			across, along := in.Width/2+in.RoofOverhang, in.Depth/2+in.RoofOverhang
			low, top = in.top()+float64(in.RoofPitch*min(across-x, along-z, min(across, along)))/min(across, along), in.top()+in.RoofPitch
		}
		top += c.Height
		list = append(list, box{kind: "chimney", centre: world.Vec3{c.X, (low + top) / 2, c.Z}, size: world.Vec3{c.Width, top - low, c.Width}, turn: world.NoRotation()})
	}
	return list
}
