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
	Complete bool        `json:"complete" jsonschema_description:"False if there is so much around that not all places were tried: search within a smaller radius, or elsewhere."`
}

// FreeSpace is spatial.freeSpace.
func FreeSpace(w *world.World, things *solid.Index) registry.Skill {
	return registry.Define(registry.Spec[FreeSpaceIn, FreeSpaceOut]{
		Name:  "spatial.freeSpace",
		Title: "Find free space",
		Description: "Find the place nearest to a point where an upright box of a size fits without touching anything, standing on something or on the ground; rather to the side than up or down. Use the position for what you build next. " +
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
			return world.Read(w, c, func(v *world.View) (FreeSpaceOut, error) {
				s := search{in: &in, around: things.In(v, in.region())}
				return s.run(), nil
			})
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
	around []solid.Found // everything that may be in the way or carry it
	tests  int           // of one solid against another
}

const (
	maxPlaces = 2048   // that are tried: as fine a grid as that allows
	maxFloors = 8      // that are tried at one place
	maxTests  = 10_000 // then it is given up
	climb     = 4      // so many metres to the side are as good as one up or down
)

// run tries the places of a grid around near, the nearest first.
func (s *search) run() FreeSpaceOut {
	pitch := max(min(s.in.Size[0], s.in.Size[2])/4, s.in.Radius/math.Sqrt(maxPlaces/math.Pi))
	out, least := FreeSpaceOut{Complete: true}, math.Inf(1)
	for _, o := range grid(int(s.in.Radius / pitch)) {
		d := math.Sqrt(float64(o.d2)) * pitch
		if d >= least {
			break
		}
		if s.tests > maxTests {
			out.Complete = false
			break
		}
		at := world.Vec3{s.in.Near[0] + float64(float64(o.x)*pitch), s.in.Near[1], s.in.Near[2] + float64(float64(o.z)*pitch)}
		f, ok := s.stand(at)
		if c := d + climb*math.Abs(f.y-at[1]); ok && c < least {
			at[1] = f.y
			if !s.in.Floating {
				at[1] += s.in.Size[1] / 2
			}
			least = c
			out.Found, out.Position, out.Distance, out.On = true, &at, &d, nil
			if f.on != 0 {
				out.On = &f.on
			}
		}
	}
	return out
}

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
func (s *search) stand(at world.Vec3) (floor, bool) {
	half := s.in.Size.Scale(0.5)
	side := world.Vec3{half[0] + s.in.Margin, 0, half[2] + s.in.Margin}
	column := solid.Bounds{Lo: at.Sub(side), Hi: at.Add(side)}
	column.Lo[1], column.Hi[1] = -world.MaxNumber, world.MaxNumber
	var near []*solid.Found
	for i := range s.around {
		if s.around[i].Bounds.Near(column, 0) {
			near = append(near, &s.around[i])
		}
	}
	if s.in.Floating {
		return floor{at[1], 0}, s.free(near, at)
	}
	box := s.box(at)
	for _, f := range floors(near, at, &box) {
		place := world.Vec3{at[0], f.y + half[1], at[2]}
		if place == place.Bounded() && s.free(near, place) {
			return f, true
		}
	}
	return floor{}, false
}

// floors returns what there is to stand on below the middle of a place, the nearest to its height first. On generated ground
// the box has to clear all that is under it.
func floors(near []*solid.Found, at world.Vec3, box *solid.Solid) []floor {
	const above = 0.01
	all := []floor{{0, 0}}
	for _, f := range near {
		if f.Solid.Kind != solid.Field {
			continue
		}
		if d, ok := f.Solid.Fall(*box); ok {
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
		if d, ok := f.Solid.Ray(world.Vec3{at[0], top + above, at[2]}, world.Vec3{0, -1, 0}); ok && d <= 2*above {
			all = append(all, floor{top, f.Entity})
		}
	}
	slices.SortStableFunc(all, func(a, b floor) int { return cmp.Compare(math.Abs(a.y-at[1]), math.Abs(b.y-at[1])) })
	return all[:min(len(all), maxFloors)]
}

// box returns the room that is needed at a place, with its margin.
func (s *search) box(at world.Vec3) solid.Solid {
	size := s.in.Size
	size[0] += 2 * s.in.Margin
	size[2] += 2 * s.in.Margin
	return solid.New(world.Shape{Kind: "box", Size: size}, world.Transform{Position: at, Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}})
}

// free reports whether nothing reaches into the box, nor comes too near to its sides. What it stands on
// touches it.
func (s *search) free(near []*solid.Found, at world.Vec3) bool {
	const touching = 0.001
	box := s.box(at)
	b := box.Bounds()
	for _, f := range near {
		if !f.Bounds.Near(b, -touching) {
			continue
		}
		s.tests++
		if solid.Between(box, f.Solid).Gap < -touching {
			return false
		}
	}
	return true
}
