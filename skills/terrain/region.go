package terrain

import (
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// MaxTiles is how many tiles a region has at once: 17 by 17, what streamFollow loads at most.
const MaxTiles = 289

// Tiles is a rectangle of tiles.
type Tiles struct {
	MinTx int `json:"minTx" validate:"gte=-2000,lte=2000" jsonschema_description:"First tile along x. Tile 0 goes from x 0 to x 48, tile -1 from -48 to 0."`
	MinTz int `json:"minTz" validate:"gte=-2000,lte=2000" jsonschema_description:"First tile along z."`
	MaxTx int `json:"maxTx" validate:"gte=-2000,lte=2000" jsonschema_description:"Last tile along x."`
	MaxTz int `json:"maxTz" validate:"gte=-2000,lte=2000" jsonschema_description:"Last tile along z."`
}

func (t *Tiles) check(name string) error {
	switch {
	case t.MinTx > t.MaxTx:
		return registry.Invalidf("%s.minTx: must not be more than maxTx, got %d and %d", name, t.MinTx, t.MaxTx)
	case t.MinTz > t.MaxTz:
		return registry.Invalidf("%s.minTz: must not be more than maxTz, got %d and %d", name, t.MinTz, t.MaxTz)
	}
	if n := (t.MaxTx - t.MinTx + 1) * (t.MaxTz - t.MinTz + 1); n > MaxTiles {
		return registry.Invalidf("%s: are %d tiles, at most %d are allowed; make a smaller region and let world.streamFollow load more", name, n, MaxTiles)
	}
	return nil
}

// all returns the numbers of the tiles, x within z.
func (t *Tiles) all() (list [][2]int) {
	for z := t.MinTz; z <= t.MaxTz; z++ {
		for x := t.MinTx; x <= t.MaxTx; x++ {
			list = append(list, [2]int{x, z})
		}
	}
	return list
}

// GenerateRegionIn is the input of world.generateRegion.
type GenerateRegionIn struct {
	Seed    int64      `json:"seed" jsonschema_description:"Any number; another one gives another land, the same one the same."`
	Bounds  Tiles      `json:"bounds" jsonschema_description:"Which tiles, each 48 m by 48 m."`
	LOD     int        `json:"lod" validate:"gte=0,lte=4" jsonschema:"default=0" jsonschema_description:"Level of detail: 0 has a sample every 1.5 m, each level after it half as many."`
	Type    land.Type  `json:"type,omitempty" validate:"omitempty,oneof=beach mountains forest desert plains hills islands" jsonschema_description:"Type of the land; hills if left out."`
	Hints   land.Hints `json:"hints,omitempty" jsonschema_description:"Numbers that are to be other than those of the type."`
	Render  bool       `json:"render" jsonschema:"default=true" jsonschema_description:"False makes ground to stand on that is not seen."`
	Surface *Surface   `json:"surface,omitempty" jsonschema_description:"How it looks; colours by what grows there if left out."`
}

// GenerateRegionOut is the output of world.generateRegion.
type GenerateRegionOut struct {
	RegionID world.ID   `json:"regionId" jsonschema_description:"Id of the region's entity: scene.destroyEntity takes all of it away."`
	Tiles    int        `json:"tiles" jsonschema_description:"How many tiles it has."`
	Bodies   []int      `json:"bodies" jsonschema_description:"Numbers of the tiles' entities, which have the bodies: 7 is ent_7."`
	Keys     []string   `json:"keys" jsonschema_description:"Which tile each of them is: tx,tz."`
	Meshes   int        `json:"meshes" jsonschema_description:"How many of them are seen."`
	Relief   Relief     `json:"relief" jsonschema_description:"How high and how low the ground is."`
	Lowest   world.Vec3 `json:"lowest" jsonschema_description:"Where the lowest point is."`
	Highest  world.Vec3 `json:"highest" jsonschema_description:"Where the highest point is: the place of a lighthouse or a castle."`
	SeaLevel float64    `json:"seaLevel" jsonschema_description:"At which height water looks right, by climate and plants; world.addWater makes it. Below relief.minY none would show."`
}

// Relief is the lowest and the highest point.
type Relief struct {
	MinY float64 `json:"minY" jsonschema_description:"Lowest point, in metres."`
	MaxY float64 `json:"maxY" jsonschema_description:"Highest point, in metres."`
}

// EventRegion is appended when a region was generated: {regionId, seed, type, tiles}.
const EventRegion = "world.regionGenerated"

// GenerateRegion is world.generateRegion.
func GenerateRegion(l *Lands) registry.Skill {
	return registry.Define(registry.Spec[GenerateRegionIn, GenerateRegionOut]{
		Name:  "world.generateRegion",
		Title: "Generate terrain",
		Description: "Make natural ground: mountains, hills, plains, a forest's ground, a desert, a beach or islands, tile by tile, with colliders, so that things stand and roll on it. " +
			"The same seed, type and hints always give the same ground. What is placed on the ground or scattered stands on it; plants come by world.populateBiome, water by world.addWater. " +
			`Example, 192 m by 192 m: {"seed":1234,"type":"mountains","bounds":{"minTx":-2,"minTz":-2,"maxTx":1,"maxTz":1}}`,
		Core:        true,
		Keywords:    "terrain landscape mountain hill valley island beach desert land",
		Permissions: []profiles.Permission{"terrain.generate"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in GenerateRegionIn) (GenerateRegionOut, error) {
			if err := in.Bounds.check("bounds"); err != nil {
				return GenerateRegionOut{}, err
			}
			if err := in.Surface.check(); err != nil {
				return GenerateRegionOut{}, err
			}
			ground, err := landOf(in.Seed, in.Type, in.Hints)
			if err != nil {
				return GenerateRegionOut{}, err
			}
			r := Region{Land: ground, Bounds: in.Bounds, LOD: in.LOD, Render: in.Render, Surface: in.Surface}
			for _, tile := range in.Bounds.all() { // computed before the world is locked
				l.w.Surface(r.ground(tile))
			}
			return world.Do(l.w, c, func(tx *world.Tx) (GenerateRegionOut, error) { return l.generate(c, tx, r) })
		},
	})
}

// ground returns what a tile of a region is without the earthworks on it.
func (r *Region) ground(tile [2]int) world.Ground {
	g := world.Ground{Land: r.Land, Tile: tile, LOD: r.LOD}
	g.Land.Works, _ = near(g.Land.Works.List(), tile) // of works that are some there are some
	return g
}

func (l *Lands) generate(c *registry.Call, tx *world.Tx, r Region) (out GenerateRegionOut, err error) {
	id, err := tx.Create(world.Spec{Name: fmt.Sprintf("%s %d", r.Land.Type, r.Land.Seed)})
	if err != nil {
		return out, err
	}
	if err := l.regions.Set(tx, id, r); err != nil {
		return out, err
	}
	taken := l.taken(&tx.View)
	out = GenerateRegionOut{RegionID: id, Bodies: []int{}, Keys: []string{}, Relief: nothing()}
	for _, tile := range r.Bounds.all() {
		if other, ok := taken[r.spot(world.Identity(), tile)]; ok {
			return out, registry.Invalidf("bounds: where tile %s goes there is ground already: %v of the region %v; destroy that, or choose other bounds", keyOf(tile), other, tx.Parent(other))
		}
		made, err := l.load(tx, id, &r, tile)
		if err != nil {
			return out, err
		}
		out.Bodies, out.Keys = append(out.Bodies, int(made)-1), append(out.Keys, keyOf(tile))
		surface := l.w.Surface(r.ground(tile))
		out.extremes(&r, surface)
		out.Relief.join(&r, surface)
	}
	out.Tiles = len(out.Bodies)
	if r.Render {
		out.Meshes = out.Tiles
	}
	out.SeaLevel = r.seaLevel(out.Relief)
	return out, c.Emit(EventRegion, map[string]any{"regionId": id, "seed": r.Land.Seed, "type": r.Land.Type, "tiles": out.Tiles})
}

func keyOf(tile [2]int) string { return fmt.Sprintf("%d,%d", tile[0], tile[1]) }

// spot is where a tile is, to the metre: what has the same spot is on top of each other.
type spot [2]int

// spot returns where a tile of a region at t is.
func (r *Region) spot(t world.Transform, tile [2]int) spot {
	g := r.ground(tile)
	return spotOf(t.Apply(world.Transform{Position: g.Place(), Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}}).Position)
}

func spotOf(p world.Vec3) spot {
	const far = 1e9
	return spot{int(math.Round(min(max(p[0], -far), far))), int(math.Round(min(max(p[2], -far), far)))}
}

// taken returns where there is ground.
func (l *Lands) taken(v *world.View) map[spot]world.ID {
	taken := map[spot]world.ID{}
	for id := range l.w.Grounds.All(v) {
		p, _ := v.Position(id)
		taken[spotOf(p)] = id
	}
	return taken
}

// load makes the entity of a tile.
func (l *Lands) load(tx *world.Tx, region world.ID, r *Region, tile [2]int) (world.ID, error) {
	g := r.ground(tile)
	surface := l.w.Surface(g)
	factor, pivot := r.Surface.rise()
	at := g.Place()
	at[1] = pivot - float64(pivot*factor)
	id, err := tx.Create(world.Spec{Parent: region, Position: at, Scale: world.Vec3{1, factor, 1}})
	if err != nil {
		return 0, err
	}
	if err := l.w.Grounds.Set(tx, id, g); err != nil {
		return 0, err
	}
	if err := l.w.Bodies.Set(tx, id, world.Body{Type: "static", Collider: "box", Friction: 0.8}); err != nil || !r.Render {
		return id, err
	}
	shape := world.Shape{Kind: Shape, Size: world.Vec3{land.Size, surface.Hi - surface.Lo, land.Size}, Color: defaultGround}
	if err := l.w.Shapes.Set(tx, id, shape); err != nil {
		return 0, err
	}
	if m, some := r.Surface.material(); some {
		return id, l.w.Materials.Set(tx, id, m)
	}
	return id, nil
}

// nothing is the relief of no tile.
func nothing() Relief { return Relief{MinY: math.Inf(1), MaxY: math.Inf(-1)} }

// join adds what a tile has of heights.
func (r *Relief) join(region *Region, surface *land.Tile) {
	r.MinY, r.MaxY = min(r.MinY, region.height(surface.Lo)), max(r.MaxY, region.height(surface.Hi))
}

// extremes notes where a tile is lower or higher than the relief so far.
func (out *GenerateRegionOut) extremes(r *Region, tile *land.Tile) {
	for _, e := range []struct {
		at     *world.Vec3
		y      float64
		beyond bool
	}{
		{&out.Lowest, tile.Lo, r.height(tile.Lo) < out.Relief.MinY},
		{&out.Highest, tile.Hi, r.height(tile.Hi) > out.Relief.MaxY},
	} {
		if !e.beyond {
			continue
		}
		if i := slices.Index(tile.Heights, float32(e.y)); i >= 0 {
			*e.at = world.Vec3{
				float64(land.Size*float64(tile.X)) + float64(tile.Cell*float64(i%tile.Side)), r.height(e.y),
				float64(land.Size*float64(tile.Z)) + float64(tile.Cell*float64(i/tile.Side)),
			}
		}
	}
}

// height returns where a height of the land is in the region.
func (r *Region) height(y float64) float64 {
	factor, pivot := r.Surface.rise()
	return pivot + float64((y-pivot)*factor)
}

// seaLevel returns at which height the region has its sea.
func (r *Region) seaLevel(relief Relief) float64 {
	s := r.Surface
	switch {
	case s != nil && s.SeaLevel != nil:
		return *s.SeaLevel
	case s != nil && s.SeaPart != nil:
		return relief.MinY + float64(*s.SeaPart*(relief.MaxY-relief.MinY))
	}
	return r.height(r.Land.SeaLevel)
}

// region returns a region that a caller has named.
func (l *Lands) region(v *world.View, id world.ID) (Region, error) {
	if !v.Exists(id) {
		return Region{}, v.Unknown(id)
	}
	r, ok := l.regions.Get(v, id)
	if !ok {
		return Region{}, registry.Invalidf("regionId: %v is no region; world.generateRegion makes one and returns its id", id)
	}
	return r, nil
}

// loaded is a tile of a region that there is.
type loaded struct {
	id     world.ID
	ground world.Ground
}

// tiles returns the tiles of a region, in the order of their ids.
func (l *Lands) tiles(v *world.View, region world.ID) (list []loaded) {
	for _, id := range v.Children(region) {
		if g, ok := l.w.Grounds.Get(v, id); ok {
			list = append(list, loaded{id, g})
		}
	}
	return list
}
