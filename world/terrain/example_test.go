package terrain_test

import (
	"fmt"

	"github.com/limina-mcp/limina/world/terrain"
)

func Example() {
	land, err := terrain.New(1234, terrain.Mountains, terrain.Hints{})
	if err != nil {
		panic(err)
	}
	tile := land.Tile(0, 0, 0)
	fmt.Printf("%d samples, from %.1f m to %.1f m\n", len(tile.Heights), tile.Lo, tile.Hi)
	fmt.Printf("at 10, 20 it is %.2f m high, %v\n", tile.Height(10, 20), land.Climate(10, 20).Biome)
	// Output:
	// 1089 samples, from -11.4 m to 6.2 m
	// at 10, 20 it is -3.92 m high, taiga
}
