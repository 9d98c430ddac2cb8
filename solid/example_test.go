package solid_test

import (
	"fmt"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

func Example() {
	at := func(x, y, z float64) world.Transform {
		t := world.Identity()
		t.Position = world.Vec3{x, y, z}
		return t
	}
	table := solid.New(world.Shape{Kind: "box", Size: world.Vec3{2, 1, 1}}, at(0, 0.5, 0))
	ball := solid.New(world.Shape{Kind: "sphere", Size: world.Vec3{0.5, 0.5, 0.5}}, at(0, 1.5, 0))
	c := solid.Between(table, ball)
	fmt.Println(c.Gap, c.Normal)
	// Output: 0.25 [0 1 0]
}
