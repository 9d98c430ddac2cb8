// Package terrain says how high the ground is, how warm and how wet, at every place of a land that has
// no end. A land is a seed, one of seven types and a few numbers; everything else is computed from
// these, so that nobody has to keep it or send it:
//
//	land, err := terrain.New(1234, terrain.Mountains, terrain.Hints{})
//	y := land.Height(10, -3)          // of the land itself
//	tile := land.Tile(0, -1, 0)       // the surface that people stand on
//	y = tile.Height(10, -3)
//
// # Tiles
//
// What has a surface is a tile: a square of [Size] metres, tile tx, tz being that from x = Size·tx to
// Size·(tx+1) and from z = Size·tz to Size·(tz+1). It is a grid of samples with two flat triangles
// in each cell, 33 by 33 samples at level of detail 0 and half as many cells along an edge with each level
// after it. Heights are those of the land, rounded to float32, so that a physics engine and everybody
// else sees the same surface. Tiles of one level of detail that are neighbours have the samples on
// their common edge in common.
//
// # Everywhere the same
//
// All of it is a pure function. It uses additions, products that are rounded one by one (see
// world.Vec3), floors and integers, and no function whose last bit depends on the platform: the same
// land has the same bits on amd64, GOAMD64=v3 and arm64. Tests pin them.
//
// Values are immutable and everything may be called concurrently.
package terrain
