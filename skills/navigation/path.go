package navigation

import (
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// path returns the points of a shortest way: from, the middles of the cells where it turns, and to.
// Where there are heights it has every cell, at its height. If there is no way, why says so.
//
// The middles of the first and the last cell are left out: between two cells of a way everything is
// walkable, wherever in the first one begins.
func (g *Grid) path(from, to world.Vec3) (points []world.Vec3, why string) {
	a, why := g.stand("from", from)
	if why != "" {
		return nil, why
	}
	b, why := g.stand("to", to)
	if why != "" {
		return nil, why
	}
	cells, ok := g.way(a, b)
	if !ok {
		return nil, "no way leads from the one to the other: what is between them is blocked or too steep"
	}
	points = []world.Vec3{from}
	for i := 1; i < len(cells)-1; i++ {
		if g.Heights == nil && cells[i]-cells[i-1] == cells[i+1]-cells[i] {
			continue
		}
		p := g.center(cells[i])
		if g.Heights == nil {
			p[1] = from[1]
		}
		points = append(points, p)
	}
	return append(points, to), ""
}

// stand returns the cell of a point, or why nobody can be there.
func (g *Grid) stand(what string, p world.Vec3) (cell int, why string) {
	cell, ok := g.cellAt(p)
	if ok && g.walkable(cell) {
		return cell, ""
	}
	where := "is in a blocked cell"
	if !ok {
		where = fmt.Sprintf("is beside the grid, which goes from x %v, z %v to x %v, z %v", g.MinX, g.MinZ, g.MinX+float64(g.CellSize*float64(g.Cols)), g.MinZ+float64(g.CellSize*float64(g.Rows)))
	}
	near, found := g.nearest(p)
	if !found {
		return 0, fmt.Sprintf("%s %s; no cell is walkable", what, where)
	}
	return 0, fmt.Sprintf("%s %s; the nearest walkable place is x %v, z %v", what, where, near[0], near[2])
}

// course is a path for an entity: it keeps its height above the ground.
func (g *Grid) course(from, to world.Vec3) (points []world.Vec3, why string) {
	points, why = g.path(from, to)
	if why != "" {
		return nil, why
	}
	a, _ := g.cellAt(from)
	b, _ := g.cellAt(to)
	above := from[1] - g.height(a)
	last := len(points) - 1
	points[last][1] = above + g.height(b)
	if g.Heights != nil {
		for i := 1; i < last; i++ {
			points[i][1] += above
		}
	}
	return points, ""
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

// length is how long the way from at over the points is.
func length(at world.Vec3, points []world.Vec3) (sum float64) {
	for _, p := range points {
		sum += at.Dist(p)
		at = p
	}
	return min(sum, world.MaxNumber)
}
