package exchange

import (
	"math"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// sides is how many a round shape has in a file.
const sides = 24

// form returns the geometry of a shape, of size 1 each way; of a capsule, which cannot be scaled without
// its ends losing their form, of the given size.
func form(kind string, size world.Vec3) *gltf.Geometry {
	switch kind {
	case "sphere":
		return turned(globe(0.5, 0, sides), sides)
	case "capsule":
		r := float64(min(size[0], size[1], size[2]) / 2)
		return turned(globe(r, size[1]/2-r, sides), sides)
	case "cylinder":
		return turned([]ring{
			{y: 0.5, up: 1, pole: true},
			{r: 0.5, y: 0.5, up: 1, sharp: true},
			{r: 0.5, y: 0.5, out: 1},
			{r: 0.5, y: -0.5, out: 1, sharp: true},
			{r: 0.5, y: -0.5, up: -1},
			{y: -0.5, up: -1, pole: true},
		}, sides)
	case "cone":
		out := 2 / math.Sqrt(5)
		return turned([]ring{
			{y: 0.5, out: out, up: out / 2, pole: true}, {r: 0.5, y: -0.5, out: out, up: out / 2, sharp: true}, {r: 0.5, y: -0.5, up: -1}, {y: -0.5, up: -1, pole: true},
		}, sides)
	case "wedge":
		return wedge()
	}
	return cube()
}

// level returns a square of size 1 that is seen from above.
func level() *gltf.Geometry {
	up := [3]float32{0, 1, 0}
	return &gltf.Geometry{
		Positions: [][3]float32{{-0.5, 0, -0.5}, {-0.5, 0, 0.5}, {0.5, 0, 0.5}, {0.5, 0, -0.5}},
		Normals:   [][3]float32{up, up, up, up},
		Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}},
	}
}

// ribbon returns the surface of a river between its banks.
func ribbon(banks [][2]world.Vec3) *gltf.Geometry {
	g := &gltf.Geometry{}
	for i, pair := range banks {
		before, after := banks[max(i-1, 0)], banks[min(i+1, len(banks)-1)]
		along := after[0].Add(after[1]).Sub(before[0].Add(before[1]))
		up := pair[1].Sub(pair[0]).Cross(along)
		if up[1] < 0 {
			up = up.Scale(-1)
		}
		if up.Len() > 0 {
			up = up.Scale(1 / up.Len())
		} else {
			up = world.Vec3{0, 1, 0}
		}
		for _, at := range pair {
			g.Positions = append(g.Positions, [3]float32{float32(at[0]), float32(at[1]), float32(at[2])})
			g.Normals = append(g.Normals, [3]float32{float32(up[0]), float32(up[1]), float32(up[2])})
		}
		if i > 0 {
			n := uint32(2 * i)
			g.Triangles = append(g.Triangles, [3]uint32{n - 2, n - 1, n + 1}, [3]uint32{n - 2, n + 1, n})
		}
	}
	return g
}

// ground is the kind of shape that a tile of generated ground has.
const ground = "terrain"

// across is how many cells a tile of ground has along an edge in a file, at most: as many tiles as a region may
// have are within what a file may hold then. Limina itself makes the ground anew, in full.
const across = 16

// land returns the surface of a tile of ground, around its middle.
func land(tile *terrain.Tile) *gltf.Geometry {
	g := &gltf.Geometry{}
	step := max(1, (tile.Side-1)/across)
	n := (tile.Side-1)/step + 1
	look := tile.Look()
	for z := range n {
		for x := range n {
			i := z*step*tile.Side + x*step
			at := func(k int) float32 { return float32(float64(tile.Cell*float64(k*step)) - terrain.Size/2) }
			up := look.Normals[i]
			g.Positions = append(g.Positions, [3]float32{at(x), tile.Heights[i], at(z)})
			g.Normals = append(g.Normals, [3]float32{float32(up[0]), float32(up[1]), float32(up[2])})
		}
	}
	for z := range n - 1 {
		for x := range n - 1 {
			a := uint32(z*n + x)
			b, c := a+1, a+uint32(n)
			g.Triangles = append(g.Triangles, [3]uint32{a, c, b}, [3]uint32{b, c, c + 1})
		}
	}
	return g
}

// tint gives the surface of a tile, as [land] returns it, the colours that pictures show it in.
func tint(g *gltf.Geometry, tile *terrain.Tile) {
	step := max(1, (tile.Side-1)/across)
	n := (tile.Side-1)/step + 1
	colors, known := tile.Look().Colors(), map[uint32][3]float32{}
	for z := range n {
		for x := range n {
			color := colors[z*step*tile.Side+x*step]
			c, ok := known[color]
			if !ok {
				linear := gltf.Linear(color)
				c = [3]float32{float32(linear[0]), float32(linear[1]), float32(linear[2])}
				known[color] = c
			}
			g.Colors = append(g.Colors, c)
		}
	}
}

// wedge is half a cube, see [render.Wedge].
func wedge() *gltf.Geometry {
	g := &gltf.Geometry{}
	for _, face := range render.WedgeFaces {
		n := narrow(face.Out.Scale(1 / face.Out.Len()))
		first := uint32(len(g.Positions))
		for i, p := range face.Corners {
			g.Positions, g.Normals = append(g.Positions, narrow(p.Scale(0.5))), append(g.Normals, n)
			if i >= 2 {
				g.Triangles = append(g.Triangles, [3]uint32{first, first + uint32(i) - 1, first + uint32(i)})
			}
		}
	}
	return g
}

func cube() *gltf.Geometry {
	g := &gltf.Geometry{}
	for axis := range 3 {
		for _, side := range []float32{-1, 1} {
			var n [3]float32
			n[axis] = side
			first := uint32(len(g.Positions))
			for corner := range 4 {
				p := [3]float32{}
				p[axis] = side / 2
				p[(axis+1)%3] = float32(corner%2) - 0.5
				p[(axis+2)%3] = float32(corner/2) - 0.5
				g.Positions, g.Normals = append(g.Positions, p), append(g.Normals, n)
			}
			a, b := first+1, first+2
			if side < 0 {
				a, b = b, a
			}
			g.Triangles = append(g.Triangles, [3]uint32{first, a, b}, [3]uint32{a, first + 3, b})
		}
	}
	return g
}

// ring is a circle about y in the outline of a round shape, from its top down.
type ring struct {
	r, y    float64
	out, up float64 // its normal
	sharp   bool    // there is nothing between it and the next
	pole    bool    // all of it is one point
}

// globe is the outline of a ball of so many sides that is cut in the middle and moved apart by half above and below.
func globe(radius, half float64, sides int) (rings []ring) {
	steps := sides / 4
	for i := range 2*steps + 1 {
		sin, cos := world.Sincos(math.Pi / 2 * float64(i) / float64(steps))
		up := ring{r: float64(radius * sin), y: float64(radius*cos) + half, out: sin, up: cos, pole: i%(2*steps) == 0}
		down := up
		down.y -= float64(2 * half)
		switch {
		case i < steps:
			rings = append(rings, up)
		case i == steps && half > 0:
			rings = append(rings, up, down)
		default:
			rings = append(rings, down)
		}
	}
	return rings
}

// turned returns the surface of so many sides that an outline makes when it is turned about y.
func turned(rings []ring, sides int) *gltf.Geometry {
	g := &gltf.Geometry{}
	for _, r := range rings {
		for i := range sides + 1 {
			sin, cos := world.Sincos(2 * math.Pi * float64(i%sides) / float64(sides))
			g.Positions = append(g.Positions, [3]float32{float32(r.r * cos), float32(r.y), float32(r.r * sin)})
			g.Normals = append(g.Normals, [3]float32{float32(r.out * cos), float32(r.up), float32(r.out * sin)})
		}
	}
	for i, r := range rings[:len(rings)-1] {
		if r.sharp {
			continue
		}
		for j := range sides {
			a := uint32(i*(sides+1) + j)
			b := a + uint32(sides) + 1
			if !r.pole {
				g.Triangles = append(g.Triangles, [3]uint32{a, a + 1, b})
			}
			if !rings[i+1].pole {
				g.Triangles = append(g.Triangles, [3]uint32{a + 1, b + 1, b})
			}
		}
	}
	return g
}
