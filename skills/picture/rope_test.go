package picture_test

import (
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// TestRopes looks at a box that hangs by a rope, by a spring, or by what does not show: the one in the middle of the picture is brown,
// grey, or the sky; and nobody is said to be seen but the boxes.
func TestRopes(t *testing.T) {
	for kind, want := range map[physics.JointKind][3]uint32{physics.Rope: {0x8a, 0x6b, 0x45}, physics.Spring: {0x9a, 0x9a, 0x9a}, physics.Weld: {}} {
		var p *physics.Physics
		s := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
			p = physics.New(w, physics.Config{})
			return picture.All(picture.Source{World: w, Physics: p})
		})
		row(t, s, 2)
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			if err := s.World.Bodies.Set(tx, 1, world.Body{Type: "dynamic"}); err != nil {
				return err
			}
			still := world.NoRotation()
			return p.Hang(tx, 1, physics.Joint{Kind: kind, On: world.Vec3{0.5, 10, 0}, Turn: still, OnTurn: still})
		})
		if err != nil {
			t.Fatal(err)
		}
		// The rope leans: at half its height it is 0.25 m beside the box's middle.
		out, img := look(t, s, `{"camera":{"position":[0.25,5.25,3],"target":[0.25,5.25,0],"fov":20},"format":"png","grid":false,"width":200,"height":200}`)
		r, g, b, _ := img.At(100, 100).RGBA()
		got := [3]uint32{r >> 8, g >> 8, b >> 8}
		brown, grey := got[0] > got[1]+15 && got[1] > got[2]+15, max(got[0], got[1], got[2])-min(got[0], got[1], got[2]) < 25
		if kind == physics.Rope && !brown || kind == physics.Spring && !grey || kind == physics.Weld && (brown || grey) {
			t.Errorf("%s: the picture is %v in the middle, want something like %v", kind, got, want)
		}
		if out.Views[0].Visible != 0 {
			t.Errorf("%s: it is said to show %s", kind, fmt.Sprint(out.Views[0].Entities))
		}
	}
}
