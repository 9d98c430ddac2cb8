package terrain

import (
	"cmp"
	"fmt"
	"math"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// AddWaterIn is the input of world.addWater.
type AddWaterIn struct {
	Level  *float64    `json:"level,omitempty" jsonschema_description:"Height of the water, in metres; 0 if left out, or with region the sea level of that."`
	Size   *float64    `json:"size,omitempty" validate:"omitempty,gt=0,lte=100000" jsonschema_description:"Edge length of the water, in metres: of a square, or with depth along x; 400 if left out, or with region what covers that."`
	Depth  *float64    `json:"depth,omitempty" validate:"omitempty,gt=0,lte=100000" jsonschema_description:"Edge length along z, if it is another one, as of a canal or a pool."`
	Center *[2]float64 `json:"center,omitempty" validate:"omitempty,dive,gte=-1000000,lte=1000000" jsonschema_description:"Where its middle is, [x, z]; that of the region, or [0, 0], if left out."`
	Color  int         `json:"color" validate:"gte=0,lte=16777215" jsonschema:"default=2841970" jsonschema_description:"Colour as 0xRRGGBB in decimal."`
	Region *WaterOf    `json:"region,omitempty" jsonschema_description:"Generated ground that the water is for, by the id of its region, or as it was asked for: gives level, size and place. Without it the middle is at x 0, z 0."`

	RegionID world.ID `json:"regionId,omitempty" jsonschema_description:"The same as region with an id, as world.generateRegion has named it."`
}

// WaterRegion names generated ground by what it was generated from.
type WaterRegion struct {
	Seed       int64      `json:"seed" jsonschema_description:"Its seed."`
	Type       land.Type  `json:"type" validate:"oneof=beach mountains forest desert plains hills islands" jsonschema_description:"Its type."`
	Bounds     Tiles      `json:"bounds" jsonschema_description:"Its tiles."`
	Hints      land.Hints `json:"hints,omitempty" jsonschema_description:"Its hints."`
	Resolution int        `json:"resolution,omitempty" validate:"omitempty,gt=0,lte=1024" jsonschema_description:"Taken for compatibility: the sea level is known without sampling."`
}

// AddWaterOut is the output of world.addWater.
type AddWaterOut struct {
	Entity world.ID `json:"entity" jsonschema_description:"Id of the water: scene.destroyEntity takes it away, three.setTransform moves, turns and scales it."`
	Level  float64  `json:"level" jsonschema_description:"Its height, in metres."`
	Size   float64  `json:"size" jsonschema_description:"Its edge length, in metres: along x, if depth is given."`
	Depth  float64  `json:"depth,omitempty" jsonschema_description:"That along z, if it is no square."`
	Color  int      `json:"color" jsonschema_description:"Its colour."`
	Note   string   `json:"note,omitempty" jsonschema_description:"Why no water shows."`
}

// AddWater is world.addWater.
func AddWater(l *Lands) registry.Skill {
	return registry.Define(registry.Spec[AddWaterIn, AddWaterOut]{
		Name:  "world.addWater",
		Title: "Add water",
		Description: "Lay level water into the world, a square or a rectangle: a lake or a sea, where the ground is lower, a pool, a canal, a moat; terrain.shape has rivers. Characters wade and swim in it, and what has a dynamic body floats or sinks by its density (physics.setBody). " +
			`Its middle is at x 0, z 0, or that of the region; three.setTransform moves, turns and scales it, and clips raise it, as in a lock. Use the seaLevel that world.generateRegion returned, or, if that is below the lowest ground, a level between relief.minY and maxY. For a region: {"regionId":"ent_3"}. Example: {"level":-4,"size":192}`,
		Keywords:    "pond ocean pool lake sea canal moat lock swimming",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in AddWaterIn) (AddWaterOut, error) {
			if in.Region != nil && in.RegionID != 0 {
				return AddWaterOut{}, registry.Invalidf("region, regionId: give one of the two")
			}
			if in.Region != nil && in.Region.ID != 0 {
				in.RegionID, in.Region = in.Region.ID, nil
			}
			at, out, err := in.resolve()
			if err != nil {
				return out, err
			}
			return world.Do(l.w, c, func(tx *world.Tx) (AddWaterOut, error) {
				if in.RegionID != 0 {
					if at, err = l.sea(&tx.View, &in, &out); err != nil {
						return out, err
					}
				}
				if in.Center != nil {
					at[0], at[2] = in.Center[0], in.Center[1]
				}
				spec := world.Spec{Position: at, Scale: world.Vec3{1, 1, 1}, Name: "water"}
				if in.Depth != nil {
					out.Depth = *in.Depth
					spec.Scale[2] = out.Depth / out.Size
				}
				if out.Entity, err = tx.Create(spec); err != nil {
					return out, err
				}
				out.Note = l.dry(&tx.View, at, out.Size, cmp.Or(out.Depth, out.Size))
				return out, l.w.Waters.Set(tx, out.Entity, world.Water{Size: out.Size, Color: uint32(out.Color)})
			})
		},
	})
}

// sea fills in what a region that is there says of its water, and returns where the middle of that is.
func (l *Lands) sea(v *world.View, in *AddWaterIn, out *AddWaterOut) (at world.Vec3, err error) {
	r, err := l.region(v, in.RegionID)
	if err != nil {
		return at, err
	}
	all, relief := solid.Nothing(), nothing()
	for _, t := range l.tiles(v, in.RegionID) {
		relief.join(&r, l.w.Surface(t.ground))
		if s, ok := solid.Of(l.w, v, t.id); ok {
			all = all.Join(s.Bounds())
		}
	}
	if !(all.Hi[0] > all.Lo[0]) {
		return at, registry.Invalidf("regionId: %v has no tiles; world.streamFollow loads some", in.RegionID)
	}
	at = all.Center()
	if in.Level == nil {
		there, _ := v.Position(in.RegionID)
		out.Level = there[1] + r.seaLevel(relief)
	}
	if in.Size == nil {
		size := all.Size()
		out.Size = max(size[0], size[2])
	}
	at[1] = out.Level
	return at, nil
}

// dry says that no generated ground in a rectangle is lower than the water in it, "" if some is, or there is none.
func (l *Lands) dry(v *world.View, at world.Vec3, wide, deep float64) string {
	low := math.Inf(1)
	for id := range l.w.Grounds.All(v) {
		s, ok := solid.Of(l.w, v, id)
		if !ok {
			continue
		}
		b := s.Bounds()
		if math.Max(b.Lo[0]-at[0], at[0]-b.Hi[0]) < wide/2 && math.Max(b.Lo[2]-at[2], at[2]-b.Hi[2]) < deep/2 {
			low = min(low, b.Lo[1])
		}
	}
	if math.IsInf(low, 1) || low < at[1] {
		return ""
	}
	return fmt.Sprintf("all of the generated ground there is higher than %.4g, so that it hides the water: the lowest is at %.4g; give a higher level", at[1], low)
}

func (in *AddWaterIn) resolve() (at world.Vec3, out AddWaterOut, err error) {
	out = AddWaterOut{Size: 400, Color: in.Color}
	if in.Region != nil {
		r := &in.Region.Land
		if err := r.Bounds.check("region.bounds"); err != nil {
			return at, out, err
		}
		l, err := land.New(r.Seed, r.Type, r.Hints)
		if err != nil {
			return at, out, registry.Invalidf("region.%s", err)
		}
		b := &r.Bounds
		out.Level = l.SeaLevel
		out.Size = float64(land.Size * float64(max(b.MaxTx-b.MinTx, b.MaxTz-b.MinTz)+1))
		at[0] = float64(land.Size * float64(b.MinTx+b.MaxTx+1) / 2)
		at[2] = float64(land.Size * float64(b.MinTz+b.MaxTz+1) / 2)
	}
	if in.Level != nil {
		out.Level = *in.Level
	}
	if in.Size != nil {
		out.Size = *in.Size
	}
	at[1] = out.Level
	return at, out, nil
}
