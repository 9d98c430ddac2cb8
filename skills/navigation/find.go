package navigation

import (
	"fmt"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/places"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// Target is where somebody is to go: a point, or an entity.
type Target = places.Spot

// FindPathIn is the input of navmesh.findPath.
type FindPathIn struct {
	From Target          `json:"from" jsonschema_description:"Where the way begins: x, y, z in metres, of which x and z count, and y where the grid has levels; or the id of an entity that is there."`
	To   Target          `json:"to" jsonschema_description:"Where it is to end: x, y, z, or the id of an entity, to which it leads as near as one gets."`
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// FindPathOut is the output of navmesh.findPath.
type FindPathOut struct {
	Path      []world.Vec3 `json:"path" jsonschema_description:"The points of a shortest way: from, every corner, to. Between two of them one can go straight. The first and the last are as given, also in height; those between are on the ground where it is not flat. Empty if there is no way."`
	Reachable bool         `json:"reachable" jsonschema_description:"Whether there is a way."`
	Length    float64      `json:"length,omitempty" jsonschema_description:"How long it is in metres, along slopes and stairs."`
	Reason    string       `json:"reason,omitempty" jsonschema_description:"Why there is none."`
	Note      string       `json:"note,omitempty" jsonschema_description:"What of from and to did not count, if anything."`
	Nearest   *world.Vec3  `json:"nearest,omitempty" jsonschema_description:"If there is none: the place nearest to the target to which one leads, if somebody can be where it is to begin."`
}

// FindPath is navmesh.findPath.
func FindPath(m *Mesh) registry.Skill {
	return registry.Define(registry.Spec[FindPathIn, FindPathOut]{
		Name:  "navmesh.findPath",
		Title: "Find a way",
		Description: "Find a shortest way between two points on the grid that navmesh.build has made. To have an entity walk it use navmesh.moveTo; where only yes or no matters, navmesh.isReachable. " +
			`Example: {"from":[0,0,0],"to":[10,0,-4]}`,
		Category:    "nav",
		Keywords:    "route way navigate pathfinding maze labyrinth solve upstairs stairs why stuck",
		Permissions: []profiles.Permission{"nav.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in FindPathIn) (FindPathOut, error) {
			var from world.Vec3
			var to goal
			g, err := world.Read(m.w, c, func(v *world.View) (g *Grid, err error) {
				if g, err = m.built(v); err != nil {
					return nil, err
				}
				if from, err = in.From.At(v); err != nil {
					return nil, registry.Under("from", err)
				}
				to, err = m.goal(v, in.To)
				return g, registry.Under("to", err)
			})
			if err != nil {
				return FindPathOut{}, err
			}
			// From here on it is outside of the world's lock: a grid never changes.
			if in.From.Entity != 0 {
				from = g.beside(from) // as navmesh.moveTo has it
			}
			var path []world.Vec3
			at, why := g.toward(from, &to)
			near, ok := at, why != ""
			if why == "" {
				if path, why = g.path(from, at); why != "" {
					near, ok = g.closest(from, at)
				}
			}
			if why != "" {
				out := FindPathOut{Path: []world.Vec3{}, Reason: why}
				if ok {
					near = shown.Point(near)
					out.Nearest = &near
				}
				return out, nil
			}
			length := g.long(path)
			for i := range path {
				path[i] = shown.Point(path[i])
			}
			return FindPathOut{Path: path, Reachable: true, Length: length, Note: g.level(named{"from", from}, named{"to", at})}, nil
		},
	})
}

// built returns the grid.
func (m *Mesh) built(v *world.View) (*Grid, error) {
	g, err := m.now(v)
	if g != nil {
		return g, err
	}
	return nil, registry.Failf("there is no grid to find ways on yet: navmesh.build makes one")
}

// IsReachableIn is the input of navmesh.isReachable.
type IsReachableIn struct {
	Entity world.ID        `json:"entity,omitempty" jsonschema_description:"Id of the entity that wants to get there, such as ent_3; give this or from."`
	From   *world.Vec3     `json:"from,omitempty" jsonschema_description:"Where the way begins, instead of an entity."`
	To     Target          `json:"to" jsonschema_description:"Where it is to end: x, y, z in metres, of which x and z count, and y where the grid has levels; or the id of an entity: whether one gets to within 3 m of it."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// IsReachableOut is the output of navmesh.isReachable.
type IsReachableOut struct {
	Reachable bool   `json:"reachable" jsonschema_description:"Whether there is a way."`
	Reason    string `json:"reason,omitempty" jsonschema_description:"Why there is none."`
	Note      string `json:"note,omitempty" jsonschema_description:"What of from and to did not count, if anything."`
}

// IsReachable is navmesh.isReachable.
func IsReachable(m *Mesh) registry.Skill {
	return registry.Define(registry.Spec[IsReachableIn, IsReachableOut]{
		Name:  "navmesh.isReachable",
		Title: "Is there a way",
		Description: "Tell whether there is a way from an entity or a point to a point, on the grid that navmesh.build has made. navmesh.findPath shows the way. " +
			`Example: {"entity":"ent_3","to":[10,0,-4]}`,
		Category:    "nav",
		Keywords:    "reach reached access accessible blocked",
		Permissions: []profiles.Permission{"nav.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in IsReachableIn) (IsReachableOut, error) {
			if (in.Entity == 0) == (in.From == nil) {
				return IsReachableOut{}, registry.Invalidf("entity, from: give one of the two")
			}
			var from world.Vec3
			var to goal
			g, err := world.Read(m.w, c, func(v *world.View) (g *Grid, err error) {
				if in.From != nil {
					from = *in.From
				} else if p, ok := v.Position(in.Entity); ok {
					from = p
				} else {
					return nil, v.Unknown(in.Entity)
				}
				if g, err = m.built(v); err != nil {
					return nil, err
				}
				to, err = m.goal(v, in.To)
				return g, registry.Under("to", err)
			})
			if err != nil {
				return IsReachableOut{}, err
			}
			if in.From == nil {
				from = g.beside(from) // as navmesh.moveTo has it
			}
			at, why := g.toward(from, &to)
			if why == "" {
				_, why = g.path(from, at)
			}
			if why != "" {
				return IsReachableOut{Reason: why}, nil
			}
			return IsReachableOut{Reachable: true, Note: g.level(named{"from", from}, named{"to", at})}, nil
		},
	})
}

// named is a point of a question about a way.
type named struct {
	name string
	at   world.Vec3
}

// level says which of the ends of a way on a grid of one level are higher above it, or lower, than somebody who stands there could mean: in another storey. It is
// "" if none is, and of a grid with levels.
func (g *Grid) level(ends ...named) string {
	if g.Floors != nil {
		return ""
	}
	var off []string
	for _, end := range ends {
		const low = 1 // metres
		tall := 1.8   // of grids of before
		if g.How != nil {
			tall = g.How.Height
		}
		switch up := end.at[1] - g.floor(end.at); {
		case up > tall:
			off = append(off, fmt.Sprintf("%s is %.3g m above it", end.name, up))
		case up < -low:
			off = append(off, fmt.Sprintf("%s is %.3g m below it", end.name, -up))
		}
	}
	if off == nil {
		return ""
	}
	return "the grid has one level, and " + strings.Join(off, ", ") + ": that did not count. For ways up stairs and over floors, navmesh.build it with levels true"
}
