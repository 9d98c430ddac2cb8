package exchange_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/skills/terrain"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

// grounds is what makes ground and water, and files of them in a folder.
func grounds(dir string) func(*world.World, *agents.Agents) []registry.Skill {
	return func(w *world.World, _ *agents.Agents) []registry.Skill {
		m := mesh.New(w)
		return append(exchange.All(exchange.Deps{World: w, Meshes: m, Dir: dir}), append(terrain.All(terrain.New(w, m)), three.All(w)...)...)
	}
}

// TestGroundInColour holds that ground has in a GLB the colours that pictures show it in, but for a tile that was painted, and that what is brought back
// is as it was, without a word of colours that are not shown.
func TestGroundInColour(t *testing.T) {
	catalogue := grounds(t.TempDir())
	s := skilltest.New(t, catalogue)
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "world.generateRegion", `{"seed":1234,"type":"mountains","bounds":{"minTx":0,"minTz":0,"maxTx":1,"maxTz":0}}`)
	s.Must(t, ann, "three.setMaterial", `{"entity":"ent_2","color":255}`)
	res := s.Registry.Invoke(context.Background(), &registry.Request{Name: "scene.export", Input: []byte(`{}`), Principal: ann}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	doc := inside(t, res.Content[0].Resource.Blob)
	var tinted, painted int
	colors := map[string]bool{}
	for _, m := range doc.Meshes {
		p := m.Primitives[0]
		color, ok := p.Attributes["COLOR_0"]
		if !ok {
			painted++
			if got := doc.Materials[p.Material].PBR.Color; got != [4]float64{0, 0, 1, 1} {
				t.Errorf("what was painted blue is %v", got)
			}
			continue
		}
		tinted++
		if got := doc.Materials[p.Material].PBR.Color; got != [4]float64{1, 1, 1, 1} {
			t.Errorf("what has colours of its own is multiplied by %v", got)
		}
		for _, c := range doc.floats(t, color, 3) {
			colors[fmt.Sprintf("%06x", gltf.SRGB([4]float64{float64(c[0]), float64(c[1]), float64(c[2]), 1}))] = true
		}
	}
	if tinted != 1 || painted != 1 || len(colors) < 2 {
		t.Errorf("%d tiles have colours, %d one, of %v", tinted, painted, colors)
	}
	known := "857d74 8b8668 d8c795 d9bd82 9cb566 6f9650 7c9070 a69c86 f3f5f7"
	for c := range colors {
		if !strings.Contains(known, c) {
			t.Errorf("there is ground of the colour %s, which pictures do not have", c)
		}
	}
	s.Must(t, ann, "scene.export", `{"file":"land.glb"}`)
	other := skilltest.New(t, catalogue)
	if got := other.Must(t, ann, "scene.import", `{"file":"land.glb"}`); strings.Contains(got, "note") {
		t.Errorf("brought back: %s", got)
	}
	if was, is := s.Entity(t, "ent_1"), other.Entity(t, "ent_1"); was != is {
		t.Errorf("the ground is %s, was %s", is, was)
	}
}

// TestWaterWears: water has in a GLB the colour and the light of its material, and what gives off much light is not clear; what is brought back is as it was.
func TestWaterWears(t *testing.T) {
	catalogue := grounds(t.TempDir())
	s := skilltest.New(t, catalogue)
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "world.addWater", `{}`)
	s.Must(t, ann, "world.addWater", `{"color":255}`)
	s.Must(t, ann, "three.setMaterial", `{"entity":"ent_0","color":16711680,"emissive":16711680}`)
	s.Must(t, ann, "three.setMaterial", `{"entity":"ent_1","emissive":65280}`)
	s.Must(t, ann, "world.addWater", `{"color":255}`)
	res := s.Registry.Invoke(context.Background(), &registry.Request{Name: "scene.export", Input: []byte(`{}`), Principal: ann}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	var got [][2]any
	doc := inside(t, res.Content[0].Resource.Blob)
	for _, m := range doc.Materials {
		got = append(got, [2]any{m.PBR.Color, m.Emissive})
	}
	want := [][2]any{
		{[4]float64{1, 0, 0, 1}, [3]float64{1, 0, 0}},
		{[4]float64{0, 0, 1, 1}, [3]float64{0, 1, 0}},
		{[4]float64{0, 0, 1, 0.7}, [3]float64{}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the materials are %v, want %v", got, want)
	}
	s.Must(t, ann, "scene.export", `{"file":"lava.glb"}`)
	other := skilltest.New(t, catalogue)
	other.Must(t, ann, "scene.import", `{"file":"lava.glb"}`)
	for _, id := range []string{"ent_0", "ent_1", "ent_2"} {
		if was, is := s.Entity(t, id), other.Entity(t, id); was != is {
			t.Errorf("the water is %s, was %s", is, was)
		}
	}
}

// insides is what the JSON of a GLB says, as far as this looks at it.
type insides struct {
	Meshes []struct {
		Primitives []struct {
			Attributes map[string]int
			Material   int
		}
	}
	Materials []struct {
		PBR struct {
			Color [4]float64 `json:"baseColorFactor"`
		} `json:"pbrMetallicRoughness"`
		Emissive [3]float64 `json:"emissiveFactor"`
	}
	Accessors []struct {
		BufferView, Count, ComponentType int
		Type                             string
	}
	BufferViews []struct{ ByteOffset, ByteLength int }
	Animations  []struct {
		Name     string
		Channels []struct {
			Sampler int
			Target  struct {
				Node int
				Path string
			}
		}
		Samplers []struct {
			Input, Output int
			Interpolation string
		}
	}
	Nodes []struct{ Name string }

	bin []byte
}

func inside(t *testing.T, glb []byte) (out insides) {
	t.Helper()
	size := int(le(glb[12:]))
	if err := json.Unmarshal(glb[20:20+size], &out); err != nil {
		t.Fatal(err)
	}
	if at := 20 + size; at < len(glb) {
		out.bin = glb[at+8:]
	}
	return out
}

// floats returns what an accessor of vectors, of so many numbers, has.
func (d *insides) floats(t *testing.T, accessor, wide int) (list [][]float32) {
	t.Helper()
	a := d.Accessors[accessor]
	if a.ComponentType != 5126 {
		t.Fatalf("accessor %d has the type %d", accessor, a.ComponentType)
	}
	at := d.bin[d.BufferViews[a.BufferView].ByteOffset:]
	for i := range a.Count {
		var v []float32
		for k := range wide {
			v = append(v, math.Float32frombits(le(at[4*(i*wide+k):])))
		}
		list = append(list, v)
	}
	return list
}

func le(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
