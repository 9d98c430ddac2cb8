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
		"builder.readWrite":    263,
		"builder.review":       107,
		"combat.writer":        49,
		"game.author":          74,
		"npc.agent":            110,
		"player.full":          126,
		"player.limited":       111,
		"reviewer":             44,
		"reviewer.coordinator": 44,
		"social.actor":         58,
		"system.readonly":      41,
		"terrain.author":       83,
		"vfx.writer":           47,
		"world.author":         49,
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
		"architecture.building", "scene.place", "scene.validate", "three.setTransform", "three.setMaterial",
		"skills.describe", "skills.search", "skills.call",
		"world.batch", "world.undo",
		"social.say",
	}
	if diff := cmp.Diff(published, names(registry.Filter{Published: true})); diff != "" {
		t.Errorf("published, at most 16 (-want +got):\n%s", diff)
	}
	core := []string{
		"scene.createEntity", "scene.queryEntities", "asset.place",
		"skills.list", "skills.describe", "skills.search", "skills.browse",
		"player.move", "player.jump", "world.generateRegion", "world.populateBiome", "social.say", "inventory.add",
		"interaction.query", "interaction.interact", "dialogue.start",
	}
	if diff := cmp.Diff(core, names(registry.Filter{Core: true})); diff != "" {
		t.Errorf("core (-want +got):\n%s", diff)
	}
}
