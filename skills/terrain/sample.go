package terrain

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
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
}

// SampleHeightOut is the output of terrain.sampleHeight.
type SampleHeightOut struct {
	Y float64 `json:"y" jsonschema_description:"Height of the surface there, in metres."`
	Assumed
}

// SampleHeight is terrain.sampleHeight.
func SampleHeight(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[SampleHeightIn, SampleHeightOut]{
		Name:  "terrain.sampleHeight",
		Title: "How high a land is",
		Description: "Tell how high the ground of a land is at a place, whether that part of it has been generated or not: what world.generateRegion makes of the same seed, type and hints has this surface. " +
			`Without seed and type it is the generated ground that is there; what stands on that, physics.raycast finds, straight down. Example: {"seed":1234,"type":"mountains","x":10,"z":20}`,
		Keywords:    "elevation altitude",
		Permissions: []profiles.Permission{"terrain.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SampleHeightIn) (SampleHeightOut, error) {
			g, assumed, err := (&sampled{in.Seed, in.X, in.Z, in.LOD, in.Type, in.Hints}).ground(w, c)
			if err != nil {
				return SampleHeightOut{}, err
			}
			return SampleHeightOut{w.Surface(g).Height(in.X, in.Z), assumed}, nil
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
}

// ground returns the ground that a caller asks about. What he does not say of it is as what has been generated, there or else of the seed.
func (s *sampled) ground(w *world.World, c *registry.Call) (g world.Ground, a Assumed, err error) {
	tx, tz := land.TileAt(s.x, s.z)
	g = world.Ground{Tile: [2]int{tx, tz}, LOD: s.lod}
	if s.seed != nil && s.kind != "" {
		g.Land, err = landOf(*s.seed, s.kind, s.hints)
		return g, a, err
	}
	found, err := world.Read(w, c, func(v *world.View) (*world.Ground, error) {
		id, found := s.generated(w, v)
		if found != nil {
			a.Note = "as the generated ground " + id.String()
		}
		return found, nil
	})
	switch {
	case err != nil:
		return g, a, err
	case found == nil && s.seed == nil:
		return g, a, registry.Invalidf("seed: no generated ground%s is at x %v, z %v: give the seed and the type of a land", of(s.kind), s.x, s.z)
	case found == nil:
		a.Type, a.Note = land.Hills, "no ground of this seed is generated: hills are taken where type is left out"
		g.Land, err = landOf(*s.seed, land.Hills, s.hints)
		return g, a, err
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
	return g, a, err
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
		if at, _ := v.Position(one); s.over(&g) && at == g.Place() {
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
func SampleClimate(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[SampleClimateIn, SampleClimateOut]{
		Name:  "terrain.sampleClimate",
		Title: "The climate of a land",
		Description: "Tell how warm and how wet a land is at a place, and what grows there. Heights cool: mountains have snow. Without seed and type it is the generated ground that is there. " +
			`Example: {"seed":1234,"type":"mountains","x":10,"z":20}`,
		Keywords:    "temperature humidity biome grow",
		Permissions: []profiles.Permission{"terrain.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SampleClimateIn) (SampleClimateOut, error) {
			g, assumed, err := (&sampled{in.Seed, in.X, in.Z, 0, in.Type, in.Hints}).ground(w, c)
			if err != nil {
				return SampleClimateOut{}, err
			}
			at := g.Land.Climate(in.X, in.Z)
			return SampleClimateOut{at.Temperature, at.Rain, int(at.Biome), at.Biome.String(), assumed}, nil
		},
	})
}
