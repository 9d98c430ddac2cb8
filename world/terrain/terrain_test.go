package terrain_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world/terrain"
)

var update = flag.Bool("update", false, "rewrite testdata/tiles.txt; worlds that were made before look different then")

// sum returns the sha256 of a tile's heights, as float32, the lowest byte first, and of the biomes.
func sum(t *terrain.Tile) string {
	var b []byte
	for _, y := range t.Heights {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(y))
	}
	for i, n := range t.Look().Normals {
		for _, x := range n {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		b = append(b, byte(t.Look().Biomes[i]))
	}
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// TestTilesArePinned holds every tile of a few regions, one of each type, to what it was when it was pinned. scripts/test runs it on
// GOAMD64=v3 and arm64 too.
func TestTilesArePinned(t *testing.T) {
	var got strings.Builder
	region := func(seed int64, kind terrain.Type, tiles, lod int) {
		land, err := terrain.New(seed, kind, terrain.Hints{})
		if err != nil {
			t.Fatal(err)
		}
		for tz := range tiles {
			for tx := range tiles {
				fmt.Fprintf(&got, "%d %s %d %d %d %s\n", seed, kind, lod, tx, tz, sum(land.Tile(tx, tz, lod)))
			}
		}
	}
	region(1234, terrain.Mountains, 4, 0)
	region(7331, terrain.Plains, 2, 0)
	for _, kind := range terrain.Types {
		region(-5, kind, 1, 1)
	}
	land, err := terrain.New(1234, terrain.Hills, terrain.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	trees := terrain.Scatter{Seed: 7, Density: 8, Weights: []float64{1, 2}, Coverage: 0.7, Cluster: 0.5, ClusterSize: 40, Low: -9, High: 99, Steepest: 1, Coldest: -9, Hottest: 99, Smallest: 1, Largest: 2}
	s := sha256.Sum256(fmt.Append(nil, trees.On(land.Tile(0, 0, 0))))
	fmt.Fprintf(&got, "trees %x\n", s)
	file := filepath.Join("testdata", "tiles.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got.String(), "\n") {
		if i >= len(lines) || lines[i] != line {
			t.Errorf("tile %s is not as it was pinned", line)
		}
	}
}

// anyLand draws a land.
func anyLand(t *rapid.T) terrain.Land {
	num := func(name string, lo, hi float64) *float64 {
		if rapid.Bool().Draw(t, name+" is given") {
			x := rapid.Float64Range(lo, hi).Draw(t, name)
			return &x
		}
		return nil
	}
	l, err := terrain.New(rapid.Int64().Draw(t, "seed"), rapid.SampledFrom(terrain.Types).Draw(t, "type"), terrain.Hints{
		Relief: num("relief", 0, 200), FeatureSize: num("featureSize", 10, 2000), Roughness: num("roughness", 0, 0.9),
		Ridges: num("ridges", 0, 1), Warp: num("warp", 0, 1), Base: num("base", -500, 500),
		Temperature: num("temperature", -60, 60), Rain: num("rain", 0, 10000),
	})
	if err != nil {
		t.Fatal(err)
	}
	if !l.Valid() {
		t.Fatalf("%+v is not valid", l)
	}
	return l
}

func TestNeighboursShareTheirEdge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLand(t)
		number := rapid.IntRange(-terrain.MaxTile, terrain.MaxTile-1)
		tx, tz, lod := number.Draw(t, "tx"), number.Draw(t, "tz"), rapid.IntRange(0, terrain.MaxLOD).Draw(t, "lod")
		a, right, behind := l.Tile(tx, tz, lod), l.Tile(tx+1, tz, lod), l.Tile(tx, tz+1, lod)
		last := a.Side - 1
		for i := range a.Side {
			if a.At(last, i) != right.At(0, i) || a.At(i, last) != behind.At(i, 0) {
				t.Fatalf("sample %d: %v beside %v, %v before %v", i, a.At(last, i), right.At(0, i), a.At(i, last), behind.At(i, 0))
			}
			if a.Look().Normals[i*a.Side+last] != right.Look().Normals[i*a.Side] {
				t.Fatalf("the normals of sample %d differ", i)
			}
		}
	})
}

// TestSurfaceGoesThroughTheSamples, is flat in between, and is what the land is at the samples; coarser levels leave samples out.
func TestSurfaceGoesThroughTheSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLand(t)
		tx, tz := rapid.IntRange(-50, 50).Draw(t, "tx"), rapid.IntRange(-50, 50).Draw(t, "tz")
		lod := rapid.IntRange(0, terrain.MaxLOD).Draw(t, "lod")
		tile := l.Tile(tx, tz, lod)
		x, z := rapid.IntRange(0, tile.Side-2).Draw(t, "x"), rapid.IntRange(0, tile.Side-2).Draw(t, "z")
		atX, atZ := terrain.Size*float64(tx)+float64(tile.Cell*float64(x)), terrain.Size*float64(tz)+float64(tile.Cell*float64(z))
		if y := float64(float32(l.Height(atX, atZ))); y != tile.At(x, z) || y != tile.Height(atX, atZ) {
			t.Fatalf("the land has %v, the sample %v, the surface %v", y, tile.At(x, z), tile.Height(atX, atZ))
		}
		fine := l.Tile(tx, tz, 0)
		if y := fine.At(x<<lod, z<<lod); y != tile.At(x, z) {
			t.Fatalf("level 0 has %v, level %d %v", y, lod, tile.At(x, z))
		}
		u, v := rapid.Float64Range(0, 1).Draw(t, "u"), rapid.Float64Range(0, 1).Draw(t, "v")
		y := tile.Surface(float64(x)+u, float64(z)+v)
		lo, hi := min(tile.At(x, z), tile.At(x+1, z), tile.At(x, z+1), tile.At(x+1, z+1)), max(tile.At(x, z), tile.At(x+1, z), tile.At(x, z+1), tile.At(x+1, z+1))
		if y < lo-1e-9 || y > hi+1e-9 || lo < tile.Lo || hi > tile.Hi {
			t.Fatalf("%v is not between the corners %v and %v, or these not between %v and %v", y, lo, hi, tile.Lo, tile.Hi)
		}
	})
}

// TestBlocksHoldWhatIsInThem, down to the last cell.
func TestBlocksHoldWhatIsInThem(t *testing.T) {
	l, err := terrain.New(9, terrain.Hills, terrain.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	for lod := range terrain.MaxLOD + 1 {
		tile, cells := l.Tile(3, -2, lod), 0
		var walk func(b terrain.Block)
		walk = func(b terrain.Block) {
			lo, hi := math.Inf(1), math.Inf(-1)
			for z := b.Z; z <= b.Z+b.Cells; z++ {
				for x := b.X; x <= b.X+b.Cells; x++ {
					lo, hi = min(lo, tile.At(x, z)), max(hi, tile.At(x, z))
				}
			}
			if lo != b.Lo || hi != b.Hi {
				t.Errorf("level %d: block %+v has heights from %v to %v", lod, b, lo, hi)
			}
			if b.Cells == 1 {
				cells++
				return
			}
			for _, part := range tile.Parts(b) {
				walk(part)
			}
		}
		walk(tile.Whole())
		if n := tile.Side - 1; cells != n*n {
			t.Errorf("level %d: the blocks have %d cells, not %d", lod, cells, n*n)
		}
	}
}

func TestHintsAreHeld(t *testing.T) {
	bad := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		kind  terrain.Type
		hints terrain.Hints
		want  string
	}{
		{"moor", terrain.Hints{}, `type: must be one of beach, desert, forest, hills, islands, mountains, plains, got "moor"`},
		{"", terrain.Hints{Relief: bad(201)}, "hints.relief: must be from 0 to 200, got 201"},
		{"", terrain.Hints{Roughness: bad(math.NaN())}, "hints.roughness: must be from 0 to 0.9, got NaN"},
		{"", terrain.Hints{FeatureSize: bad(0)}, "hints.featureSize: must be from 10 to 2000, got 0"},
	} {
		if l, err := terrain.New(1, c.kind, c.hints); err == nil || err.Error() != c.want {
			t.Errorf("%s: made %+v, %v; want %s", c.kind, l, err, c.want)
		}
	}
	// A hint changes what it is about.
	high, err := terrain.New(1, terrain.Hills, terrain.Hints{Base: bad(40)})
	if err != nil {
		t.Fatal(err)
	}
	usual, err := terrain.New(1, "", terrain.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := usual.Height(5, 6)+40, high.Height(5, 6); a != b || high.SeaLevel != usual.SeaLevel+40 {
		t.Errorf("with base 40 the land is %v high, the sea %v; want %v, %v", b, high.SeaLevel, a, usual.SeaLevel+40)
	}
}

// TestLandsDiffer by their seeds, and by their types.
func TestLandsDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, kind := range terrain.Types {
		for seed := range int64(4) {
			l, err := terrain.New(seed, kind, terrain.Hints{})
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprint(kind, seed)
			s := sum(l.Tile(0, 0, 2))
			if seen[s] != "" {
				t.Errorf("%s is the same as %s", name, seen[s])
			}
			seen[s] = name
		}
	}
}

func TestCacheGivesTheSame(t *testing.T) {
	var c terrain.Cache
	l, err := terrain.New(3, terrain.Desert, terrain.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	first := c.Tile(l, 0, 0, 4)
	for i := range 1030 { // more than it keeps
		if got, want := sum(c.Tile(l, i, 1, 4)), sum(l.Tile(i, 1, 4)); got != want {
			t.Fatalf("tile %d: %s, want %s", i, got, want)
		}
	}
	if c.Tile(l, 0, 0, 4) == first {
		t.Error("the oldest tile is still kept")
	}
	if newest := c.Tile(l, 1029, 1, 4); c.Tile(l, 1029, 1, 4) != newest {
		t.Error("the newest tile is computed twice")
	}
}

// TestScatterKeepsItsRules: what it says of places holds for all that it finds, and a stricter one finds some of the same.
func TestScatterKeepsItsRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLand(t)
		tile := l.Tile(rapid.IntRange(-9, 9).Draw(t, "tx"), rapid.IntRange(-9, 9).Draw(t, "tz"), rapid.IntRange(0, 3).Draw(t, "lod"))
		loose := terrain.Scatter{
			Seed: rapid.Int64().Draw(t, "scatter"), Density: rapid.IntRange(1, 24).Draw(t, "density"), Weights: []float64{1, 0, 2},
			Coverage: rapid.Float64Range(0, 1).Draw(t, "coverage"), Cluster: rapid.Float64Range(0, 1).Draw(t, "cluster"), ClusterSize: 30,
			Low: -1e4, High: 1e4, Steepest: 1e4, Coldest: -1e4, Hottest: 1e4, Smallest: 0.5, Largest: 2,
		}
		strict := loose
		strict.Low, strict.Steepest, strict.Biomes = tile.Lo+(tile.Hi-tile.Lo)/3, 0.5, []terrain.Biome{terrain.Woods, terrain.Grassland}
		all := map[terrain.Place]bool{}
		for _, p := range loose.On(tile) {
			all[p] = true
			if p.Kind == 1 || p.Scale < 0.5 || p.Scale > 2 || p.Y != tile.Height(p.X, p.Z) {
				t.Fatalf("%+v", p)
			}
			for q := range all {
				if d := max(math.Abs(q.X-p.X), math.Abs(q.Z-p.Z)); q != p && d < 0.49*terrain.Size/float64(loose.Density) {
					t.Fatalf("%+v is %v from %+v", p, d, q)
				}
			}
		}
		for _, p := range strict.On(tile) {
			if !all[p] || p.Y < strict.Low || tile.Slope(p.X, p.Z) > 0.5 {
				t.Fatalf("%+v, steep %v", p, tile.Slope(p.X, p.Z))
			}
		}
	})
}

// FuzzHeight asks for any place of any land: the answer is a number near the base.
func FuzzHeight(f *testing.F) {
	f.Add(int64(1234), uint8(5), 10.0, -3.0)
	f.Add(int64(-1), uint8(0), 1e300, math.Inf(-1))
	f.Fuzz(func(t *testing.T, seed int64, kind uint8, x, z float64) {
		if x != x || z != z {
			return
		}
		l, err := terrain.New(seed, terrain.Types[int(kind)%len(terrain.Types)], terrain.Hints{})
		if err != nil {
			t.Fatal(err)
		}
		y := l.Height(x, z)
		if !(math.Abs(y-l.Base) <= 3*l.Relief) {
			t.Errorf("%+v is %v high at %v, %v", l, y, x, z)
		}
		if c := l.Climate(x, z); !(c.Rain >= 0 && c.Rain < 1e5 && math.Abs(c.Temperature) < 200) || c.Biome.String() == "unknown" {
			t.Errorf("%+v has the climate %+v at %v, %v", l, c, x, z)
		}
		tx, tz := terrain.TileAt(x, z)
		if x = min(max(x, -terrain.Far), terrain.Far); terrain.Size*float64(tx) > x || x > terrain.Size*float64(tx+1) {
			t.Errorf("%v, %v is in tile %d, %d", x, z, tx, tz)
		}
	})
}

func BenchmarkTile(b *testing.B) {
	for _, kind := range terrain.Types {
		b.Run(string(kind), func(b *testing.B) {
			l, err := terrain.New(1234, kind, terrain.Hints{})
			if err != nil {
				b.Fatal(err)
			}
			for i := 0; b.Loop(); i++ {
				l.Tile(i&1023, 0, 0)
			}
		})
	}
}

// TestWorks: lands with the same works are equal, and those that have none are as they were; JSON keeps them.
func TestWorks(t *testing.T) {
	l, err := terrain.New(5, terrain.Hills, terrain.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	bare := l
	list := []terrain.Work{{Form: terrain.Level, Radius: 5, Edge: 2, Y: 30, ToY: 30}, {Form: terrain.Mound, At: [2]float64{300, 0}, To: [2]float64{300, 0}, Radius: 5, Rise: 2}}
	if l.Works, err = terrain.WorksOf(list); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	var read terrain.Land
	if err := json.Unmarshal(text, &read); err != nil || read != l || read == bare {
		t.Errorf("%s is read as %v, %v", text, read, err)
	}
	if text, err = json.Marshal(bare); err != nil || strings.Contains(string(text), "works") {
		t.Errorf("of none: %s, %v", text, err)
	}
	if got := l.Height(0, 0); got != 30 {
		t.Errorf("where it is level it is %v", got)
	}
	if got, want := l.Height(50, 50), bare.Height(50, 50); got != want {
		t.Errorf("elsewhere it is %v, want %v", got, want)
	}
	tile := l.Tile(0, 0, 0)
	if got := tile.At(0, 0); got != 30 {
		t.Errorf("the sample is %v", got)
	}
	if !list[0].Near(0, 0) || !list[0].Near(-1, -1) || list[0].Near(1, 0) || list[1].Near(0, 0) || !list[1].Near(6, 0) {
		t.Error("a work is not near the tiles that it changes, or near others")
	}
	for _, bad := range []string{`[{"form":"hole"}]`, `[{"form":"level","radius":-1}]`, `[{"form":"level","y":1e9}]`, `{}`} {
		if err := json.Unmarshal([]byte(bad), &read.Works); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
