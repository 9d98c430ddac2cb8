package navigation

import (
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// path returns the points of a shortest way: from, the middles of the places where it turns or begins to rise or fall, and to. If there is no way, why
// says so.
//
// The middles of the first and the last place are left out: between two places of a way everything is
// walkable, wherever in the first one begins.
func (g *Grid) path(from, to world.Vec3) (points []world.Vec3, why string) {
	a, ok := g.placeAt(from)
	if !ok {
		return nil, g.nobody("from", from)
	}
	b, ok := g.placeAt(to)
	if !ok {
		return nil, g.nobody("to", to)
	}
	return g.join(a, b, from, to)
}

// join is path, from a place to another.
func (g *Grid) join(a, b int, from, to world.Vec3) (points []world.Vec3, why string) {
	places, ok := g.way(a, b)
	if !ok {
		return nil, "no way leads from the one to the other: what is between them is blocked or too steep"
	}
	points = []world.Vec3{from}
	for i := 1; i < len(places)-1; i++ {
		if g.straight(places[i-1], places[i], places[i+1]) {
			continue
		}
		p := g.center(places[i])
		if g.Heights == nil {
			p[1] = from[1]
		}
		points = append(points, p)
	}
	return append(points, to), ""
}

// straight reports whether a way over three places goes straight on, at one height.
func (g *Grid) straight(a, b, c int) bool {
	if h := g.height(b); h != g.height(a) || h != g.height(c) {
		return false
	}
	return 2*g.cell(b) == g.cell(a)+g.cell(c)
}

// nobody says why nobody can be at a point, and where the nearest place is.
func (g *Grid) nobody(what string, p world.Vec3) string {
	where := "is in a blocked cell"
	if _, ok := g.cellAt(p); !ok {
		where = fmt.Sprintf("is beside the grid, which goes from x %v, z %v to x %v, z %v", g.MinX, g.MinZ,
			shown.Number(g.MinX+float64(g.CellSize*float64(g.Cols))), shown.Number(g.MinZ+float64(g.CellSize*float64(g.Rows))))
	} else if g.Floors != nil {
		where = fmt.Sprintf("is where nobody can stand at y %v", p[1])
	}
	near, found := g.nearest(p)
	if !found {
		return fmt.Sprintf("%s %s; no cell is walkable", what, where)
	}
	near = shown.Point(near)
	if g.Floors != nil {
		return fmt.Sprintf("%s %s; the nearest walkable place is x %v, y %v, z %v", what, where, near[0], near[1], near[2])
	}
	return fmt.Sprintf("%s %s; the nearest walkable place is x %v, z %v", what, where, near[0], near[2])
}

// course is a path for somebody who is on his way: he keeps his height above the ground. Of who is walking already above says it, since between two
// places he is not as high as either; nil: it is what it is now. It is returned.
func (g *Grid) course(from, to world.Vec3, above *float64) (points []world.Vec3, up float64, why string) {
	feet := from
	if above != nil {
		feet[1] -= *above
	}
	a, ok := g.placeAt(feet)
	if !ok {
		return nil, 0, g.nobody("from", from)
	}
	if above == nil {
		feet[1] = g.height(a)
	}
	b, ok := g.placeAt(to)
	if !ok {
		return nil, 0, g.nobody("to", to)
	}
	if points, why = g.join(a, b, feet, to); why != "" {
		return nil, 0, why
	}
	up = from[1] - feet[1]
	last := len(points) - 1
	points[0] = from
	for i := 1; i < last; i++ {
		points[i][1] += up
	}
	points[last][1] = up + g.height(b)
	return points, up, ""
}

// follow goes a distance from a point over others. It returns where it gets, in which direction it went
// last, and what of the points is left: none if it has arrived.
func follow(at world.Vec3, points []world.Vec3, distance float64) (_, facing world.Vec3, left []world.Vec3) {
	for i, next := range points {
		way := next.Sub(at)
		long := way.Len()
		if long > distance {
			return at.Add(way.Scale(distance / long)), way, points[i:]
		}
		distance -= long
		if long > 0 {
			facing = way
		}
		at = next
	}
	return at, facing, nil
}

// long returns how long a way over points is that path has found, along its slopes, to a micrometre: from floor to floor, however high above them the first
// and the last are.
func (g *Grid) long(points []world.Vec3) float64 {
	way := slices.Clone(points)
	for i, p := range way {
		way[i][1] = g.floor(p)
	}
	return math.Round(length(way[0], way[1:])*1e6) / 1e6
}

// length is how long the way from at over the points is.
func length(at world.Vec3, points []world.Vec3) (sum float64) {
	for _, p := range points {
		sum += at.Dist(p)
		at = p
	}
	return min(sum, world.MaxNumber)
}
