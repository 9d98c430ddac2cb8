package inventory_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

func all(w *world.World, a *agents.Agents) []registry.Skill {
	cast := player.New(w, a, physics.New(w, physics.Config{}))
	return slices.Concat(scene.All(w), layout.All(w, solid.NewLooks(w)), agent.All(w, a), player.All(cast), history.All(w), checkpoint.All(checkpoint.New(w)),
		inventory.All(inventory.New(w, cast.Acts)))
}

type server = skilltest.Server

// player is somebody with an avatar, who may not change the scene.
const visitor = "player.limited"

// do makes calls that have to succeed.
func do(calls ...[2]string) func(testing.TB, *server, *profiles.Principal) {
	return func(t testing.TB, s *server, p *profiles.Principal) {
		t.Helper()
		for _, c := range calls {
			s.Must(t, p, c[0], c[1])
		}
	}
}

// shop has a chest, ent_0, and a crate for food, ent_1, and coins, swords, hats and bread.
func shop(more ...[2]string) func(testing.TB, *server, *profiles.Principal) {
	return func(t testing.TB, s *server, _ *profiles.Principal) {
		t.Helper()
		do(append([][2]string{
			{"item.define", `{"id":"coin","name":"Coin","maxStack":10,"weight":0.01}`},
			{"item.define", `{"id":"sword","name":"Sword","stackable":false,"weight":2,"category":"weapon"}`},
			{"item.define", `{"id":"hat","name":"Hat","maxStack":2,"category":"clothes"}`},
			{"item.define", `{"id":"bread","name":"Bread","category":"food","maxStack":5}`},
			{"scene.createEntity", `{}`},
			{"scene.createEntity", `{}`},
			{"inventory.create", `{"entity":"ent_0","capacity":3}`},
			{"inventory.create", `{"entity":"ent_1","capacity":2,"typeRestrictions":["food"]}`},
		}, more...)...)(t, s, skilltest.Caller(t, "carl", skilltest.Builder))
	}
}

// holds checks what inventory.list answers.
func holds(entity, want string) func(testing.TB, *server, *profiles.Principal) {
	return func(t testing.TB, s *server, p *profiles.Principal) {
		t.Helper()
		if got := contents(t, s, p, entity); got != want {
			t.Errorf("%s holds %q, want %q", entity, got, want)
		}
	}
}

// contents writes what an entity has: "0:5coin 2:1sword hand=sword".
func contents(t testing.TB, s *server, p *profiles.Principal, entity string) (text string) {
	t.Helper()
	var out inventory.ListOut
	if err := json.Unmarshal([]byte(s.Must(t, p, "inventory.list", fmt.Sprintf(`{"entity":%q}`, entity))), &out); err != nil {
		t.Fatal(err)
	}
	for _, h := range out.Items {
		text += fmt.Sprintf(" %d:%d%s", h.Slot, h.Quantity, h.ItemID)
	}
	for _, w := range out.Equipment {
		text += fmt.Sprintf(" %s=%s", w.Place, w.ItemID)
	}
	if text == "" {
		return ""
	}
	return text[1:]
}
