// Package rapiertest is for tests of what moves.
package rapiertest

import (
	"sync"

	"github.com/limina-mcp/limina/world/physics/rapier"
)

// Runtime returns the runtime that all tests of a program have, who close their engines themselves: reading and compiling the module takes a
// second under the race detector, and is done once. It may be called concurrently.
var Runtime = sync.OnceValue(func() *rapier.Runtime { return rapier.New("") })
