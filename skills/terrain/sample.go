package terrain

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// SampleHeightIn is the input of terrain.sampleHeight.
type SampleHeightIn struct {
	Seed  int64      `json:"seed" jsonschema_description:"Seed of the land."`
	X     float64    `json:"x" validate:"gte=-96000,lte=96000" jsonschema_description:"Where, in metres."`
	Z     float64    `json:"z" validate:"gte=-96000,lte=96000" jsonschema_description:"Where, in metres."`
	LOD   int        `json:"lod" validate:"gte=0,lte=4" jsonschema:"default=0" jsonschema_description:"Level of detail: 0 has a sample every 1.5 m, each level after it half as many."`
	Type  land.Type  `json:"type,omitempty" validate:"omitempty,oneof=beach mountains forest desert plains hills islands" jsonschema_description:"Type of the land; hills if left out."`
	Hints land.Hints `json:"hints,omitempty" jsonschema_description:"Numbers that are to be other than those of the type."`
}

// SampleHeightOut is the output of terrain.sampleHeight.
type SampleHeightOut struct {
	Y float64 `json:"y" jsonschema_description:"Height of the surface there, in metres."`
}

// SampleHeight is terrain.sampleHeight.
func SampleHeight(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[SampleHeightIn, SampleHeightOut]{
		Name:  "terrain.sampleHeight",
		Title: "How high a land is",
		Description: "Tell how high the ground of a land is at a place, whether that part of it has been generated or not: what world.generateRegion makes of the same seed, type and hints has this surface. " +
			`For the ground that is there use physics.raycast, straight down. Example: {"seed":1234,"type":"mountains","x":10,"z":20}`,
		Keywords:    "elevation altitude",
		Permissions: []profiles.Permission{"terrain.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(_ *registry.Call, in SampleHeightIn) (SampleHeightOut, error) {
			l, err := landOf(in.Seed, in.Type, in.Hints)
			if err != nil {
				return SampleHeightOut{}, err
			}
			tx, tz := land.TileAt(in.X, in.Z)
			return SampleHeightOut{Y: w.Surface(world.Ground{Land: l, Tile: [2]int{tx, tz}, LOD: in.LOD}).Height(in.X, in.Z)}, nil
		},
	})
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
	Seed  int64      `json:"seed" jsonschema_description:"Seed of the land."`
	X     float64    `json:"x" validate:"gte=-96000,lte=96000" jsonschema_description:"Where, in metres."`
	Z     float64    `json:"z" validate:"gte=-96000,lte=96000" jsonschema_description:"Where, in metres."`
	Type  land.Type  `json:"type,omitempty" validate:"omitempty,oneof=beach mountains forest desert plains hills islands" jsonschema_description:"Type of the land; hills if left out."`
	Hints land.Hints `json:"hints,omitempty" jsonschema_description:"Numbers that are to be other than those of the type."`
}

// SampleClimateOut is the output of terrain.sampleClimate.
type SampleClimateOut struct {
	TempC    float64 `json:"tempC" jsonschema_description:"Mean temperature, in °C."`
	PrecipMm float64 `json:"precipMm" jsonschema_description:"Rain and snow in a year, in mm."`
	Biome    int     `json:"biome" jsonschema_description:"What grows there: 0 sea, 1 shore, 2 sand, 3 grassland, 4 woods, 5 taiga, 6 tundra, 7 snow."`
	Name     string  `json:"name" jsonschema_description:"The biome in a word."`
}

// SampleClimate is terrain.sampleClimate.
func SampleClimate() registry.Skill {
	return registry.Define(registry.Spec[SampleClimateIn, SampleClimateOut]{
		Name:  "terrain.sampleClimate",
		Title: "The climate of a land",
		Description: "Tell how warm and how wet a land is at a place, and what grows there. Heights cool: mountains have snow. " +
			`Example: {"seed":1234,"type":"mountains","x":10,"z":20}`,
		Keywords:    "temperature humidity biome grow",
		Permissions: []profiles.Permission{"terrain.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(_ *registry.Call, in SampleClimateIn) (SampleClimateOut, error) {
			l, err := landOf(in.Seed, in.Type, in.Hints)
			if err != nil {
				return SampleClimateOut{}, err
			}
			c := l.Climate(in.X, in.Z)
			return SampleClimateOut{c.Temperature, c.Rain, int(c.Biome), c.Biome.String()}, nil
		},
	})
}
