package skills_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// TestProfilesReach lists how many skills each built-in profile may call.
func TestProfilesReach(t *testing.T) {
	want := map[string]int{
		"builder.readWrite":    51,
		"builder.review":       46,
		"combat.writer":        12,
		"game.author":          14,
		"npc.agent":            30,
		"player.full":          14,
		"player.limited":       17,
		"reviewer":             20,
		"reviewer.coordinator": 20,
		"social.actor":         30,
		"system.readonly":      17,
		"terrain.author":       21,
		"vfx.writer":           12,
		"world.author":         16,
	}
	got := map[string]int{}
	r := newServer(t, 10).registry
	set := profiles.Builtin()
	for _, name := range set.Names() {
		grants, err := set.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		got[name] = len(r.List(registry.Filter{Grants: &grants}))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("callable skills per profile (-want +got):\n%s", diff)
	}
}

// TestTiers lists what clients are shown before they ask for more.
func TestTiers(t *testing.T) {
	names := func(f registry.Filter) (all []string) {
		for _, k := range newServer(t, 10).registry.List(f) {
			all = append(all, k.Name())
		}
		return all
	}
	published := []string{
		"scene.createEntity", "scene.destroyEntity", "scene.queryEntities", "scene.inspect", "scene.render",
		"architecture.building", "three.setTransform", "three.setMaterial", "three.setLighting", "ecs.addComponent",
		"skills.describe", "skills.search", "skills.call",
		"world.setTime", "agent.embody", "social.say",
	}
	if diff := cmp.Diff(published, names(registry.Filter{Published: true})); diff != "" {
		t.Errorf("published, at most 16 (-want +got):\n%s", diff)
	}
	core := []string{
		"scene.createEntity", "scene.queryEntities", "scene.render",
		"skills.list", "skills.describe", "skills.search", "skills.browse", "skills.call", "social.say",
	}
	if diff := cmp.Diff(core, names(registry.Filter{Core: true})); diff != "" {
		t.Errorf("core (-want +got):\n%s", diff)
	}
}
