package terrain

// Biome is what grows somewhere.
type Biome int

// The biomes.
const (
	Sea       Biome = iota // under the sea level
	Shore                  // within ShoreBand above it
	Sand                   // under 250 mm of rain
	Grassland              // under 750 mm
	Woods                  // more
	Taiga                  // under 5 °C
	Tundra                 // under 0 °C
	Snow                   // under -5 °C
)

func (b Biome) String() string {
	names := [...]string{"sea", "shore", "sand", "grassland", "woods", "taiga", "tundra", "snow"}
	if b < 0 || int(b) >= len(names) {
		return "unknown"
	}
	return names[b]
}

// ShoreBand is how far above the sea level the shore goes, in metres.
const ShoreBand = 0.6

// Climate is what the weather is like somewhere.
type Climate struct {
	Temperature float64 // mean, in °C
	Rain        float64 // in a year, in mm
	Biome       Biome
}

// lapse is by how many °C a metre of height cools. The air of the Earth needs a hundred and fifty metres for one; these
// lands are small, and are to have snow on their mountains.
const lapse = 0.3

// Climate returns the climate of the land at a place.
func (l *Land) Climate(x, z float64) Climate { return l.climate(x, z, l.Height(x, z)) }

// climate is Climate at a height that is known.
func (l *Land) climate(x, z, y float64) Climate {
	x, z = min(max(x, -Far), Far), min(max(z, -Far), Far)
	u, v := l.shifted(x/1400, z/1400)
	heat := fractal(l.salted(saltHeat), u, v, 3, 0.5)
	rain := fractal(l.salted(saltRain), float64(2*u), float64(2*v), 3, 0.5)
	c := Climate{
		Temperature: l.Temperature + float64(5*heat) - float64(lapse*max(y-l.SeaLevel, 0)),
		Rain:        max(float64(l.Rain*(1+float64(0.5*rain))), 0),
	}
	c.Biome = c.biome(y - l.SeaLevel)
	return c
}

// biome returns what grows at a height above the sea level.
func (c *Climate) biome(above float64) Biome {
	switch {
	case above < 0:
		return Sea
	case c.Temperature < -5:
		return Snow
	case above < ShoreBand:
		return Shore
	case c.Temperature < 0:
		return Tundra
	case c.Temperature < 5:
		return Taiga
	case c.Rain < 250:
		return Sand
	case c.Rain < 750:
		return Grassland
	}
	return Woods
}
