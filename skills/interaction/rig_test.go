package interaction_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/interaction"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

func all(w *world.World, a *agents.Agents) []registry.Skill {
	return with(w, a, physics.New(w, physics.Config{}))
}

func with(w *world.World, a *agents.Agents, p *physics.Physics) []registry.Skill {
	cast, looks := player.New(w, a, p), solid.NewLooks(w)
	owned := inventory.New(w, cast.Acts)
	does := action.New(w, audio.New(w))
	cast.Tell(does)
	heard := event.New(w, does)
	return slices.Concat(scene.All(w), three.All(w), layout.All(w, looks), agent.All(w, a), player.All(cast), history.All(w), checkpoint.All(checkpoint.New(w)),
		event.All(heard), inventory.All(owned), interaction.All(interaction.New(w, interaction.Deps{Owned: owned, Cast: cast, Looks: looks, Events: does})))
}

type server = skilltest.Server

// visitor is somebody with an avatar, who may change nothing but what he plays with.
const visitor = "player.limited"

const ok = `{"ok":true}`

// hall has a coin of two, ent_0, 2 m along x; a door leaf, ent_1, in a group about its hinge, ent_2, 4 m along z; a lever, ent_3, 9 m along x; a sign,
// ent_4, 1 m along -x. Then come the calls, as carl. Ann, if she has a body, has it at the origin: ent_5.
func hall(more ...[2]string) func(testing.TB, *server, *profiles.Principal) {
	return func(t testing.TB, s *server, p *profiles.Principal) {
		t.Helper()
		carl := skilltest.Caller(t, "carl", skilltest.Builder)
		for _, c := range [][2]string{
			{"item.define", `{"id":"coin","name":"Coin","maxStack":10,"config":{"drop":{"shape":"sphere","size":0.2}}}`},
			{"item.define", `{"id":"key","name":"Brass key","usageBehavior":"keep"}`},
			{"item.define", `{"id":"potion","name":"Potion","usageBehavior":"heal","config":{"amount":20}}`},
			{"scene.createEntity", `{"position":[2,0.1,0],"size":0.2}`},
			{"scene.createEntity", `{"position":[0.5,1,4],"static":true}`},
			{"scene.group", `{"entities":["ent_1"],"origin":[0,0,4]}`},
			{"scene.createEntity", `{"position":[9,1,0]}`},
			{"scene.createEntity", `{"position":[-1.5,1,0]}`},
			{"interaction.register", `{"entity":"ent_0","prompt":"Take the coins","type":"pickup","config":{"itemId":"coin","quantity":2}}`},
			{"interaction.register", `{"entity":"ent_2","prompt":"Open the door","type":"open","maxRange":4,"config":{"open":{"rotationEuler":[0,1.5,0],"seconds":0.5}}}`},
			{"interaction.register", `{"entity":"ent_3","prompt":"Throw the lever","type":"toggle","action":"lever"}`},
			{"interaction.register", `{"entity":"ent_4","prompt":"Read","config":{"text":"Welcome"}}`},
		} {
			s.Must(t, carl, c[0], c[1])
		}
		if p.ID == "ann" {
			s.Must(t, p, "agent.embody", `{"position":[0,0,0]}`)
		}
		for _, c := range more {
			s.Must(t, carl, c[0], c[1])
		}
	}
}

// yaw returns by how many radians an entity is turned about y, as viewers get it.
func yaw(t testing.TB, s *server, entity string) float64 {
	t.Helper()
	id, err := world.ParseID(entity)
	if err != nil {
		t.Fatal(err)
	}
	var q world.Quat
	s.World.View(func(v *world.View) {
		at, _ := v.WorldTransform(id)
		q = at.Rotation
	})
	return 2 * math.Atan2(q[1], q[3])
}

// turned checks how an entity is turned.
func turned(t testing.TB, s *server, entity string, want float64) {
	t.Helper()
	if got := yaw(t, s, entity); math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is turned by %v, want %v", entity, got, want)
	}
}

// contents writes what an entity has: "0:5coin".
func contents(t testing.TB, s *server, entity string) string {
	t.Helper()
	out, err := s.Call(skilltest.Caller(t, "carl", skilltest.Builder), "inventory.list", fmt.Sprintf(`{"entity":%q}`, entity))
	if err != nil {
		return err.Message
	}
	var list inventory.ListOut
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, h := range list.Items {
		parts = append(parts, fmt.Sprintf("%d:%d%s", h.Slot, h.Quantity, h.ItemID))
	}
	return strings.Join(parts, " ")
}

// has checks what an entity has.
func has(entity, want string) func(testing.TB, *server, *profiles.Principal) {
	return func(t testing.TB, s *server, _ *profiles.Principal) {
		t.Helper()
		if got := contents(t, s, entity); got != want {
			t.Errorf("%s has %q, want %q", entity, got, want)
		}
	}
}

// listen returns what viewers are told from now on.
func listen(t testing.TB, s *server) *[]string {
	t.Helper()
	heard := new([]string)
	t.Cleanup(s.World.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			*heard = append(*heard, m.Kind+" "+string(m.Payload))
		}
	}))
	return heard
}
