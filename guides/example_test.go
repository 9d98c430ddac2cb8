package guides_test

import (
	"fmt"

	"github.com/limina-mcp/limina/guides"
)

func ExampleLoad() {
	set, err := guides.Load()
	if err != nil {
		panic(err)
	}
	for _, k := range set.Skills() {
		fmt.Println(k.URI)
	}
	// Output: skill://limina-building/SKILL.md
}
