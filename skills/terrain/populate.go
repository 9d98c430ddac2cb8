package terrain

import (
	"fmt"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// PopulateBiomeIn is the input of world.populateBiome.
type PopulateBiomeIn struct {
	RegionID    world.ID  `json:"regionId" jsonschema_description:"The region to plant, as world.generateRegion has named it."`
	Type        land.Type `json:"type,omitempty" validate:"omitempty,oneof=beach mountains forest desert plains hills islands" jsonschema_description:"Plant it as if it were of this type; its own if left out."`
	WaterLevel  *float64  `json:"waterLevel,omitempty" jsonschema_description:"Nothing grows below it, in metres; the region's sea level if left out."`
	WaterMargin float64   `json:"waterMargin" validate:"gte=0,lte=100" jsonschema:"default=0.3" jsonschema_description:"Nor so little above it."`
	Seed        *int64    `json:"seed,omitempty" jsonschema_description:"Another number gives other places; the region's if left out."`
}

// PopulateBiomeOut is the output of world.populateBiome.
type PopulateBiomeOut struct {
	RegionID  world.ID   `json:"regionId" jsonschema_description:"The region."`
	Type      string     `json:"type" jsonschema_description:"As what it was planted."`
	Instances int        `json:"instances" jsonschema_description:"How many things were planted, each an entity with the tag scattered."`
	LeftOut   int        `json:"leftOut,omitempty" jsonschema_description:"How many places were left out, because something stands there or within a metre, or is above, such as a roof."`
	Relief    Relief     `json:"relief" jsonschema_description:"How high and how low the ground is."`
	Layers    []LayerOut `json:"layers" jsonschema_description:"The same by what was planted: trees first, rocks last."`
	Note      string     `json:"note,omitempty" jsonschema_description:"What was planted more thinly than it grows, because the region is so large."`
}

// LayerOut is one pass of planting.
type LayerOut struct {
	Assets    []string `json:"assets" jsonschema_description:"What was planted."`
	Instances int      `json:"instances" jsonschema_description:"At how many places."`
	Mounted   int      `json:"mounted" jsonschema_description:"How many of them are entities."`
}

// PopulateBiome is world.populateBiome.
func PopulateBiome(l *Lands) registry.Skill {
	return registry.Define(registry.Spec[PopulateBiomeIn, PopulateBiomeOut]{
		Name:  "world.populateBiome",
		Title: "Plant a region",
		Description: "Put trees, bushes and rocks on a region of generated ground, as they suit its type, its climate and its slopes: simple ones, made of cones, balls and cylinders, without bodies. Places where something stands, or within a metre, are left out. " +
			`For things of your own use asset.scatter. Example: {"regionId":"ent_3"}`,
		Core:        true,
		Keywords:    "forest tree wood vegetation nature plant",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in PopulateBiomeIn) (PopulateBiomeOut, error) {
			return world.Do(l.w, c, func(tx *world.Tx) (PopulateBiomeOut, error) { return l.populate(tx, &in) })
		},
	})
}

// layer is one pass of planting.
type layer struct {
	density  int
	coverage float64
	cluster  float64
	steepest float64
	assets   []string
}

// layers returns what grows on a type of land.
func layers(t land.Type) []layer {
	switch t {
	case land.Beach:
		return []layer{{5, 0.35, 0.4, 0.5, []string{"palm"}}, {6, 0.1, 0, 1, []string{"rock"}}}
	case land.Mountains:
		return []layer{{8, 0.5, 0.5, 0.8, []string{"pine"}}, {7, 0.15, 0, 2, []string{"rock"}}}
	case land.Forest:
		return []layer{{10, 0.6, 0.3, 0.8, []string{"oak", "pine"}}, {8, 0.25, 0, 0.8, []string{"bush"}}}
	case land.Desert:
		return []layer{{5, 0.2, 0.3, 0.5, []string{"cactus"}}, {6, 0.08, 0, 1, []string{"rock"}}}
	case land.Plains:
		return []layer{{5, 0.12, 0.8, 0.5, []string{"oak"}}, {7, 0.2, 0.5, 0.5, []string{"bush"}}}
	case land.Islands:
		return []layer{{7, 0.45, 0.4, 0.7, []string{"palm"}}, {7, 0.25, 0.2, 0.8, []string{"bush"}}}
	}
	return []layer{{7, 0.35, 0.6, 0.7, []string{"oak"}}, {7, 0.2, 0.3, 0.8, []string{"bush"}}, {6, 0.08, 0, 2, []string{"rock"}}}
}

func (l *Lands) populate(tx *world.Tx, in *PopulateBiomeIn) (PopulateBiomeOut, error) {
	r, err := l.region(&tx.View, in.RegionID)
	if err != nil {
		return PopulateBiomeOut{}, err
	}
	out := PopulateBiomeOut{RegionID: in.RegionID, Type: string(in.Type), Layers: []LayerOut{}, Relief: nothing()}
	if in.Type == "" {
		out.Type = string(r.Land.Type)
	}
	tiles := l.tiles(&tx.View, in.RegionID)
	for _, t := range tiles {
		out.Relief.join(&r, l.w.Surface(r.ground(t.ground.Tile)))
	}
	if len(tiles) == 0 {
		return out, registry.Invalidf("regionId: %v has no tiles; world.streamFollow loads some", in.RegionID)
	}
	seed := r.Land.Seed
	if in.Seed != nil {
		seed = *in.Seed
	}
	low := r.seaLevel(out.Relief)
	if in.WaterLevel != nil {
		low = *in.WaterLevel
	}
	low += in.WaterMargin
	for i, one := range layers(land.Type(out.Type)) {
		call := ScatterIn{RegionID: in.RegionID, Config: Config{
			Seed: seed + int64(i)<<32, Density: one.density, ElevationMin: &low, SlopeMax: &one.steepest, SizeRange: [2]float64{0.7, 1.4},
			Coverage: one.coverage, Cluster: one.cluster, ClusterFreq: 0.02,
		}}
		for _, name := range one.assets {
			call.Config.Assets = append(call.Config.Assets, Asset{name, 1})
		}
		did, places, err := l.scatter(tx, &call, true)
		if err != nil {
			return out, err
		}
		if places > MaxInstances {
			if out.Note != "" {
				out.Note += ", "
			}
			out.Note += fmt.Sprintf("%s at %d of %d places", strings.Join(one.assets, " and "), did.Instances, places)
		}
		out.Instances += did.Instances
		out.LeftOut += did.LeftOut
		out.Layers = append(out.Layers, LayerOut{one.assets, did.Instances, did.Mounted})
	}
	if out.Note != "" {
		out.Note = fmt.Sprintf("the region is so large that what grows is thinned evenly to %d of a kind: %s; asset.scatter plants more by height, slope or biome", MaxInstances, out.Note)
	}
	return out, nil
}
