package terrain

import (
	"math"
	"slices"
)

// Look is what those who draw a tile, or plant something on it, need to know of its samples beside their
// heights. All of it is at z*Side + x.
type Look struct {
	Normals [][3]float64 // of length 1, up; neighbouring tiles have the same on their common edge
	Biomes  []Biome
	colors  []uint32
}

// Look returns what the samples look like. It is computed when it is first asked for, and not to be changed.
func (t *Tile) Look() *Look {
	t.look.Do(func() {
		n := len(t.Heights)
		t.seen = Look{Normals: make([][3]float64, n), Biomes: make([]Biome, n)}
		for z := range t.Side {
			for x := range t.Side {
				i := z*t.Side + x
				t.seen.Normals[i] = t.normal(x, z)
				t.seen.Biomes[i] = t.Land.climate(t.sample(t.X, x), t.sample(t.Z, z), t.At(x, z)).Biome
			}
		}
		t.seen.colors = make([]uint32, n)
		for i := range t.seen.colors {
			color := colorOf(t.seen.Biomes[i], t.seen.Normals[i][1])
			t.seen.colors[i] = t.paint(color, t.sample(t.X, i%t.Side), t.sample(t.Z, i/t.Side), t.Cell)
		}
	})
	return &t.seen
}

// Colors returns the colour of each sample, 0xRRGGBB, as all that draws ground without a colour of its own shows it: by what grows there, and by the works that
// have a colour.
func (l *Look) Colors() []uint32 { return slices.Clone(l.colors) }

// paint returns the colour that ground of some colour has at a place under the works that have one; over so many metres one goes over into the other.
func (t *Tile) paint(color uint32, x, z, over float64) uint32 {
	for i := range t.works {
		w := &t.works[i]
		if w.Color == nil {
			continue
		}
		if part := min(max((w.Radius-w.Away(x, z))/over+0.5, 0), 1); part > 0 {
			color = mixed(color, *w.Color, part)
		}
	}
	return color
}

// mixed returns a colour that has so much of the second.
func mixed(a, b uint32, part float64) (c uint32) {
	for shift := 0; shift <= 16; shift += 8 {
		one, two := float64(a>>shift&255), float64(b>>shift&255)
		c |= uint32(math.Round(one+float64(part*(two-one)))) << shift
	}
	return c
}

// colorOf returns the colour of ground. upward is that part of its normal: what is steep is rock.
func colorOf(b Biome, upward float64) uint32 {
	const rock, steep = 0x857d74, 0.72 // of 44°
	if upward < steep && b != Sand {
		return rock
	}
	switch b {
	case Sea:
		return 0x8b8668
	case Shore:
		return 0xd8c795
	case Sand:
		return 0xd9bd82
	case Grassland:
		return 0x9cb566
	case Woods:
		return 0x6f9650
	case Taiga:
		return 0x7c9070
	case Tundra:
		return 0xa69c86
	}
	return 0xf3f5f7
}

// normal returns that of the surface at a sample, from the samples around it: those beyond the border are the land's.
func (t *Tile) normal(x, z int) [3]float64 {
	at := func(x, z int) float64 {
		if x >= 0 && z >= 0 && x < t.Side && z < t.Side {
			return t.At(x, z)
		}
		return float64(t.land(x, z))
	}
	nx, ny, nz := at(x-1, z)-at(x+1, z), 2*t.Cell, at(x, z-1)-at(x, z+1)
	l := math.Sqrt(float64(nx*nx) + float64(ny*ny) + float64(nz*nz))
	return [3]float64{nx / l, ny / l, nz / l}
}
