package picture_test

import (
	"image"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// pink counts the pixels of joints, and says in which part of the picture they are.
func pink(img image.Image) (n int, room image.Rectangle) {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, bl, _ := img.At(x, y).RGBA()
			if r>>8 > g>>8+60 && bl>>8 > g>>8+30 {
				n++
				room = room.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return n, room
}

// TestPins looks at a box that hangs by each kind of joint, in a picture of edges and in one of how things look: in the first the joint shows, about its axis, which
// is upright, or not at all for a rope; in the second none does. Nobody is said to be seen but the boxes.
func TestPins(t *testing.T) {
	for kind, want := range map[physics.JointKind]struct{ shown, upright bool }{
		physics.Hinge: {true, true}, physics.Slider: {true, true}, physics.Socket: {true, false}, physics.Weld: {true, false}, physics.Rope: {}, "": {},
	} {
		var p *physics.Physics
		s := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
			p = physics.New(w, physics.Config{})
			return picture.All(picture.Source{World: w, Physics: p})
		})
		row(t, s, 2)
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			if err := s.World.Bodies.Set(tx, 1, world.Body{Type: "dynamic"}); err != nil || kind == "" {
				return err
			}
			j := physics.Joint{Kind: kind}
			at, _ := tx.Position(1)
			at = at.Add(world.Vec3{0, 3, 0}) // over the box
			j.Place(&tx.View, 1, at, at, world.QuatBetween(world.Vec3{1, 0, 0}, world.Vec3{0, 1, 0}))
			return p.Hang(tx, 1, j)
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, style := range []string{"wireframe", "shaded"} {
			out, img := look(t, s, `{"camera":{"position":[0,3.5,3],"target":[0,3.5,0],"fov":60},"format":"png","grid":false,"width":200,"height":200,"style":"`+style+`"}`)
			n, room := pink(img)
			shown := want.shown && style == "wireframe"
			if (n > 0) != shown {
				t.Errorf("%q, %s: %d pixels are pink, in %v", kind, style, n, room)
			}
			if shown && (room.Dy() > 2*room.Dx()) != want.upright {
				t.Errorf("%q, %s: what is pink is in %v, want it upright: %v", kind, style, room, want.upright)
			}
			for _, e := range out.Views[0].Entities {
				if e.Entity == 0 {
					t.Errorf("%q, %s: nobody is said to be seen", kind, style)
				}
			}
		}
	}
}
