package picture_test

import (
	"image"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/skills/vfx"
	"github.com/limina-mcp/limina/world"
)

// TestParticlesShow looks at a fire: it is where it is said to be, the same in two pictures, and another one later.
func TestParticlesShow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
			effects := vfx.New(w)
			return append(picture.All(picture.Source{World: w, Particles: effects}), vfx.All(effects)...)
		})
		row(t, s, 1)
		take := func() *image.RGBA {
			_, img := look(t, s, `{"camera":{"position":[0,1,10],"target":[0,1,0]},"format":"png","width":200,"height":150}`)
			out := image.NewRGBA(img.Bounds())
			for y := range out.Rect.Dy() {
				for x := range out.Rect.Dx() {
					out.Set(x, y, img.At(x, y))
				}
			}
			return out
		}
		changes := func(a, b *image.RGBA) (box image.Rectangle) {
			for y := range a.Rect.Dy() {
				for x := range a.Rect.Dx() {
					if a.RGBAAt(x, y) != b.RGBAAt(x, y) {
						box = box.Union(image.Rect(x, y, x+1, y+1))
					}
				}
			}
			return box
		}
		ann := skilltest.Caller(t, "ann", skilltest.Builder)
		before := take()
		s.Must(t, ann, "vfx.create", `{"config":{"startColor":[1,0.3,0,1],"gravity":0,"shape":"point","config":{"position":[2,1,0]}}}`)
		s.Must(t, ann, "vfx.play", `{"vfxId":"vfx_0"}`)
		s.Steps(60)
		burning := take()
		if box := changes(before, burning); box.Empty() || box.Min.X < 105 || box.Max.X > 160 || box.Max.Y > 80 || box.Min.Y < 40 {
			t.Errorf("the fire shows in %v", box)
		}
		if box := changes(burning, take()); !box.Empty() {
			t.Errorf("two pictures of one step differ in %v", box)
		}
		s.Steps(3)
		if changes(burning, take()).Empty() {
			t.Error("the fire stands still")
		}
		s.Must(t, ann, "vfx.destroy", `{"vfxId":"vfx_0"}`)
		if box := changes(before, take()); !box.Empty() {
			t.Errorf("when it is gone there is something in %v", box)
		}
	})
}
