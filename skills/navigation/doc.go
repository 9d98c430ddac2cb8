// Package navigation holds the skills about ways: navmesh.build lays a grid of walkable cells over a
// part of the ground, navmesh.findPath and navmesh.isReachable ask for a way on it, navmesh.moveTo
// walks an entity along one, at the speed of navmesh.setSpeed.
//
// A world has one grid. It says of each square of the ground, in x and z, whether somebody can be
// there, as the world is when it is asked: whoever puts a wall up, or opens a door, does nothing for it. How it was built, the speeds and the walks are state
// of the world: hashed, undone, replayed; the grid follows from that and from what stands there.
//
// With levels there may be several places above each other in a square, on the ground and on all that one can step or climb onto. A place is on a floor
// that is no steeper than is allowed, has room for somebody above it, and one goes from its middle to that of the next over floors that are a step at
// most from each other; stretches shorter than a tenth of a metre may be missed.
//
// # What is guaranteed
//
// A cell that is walkable is so everywhere in it: no point of it is nearer to an obstacle than the
// radius that the grid was built for. Ways go from cell to cell, along the axes, and also diagonally
// where the grid was built so; a diagonal step needs both cells beside it, so that no corner is cut. A
// way is a shortest one of those, along the slopes from place to place. Of several the search takes the same one always, on every platform:
// it counts in integers, expands +x, -x, +z, -z and then the diagonals, and decides between equals by
// the number of the place.
package navigation

import (
	"github.com/limina-mcp/limina/registry"
)

// All returns the skills of the package.
func All(m *Mesh) []registry.Skill {
	return []registry.Skill{Build(m), FindPath(m), MoveTo(m), SetSpeed(m), IsReachable(m)}
}
