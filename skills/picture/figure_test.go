package picture_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// square is a world with bodies, of which pictures are made.
func square(t *testing.T) (s *skilltest.Server, copied func() *render.Scene) {
	t.Helper()
	var source picture.Source
	s = skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		source = picture.Source{World: w, Agents: a, Physics: physics.New(w, physics.Config{}), Paces: []picture.Pace{a.Pace}}
		return slices.Concat(agent.All(w, a), social.All(social.New(w, a)), scene.All(w), three.All(w), picture.All(source))
	})
	return s, func() (c *render.Scene) {
		s.World.View(func(v *world.View) { c = source.Copy(v, "") })
		return c
	}
}

// TestFigures looks at who is drawn as a person, in which clothes, and how he walks.
func TestFigures(t *testing.T) {
	s, copied := square(t)
	ann, bob := skilltest.Caller(t, "ann", "npc.agent"), skilltest.Caller(t, "bob", "builder.readWrite")
	s.Must(t, ann, "agent.embody", `{}`)
	s.Must(t, bob, "scene.createEntity", `{"shape":"figure","size":3.4,"material":"stone","position":[5,1.7,0],"static":true}`)
	s.Must(t, bob, "scene.createEntity", `{"position":[0,0.5,9]}`)
	s.Must(t, bob, "agent.embody", `{"entity":"ent_2"}`)
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		return s.World.Shapes.Set(tx, id, world.Shape{Kind: "capsule", Size: world.Vec3{1, 2, 1}})
	}); err != nil {
		t.Fatal(err)
	}
	type look struct {
		Kind    render.Kind
		Dressed bool
	}
	var got []look
	for _, o := range copied().Objects {
		got = append(got, look{o.Kind, o.Dressed})
	}
	want := []look{{render.Figure, true}, {render.Figure, false}, {render.Box, false}, {render.Capsule, false}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a new body, a statue, a box that is a body, a capsule that is none:\n%s", diff)
	}
	if size := copied().Objects[1].Size; size[1] != 3.4 || size[0] < 1.39 || size[0] > 1.41 {
		t.Errorf("a statue of 3.4 m has the room %v", size)
	}
	if text := s.Entity(t, "ent_1"); !strings.Contains(text, `"collider":"capsule"`) {
		t.Errorf("the statue collides otherwise: %s", text)
	}

	// Ann stands, walks with another foot in front from step to step, the same each time that one looks, and stands again.
	if pose := copied().Objects[0].Pose; pose != (render.Pose{}) {
		t.Errorf("who goes nowhere has the pose %+v", pose)
	}
	s.Must(t, ann, "social.approach", `{"target":"ent_2"}`)
	var poses []render.Pose
	for range 4 {
		s.Steps(6)
		poses = append(poses, copied().Objects[0].Pose)
		if again := copied().Objects[0].Pose; again != poses[len(poses)-1] {
			t.Errorf("another look at the same world: %+v, was %+v", again, poses[len(poses)-1])
		}
	}
	for i, p := range poses {
		if p.Speed != agents.Speed || i > 0 && p.Stride == poses[i-1].Stride {
			t.Errorf("walking, %d: %+v, after %+v", i, p, poses[max(i-1, 0)])
		}
	}
	s.Steps(600)
	if pose := copied().Objects[0].Pose; pose != (render.Pose{}) {
		t.Errorf("who has arrived has the pose %+v", pose)
	}
}

// TestSaid looks at whose words are in pictures, and for how long.
func TestSaid(t *testing.T) {
	s, copied := square(t)
	ann := skilltest.Caller(t, "ann", "npc.agent")
	s.Must(t, ann, "agent.embody", `{"position":[2,0,1]}`)
	s.Must(t, ann, "social.say", `{"text":"Hello?"}`)
	s.Must(t, ann, "social.say", `{"text":"Is anybody there who would help me with the roof?"}`)
	want := []render.Speech{{ID: 1, Head: world.Vec3{2, 1.75, 1}, Lines: []string{"Is anybody there who would help", "me with the roof?"}}}
	if diff := cmp.Diff(want, copied().Speeches); diff != "" {
		t.Errorf("what is said last:\n%s", diff)
	}
	input := `{"camera":{"position":[2,1.7,6],"target":[2,1.7,1]},"width":320,"height":240,"format":"png"%s}`
	_, spoken := look(t, s, fmt.Sprintf(input, ""))
	_, mute := look(t, s, fmt.Sprintf(input, `,"panels":false`))
	if spoken.At(60, 90) == mute.At(60, 90) {
		t.Errorf("over her head the picture is %v with words and without", mute.At(60, 90))
	}
	s.Steps(int(s.World.StepsIn(agents.SaidFor)))
	if got := len(copied().Speeches); got != 1 {
		t.Errorf("after %d s: %d are saying something, want 1", agents.SaidFor, got)
	}
	s.Steps(1)
	if got := copied().Speeches; len(got) != 0 {
		t.Errorf("later: %+v", got)
	}
}
