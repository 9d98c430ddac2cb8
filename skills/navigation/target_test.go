package navigation_test

import (
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// chest is a yard with a chest, ent_1, which is in the way itself, and a pillar, ent_2, in the middle of an island of which one sees, from the shore, that it is
// too far away.
func chest(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	do(t, s, p, nil, "scene.createEntity", `{"position":[0.5,0.5,0.5],"size":0.5}`)
	do(t, s, p, nil, "scene.createEntity", `{"position":[6.5,0.5,0.5],"size":0.9}`)
	do(t, s, p, nil, "scene.createEntity", `{"position":[0.5,0.5,19.5],"size":0.9}`)
	do(t, s, p, nil, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":10,"maxZ":20},"cellSize":1,"obstacles":[{"minX":0,"minZ":5,"maxX":10,"maxZ":19},{"minX":6,"minZ":0,"maxX":7,"maxZ":1}]}`)
}

// TestTarget has ways lead to entities, as near as one gets.
func TestTarget(t *testing.T) {
	skilltest.Run(t, all, "navmesh.moveTo", []skilltest.Case{
		{Name: "to an entity", Setup: chest, Input: `{"entity":"ent_0","target":"ent_1","dt":60}`, Want: `{"ok":true,"arrived":true,"position":[5.5,0.5,0.5],"remaining":0}`},
		{Name: "to one out of reach", Setup: chest, Input: `{"entity":"ent_0","target":"ent_2","dt":60}`, Want: `{"ok":false,"arrived":false,"reason":"no way leads to ent_2: the nearest place that can be reached is [0.5 0 4.5], 14.6 m from it"}`},
		{Name: "to none", Setup: chest, Input: `{"entity":"ent_0","target":"ent_9"}`, Err: "target: unknown entity ent_9; the nearest are ent_0, ent_1, ent_2"},
		{Name: "to itself", Setup: chest, Input: `{"entity":"ent_0","target":"ent_0"}`, Code: registry.CodeInvalidInput, Err: "target: is the entity itself; its own place, as [x, y, z], has it stop"},
	})
	skilltest.Run(t, all, "navmesh.findPath", []skilltest.Case{
		{Name: "between entities", Setup: chest, Input: `{"from":"ent_0","to":"ent_1"}`, Want: `{"path":[[0.5,0.5,0.5],[5.5,0,0.5]],"reachable":true,"length":5}`},
		{Name: "out of reach", Setup: chest, Input: `{"from":"ent_1","to":"ent_2"}`, Want: `{"path":[],"reachable":false,"reason":"no way leads to ent_2: the nearest place that can be reached is [0.5 0 4.5], 14.6 m from it","nearest":[0.5,0,4.5]}`},
		{Name: "from none", Setup: chest, Input: `{"from":"ent_9","to":"ent_2"}`, Err: "from: unknown entity ent_9; the nearest are ent_0, ent_1, ent_2"},
	})
	skilltest.Run(t, all, "navmesh.isReachable", []skilltest.Case{
		{Name: "an entity", Setup: chest, Input: `{"entity":"ent_0","to":"ent_1"}`, Want: `{"reachable":true}`},
		{Name: "one out of reach", Setup: chest, Input: `{"entity":"ent_0","to":"ent_2"}`, Want: `{"reachable":false,"reason":"no way leads to ent_2: the nearest place that can be reached is [0.5 0 4.5], 14.6 m from it"}`},
	})
}
