package given_test

import (
	"fmt"

	"github.com/limina-mcp/limina/skills/internal/given"
)

func ExampleSet() {
	width, height := 8.0, 3.2
	var in struct{ Width, Height *float64 }
	taller := 4.5
	in.Height = &taller
	given.Set(&width, in.Width)
	given.Set(&height, in.Height)
	fmt.Println(width, height)
	// Output: 8 4.5
}
