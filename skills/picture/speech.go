package picture

import (
	"math"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

// overHead is how far the words of somebody are over the top of his shape, in metres.
const overHead = 0.05

// speeches returns what is being said, over who says it: where he is now, or was, if he is no more.
func (s Source) speeches(v *world.View) (all []render.Speech) {
	if s.Agents == nil {
		return nil
	}
	for _, said := range s.Agents.Saying(v) {
		head := said.At
		if t, ok := v.WorldTransform(said.Entity); ok {
			head = t.Position
			if shape, ok := s.World.Shapes.Get(v, said.Entity); ok {
				head[1] += math.Abs(float64(shape.Size[1]*t.Scale[1]))/2 + overHead
			}
		}
		all = append(all, render.Speech{ID: said.Entity, Head: head, Lines: wrap(said.Text)})
	}
	return all
}
