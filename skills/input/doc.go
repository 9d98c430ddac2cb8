// Package input has the skills of what somebody plays with: names for buttons and axes, so that a program asks for "jump" and not for a key.
// input.bind gives a name device sources, input.set its value, input.action and input.axis read it. Listeners hear when one is pressed, let go or moved.
//
// Names and values are an agent's own: nobody else reads them, and viewers are not told. They are state of the world, undone, kept and replayed with
// the rest.
package input

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// All returns the skills of the package.
func All(k *Controls) []registry.Skill {
	return []registry.Skill{k.bind(), k.remove(), k.set(), k.action(), k.axis()}
}

var (
	mayRead      = []profiles.Permission{"player.read"}
	mayConfigure = []profiles.Permission{"player.configure"}
)
