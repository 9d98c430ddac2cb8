package material_test

import (
	"fmt"

	"github.com/limina-mcp/limina/skills/material"
)

func Example() {
	wood, err := material.Named("wood")
	fmt.Printf("%s is #%06x, roughness %g: %v\n", wood.Name, wood.Color, wood.Roughness, err)
	_, err = material.Named("adamant")
	fmt.Println(err)
	// Output:
	// wood is #8a5a33, roughness 0.75: <nil>
	// material: unknown material "adamant"; there are brick, concrete, fabric, glass, gold, grass, ice, leather, marble, metal, plaster, plastic, rubber, sand, snow, stone, tile, water, wood
}
