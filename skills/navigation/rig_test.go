package navigation_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

func all(w *world.World, a *agents.Agents) []registry.Skill {
	return slices.Concat(scene.All(w), three.All(w), agent.All(w, a), social.All(social.New(w, a)), batch.All(w),
		history.All(w), checkpoint.All(checkpoint.New(w)), navigation.All(navigation.New(w, a)))
}

type (
	server    = skilltest.Server
	principal = *profiles.Principal
)

// do calls a skill that has to succeed and reads its output into out, unless that is nil.
func do(t testing.TB, s *server, p principal, out any, name, format string, args ...any) {
	t.Helper()
	text := s.Must(t, p, name, fmt.Sprintf(format, args...))
	if out == nil {
		return
	}
	if err := json.Unmarshal([]byte(text), out); err != nil {
		t.Fatalf("%s: %s: %v", name, text, err)
	}
}

// yard is 10 × 10 cells of 1 m with a wall from x 0 to 8 at z 5..6, and ent_0 at 0.5, 0.5, which walks.
func yard(t testing.TB, s *server, p *profiles.Principal) {
	t.Helper()
	do(t, s, p, nil, "scene.createEntity", `{"position":[0.5,0.5,0.5],"size":0.5}`)
	do(t, s, p, nil, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":10,"maxZ":10},"cellSize":1,"obstacles":[{"minX":0,"minZ":5,"maxX":8,"maxZ":6}]}`)
}

// walled is a yard in which the wall was built upon ent_0.
func walled(t testing.TB, s *server, p *profiles.Principal) {
	t.Helper()
	yard(t, s, p)
	do(t, s, p, nil, "three.setTransform", `{"entity":"ent_0","position":[0.5,0.5,5.25]}`)
}

// position is where an entity is.
func position(t testing.TB, s *server, id world.ID) (p world.Vec3) {
	t.Helper()
	s.World.View(func(v *world.View) { p, _ = v.Position(id) })
	return p
}
