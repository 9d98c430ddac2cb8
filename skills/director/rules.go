package director

import (
	"fmt"
	"iter"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/rule"
	"github.com/limina-mcp/limina/world"
)

// author refuses who plays in the game: how it goes is its author's. agent.write, which the three skills need besides, whoever has a body holds.
func author(c *registry.Call) error {
	if g := c.Principal().Grants; g.Has("game.configure") || g.Has("scene.write") {
		return nil
	}
	return registry.Errorf(registry.CodeForbidden, "missing permission: game.configure, to say how the game goes; director.status tells how it does")
}

// Rules tells what a director that runs does, as a [rule.Source].
func (d *Director) Rules(v *world.View) iter.Seq[rule.Rule] {
	return func(yield func(rule.Rule) bool) {
		c := d.course.Get(v)
		if !c.runs() {
			return
		}
		yield(rule.Rule{
			Kind: "director", ID: "director", When: fmt.Sprintf("a phase of the director begins, which is in %s: build_up, sustain, fade, rest and so on", c.Phase),
			Then: rule.Emits("director.phase", c.By), End: rule.Ends("director.stop"),
		})
	}
}
