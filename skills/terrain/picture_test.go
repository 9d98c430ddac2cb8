package terrain_test

import (
	"bytes"
	"context"
	"flag"
	"image"
	"image/png"
	"os"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/registry"
)

var update = flag.Bool("update", false, "rewrite the golden picture; look at it before you commit it")

// TestPicture: mountains with a lake and trees, as scene.render shows them, pixel by pixel; on every platform the same.
func TestPicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		region := s.do("world.generateRegion", `{"seed":1234,"type":"mountains","bounds":{"minTx":0,"minTz":0,"maxTx":2,"maxTz":2}}`)
		s.do("world.addWater", `{"level":%v,"region":{"seed":1234,"type":"mountains","bounds":{"minTx":0,"minTz":0,"maxTx":2,"maxTz":2}}}`, region["seaLevel"])
		s.do("world.populateBiome", `{"regionId":"ent_0"}`)
		res := s.Registry.Invoke(context.Background(), &registry.Request{Name: "scene.render", Input: []byte(`{"width":480,"height":320,"format":"png"}`), Principal: s.ann}, nil)
		if res.Err != nil {
			t.Fatal(res.Err)
		}
		got := res.Content[0].Data
		const file = "testdata/mountains.png"
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		read := func(data []byte) image.Image {
			img, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			return img
		}
		a, b := read(got), read(want)
		if a.Bounds() != b.Bounds() {
			t.Fatalf("the picture is %v, want %v", a.Bounds(), b.Bounds())
		}
		differ := 0
		for y := range a.Bounds().Dy() {
			for x := range a.Bounds().Dx() {
				if a.At(x, y) != b.At(x, y) {
					differ++
				}
			}
		}
		if differ > 0 {
			t.Errorf("%d pixels differ from %s", differ, file)
		}
	})
}
