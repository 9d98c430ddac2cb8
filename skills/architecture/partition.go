package architecture

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Partition is a wall inside of a building, with a door. Lengths are in metres. Places are those of the house as seen from before its door: from its
// middle to the right and to the front, below 0 to the left and to the back.
type Partition struct {
	Along      string   `json:"along" validate:"oneof=width depth" jsonschema_description:"Which way it runs: width from the left to the right, depth from the back to the front."`
	At         float64  `json:"at" jsonschema:"default=0" jsonschema_description:"Where it stands: of one along depth how far right of the middle of the house, of one along width how far in front of it; below 0 left or behind."`
	From       *float64 `json:"from,omitempty" jsonschema_description:"Where it begins, to the right or to the front of the middle of the house; left out, at the outer wall."`
	To         *float64 `json:"to,omitempty" jsonschema_description:"Where it ends, measured as from; left out, at the outer wall. To end at another partition give that one's at."`
	Door       *float64 `json:"door,omitempty" jsonschema_description:"Where the middle of its door is, measured as from; left out, in its middle, or where no other meets it."`
	DoorWidth  float64  `json:"doorWidth" validate:"gte=0,lte=50" jsonschema:"default=1.2" jsonschema_description:"Clear width of its door; 0 for a wall without one."`
	DoorHeight float64  `json:"doorHeight" validate:"gt=0,lte=70" jsonschema:"default=2.1" jsonschema_description:"Clear height of its door; only the default is made smaller where it does not fit."`
	Storey     int      `json:"storey" validate:"gte=0,lte=20" jsonschema:"default=0" jsonschema_description:"In which storey it is: 1 is that of the house's door, 0 is each."`
}

const (
	// maxPartitionThickness bounds the thickness of partitions; below that they are as thick as the walls.
	maxPartitionThickness = 0.12

	defaultInnerDoorHeight = 2.1

	// doorstep is what has to be clear behind the door of a house, in metres.
	doorstep = 0.8
)

// inner is a partition as it stands in a storey. Its holes are measured from the middle of the house.
type inner struct {
	*Partition
	name     string // in errors
	from, to float64
	thick    float64
	door     gap // as wide as 0 if it has none
	cuts     []gap
}

// crosswise reports whether two run across each other.
func (p *inner) crosswise(o *inner) bool { return p.Along != o.Along }

// side is the range of its thickness, along the other way than it runs.
func (p *inner) side() gap { return gap{nano(p.At - p.thick/2), nano(p.At + p.thick/2)} }

func (p *inner) run() gap { return gap{p.from, p.to} }

// plan is what it takes of the ground plan, along x and z.
func (p *inner) plan() (x, z gap) {
	if p.Along == "depth" {
		return p.side(), p.run()
	}
	return p.run(), p.side()
}

// partition returns the partitions of a storey, from 0. It fails where one cannot stand, and says where it can.
func (in *BuildingIn) partition(storey int) (list []*inner, err error) {
	for i := range in.Partitions {
		p := &inner{Partition: &in.Partitions[i], name: fmt.Sprintf("partitions[%d]", i), thick: min(maxPartitionThickness, in.WallThickness)}
		if p.Storey > in.Storeys {
			return nil, registry.Invalidf("%s.storey: must be at most %d, how many storeys there are, got %d", p.name, in.Storeys, p.Storey)
		}
		if !isIn(p.Storey, storey) {
			continue
		}
		if err := p.span(in); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	for i, p := range list {
		for k, o := range list {
			if k != i && p.crosswise(o) {
				p.join(o, k > i)
			}
		}
		if p.from >= p.to {
			return nil, registry.Invalidf("%s.to: must be more than from and beyond what it begins at; it has no length", p.name)
		}
	}
	for i, p := range list {
		if err := p.stand(in, storey, list[:i]); err != nil {
			return nil, err
		}
	}
	for _, p := range list {
		if err := p.hang(in.ceiling(storey), list); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// span finds where a partition begins and ends between the walls.
func (p *inner) span(in *BuildingIn) error {
	run, off := in.inside()
	if p.Along == "depth" {
		run, off = off, run
	}
	if off = nano(off - p.thick/2); math.Abs(p.At) > off {
		return registry.Invalidf("%s.at: must be from %g to %g, between the walls, got %g", p.name, -off, off, p.At)
	}
	p.from, p.to = -run, run
	if p.From != nil {
		p.from = nano(*p.From)
	}
	if p.To != nil {
		p.to = nano(*p.To)
	}
	switch {
	case p.from < -run || p.from >= run:
		return registry.Invalidf("%s.from: must be at least %g and less than %g, between the walls, got %g", p.name, -run, run, p.from)
	case p.to <= p.from || p.to > run:
		return registry.Invalidf("%s.to: must be more than %g, its from, and at most %g, the wall, got %g", p.name, p.from, run, p.to)
	}
	return nil
}

// join has ends of p that are in the thickness of o meet it: at its near side, or, where o ends there, too, and comes later, at its far side, so that
// both make a corner.
func (p *inner) join(o *inner, later bool) {
	side := o.side()
	if !p.side().touches(o.run()) {
		return
	}
	corner := later && (o.from >= p.side().left || o.to <= p.side().right)
	if p.from >= side.left && p.from <= side.right {
		p.from = side.right
		if corner {
			p.from = side.left
		}
	}
	if p.to >= side.left && p.to <= side.right {
		p.to = side.left
		if corner {
			p.to = side.right
		}
	}
}

// stand makes room for those before it, or says what is in the way.
func (p *inner) stand(in *BuildingIn, storey int, before []*inner) error {
	for _, o := range before {
		switch {
		case p.crosswise(o) && p.run().meets(o.side()) && p.side().meets(o.run()):
			p.cuts = append(p.cuts, o.side())
		case !p.crosswise(o) && p.run().meets(o.run()) && p.side().meets(o.side()):
			return registry.Invalidf("%s.at: must be at most %g or at least %g beside %s, got %g; where both end at a third one, put that before them", p.name, nano(o.At-p.thick), nano(o.At+p.thick), o.name, p.At)
		}
	}
	return p.clears(in, storey)
}

// hang puts its door, in a storey of a clear height, where none of the others meets it: in the middle of it if it is nowhere else to be and there is room,
// else in the middle of the longest piece.
func (p *inner) hang(height float64, others []*inner) error {
	if p.DoorWidth == 0 {
		return nil
	}
	if p.DoorHeight > height && p.DoorHeight != defaultInnerDoorHeight {
		return registry.Invalidf("%s.doorHeight: must be at most %g, what is clear under the ceiling, got %g", p.name, height, p.DoorHeight)
	}
	var taken []gap
	for _, o := range others {
		if p.crosswise(o) && p.run().touches(o.side()) && p.side().touches(o.run()) {
			taken = append(taken, o.side())
		}
	}
	room := p.run().without(taken)
	if len(room) == 0 {
		room = []gap{{p.from, p.from}}
	}
	widest := slices.MaxFunc(room, func(a, b gap) int { return cmp.Compare(a.width(), b.width()) })
	if widest.width() < p.DoorWidth {
		return registry.Invalidf("%s.doorWidth: must be at most %g, the longest piece of it that no other meets, or 0 for no door, got %g", p.name, widest.width(), p.DoorWidth)
	}
	at := func(middle float64) (free bool) {
		p.door = gap{nano(middle - p.DoorWidth/2), nano(middle + p.DoorWidth/2)}
		return slices.ContainsFunc(room, func(g gap) bool { return g.left <= p.door.left && p.door.right <= g.right })
	}
	if given := p.Door; given != nil {
		if !at(*given) {
			return registry.Invalidf("%s.door: must be %s for this width, got %g", p.name, wide(room, p.DoorWidth, *given), *given)
		}
		return nil
	}
	if !at((p.from + p.to) / 2) {
		at((widest.left + widest.right) / 2)
	}
	return nil
}

// clears reports a partition that stands before the door of the house, or where the stairs are.
func (p *inner) clears(in *BuildingIn, storey int) error {
	x, z := p.plan()
	if _, front := in.inside(); storey == 0 {
		door, step := gap{in.door().left, in.door().right}, nano(front-doorstep)
		if x.meets(door) && z.right > step {
			if p.Along == "width" {
				return registry.Invalidf("%s.at: must be at most %g, clear of the door of the house, got %g", p.name, nano(step-p.thick/2), p.At)
			}
			return registry.Invalidf("%s.at: must be at most %g or at least %g, clear of the door of the house, or to at most %g, got %g", p.name, nano(door.left-p.thick/2), nano(door.right+p.thick/2), step, p.At)
		}
	}
	f, _ := in.flight()
	if f == nil {
		return nil
	}
	sx, sz := f.takes()
	if !x.meets(sx) || !z.meets(sz) {
		return nil
	}
	return registry.Invalidf("%s.at: must be elsewhere, or its from and to, got %g: the stairs and the way onto them are from %g to %g along the width and from %g to %g along the depth", p.name, p.At, sx.left, sx.right, sz.left, sz.right)
}

// blocked says which partition ends in a window, if one does.
func (in *BuildingIn) blocked() string {
	all := bare(in)
	for storey := range in.Storeys {
		list, _ := in.partition(storey)
		for _, p := range list {
			for i := range in.Windows {
				w := &in.Windows[i]
				if isIn(w.Storey, storey) && p.ends(in, all[w.Wall], w) {
					return fmt.Sprintf("%s ends in windows[%d]: move one of them, unless you mean it", p.name, i)
				}
			}
		}
	}
	return ""
}

// ends reports whether a partition meets its wall where a window is.
func (p *inner) ends(in *BuildingIn, to *wall, w *Window) bool {
	run, depth := in.inside()
	along := world.Vec3{1, 0, 0}
	if p.Along == "depth" {
		run, along = depth, world.Vec3{0, 0, 1}
	}
	out := along.Dot(to.middle)
	if out == 0 || out > 0 && p.to < run || out < 0 && p.from > -run {
		return false
	}
	at := p.At * (to.right[0] + to.right[2]) // one of them is 0
	return math.Abs(at-w.At) < (w.Width+p.thick)/2
}

// takes is what stairs need of the ground plan in every storey, along x and z: they, the wall beside them, and room before and behind.
func (f *flight) takes() (x, z gap) {
	a := f.u.Scale(f.from - passage).Add(f.v.Scale(-f.across))
	b := f.u.Scale(f.to + passage).Add(f.v.Scale(f.far + cheek))
	lo, hi := a.Min(b), a.Max(b)
	return gap{nano(lo[0]), nano(hi[0])}, gap{nano(lo[2]), nano(hi[2])}
}

// ceiling is how high a storey is between its floor and what is above it.
func (in *BuildingIn) ceiling(storey int) float64 {
	if storey == in.Storeys-1 {
		return in.Height
	}
	f, _ := in.flight()
	return nano(in.Height - in.floorThickness(f))
}

// divide reports what partitions cannot be there.
func (in *BuildingIn) divide() error {
	for storey := range in.Storeys {
		if _, err := in.partition(storey); err != nil {
			return err
		}
	}
	return nil
}

// rooms returns the parts of all partitions.
func rooms(in *BuildingIn) (list []box) {
	for storey := range in.Storeys {
		all, _ := in.partition(storey) // fit has seen that they can be there
		for _, p := range all {
			list = append(list, p.boxes(in, storey)...)
		}
	}
	return list
}

func (p *inner) boxes(in *BuildingIn, storey int) []box {
	height, middle := in.ceiling(storey), nano((p.from+p.to)/2)
	floor := float64(in.Height * float64(storey))
	w := wall{name: "partition", middle: world.Vec3{middle, floor, p.At}, right: world.Vec3{1, 0, 0}, half: nano((p.to - p.from) / 2)}
	if p.Along == "depth" {
		w.middle, w.right = world.Vec3{p.At, floor, middle}, world.Vec3{0, 0, 1}
	}
	hole := func(g gap, high float64) {
		w.holes = append(w.holes, hole{piece: piece{nano(g.left - middle), nano(g.right - middle), 0, high}})
	}
	for _, cut := range p.cuts {
		hole(cut, height)
	}
	if p.door.width() > 0 {
		hole(p.door, min(p.DoorHeight, height))
	}
	return w.boxes(height, p.thick, nil)
}
