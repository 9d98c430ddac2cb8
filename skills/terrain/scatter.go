package terrain

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// MaxInstances is how many things one call scatters at most.
const MaxInstances = 2000

// maxPlaces is of how many places some are chosen.
const maxPlaces = 10 * MaxInstances

// ScatterIn is the input of asset.scatter.
type ScatterIn struct {
	RegionID    world.ID          `json:"regionId" jsonschema_description:"The region to scatter over, as world.generateRegion has named it."`
	Config      Config            `json:"config" jsonschema_description:"What goes where."`
	AssetHashes map[string]string `json:"assetHashes,omitempty" validate:"max=64" jsonschema_description:"What the meshes have to be: the call fails if one is another."`
	List        int               `json:"list" validate:"gte=0,lte=2000" jsonschema:"default=100" jsonschema_description:"How many of the placements are listed in the answer."`
}

// Config says what goes where.
type Config struct {
	Seed         int64      `json:"seed" jsonschema_description:"Any number; another one gives other places."`
	Density      int        `json:"density" validate:"gte=1,lte=64" jsonschema:"default=8" jsonschema_description:"Cells along an edge of a tile of 48 m, each of which gets one thing at most: 8 is one every 6 m."`
	Assets       []Asset    `json:"assets" validate:"min=1,max=64" jsonschema_description:"What is scattered."`
	ElevationMin *float64   `json:"elevationMin,omitempty" jsonschema_description:"Only on ground at least so high, in metres."`
	ElevationMax *float64   `json:"elevationMax,omitempty" jsonschema_description:"Only on ground at most so high."`
	SlopeMax     *float64   `json:"slopeMax,omitempty" validate:"omitempty,gte=0" jsonschema_description:"Only on ground at most so steep: metres up per metre to the side, 1 is 45°."`
	SizeRange    [2]float64 `json:"sizeRange" validate:"dive,gt=0,lte=100" jsonschema:"default=1 1" jsonschema_description:"Each one is scaled by a number between the two."`
	Coverage     float64    `json:"coverage" validate:"gte=0,lte=1" jsonschema:"default=1" jsonschema_description:"Which part of the cells gets something."`
	Cluster      float64    `json:"cluster" validate:"gte=0,lte=1" jsonschema:"default=0" jsonschema_description:"0: evenly spread; 1: only in groves."`
	ClusterFreq  float64    `json:"clusterFreq" validate:"gt=0,lte=10" jsonschema:"default=0.02" jsonschema_description:"How many groves there are in a metre: 0.02 is one every 50 m."`
	Biomes       []int      `json:"biomes,omitempty" validate:"max=8,dive,gte=0,lte=7" jsonschema_description:"Only where this grows: 0 sea, 1 shore, 2 sand, 3 grassland, 4 woods, 5 taiga, 6 tundra, 7 snow."`
	TempMin      *float64   `json:"tempMin,omitempty" jsonschema_description:"Only where it is at least so warm, in °C."`
	TempMax      *float64   `json:"tempMax,omitempty" jsonschema_description:"Only where it is at most so warm."`
	Count        *int       `json:"count,omitempty" validate:"omitempty,gte=1,lte=2000" jsonschema_description:"So many at most: of more places that suit, so many are taken evenly. Left out: all."`
}

// Asset is one kind of thing.
type Asset struct {
	ID     string  `json:"id" validate:"min=1,max=128" jsonschema_description:"pine, oak, palm, cactus, bush or rock; the id of an entity, which is copied with all that is below it; or the name of an imported mesh, mesh_…. Of anything else only the places are told."`
	Weight float64 `json:"weight" validate:"gt=0,lte=1000000" jsonschema:"default=1" jsonschema_description:"How often it is chosen, against the others."`
}

// ScatterOut is the output of asset.scatter.
type ScatterOut struct {
	RegionID    world.ID          `json:"regionId" jsonschema_description:"The region."`
	Instances   int               `json:"instances" jsonschema_description:"How many places there are."`
	Mounted     int               `json:"mounted" jsonschema_description:"At how many of them there is now an entity, tagged scattered. The others are places only, because nothing is known of their asset."`
	AssetHashes map[string]string `json:"assetHashes" jsonschema_description:"Of the meshes: what they are."`
	Placements  []Placement       `json:"placements" jsonschema_description:"The first places."`
	More        int               `json:"more" jsonschema_description:"How many there are beside these."`
	LeftOut     int               `json:"leftOut,omitempty" jsonschema_description:"How many places were left out, because something stands there or within a metre, or is above, such as a roof, a road of terrain.shape is there, or a plant would stand in water. What was scattered before does not count."`
	Note        string            `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Placement is where something goes.
type Placement struct {
	AssetID string    `json:"assetId" jsonschema_description:"What."`
	X       float64   `json:"x" jsonschema_description:"Where, in world space, on the ground."`
	Y       float64   `json:"y" jsonschema_description:"Height of the ground there."`
	Z       float64   `json:"z" jsonschema_description:"Where."`
	Yaw     float64   `json:"yaw" jsonschema_description:"Turn about the vertical axis, in radians."`
	Scale   float64   `json:"scale" jsonschema_description:"Factor of its size."`
	Entity  *world.ID `json:"entity,omitempty" jsonschema_description:"The entity that is there now."`
}

// Tag is the tag of what was scattered.
const Tag = solid.Scattered

// How far what is scattered keeps from what stands there, in metres: all around; above, so that nothing is under a roof; and how high over the ground something has to
// reach at least. What is so large along x and z is around all, as a sky is.
const (
	spare  = 1.0
	over   = 20.0
	least  = 0.02
	beyond = 300.0
)

// occupied reports whether something stands at a place on the ground, near it or over it. What was scattered does not count.
func (l *Lands) occupied(v *world.View, foot world.Vec3) bool {
	if l.things == nil {
		return false
	}
	column := solid.Solid{
		Kind: solid.Box, Center: foot.Add(world.Vec3{0, (least + over) / 2, 0}), Half: world.Vec3{0, (over - least) / 2, 0},
		Axes: [3]world.Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	}
	room := column.Bounds()
	room.Lo, room.Hi = room.Lo.Sub(world.Vec3{spare, 0, spare}), room.Hi.Add(world.Vec3{spare, 0, spare})
	for _, f := range l.things.In(v, room) {
		size := f.Solid.Bounds().Size()
		if f.Solid.Kind == solid.Field || size[0] > beyond && size[2] > beyond || l.scattered(v, f.Entity) || f.Solid.Bounds().Hi[1] <= foot[1]+least {
			continue
		}
		if solid.Within(column, f.Solid, spare) {
			return true
		}
	}
	return false
}

// roads returns the earthworks that nothing is to grow on: level ground along a line, as roads and quays are, and such as was given a look of its own, as a paved yard is. On other
// plots, and in fields, one plants.
func (l *Lands) roads(v *world.View) (all []land.Work) {
	for _, w := range l.earthworks(v) {
		if w.Form == land.Level && (w.Long() || w.Color != nil) {
			all = append(all, w)
		}
	}
	return all
}

// onRoad reports whether a place is on one of some roads, or within a metre.
func onRoad(roads []land.Work, at world.Vec3) bool {
	return slices.ContainsFunc(roads, func(w land.Work) bool { return w.Away(at[0], at[2]) < w.Radius+spare })
}

// scattered reports whether an entity, or what it is below, was scattered.
func (l *Lands) scattered(v *world.View, id world.ID) bool {
	for up := range v.Up(id) {
		if v.HasTag(up, Tag) {
			return true
		}
	}
	return false
}

// Scatter is asset.scatter.
func Scatter(l *Lands) registry.Skill {
	return registry.Define(registry.Spec[ScatterIn, ScatterOut]{
		Name:  "asset.scatter",
		Title: "Scatter things over terrain",
		Description: "Put many things on generated ground: plants, rocks, copies of an entity or of an imported mesh, by height, slope, climate and chance. The same call gives the same places. Those where something stands or a road of terrain.shape is, or within a metre, are left out, so that no tree is in a house; plants stand in no water. " +
			`For the plants that suit a land use world.populateBiome; to scatter over flat ground, scene.array. Example: {"regionId":"ent_3","config":{"seed":5,"density":6,"coverage":0.5,"slopeMax":0.7,"assets":[{"id":"pine","weight":3},{"id":"rock"}]}}`,
		Keywords:    "random forest grass flower plant vegetation",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ScatterIn) (ScatterOut, error) {
			if err := in.Config.check(); err != nil {
				return ScatterOut{}, err
			}
			return world.Do(l.w, c, func(tx *world.Tx) (ScatterOut, error) {
				out, _, err := l.scatter(tx, &in, false)
				return out, err
			})
		},
	})
}

func (c *Config) check() error {
	between := func(low, high string, lo, hi *float64) error {
		if lo != nil && hi != nil && *lo > *hi {
			return registry.Invalidf("config.%s: must not be more than %s, got %v and %v", low, high, *lo, *hi)
		}
		return nil
	}
	if err := between("elevationMin", "elevationMax", c.ElevationMin, c.ElevationMax); err != nil {
		return err
	}
	if err := between("tempMin", "tempMax", c.TempMin, c.TempMax); err != nil {
		return err
	}
	return between("sizeRange[0]", "sizeRange[1]", &c.SizeRange[0], &c.SizeRange[1])
}

// rules returns what the land goes by. Heights are the region's, so they are brought back to the land's.
func (c *Config) rules(r *Region) land.Scatter {
	or := func(p *float64, otherwise float64) float64 {
		if p == nil {
			return otherwise
		}
		return *p
	}
	inf := math.Inf(1)
	factor, pivot := r.Surface.rise()
	s := land.Scatter{
		Seed: c.Seed, Density: c.Density, Coverage: c.Coverage, Cluster: c.Cluster, ClusterSize: 1 / c.ClusterFreq,
		Low: pivot + (or(c.ElevationMin, -inf)-pivot)/factor, High: pivot + (or(c.ElevationMax, inf)-pivot)/factor,
		Steepest: or(c.SlopeMax, inf) / factor, Coldest: or(c.TempMin, -inf), Hottest: or(c.TempMax, inf),
		Smallest: c.SizeRange[0], Largest: c.SizeRange[1],
	}
	for _, b := range c.Biomes {
		s.Biomes = append(s.Biomes, land.Biome(b))
	}
	for _, a := range c.Assets {
		s.Weights = append(s.Weights, a.Weight)
	}
	return s
}

// scatter scatters things. More than there may be are refused, or, if thin, left out evenly; places is how many there would have been.
func (l *Lands) scatter(tx *world.Tx, in *ScatterIn, thin bool) (out ScatterOut, places int, err error) {
	out = ScatterOut{RegionID: in.RegionID, AssetHashes: map[string]string{}, Placements: []Placement{}, Note: angle.Slope("config.slopeMax", in.Config.SlopeMax)}
	r, err := l.region(&tx.View, in.RegionID)
	if err != nil {
		return out, 0, err
	}
	rules := in.Config.rules(&r)
	kinds := make([]kind, len(in.Config.Assets))
	for i, a := range in.Config.Assets {
		if kinds[i], err = l.kind(&tx.View, a.ID); err != nil {
			return out, 0, err
		}
		if hash := kinds[i].hash; hash != "" {
			out.AssetHashes[a.ID] = hash
			if want := in.AssetHashes[a.ID]; want != "" && want != hash {
				return out, 0, registry.Invalidf("assetHashes.%s: the mesh is %s, not %s", a.ID, hash, want)
			}
		}
	}
	tiles := l.tiles(&tx.View, in.RegionID)
	found, most := make([][]land.Place, len(tiles)), MaxInstances
	if in.Config.Count != nil {
		most = maxPlaces
	}
	for i, t := range tiles {
		found[i] = rules.On(l.w.Surface(t.ground))
		if places += len(found[i]); places > most && !thin {
			return out, 0, registry.Errorf(registry.CodeCapacityExceeded, "this would scatter more than %d things; give a lower density or coverage, or a smaller region", most)
		}
	}
	type spot struct {
		land.Place
		foot world.Vec3
	}
	var spots []spot
	roads, rooted, pools := l.roads(&tx.View), plants(), l.w.Pools(&tx.View)
	keep, n := min(places, most), 0
	for i, t := range tiles {
		at, _ := tx.WorldTransform(t.id)
		middle := t.ground.Place()
		for _, p := range found[i] {
			if n++; n*keep/places == (n-1)*keep/places {
				continue
			}
			foot := at.Point(world.Vec3{p.X - middle[0], p.Y, p.Z - middle[2]})
			plant := len(rooted[in.Config.Assets[p.Kind].ID]) > 0 && in.Config.Assets[p.Kind].ID != "rock"
			level, wet := 0.0, false
			if plant {
				level, wet = pools.Level(foot[0], foot[2])
			}
			if onRoad(roads, foot) || wet && level > foot[1] || l.occupied(&tx.View, foot) {
				out.LeftOut++
				continue
			}
			spots = append(spots, spot{p, foot})
		}
	}
	keep = len(spots)
	if in.Config.Count != nil {
		keep = min(keep, *in.Config.Count)
	}
	for n, p := range spots {
		if (n+1)*keep/len(spots) == n*keep/len(spots) {
			continue
		}
		foot := p.foot
		out.Instances++
		place := Placement{AssetID: in.Config.Assets[p.Kind].ID, Yaw: p.Yaw, Scale: p.Scale}
		place.X, place.Y, place.Z = foot[0], foot[1], foot[2]
		if k := kinds[p.Kind]; k.mount != nil {
			id, err := k.mount(tx, foot, world.QuatFromEuler(0, p.Yaw, 0), p.Scale)
			if err != nil {
				return out, 0, err
			}
			place.Entity = &id
			out.Mounted++
		}
		if len(out.Placements) < in.List {
			out.Placements = append(out.Placements, place)
		}
	}
	out.More = out.Instances - len(out.Placements)
	return out, places, nil
}
