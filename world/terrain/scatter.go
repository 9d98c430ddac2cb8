package terrain

import "math"

// Scatter says what of several kinds of things goes where on tiles. The places follow from the tile
// and from what is here: the same give the same, on every platform.
type Scatter struct {
	Seed    int64
	Density int       // of cells along a tile's edge, in each of which there is one thing at most
	Weights []float64 // of the kinds: how often each is chosen; none below zero

	Coverage    float64 // which part of the cells gets something, 0 to 1
	Cluster     float64 // 0: evenly; 1: only in groves, whose places a noise says
	ClusterSize float64 // from one grove to the next, in metres

	Low, High         float64 // only at these heights of the land
	Steepest          float64 // and where a metre to the side is at most so many up or down
	Coldest, Hottest  float64 // and where the mean temperature is in between
	Biomes            []Biome // and in these biomes; none for all
	Smallest, Largest float64 // the factors of their sizes are in between
}

// Place is where something goes.
type Place struct {
	Kind    int     // index in Weights
	X, Y, Z float64 // on the surface of the tile, in the land's coordinates
	Yaw     float64 // turn about the vertical axis, in radians
	Scale   float64
}

// dice is a stream of numbers that a lattice point decides.
type dice struct{ state uint64 }

// next returns a number from 0 up to but not including 1.
func (d *dice) next() float64 {
	d.state += 0x9e3779b97f4a7c15
	return float64(mix(d.state)>>11) / (1 << 53)
}

// On returns the places on a tile, in the order of the cells: x within z. Each is in the middle half of its cell, so that
// two are never nearer than half a cell.
func (s *Scatter) On(t *Tile) []Place {
	var places []Place
	cell := Size / float64(s.Density)
	for z := range s.Density {
		for x := range s.Density {
			d := dice{lattice(mix(uint64(s.Seed))^0x5ca77e4, int64(t.X*s.Density+x), int64(t.Z*s.Density+z))}
			p := Place{
				X: float64(Size*float64(t.X)) + float64(cell*(float64(x)+0.25+float64(0.5*d.next()))),
				Z: float64(Size*float64(t.Z)) + float64(cell*(float64(z)+0.25+float64(0.5*d.next()))),
			}
			chance, kind := d.next(), d.next()
			p.Yaw = float64(d.next() * 2 * math.Pi)
			p.Scale = s.Smallest + float64(d.next()*(s.Largest-s.Smallest))
			p.Kind = s.kind(kind)
			if chance >= s.chance(p.X, p.Z) || p.Kind < 0 {
				continue
			}
			p.Y = t.Height(p.X, p.Z)
			if s.suits(t, &p) {
				places = append(places, p)
			}
		}
	}
	return places
}

// chance returns how likely it is that something grows somewhere.
func (s *Scatter) chance(x, z float64) float64 {
	if s.Cluster == 0 {
		return s.Coverage
	}
	grove := smooth(-0.1, 0.3, fractal(mix(uint64(s.Seed))+0x6a0e, x/s.ClusterSize, z/s.ClusterSize, 2, 0.5))
	return float64(s.Coverage * blend(1, grove, s.Cluster))
}

// kind chooses one by its weight; -1 if none has any.
func (s *Scatter) kind(at float64) int {
	all := 0.0
	for _, w := range s.Weights {
		all += w
	}
	last := -1
	at = float64(at * all)
	for i, w := range s.Weights {
		if w <= 0 {
			continue
		}
		last = i
		if at -= w; at < 0 {
			return i
		}
	}
	return last
}

func (s *Scatter) suits(t *Tile, p *Place) bool {
	if p.Y < s.Low || p.Y > s.High || t.Slope(p.X, p.Z) > s.Steepest {
		return false
	}
	c := t.Land.climate(p.X, p.Z, p.Y)
	if c.Temperature < s.Coldest || c.Temperature > s.Hottest {
		return false
	}
	for _, b := range s.Biomes {
		if b == c.Biome {
			return true
		}
	}
	return len(s.Biomes) == 0
}

// Slope returns how steep the surface is at a place, in the land's coordinates: 0 is level, 1 is 45°.
func (t *Tile) Slope(x, z float64) float64 {
	u, v := (x-float64(Size*float64(t.X)))/t.Cell, (z-float64(Size*float64(t.Z)))/t.Cell
	i, j := min(max(int(u), 0), t.Side-2), min(max(int(v), 0), t.Side-2)
	along, across := t.At(i+1, j)-t.At(i, j), t.At(i, j+1)-t.At(i, j)
	if u-float64(i)+v-float64(j) > 1 {
		along, across = t.At(i+1, j+1)-t.At(i, j+1), t.At(i+1, j+1)-t.At(i+1, j)
	}
	return math.Sqrt(float64(along*along)+float64(across*across)) / t.Cell
}
