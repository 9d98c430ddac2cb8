// Package figure tells what is drawn as a person, in pictures and in files; the page of package viewer goes by the same rules.
package figure

import (
	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// Shape is the kind of shape that is a person's.
const Shape = "figure"

// capsule is the kind of shape that characters and new bodies of agents have: as what they collide.
const capsule = "capsule"

// Slender is how wide and deep one is of the room that pictures leave for its arms and legs, of its height.
const Slender = 0.7 / 1.7

// Collider returns the shape that something visible collides as which is not told to collide as another.
func Collider(shape string) string {
	if shape == Shape {
		return capsule
	}
	return shape
}

// Who knows who lives in a world. Either may be nil: then nobody does by that.
type Who struct {
	Agents  *agents.Agents
	Physics *physics.Physics
}

// Is reports whether an entity of a shape is drawn as a person: one that has the shape of one, and a character or an agent's body that is a
// capsule, because nobody gave it another shape.
func (w Who) Is(v *world.View, id world.ID, kind string) bool {
	switch kind {
	case Shape:
		return true
	case capsule:
		if w.Physics != nil && w.Physics.Walks(v, id) {
			return true
		}
		if w.Agents != nil {
			_, is := w.Agents.Agent(v, id)
			return is
		}
	}
	return false
}

// Dressed reports whether a person with a material has skin, hair and clothes, of which the clothes have its colour. One of a named material, such as a
// statue of stone, is of that all over. m may be nil.
func Dressed(m *world.Material) bool { return m == nil || m.Name == "" }
