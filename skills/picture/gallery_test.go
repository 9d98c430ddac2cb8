package picture

import (
	"image"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/render"
)

// TestGallery holds a gallery to one that sorts all that it was ever given by when it was looked at last, and keeps as many of the newest as there is room
// for.
func TestGallery(t *testing.T) {
	sides := []int{1, 600, 1200, 2000}
	textures := map[int]*render.Texture{}
	for _, side := range sides {
		textures[side] = render.NewTexture(image.NewGray(image.Rect(0, 0, side, side)), side)
	}
	rapid.Check(t, func(t *rapid.T) {
		g := &gallery{}
		var want []texture // the newest is the last
		for range rapid.IntRange(1, 60).Draw(t, "looks") {
			key := texture{rapid.StringOfN(rapid.RuneFrom([]rune("abcd")), 1, 1, 1).Draw(t, "hash"), rapid.SampledFrom(sides).Draw(t, "side")}
			at := -1
			for i, k := range want {
				if k == key {
					at = i
				}
			}
			got, ok := g.get(key)
			if ok != (at >= 0) || ok && got != textures[key.side] {
				t.Fatalf("%v is kept: %v, want %v of %v", key, ok, at >= 0, want)
			}
			if !ok {
				g.keep(key, textures[key.side])
			} else {
				want = append(want[:at:at], want[at+1:]...)
			}
			want = append(want, key)
			for sum, i := 0, len(want)-1; i >= 0; i-- {
				if sum += textures[want[i].side].Bytes(); sum > maxKept {
					want = want[i+1:]
					break
				}
			}
		}
	})
	var none *gallery
	none.keep(texture{}, textures[1])
	if _, ok := none.get(texture{}); ok {
		t.Error("no gallery keeps something")
	}
}
