package spatial

import (
	"cmp"
	"math"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// FreeSpaceIn is the input of spatial.freeSpace.
type FreeSpaceIn struct {
	Size     world.Vec3 `json:"size" jsonschema_description:"Edges of the space that is needed, along x, y, z in metres, each above 0."`
	Near     world.Vec3 `json:"near" jsonschema:"default=0 0 0" jsonschema_description:"Where it should be, as near as possible."`
	Radius   float64    `json:"radius" validate:"gt=0,lte=500" jsonschema:"default=20" jsonschema_description:"How far from near to search, in metres, as seen from above."`
	Margin   float64    `json:"margin" validate:"gte=0,lte=100" jsonschema:"default=0.1" jsonschema_description:"How far everything else has to be away to the sides, in metres."`
	Floating bool       `json:"floating" jsonschema:"default=false" jsonschema_description:"True: at the height of near. False: standing on something, or on the ground at y 0."`
}

// FreeSpaceOut is the output of spatial.freeSpace.
type FreeSpaceOut struct {
	Found    bool        `json:"found" jsonschema_description:"Whether there is such a place."`
	Position *world.Vec3 `json:"position,omitempty" jsonschema_description:"The centre of the free space, in metres."`
	On       *world.ID   `json:"on,omitempty" jsonschema_description:"The entity that it stands on, if it is not the ground."`
	Distance *float64    `json:"distance,omitempty" jsonschema_description:"How far that is from near, as seen from above."`
	Complete bool        `json:"complete" jsonschema_description:"False if there is so much around that a nearer place may have been missed: search within a smaller radius, or elsewhere."`
}

// FreeSpace is spatial.freeSpace.
func FreeSpace(w *world.World, things *solid.Index) registry.Skill {
	return registry.Define(registry.Spec[FreeSpaceIn, FreeSpaceOut]{
		Name:  "spatial.freeSpace",
		Title: "Find free space",
		Description: "Find the place nearest to a point, to within a centimetre (on generated ground the best of places that are a 25th of radius apart, or a quarter of the box if that is more, moved as near as it goes), where an upright box of a size fits without touching anything, standing on something or on the ground; a metre up or down counts as four to the side. Use the position for what you build next. " +
			`To know whether one certain place is free use physics.overlap, or spatial.nearest where things have no bodies. Example: {"size":[8,4,6],"near":[20,0,0],"radius":40}`,
		Keywords:    "empty spot site reserve build room vacant",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in FreeSpaceIn) (FreeSpaceOut, error) {
			for i, edge := range in.Size {
				if !(edge > 0) {
					return FreeSpaceOut{}, registry.Invalidf("size[%d]: must be above 0, got %v", i, edge)
				}
			}
			found, err := world.Read(w, c, func(v *world.View) ([]solid.Found, error) { return things.In(v, in.region()), nil })
			if err != nil {
				return FreeSpaceOut{}, err
			}
			s := search{in: &in} // behind the lock: it takes tenths of a second
			for i := range found {
				s.around = append(s.around, &found[i])
			}
			return s.run(), nil
		},
	})
}

// region is where something may matter.
func (in *FreeSpaceIn) region() solid.Bounds {
	r := in.Radius + in.Margin + max(in.Size[0], in.Size[2])
	reach := world.Vec3{r, world.MaxNumber, r}
	if in.Floating {
		reach[1] = in.Size[1]
	}
	return solid.Bounds{Lo: in.Near.Sub(reach), Hi: in.Near.Add(reach)}
}

// search is one search for free space.
type search struct {
	in     *FreeSpaceIn
	around []*solid.Found // everything that may be in the way or carry it
	tests  int            // of one solid against another, and what takes as long
	least  float64        // how far the best place so far is, as [search.cost] has it
	best   place
	cells  cells // that may hold a better one
	seq    int   // of the newest cell
}

// place is somewhere to put the box.
type place struct {
	x, z  float64 // from near
	floor floor
}

const (
	maxPlaces = 2048   // that are tried at first: as fine a grid as that allows
	maxFloors = 8      // that are tried at one place
	maxTests  = 20_000 // then the grid is given up, and after as many more the search
	tilted    = 100    // so many tests are as long as one against generated ground that was tilted
	passed    = 1000   // and so many things that are passed by as one test
	climb     = 4      // so many metres to the side are as good as one up or down
)

// ground reports whether something is generated ground.
func ground(f *solid.Found) bool { return f.Solid.Kind == solid.Field }

// lies reports whether something is generated ground that was not tilted.
func lies(f *solid.Found) bool { return ground(f) && f.Solid.Axes[1] == (world.Vec3{0, 1, 0}) }

// run looks at a grid of places, and then for what is better than the best of those.
func (s *search) run() FreeSpaceOut {
	s.least = math.Inf(1)
	all := s.coarse()
	out := FreeSpaceOut{Complete: s.refine() && all}
	if math.IsInf(s.least, 1) {
		return out
	}
	if !s.in.Floating && slices.ContainsFunc(s.around, ground) {
		s.nearer()
	}
	at, d := s.at(s.best.x, s.best.z), length(s.best.x, s.best.z)
	at[1] = s.best.floor.y
	if !s.in.Floating {
		at[1] += s.in.Size[1] / 2
	}
	out.Found, out.Position, out.Distance = true, &at, &d
	if s.best.floor.on != 0 {
		out.On = &s.best.floor.on
	}
	return out
}

// pitch is how far the places of the grid are from each other, in metres.
func (s *search) pitch() float64 {
	return max(min(s.in.Size[0], s.in.Size[2])/4, s.in.Radius/math.Sqrt(maxPlaces/math.Pi))
}

// nearer goes from the best place so far to better ones beside it, in smaller and smaller steps.
func (s *search) nearer() {
	s.tests = 0
	for step := s.pitch(); step > givenUp/2; step /= 2 {
		for from := math.Inf(1); s.least < from && s.tests < maxTests; {
			from, s.tests = s.least, s.tests+1
			best := s.best
			for _, by := range [...][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
				s.try(best.x+float64(by[0]*step), best.z+float64(by[1]*step), s.around)
			}
		}
	}
}

// coarse tries the places of a grid around near, the nearest first. It reports false if it gave up before what is for it alone.
func (s *search) coarse() bool {
	pitch := s.pitch()
	for _, o := range grid(int(s.in.Radius / pitch)) {
		if math.Sqrt(float64(o.d2))*pitch >= s.least {
			break
		}
		if s.tests > maxTests {
			return s.in.Floating || !slices.ContainsFunc(s.around, ground)
		}
		s.try(float64(o.x)*pitch, float64(o.z)*pitch, s.around)
	}
	return true
}

// try looks whether the box fits at a place, and keeps that if it is the best so far. near is all that may be in its column.
func (s *search) try(x, z float64, near []*solid.Found) {
	if length(x, z) > s.in.Radius {
		return
	}
	s.tests += len(near) / passed
	f, ok := s.stand(s.at(x, z), near)
	if c := s.cost(length(x, z), f.y); ok && c < s.least {
		s.least, s.best = c, place{x, z, f}
	}
}

// at returns a place, at the height of near.
func (s *search) at(x, z float64) world.Vec3 {
	return world.Vec3{s.in.Near[0] + x, s.in.Near[1], s.in.Near[2] + z}
}

// cost returns how far from near a place is that is d away to the side, on a floor at y.
func (s *search) cost(d, y float64) float64 { return d + float64(climb*math.Abs(y-s.in.Near[1])) }

func length(x, z float64) float64 { return math.Sqrt(float64(x*x) + float64(z*z)) }

// offset is a place of a grid, seen from its middle.
type offset struct{ x, z, d2 int }

// grid returns the places at most n from the middle, the nearest first.
func grid(n int) []offset {
	var all []offset
	for x := -n; x <= n; x++ {
		for z := -n; z <= n; z++ {
			if d2 := x*x + z*z; d2 <= n*n {
				all = append(all, offset{x, z, d2})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b offset) int { return cmp.Compare(a.d2, b.d2) })
	return all
}

// floor is something to stand on.
type floor struct {
	y  float64
	on world.ID // 0: the ground
}

// stand returns the floor in the column over and under a place on which the box fits that is nearest to
// its height.
func (s *search) stand(at world.Vec3, near []*solid.Found) (floor, bool) {
	half := s.in.Size.Scale(0.5)
	near = s.column(at, 0, near)
	if s.in.Floating {
		return floor{at[1], 0}, s.free(near, at)
	}
	box := s.box(at, s.in.Size)
	all := s.floors(near, at, &box)
	near = slices.DeleteFunc(near, lies) // all floors are on it, or above
	for _, f := range all {
		place := world.Vec3{at[0], f.y + half[1], at[2]}
		if place == place.Bounded() && s.free(near, place) {
			return f, true
		}
	}
	return floor{}, false
}

// topmost is how far below the highest of a thing its surface carries, in metres.
const topmost = 0.01

// floors returns what there is to stand on below the middle of a place, the nearest to its height first. On generated ground
// the box has to clear all that is under it.
func (s *search) floors(near []*solid.Found, at world.Vec3, box *solid.Solid) []floor {
	all := []floor{{0, 0}}
	for _, f := range near {
		if !ground(f) {
			continue
		}
		s.count(f)
		if d, ok := f.Solid.Fall(*box, math.Inf(1)); ok {
			bottom := at[1] - box.Half[1] - d
			if all[0].on == 0 || bottom > all[0].y { // it stands on the highest of what is under it
				all[0] = floor{bottom, f.Entity}
			}
		}
	}
	for _, f := range near {
		if f.Solid.Kind == solid.Field {
			continue
		}
		top := f.Bounds.Hi[1]
		if top <= all[0].y {
			continue
		}
		// Only what is under the middle carries: else it would tip over.
		if d, ok := f.Solid.Ray(world.Vec3{at[0], top + topmost, at[2]}, world.Vec3{0, -1, 0}); ok && d <= 2*topmost {
			all = append(all, floor{top, f.Entity})
		}
	}
	slices.SortStableFunc(all, func(a, b floor) int { return cmp.Compare(math.Abs(a.y-at[1]), math.Abs(b.y-at[1])) })
	return all[:min(len(all), maxFloors)]
}

// column returns what of near is in the column over and under the places that are no further than h from one along x and z.
func (s *search) column(at world.Vec3, h float64, near []*solid.Found) []*solid.Found {
	side := world.Vec3{s.in.Size[0]/2 + s.in.Margin + h, 0, s.in.Size[2]/2 + s.in.Margin + h}
	column := solid.Bounds{Lo: at.Sub(side), Hi: at.Add(side)}
	column.Lo[1], column.Hi[1] = -world.MaxNumber, world.MaxNumber
	var in []*solid.Found
	for _, f := range near {
		if f.Bounds.Near(column, 0) {
			in = append(in, f)
		}
	}
	return in
}

// box returns the room that something of a size needs at a place, with its margin.
func (s *search) box(at, size world.Vec3) solid.Solid {
	size[0] += 2 * s.in.Margin
	size[2] += 2 * s.in.Margin
	return upright(at, size)
}

// free reports whether nothing reaches into the box, nor comes too near to its sides. What it stands on
// touches it.
func (s *search) free(near []*solid.Found, at world.Vec3) bool {
	return s.clear(near, s.box(at, s.in.Size))
}

// count notes that a box is tested against something.
func (s *search) count(f *solid.Found) {
	if s.tests++; ground(f) && !lies(f) {
		s.tests += tilted - 1
	}
}

// clear reports whether nothing reaches into a box.
func (s *search) clear(near []*solid.Found, box solid.Solid) bool {
	const touching = 0.001
	b := box.Bounds()
	for _, f := range near {
		if !f.Bounds.Near(b, -touching) {
			continue
		}
		s.count(f)
		if ground(f) {
			if d, ok := f.Solid.Fall(box, 0); ok && -d > touching {
				return false
			}
		} else if solid.Overlap(box, f.Solid, touching) {
			return false
		}
	}
	return true
}
