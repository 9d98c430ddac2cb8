// Package terrain holds the skills that make ground and what belongs to it: regions of generated tiles,
// the tiles around whoever travels, water, and plants.
//
// # What is in the world
//
// A region is an entity with the component "region": of which land it is, and how. Below it is one
// entity for each tile that is loaded, with the component "ground" (see [world.Ground]), a shape of the kind "terrain" to be
// seen, and a static body. So tiles have places, bounds and areas of interest, reach clients by
// deltas, and are destroyed and undone like everything else; and nobody keeps their heights, because they follow from
// what is in "ground". What somebody has made of the ground is an entity with the component "earthwork" (see [Earthwork]), which tiles follow. Water is an entity with the component "water" (see [world.Water]). What is planted are entities
// like those that builders make.
//
// [New] declares the components, [All] gives the skills.
package terrain

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	land "github.com/limina-mcp/limina/world/terrain"
)

// Lands is what a world has of regions; a world has one. Its methods read through a View and write
// through a Tx, and so may be called by whoever holds one.
type Lands struct {
	w       *world.World
	meshes  *mesh.Meshes // what may be planted; may be nil
	things  *solid.Index // what nothing is planted into; nil: nothing
	regions *world.Component[Region]
	works   *world.Component[Earthwork]
	cursor  world.Cursor // of who follows what changes the ground
	stale   bool         // … and found that something does, in the transaction that the cursor is in
}

// New declares in w what regions need. meshes may be nil.
func New(w *world.World, meshes *mesh.Meshes) *Lands {
	l := &Lands{
		w: w, meshes: meshes,
		regions: world.NewComponent[Region](w, "region"),
		works:   world.NewComponent[Earthwork](w, "earthwork"),
	}
	w.OnDestroy(l.dying)
	w.OnDone(l.settle)
	w.OnFollow(l.catchUp)
	return l
}

// Spare has nothing be planted into what an index knows, once, where the world is put together.
func (l *Lands) Spare(things *solid.Index) { l.things = things }

// All returns the skills of the package.
func All(l *Lands) []registry.Skill {
	return []registry.Skill{
		SampleHeight(l), SampleClimate(l), GenerateRegion(l), Shaping(l), StreamFollow(l), AddWater(l), PopulateBiome(l), Scatter(l),
	}
}

// Region is a piece of generated land: the component "region".
type Region struct {
	Land    land.Land `json:"land"`
	Bounds  Tiles     `json:"bounds"` // that it was made with
	LOD     int       `json:"lod"`
	Render  bool      `json:"render"`
	Surface *Surface  `json:"surface,omitempty"`
}

// Shape is the kind of shape of a tile that is to be seen.
const Shape = "terrain"
