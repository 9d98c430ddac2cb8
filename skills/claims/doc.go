// Package claims holds the skills by which builders keep out of each other's way: world.claim,
// world.release and world.claims.
package claims

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of the package.
func All(w *world.World) []registry.Skill { return []registry.Skill{Claim(w), Release(w), List(w)} }
