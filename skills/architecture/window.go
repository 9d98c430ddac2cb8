package architecture

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// Window is an opening in a wall of a building. Lengths are in metres.
type Window struct {
	Wall   string  `json:"wall" validate:"oneof=front back left right" jsonschema_description:"Which wall, as seen from before the door."`
	At     float64 `json:"at" jsonschema:"default=0" jsonschema_description:"How far its middle is to the right of the middle of the wall, as seen from outside; below 0 to the left."`
	Width  float64 `json:"width" validate:"gt=0,lte=200" jsonschema:"default=1.2" jsonschema_description:"Clear width."`
	Height float64 `json:"height" validate:"gt=0,lte=80" jsonschema:"default=1.2" jsonschema_description:"Clear height."`
	Sill   float64 `json:"sill" validate:"gte=0,lte=80" jsonschema:"default=0.9" jsonschema_description:"How high its lower edge is above the floor of its storey."`
	Storey int     `json:"storey" validate:"gte=0,lte=20" jsonschema:"default=0" jsonschema_description:"In which storey it is: 1 is that of the door, 0 is each."`
	Open   bool    `json:"open" jsonschema:"default=false" jsonschema_description:"Whether there is no pane of glass in it."`
}

// paneThickness is that of panes, in walls that are thicker.
const paneThickness = 0.04

// wall is one of a house, as seen from outside: x goes to the right from its middle, y up from the floor.
type wall struct {
	name   string // of its parts
	middle world.Vec3
	right  world.Vec3 // of length 1
	half   float64    // half its width
	clear  float64    // how far from its middle windows may reach
	holes  []hole
}

// piece is a rectangle of a wall.
type piece struct{ left, right, low, high float64 }

// hole is an opening in a wall.
type hole struct {
	piece
	pane bool
}

// walls returns those of a house, by the names that windows call them by, with the holes in those that have windows.
func walls(in *BuildingIn) map[string]*wall {
	all := bare(in)
	for _, w := range in.Windows {
		to := all[w.Wall]
		for storey := range w.storeys(in) {
			to.holes = append(to.holes, w.hole(storey, in))
		}
	}
	if f := all["front"]; len(f.holes) > 0 {
		f.holes = append(f.holes, in.door())
	}
	return all
}

// bare returns the walls of a house without holes.
func bare(in *BuildingIn) map[string]*wall {
	front, side := (in.Depth-in.WallThickness)/2, (in.Width-in.WallThickness)/2
	half, inner := nano(in.Width/2), nano(in.Depth/2-in.WallThickness)
	between := nano(in.Width/2 - in.WallThickness)
	return map[string]*wall{
		"front": {name: "frontWall", middle: world.Vec3{0, 0, front}, right: world.Vec3{1, 0, 0}, half: half, clear: between},
		"back":  {name: "backWall", middle: world.Vec3{0, 0, -front}, right: world.Vec3{-1, 0, 0}, half: half, clear: between},
		"left":  {name: "leftWall", middle: world.Vec3{-side, 0, 0}, right: world.Vec3{0, 0, 1}, half: inner, clear: inner},
		"right": {name: "rightWall", middle: world.Vec3{side, 0, 0}, right: world.Vec3{0, 0, -1}, half: inner, clear: inner},
	}
}

// storeys yields the storeys that the window is in, from 0.
func (w *Window) storeys(in *BuildingIn) iter.Seq[int] {
	return func(yield func(int) bool) {
		for storey := range in.Storeys {
			if isIn(w.Storey, storey) && !yield(storey) {
				return
			}
		}
	}
}

// isIn reports whether what says that it is in a storey, from 1, or in each, 0, is in one from 0.
func isIn(says, storey int) bool { return says == 0 || says == storey+1 }

// hole is what the window takes out of a storey.
func (w *Window) hole(storey int, in *BuildingIn) hole {
	floor := float64(in.Height * float64(storey))
	return hole{piece{nano(w.At - w.Width/2), nano(w.At + w.Width/2), nano(floor + w.Sill), nano(floor + w.Sill + w.Height)}, !w.Open}
}

func (in *BuildingIn) door() hole {
	return hole{piece: piece{nano(-in.DoorWidth / 2), nano(in.DoorWidth / 2), 0, nano(in.DoorHeight)}}
}

func (h hole) meets(o hole) bool {
	return h.left < o.right && o.left < h.right && h.low < o.high && o.low < h.high
}

// is reports whether a part of the front wall is the piece.
func (p piece) is(b box) bool {
	x, y, half := b.centre[0], b.centre[1], b.size.Scale(0.5)
	return p == piece{nano(x - half[0]), nano(x + half[0]), nano(y - half[1]), nano(y + half[1])}
}

// pieces returns what is left of a wall of a height around its holes: of the strips between their sides what is above and below the holes
// in them, neighbours of one height as one.
func (w *wall) pieces(height float64) (done []piece) {
	cuts := []float64{-w.half, w.half}
	for _, h := range w.holes {
		cuts = append(cuts, h.left, h.right)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var open []piece // those that end at the last cut
	for i, left := range cuts[:len(cuts)-1] {
		var here []piece
		for _, p := range w.strip(left, cuts[i+1], height) {
			if k := slices.IndexFunc(open, func(o piece) bool { return o.low == p.low && o.high == p.high }); k >= 0 {
				p.left = open[k].left
				open = slices.Delete(open, k, k+1)
			}
			here = append(here, p)
		}
		done, open = append(done, open...), here
	}
	return append(done, open...)
}

// strip returns what a wall has between two cuts.
func (w *wall) strip(left, right, height float64) (list []piece) {
	in := slices.DeleteFunc(slices.Clone(w.holes), func(h hole) bool { return h.right <= left || h.left >= right })
	slices.SortFunc(in, func(a, b hole) int { return cmp.Compare(a.low, b.low) })
	low := 0.0
	for _, h := range in {
		if h.low > low {
			list = append(list, piece{left, right, low, h.low})
		}
		low = h.high
	}
	if low < height {
		list = append(list, piece{left, right, low, height})
	}
	return list
}

// nano rounds to a millionth of a millimetre: edges that are meant to be the same are, whatever sums they come from, so that nothing is
// refused, and nothing as thin as a rounding error built, between them; and limits are told as short as they were meant.
func nano(x float64) float64 { return math.Round(x*1e9) / 1e9 }

// boxes returns the parts of a wall of that height and thickness with holes, and what is in them. What the holes leave whole of the parts that it has without windows
// stays what it is.
func (w *wall) boxes(height, thickness float64, whole []box) (list []box) {
	add := func(kind string, p piece, thick float64) {
		size := world.Vec3{nano(p.right - p.left), nano(p.high - p.low), thick}
		if w.right[0] == 0 {
			size[0], size[2] = size[2], size[0]
		}
		centre := w.middle.Add(w.right.Scale(nano((p.left + p.right) / 2))).Add(world.Vec3{0, nano((p.low + p.high) / 2), 0})
		list = append(list, box{kind: w.name + kind, centre: centre, size: size, turn: world.NoRotation(), glass: kind == "Pane"})
	}
	for _, p := range w.pieces(height) {
		if k := slices.IndexFunc(whole, p.is); k >= 0 && w.right[0] > 0 {
			list = append(list, whole[k])
			continue
		}
		kind := "Band"
		switch {
		case p.low == 0 && p.high == height:
			kind = "Pier"
		case p.low == 0:
			kind = "Sill"
		case p.high == height:
			kind = "Lintel"
		}
		add(kind, p, thickness)
	}
	for _, h := range w.holes {
		if h.pane {
			add("Pane", h.piece, min(paneThickness, thickness))
		}
	}
	return list
}
