package prompts_test

import (
	"fmt"

	"github.com/limina-mcp/limina/skills/prompts"
	"github.com/limina-mcp/limina/world"
)

func ExampleAll() {
	for _, p := range prompts.All(world.New(world.Config{})) {
		fmt.Println(p.Name(), "-", p.Info().Title)
	}
	// Output:
	// build - Build something
	// repair - Inspect and repair
	// tour - Take a tour
}
