package navigation

import (
	"cmp"
	"fmt"
	"math"
	"reflect"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/places"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// Rect is a rectangle of the ground, read in any of the forms in which skills answer and take room.
type Rect = places.Rect

// HeightField is how high the ground is.
type HeightField struct {
	Heights  []float64 `json:"heights,omitempty" validate:"omitempty,max=262144" jsonschema_description:"The height of every cell in metres: row by row from the smallest z on, in each row from the smallest x on; cols × rows of them. Left out: that of the generated ground that is there, so {minY: 0} keeps out of the sea."`
	MaxSlope *float64  `json:"maxSlope,omitempty" validate:"omitempty,gt=0" jsonschema_description:"Steepest slope from cell to cell that can be walked, as height for distance: 1 is 45 degrees."`
	MinY     *float64  `json:"minY,omitempty" jsonschema_description:"Cells lower than this are blocked, such as those under water."`
	MaxY     *float64  `json:"maxY,omitempty" jsonschema_description:"Cells higher than this are blocked."`
}

// BuildIn is the input of navmesh.build.
type BuildIn struct {
	Bounds       *Rect           `json:"bounds,omitempty" jsonschema_description:"The part of the ground that the grid covers. Left out: all that stands now, and 5 m around it; without generated ground beyond that where cells would be too large for doors."`
	CellSize     float64         `json:"cellSize,omitempty" validate:"omitempty,gt=0,lte=1000" jsonschema_description:"Edge of a cell in metres: gaps and doors are sure to be open that are 2 agentRadius + 2 cellSize wide, so 0.2 for the doors of architecture.building, 1.2 m. At most 262144 cells. Left out: 0.2, or as much larger as so many cells have to be."`
	Diagonal     bool            `json:"diagonal" jsonschema:"default=false" jsonschema_description:"Whether ways may go diagonally too, which makes them shorter. Corners are never cut."`
	AgentRadius  *float64        `json:"agentRadius,omitempty" validate:"omitempty,gte=0,lte=1000" jsonschema_description:"How far to stay away from obstacles: half the width of who walks, in metres; 0.4 for characters of player.spawn, which brush along walls and are led through gaps too narrow for them else. Left out: 0, or 0.4 if cellSize is left out."`
	Obstacles    *[]Rect         `json:"obstacles,omitempty" validate:"omitempty,max=10000" jsonschema_description:"What is in the way. Left out: what stands in the world, that is every shape between ground + step and ground + height as it stands, whenever a way is asked for; but for what moves by itself (dynamic bodies, characters, who walks or has a behavior, what a clip moves just now) and ignore. One squeezes past doors that are open. An empty list: nothing."`
	BlockedCells [][2]int        `json:"blockedCells,omitempty" validate:"omitempty,max=262144" jsonschema_description:"Cells [column, row] that are blocked whatever is there, counted from 0 at minX, minZ."`
	HeightField  *HeightField    `json:"heightField,omitempty" jsonschema_description:"How high the ground is, if it is not flat. Left out: as high as the generated ground that is there, of which slopes above 45 degrees are not walked."`
	Ground       float64         `json:"ground" jsonschema:"default=0" jsonschema_description:"How high the ground is where it is flat, in metres."`
	Step         float64         `json:"step" validate:"gte=0,lte=100" jsonschema:"default=0.35" jsonschema_description:"What reaches less high above the ground is stepped over. Counts only where obstacles is left out."`
	Height       float64         `json:"height" validate:"gt=0,lte=1000" jsonschema:"default=1.8" jsonschema_description:"What begins higher above the ground is walked under. Counts only where obstacles is left out."`
	Levels       bool            `json:"levels" jsonschema:"default=false" jsonschema_description:"Whether ways also lead up stairs, ramps and bridges and over floors above each other: what one can step or climb onto is walked on, not around, down to a slope of 45 degrees (heightField.maxSlope), and y counts wherever a way is asked for. Not with obstacles or heightField.heights."`
	Water        string          `json:"water" validate:"oneof=avoid block ignore" jsonschema:"default=avoid" jsonschema_description:"Water that is deeper than one can stand in, 0.6 of height: avoid has ways lead through it, swimming, only where there is no other; block lets nobody into it; ignore minds no water."`
	Ignore       []world.ID      `json:"ignore,omitempty" validate:"omitempty,max=500" jsonschema_description:"Entities that are not in the way, with all that is below them: whom you want to walk, for one."`
	Meta         registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// BuildOut is the output of navmesh.build.
type BuildOut struct {
	OK       bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Cols     int  `json:"cols" jsonschema_description:"Cells along x."`
	Rows     int  `json:"rows" jsonschema_description:"Cells along z."`
	Walkable int  `json:"walkable" jsonschema_description:"How many of them can be walked on; with levels, each as often as there are floors in it."`
	Blocked  int  `json:"blocked" jsonschema_description:"How many cannot."`
	Deep     int  `json:"deep,omitempty" jsonschema_description:"In how many of the walkable one swims."`
	Levels   int  `json:"levels,omitempty" jsonschema_description:"With levels: how many floors there are above each other, at most."`

	Bounds   *places.Box `json:"bounds,omitempty" jsonschema_description:"What it covers, if bounds was left out: y from the lowest to the highest of what stands there."`
	CellSize float64     `json:"cellSize,omitempty" jsonschema_description:"Edge of a cell, if cellSize was left out."`

	Areas []Area `json:"areas,omitempty" jsonschema_description:"Where there are several of 4 cells and more that no way joins: those, the largest first, at most 8."`

	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Build is navmesh.build.
func Build(m *Mesh) registry.Skill {
	return registry.Define(registry.Spec[BuildIn, BuildOut]{
		Name:  "navmesh.build",
		Title: "Find out where one can walk",
		Description: "Lay the grid on which navmesh.findPath, isReachable and moveTo find ways, in place of the one there is. By itself it finds what stands in the world, and follows that: what is built, moved, opened or destroyed later counts at once. " +
			`To check only whether a scene can be reached use scene.validate. {} lays it over all that stands, for persons. Example: {"bounds":{"minX":-20,"minZ":-20,"maxX":20,"maxZ":20},"cellSize":0.2,"diagonal":true,"agentRadius":0.4}`,
		Category:    "nav",
		Permissions: []profiles.Permission{"nav.configure"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in BuildIn) (BuildOut, error) {
			how := in
			how.Meta = nil
			return world.Do(m.w, c, func(tx *world.Tx) (BuildOut, error) {
				how := how
				over, note, err := how.fill(m, &tx.View)
				if err != nil {
					return BuildOut{}, err
				}
				if err := how.check(&tx.View); err != nil {
					return BuildOut{}, err
				}
				if now := m.grid.Get(&tx.View); now == nil || !reflect.DeepEqual(now.How, &how) {
					if err := m.grid.Set(tx, &Grid{How: &how}); err != nil {
						return BuildOut{}, err
					}
				}
				g, err := m.built(&tx.View)
				if err != nil {
					return BuildOut{}, err
				}
				out := g.out(in.HeightField.note())
				areas, apart := how.areas(m, &tx.View, g)
				out.Areas = areas
				out.Note = shown.Notes(cmp.Or(out.Note, apart), note)
				if in.CellSize == 0 {
					out.CellSize = how.CellSize
				}
				if in.Bounds == nil {
					out.Bounds = &places.Box{Min: shown.Point(over.Lo), Max: shown.Point(over.Hi)}
				}
				return out, nil
			})
		},
	})
}

// radius is how far to stay away from obstacles.
func (in *BuildIn) radius() float64 {
	if in.AgentRadius == nil {
		return 0
	}
	return *in.AgentRadius
}

// What is taken where nothing is said: the edge of cells that lead through doors, and half the width of who walks through them, and how far the grid reaches beyond all that
// stands, in metres.
const (
	fine   = 0.2
	person = 0.4
	beyond = 5
	widest = 5 // edge of cells that are made larger so that they cover all: more is of no use
)

// fill says what is not said of where the grid is and how fine: it covers all that stands in the world, with cells that lead through doors as far as that can be. It returns
// what is covered, if bounds was left out, and what is to be said of it.
func (in *BuildIn) fill(m *Mesh, v *world.View) (over solid.Bounds, note string, err error) {
	edge, radius := in.CellSize, 0.0
	if edge == 0 {
		edge, radius = fine, person
	}
	if in.AgentRadius == nil {
		in.AgentRadius = &radius
	}
	if in.Bounds == nil {
		built, land := m.filled(v)
		over = built.Join(land)
		if over.Empty() {
			return over, "", registry.Invalidf(`bounds: nothing stands here that it could go by: give {"min":[-20,0,-20],"max":[20,0,20]}, or build first`)
		}
		if !built.Empty() && !land.Empty() && cells(around(over), edge) > MaxCells {
			over, note = built, "generated ground beyond what stands on it is left out, for cells that are fine enough: bounds and cellSize say else"
		}
		over = around(over)
		in.Bounds = &Rect{MinX: over.Lo[0], MinZ: over.Lo[2], MaxX: over.Hi[0], MaxZ: over.Hi[2]}
	}
	if in.CellSize != 0 {
		return over, note, nil
	}
	in.CellSize = edge
	for b := in.Bounds; ; {
		n := cells(solid.Bounds{Lo: world.Vec3{b.MinX, 0, b.MinZ}, Hi: world.Vec3{b.MaxX, 0, b.MaxZ}}, in.CellSize)
		if n <= MaxCells || in.CellSize > widest {
			break
		}
		in.CellSize = math.Ceil(in.CellSize*max(math.Sqrt(n/MaxCells), 1.01)*100) / 100
	}
	if in.CellSize > widest {
		return over, "", registry.Invalidf(`bounds: what is to be covered reaches over %.3g m, which is too much for one grid: give the part where one walks, {"min":[-20,0,-20],"max":[20,0,20]}`, max(in.Bounds.MaxX-in.Bounds.MinX, in.Bounds.MaxZ-in.Bounds.MinZ))
	}
	if in.CellSize > edge {
		note = shown.Notes(note, fmt.Sprintf("cells of %v m are the finest that cover that, and lead through gaps from %v m on: with smaller bounds they are 0.2, and lead through doors of 1.2 m", in.CellSize, shown.Number(2**in.AgentRadius+2*in.CellSize)))
	}
	return over, note, nil
}

// around returns what is covered that something stands in, in whole metres.
func around(b solid.Bounds) solid.Bounds {
	for _, i := range [...]int{0, 2} {
		b.Lo[i], b.Hi[i] = math.Floor(b.Lo[i]-beyond), math.Ceil(b.Hi[i]+beyond)
	}
	return solid.Bounds{Lo: b.Lo.Bounded(), Hi: b.Hi.Bounded()}
}

// cells returns how many cells cover the ground of a box.
func cells(b solid.Bounds, edge float64) float64 {
	return math.Ceil((b.Hi[0]-b.Lo[0])/edge) * math.Ceil((b.Hi[2]-b.Lo[2])/edge)
}

// filled returns the boxes around all that stands in the world, and around its ground that was generated and its water.
func (m *Mesh) filled(v *world.View) (built, land solid.Bounds) {
	built, land = solid.Nothing(), solid.Nothing()
	for id := range v.All() {
		s, ok := solid.Of(m.w, v, id)
		switch {
		case !ok:
		case m.w.Grounds.Has(v, id) || m.w.Waters.Has(v, id):
			land = land.Join(s.Bounds())
		default:
			built = built.Join(s.Bounds())
		}
	}
	return built, land
}

// out is the answer that has made a grid.
func (g *Grid) out(note string) BuildOut {
	out := BuildOut{OK: true, Cols: g.Cols, Rows: g.Rows, Note: note}
	for cell := range g.len() {
		first, end := g.in(cell)
		if first == end || !g.walkable(first) {
			out.Blocked++
			continue
		}
		out.Walkable += end - first
		for place := first; place < end; place++ {
			if g.deep(place) {
				out.Deep++
			}
		}
		if g.Floors != nil {
			out.Levels = max(out.Levels, end-first)
		}
	}
	return out
}

// limit blocks the cells of a grid that are too low or too high, and says how steep it may be. Where it has no heights it is flat.
func (h *HeightField) limit(g *Grid, flat float64) {
	if g.Heights != nil && h.MaxSlope != nil {
		g.MaxSlope = *h.MaxSlope
	}
	for cell := range g.len() {
		y := flat
		if g.Heights != nil {
			y = g.Heights[cell]
		}
		if h.MinY != nil && y < *h.MinY || h.MaxY != nil && y > *h.MaxY {
			g.block(cell)
		}
	}
}

// note says what of the heights, which may be none, may be a mistake.
func (h *HeightField) note() string {
	if h == nil {
		return ""
	}
	return angle.Slope("heightField.maxSlope", h.MaxSlope)
}

// plan makes the grid, nothing blocked yet.
func (in *BuildIn) plan() (*Grid, error) {
	if in.Levels && in.Obstacles != nil {
		return nil, registry.Invalidf("obstacles: must be left out with levels, which go by what stands in the world")
	}
	if in.Levels && in.HeightField != nil && in.HeightField.Heights != nil {
		return nil, registry.Invalidf("heightField.heights: must be left out with levels, which go by what stands in the world")
	}
	b := in.Bounds
	cols, err := count("X", b.MinX, b.MaxX, in.CellSize)
	if err != nil {
		return nil, err
	}
	rows, err := count("Z", b.MinZ, b.MaxZ, in.CellSize)
	if err != nil {
		return nil, err
	}
	if cols*rows > MaxCells {
		return nil, registry.Errorf(registry.CodeCapacityExceeded, "cellSize: %v makes %v × %v cells, at most %d are allowed: take larger cells or smaller bounds", in.CellSize, cols, rows, MaxCells)
	}
	g := &Grid{MinX: b.MinX, MinZ: b.MinZ, CellSize: in.CellSize, Cols: int(cols), Rows: int(rows), Diagonal: in.Diagonal}
	g.Blocked = noneOf(g.len())
	h := in.HeightField
	if h == nil || h.Heights == nil {
		return g, nil
	}
	if len(h.Heights) != g.len() {
		return nil, registry.Invalidf("heightField.heights: must have %d numbers, one for each of %d × %d cells, got %d", g.len(), g.Cols, g.Rows, len(h.Heights))
	}
	g.Heights = h.Heights
	return g, nil
}

// count returns how many cells are between two coordinates: so many that all of it is covered.
func count(axis string, lo, hi, size float64) (float64, error) {
	if !(hi > lo) {
		return 0, registry.Invalidf("bounds.max%s: must be above min%s, %v, got %v", axis, axis, lo, hi)
	}
	n := math.Ceil((hi-lo)/size - 1e-9)
	if n > MaxCells {
		return 0, registry.Errorf(registry.CodeCapacityExceeded, "cellSize: %v makes more than %d cells along %s: take larger cells or smaller bounds", size, MaxCells, axis)
	}
	return max(n, 1), nil
}

// check refuses what does not go with the world, or with the grid.
func (in *BuildIn) check(v *world.View) error {
	g, err := in.plan()
	if err != nil {
		return err
	}
	for i, c := range in.BlockedCells {
		if c[0] < 0 || c[0] >= g.Cols || c[1] < 0 || c[1] >= g.Rows {
			return registry.Invalidf("blockedCells[%d]: must be a cell of the %d × %d that there are, got %v", i, g.Cols, g.Rows, c)
		}
	}
	if in.Obstacles != nil {
		for i, r := range *in.Obstacles {
			if r.MinX > r.MaxX || r.MinZ > r.MaxZ {
				return registry.Invalidf("obstacles[%d]: its max must not be below its min, got %+v", i, r)
			}
		}
	}
	for _, id := range in.Ignore {
		if !v.Exists(id) {
			return v.Unknown(id)
		}
	}
	return nil
}

// ground has a grid without floors be the ground, and blocks what nobody walks on whatever stands there.
func (s *survey) ground(m *Mesh, v *world.View, g *Grid) {
	in := s.in
	h := in.HeightField
	if h == nil || h.Heights == nil {
		s.findGround(m, v, g)
	}
	if h != nil {
		h.limit(g, in.Ground)
	}
	in.flood(m, v, g)
	if in.Obstacles == nil {
		return
	}
	for _, r := range *in.Obstacles {
		g.blockRect(r.MinX, r.MinZ, r.MaxX, r.MaxZ, in.radius())
	}
}

// blockCells blocks the cells that were given.
func (in *BuildIn) blockCells(g *Grid) {
	for _, c := range in.BlockedCells {
		g.block(c[1]*g.Cols + c[0])
	}
}
