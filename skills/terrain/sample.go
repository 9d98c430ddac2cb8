package terrain

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// SampleHeightIn is the input of terrain.sampleHeight.
type SampleHeightIn struct {
	Seed  *int64     `json:"seed,omitempty" jsonschema_description:"Seed of the land; left out: that of the generated ground that is there."`
	X     float64    `json:"x" validate:"gte=-96000,lte=96000" jsonschema_description:"Where, in metres."`
	Z     float64    `json:"z" validate:"gte=-96000,lte=96000" jsonschema_description:"Where, in metres."`
	LOD   int        `json:"lod" validate:"gte=0,lte=4" jsonschema:"default=0" jsonschema_description:"Level of detail: 0 has a sample every 1.5 m, each level after it half as many. Without type 0 is that of the ground that is there."`
	Type  land.Type  `json:"type,omitempty" validate:"omitempty,oneof=beach mountains forest desert plains hills islands" jsonschema_description:"Type of the land; left out: that of the generated ground there of this seed, else hills, and the answer says which."`
	Hints land.Hints `json:"hints,omitempty" jsonschema_description:"Numbers that are to be other than those of the type; without type and hints those of the ground that is there count."`

	RegionID world.ID `json:"regionId,omitempty" jsonschema_description:"In place of seed, type and hints: the region that is asked about, as world.generateRegion has named it, as it lies now."`
}

// SampleHeightOut is the output of terrain.sampleHeight.
type SampleHeightOut struct {
	Y float64 `json:"y" jsonschema_description:"Height of the surface there, in metres."`
	Assumed
}

// SampleHeight is terrain.sampleHeight.
func SampleHeight(l *Lands) registry.Skill {
	return registry.Define(registry.Spec[SampleHeightIn, SampleHeightOut]{
		Name:  "terrain.sampleHeight",
		Title: "How high a land is",
		Description: "Tell how high the ground of a land is at a place, whether that part of it has been generated or not: what world.generateRegion makes of the same seed, type and hints has this surface. " +
			`Without seed and type it is the generated ground that is there, as it was shaped and moved; with regionId that of a region, and its land beyond it. What stands on it, physics.raycast finds, straight down. Example: {"seed":1234,"type":"mountains","x":10,"z":20}`,
		Keywords:    "elevation altitude",
		Permissions: []profiles.Permission{"terrain.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SampleHeightIn) (SampleHeightOut, error) {
			if in.RegionID != 0 && in.LOD != 0 {
				return SampleHeightOut{}, registry.Invalidf("lod: is of a land by seed and type: a region has one; leave lod or regionId out")
			}
			ask := &sampled{in.Seed, in.X, in.Z, in.LOD, in.Type, in.Hints, in.RegionID}
			g, assumed, lies, err := ask.ground(l, c)
			switch {
			case err != nil:
				return SampleHeightOut{}, err
			case lies != nil:
				return SampleHeightOut{lies.y, assumed}, nil
			}
			return SampleHeightOut{l.w.Surface(g).Height(in.X, in.Z), assumed}, nil
		},
	})
}

// Assumed is of which land an answer is, where the caller did not say.
type Assumed struct {
	Seed *int64    `json:"seed,omitempty" jsonschema_description:"Of which seed the land is, if you did not say."`
	Type land.Type `json:"type,omitempty" jsonschema_description:"Of which type it is, if you did not say."`
	Note string    `json:"note,omitempty" jsonschema_description:"Why of that."`
}

// sampled is what is asked about a place in a land.
type sampled struct {
	seed  *int64
	x, z  float64
	lod   int
	kind  land.Type
	hints land.Hints

	region world.ID
}

// lying is a place on ground that is not where its land has it: moved, turned or stretched.
type lying struct {
	y   float64    // how high it is there, in the world
	own world.Vec3 // where that is in the land
}

// check reports a region that is asked about by what it is of, too.
func (s *sampled) check() error {
	for _, f := range [...]struct {
		name  string
		given bool
	}{{"seed", s.seed != nil}, {"type", s.kind != ""}, {"hints", s.hints != land.Hints{}}} {
		if f.given && s.region != 0 {
			return registry.Invalidf("%s: regionId says which land it is: leave one of the two out", f.name)
		}
	}
	return nil
}

// lies returns the ground of a region, or, if none is asked about, that of any which is at the place, if it is other than its land has it. A region goes on beyond its tiles as its
// land does.
func (s *sampled) lies(l *Lands, v *world.View) (id world.ID, g *world.Ground, at *lying, err error) {
	regions := []world.ID{s.region}
	if s.region == 0 {
		regions = regions[:0]
		for one := range l.regions.All(v) {
			regions = append(regions, one)
		}
	} else if _, err := l.region(v, s.region); err != nil {
		return 0, nil, nil, err
	}
	for _, region := range regions {
		for _, t := range l.tiles(v, region) {
			where, _ := v.WorldTransform(t.id)
			if s.region == 0 && where.Position == t.ground.Place() && where.Rotation == world.NoRotation() && where.Scale == (world.Vec3{1, 1, 1}) {
				continue
			}
			one, ok := solid.Of(l.w, v, t.id)
			if !ok {
				continue
			}
			if _, y, over := one.Column(s.x, s.z); over {
				spot := world.Identity()
				spot.Position = world.Vec3{s.x, y, s.z}
				return t.id, &t.ground, &lying{y, where.Relative(spot).Position.Add(t.ground.Place())}, nil
			}
		}
	}
	if s.region == 0 {
		return 0, nil, nil, nil
	}
	r, _ := l.region(v, s.region)
	where, _ := v.WorldTransform(s.region)
	if where.Rotation != world.NoRotation() || where.Scale != (world.Vec3{1, 1, 1}) {
		return 0, nil, nil, registry.Invalidf("regionId: %v is turned or scaled, and has no tile at x %v, z %v", s.region, s.x, s.z)
	}
	own := world.Vec3{s.x - where.Position[0], 0, s.z - where.Position[2]}
	tx, tz := land.TileAt(own[0], own[2])
	ground := r.ground([2]int{tx, tz})
	return s.region, &ground, &lying{where.Position[1] + r.height(l.w.Surface(ground).Height(own[0], own[2])), own}, nil
}

// ground returns the ground that a caller asks about. What he does not say of it is as what has been generated, there or else of the seed.
// It says where the place lies of ground that is not where its land has it, or is asked about by its region.
func (s *sampled) ground(l *Lands, c *registry.Call) (g world.Ground, a Assumed, lies *lying, err error) {
	if err := s.check(); err != nil {
		return g, a, nil, err
	}
	tx, tz := land.TileAt(s.x, s.z)
	g = world.Ground{Tile: [2]int{tx, tz}, LOD: s.lod}
	if s.seed != nil && s.kind != "" {
		g.Land, err = landOf(*s.seed, s.kind, s.hints)
		return g, a, nil, err
	}
	found, err := world.Read(l.w, c, func(v *world.View) (found *world.Ground, err error) {
		var id world.ID
		if s.region == 0 {
			id, found = s.generated(l.w, v)
		}
		if s.region != 0 || found == nil && s.seed == nil && s.kind == "" && s.hints == (land.Hints{}) {
			id, found, lies, err = s.lies(l, v)
		}
		if found != nil {
			a.Note = "as the generated ground " + id.String()
		}
		return found, err
	})
	switch {
	case err != nil:
		return g, a, nil, err
	case lies != nil:
		a.Seed, a.Type = &found.Land.Seed, found.Land.Type
		return *found, a, lies, nil
	case found == nil && s.seed == nil:
		return g, a, nil, registry.Invalidf("seed: no generated ground%s is at x %v, z %v: give the seed and the type of a land, or regionId", of(s.kind), s.x, s.z)
	case found == nil:
		a.Type, a.Note = land.Hills, "no ground of this seed is generated: hills are taken where type is left out"
		g.Land, err = landOf(*s.seed, land.Hills, s.hints)
		return g, a, nil, err
	}
	if s.over(found) { // at its edge, too
		g.Tile = found.Tile
	}
	if g.LOD == 0 {
		g.LOD = found.LOD
	}
	if s.seed == nil {
		a.Seed = &found.Land.Seed
	}
	if s.kind == "" {
		a.Type = found.Land.Type
	}
	if g.Land = found.Land; s.hints != (land.Hints{}) {
		g.Land, err = landOf(found.Land.Seed, found.Land.Type, s.hints)
	}
	return g, a, nil, err
}

func of(kind land.Type) string {
	if kind == "" {
		return ""
	}
	return fmt.Sprintf(" of the type %s", kind)
}

// over reports whether the place is in a tile of ground, or at its edge.
func (s *sampled) over(g *world.Ground) bool {
	at := g.Place()
	return math.Abs(s.x-at[0]) <= land.Size/2 && math.Abs(s.z-at[2]) <= land.Size/2
}

// generated returns the ground that has been generated at the place, and stands where it was, of the seed and the type that were given; if there is none but of the
// seed elsewhere, that.
func (s *sampled) generated(w *world.World, v *world.View) (id world.ID, found *world.Ground) {
	for one, g := range w.Grounds.All(v) {
		if s.seed != nil && *s.seed != g.Land.Seed || s.kind != "" && s.kind != g.Land.Type {
			continue
		}
		at, _ := v.WorldTransform(one)
		there := at.Position == g.Place() && at.Rotation == world.NoRotation() && at.Scale == (world.Vec3{1, 1, 1})
		if s.over(&g) && there {
			return one, &g
		}
		if found == nil && s.seed != nil {
			id, found = one, &g
		}
	}
	return id, found
}

func landOf(seed int64, t land.Type, h land.Hints) (land.Land, error) {
	l, err := land.New(seed, t, h)
	if err != nil {
		return l, registry.Invalidf("%s", err)
	}
	return l, nil
}

// SampleClimateIn is the input of terrain.sampleClimate.
type SampleClimateIn struct {
	Seed  *int64     `json:"seed,omitempty" jsonschema_description:"Seed of the land; left out: that of the generated ground that is there."`
	X     float64    `json:"x" validate:"gte=-96000,lte=96000" jsonschema_description:"Where, in metres."`
	Z     float64    `json:"z" validate:"gte=-96000,lte=96000" jsonschema_description:"Where, in metres."`
	Type  land.Type  `json:"type,omitempty" validate:"omitempty,oneof=beach mountains forest desert plains hills islands" jsonschema_description:"Type of the land; left out: that of the generated ground there of this seed, else hills, and the answer says which."`
	Hints land.Hints `json:"hints,omitempty" jsonschema_description:"Numbers that are to be other than those of the type; without type and hints those of the ground that is there count."`

	RegionID world.ID `json:"regionId,omitempty" jsonschema_description:"In place of seed, type and hints: the region that is asked about, as world.generateRegion has named it, as it lies now."`
}

// SampleClimateOut is the output of terrain.sampleClimate.
type SampleClimateOut struct {
	TempC    float64 `json:"tempC" jsonschema_description:"Mean temperature, in °C."`
	PrecipMm float64 `json:"precipMm" jsonschema_description:"Rain and snow in a year, in mm."`
	Biome    int     `json:"biome" jsonschema_description:"What grows there: 0 sea, 1 shore, 2 sand, 3 grassland, 4 woods, 5 taiga, 6 tundra, 7 snow."`
	Name     string  `json:"name" jsonschema_description:"The biome in a word."`
	Assumed
}

// SampleClimate is terrain.sampleClimate.
func SampleClimate(l *Lands) registry.Skill {
	return registry.Define(registry.Spec[SampleClimateIn, SampleClimateOut]{
		Name:  "terrain.sampleClimate",
		Title: "The climate of a land",
		Description: "Tell how warm and how wet a land is at a place, and what grows there. Heights cool: mountains have snow. Without seed and type it is the generated ground that is there, with regionId that of a region. " +
			`Example: {"seed":1234,"type":"mountains","x":10,"z":20}`,
		Keywords:    "temperature humidity biome grow",
		Permissions: []profiles.Permission{"terrain.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SampleClimateIn) (SampleClimateOut, error) {
			g, assumed, lies, err := (&sampled{in.Seed, in.X, in.Z, 0, in.Type, in.Hints, in.RegionID}).ground(l, c)
			if err != nil {
				return SampleClimateOut{}, err
			}
			x, z := in.X, in.Z
			if lies != nil {
				x, z = lies.own[0], lies.own[2]
			}
			at := g.Land.Climate(x, z)
			return SampleClimateOut{at.Temperature, at.Rain, int(at.Biome), at.Biome.String(), assumed}, nil
		},
	})
}
