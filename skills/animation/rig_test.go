package animation_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

func all(w *world.World, a *agents.Agents) []registry.Skill {
	return slices.Concat(scene.All(w), three.All(w), layout.All(w, solid.NewLooks(w)), history.All(w), agent.All(w, a), animation.All(animation.New(w, a)))
}

// stage is a world with clips, as a builder and a viewer see it.
type stage struct {
	*skilltest.Room
	t testing.TB
}

func newStage(t testing.TB) *stage {
	t.Helper()
	return with(t, all)
}

func with(t testing.TB, skills skilltest.Skills) *stage {
	t.Helper()
	return &stage{t: t, Room: skilltest.NewRoom(t, skills)}
}

// seen is an entity as viewers have it.
type seen struct {
	Pos, Scale world.Vec3
	Rot        world.Quat
	Material   struct{ Color *uint32 }
	Light      struct{ Intensity float64 }
	RigidBody  struct{ Type string }
	Animation  []struct {
		ClipID string
		Ended  bool
	}
}

func (s *stage) see(id string) (out seen) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.Entity(s.t, id)), &out); err != nil {
		s.t.Fatal(err)
	}
	return out
}

// at fails the test unless an entity is at a place, to the tenth of a millimetre.
func (s *stage) at(id string, x, y, z float64) {
	s.t.Helper()
	if got := s.see(id).Pos; got.Dist(world.Vec3{x, y, z}) > 1e-4 {
		s.t.Errorf("%s is at %v, want %v", id, got, world.Vec3{x, y, z})
	}
}

// turned fails the test unless an entity is turned so, by Euler angles.
func (s *stage) turned(id string, x, y, z float64) {
	s.t.Helper()
	got, want := s.see(id).Rot, world.QuatFromEuler(x, y, z)
	var dot float64
	for i := range got {
		dot += got[i] * want[i]
	}
	if math.Abs(dot) < 1-1e-6 {
		s.t.Errorf("%s is turned by %v, want %v", id, got, want)
	}
}

const (
	rise = `{"id":"rise","duration":2,"tracks":[{"property":"position","keys":[{"t":0,"value":[0,0,0]},{"t":2,"value":[0,4,0]}]}]}`
	turn = `{"id":"turn","duration":4,"tracks":[{"property":"rotation.y","keys":[{"t":0,"value":0},{"t":4,"value":6.283185307179586}]}]}`
	open = `{"id":"open","duration":1,"tracks":[{"property":"rotation","keys":[{"t":0,"value":[0,0,0]},{"t":1,"value":[0,1.5707963267948966,0]}]}]}`
)

func clips(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	for _, c := range []string{rise, turn, open} {
		s.Must(t, p, "animation.authorClip", c)
	}
	s.Must(t, p, "animation.load", `{"id":"walk","name":"Walk","duration":1.5}`)
	s.Must(t, p, "scene.createEntity", `{"position":[1,2,3]}`)
}
