package behavior_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/behavior"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/claims"
	"github.com/limina-mcp/limina/skills/combat"
	"github.com/limina-mcp/limina/skills/environment"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/interaction"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

func all(w *world.World, a *agents.Agents) []registry.Skill {
	list, _ := parts(w, a)
	return list
}

// parts returns the skills, and those who behave.
func parts(w *world.World, a *agents.Agents) ([]registry.Skill, *behavior.Minds) {
	clips, ways := animation.New(w, a), navigation.New(w, a)
	p := physics.New(w, physics.Config{})
	does, looks := action.New(w, audio.New(w)), solid.NewLooks(w)
	does.Animate(clips)
	cast := player.New(w, a, p)
	owned, talk := inventory.New(w, cast.Acts), social.New(w, a)
	things := interaction.New(w, interaction.Deps{Owned: owned, Cast: cast, Looks: looks, Events: does})
	vitals := stats.New(w, stats.Deps{Does: does, Agents: a, Guard: cast.Guard})
	ways.Guard(cast.Walk)
	ways.Hinder(vitals.Pace)
	arena := combat.New(combat.Deps{World: w, Stats: vitals, Physics: p, Things: looks})
	minds := behavior.New(behavior.Deps{World: w, Ways: ways, Social: talk, Does: does, Things: things, Arena: arena, Stats: vitals, Players: cast.Avatars, Acts: cast.Acts})
	heard := event.New(w, does)
	return slices.Concat(scene.All(w), three.All(w), agent.All(w, a), history.All(w), claims.All(w), checkpoint.All(checkpoint.New(w)), environment.All(environment.New(w)),
		player.All(cast), animation.All(clips), navigation.All(ways), stats.All(vitals), combat.All(arena), inventory.All(owned), interaction.All(things),
		event.All(heard), behavior.All(minds)), minds
}

type server = skilltest.Server

// town is a room with ent_0, who is to behave, at the origin, and ent_1, 10 m along x. Of moments it tells what they are about.
func town(t testing.TB) *skilltest.Room {
	t.Helper()
	r := skilltest.NewRoom(t, all, "event", "target", "text", "entity", "goalId", "did", "error")
	two(t, r.Server, r.Ann)
	return r
}

// two makes ent_0 and ent_1.
func two(t testing.TB, s *server, _ *profiles.Principal) {
	t.Helper()
	carl := skilltest.Caller(t, "carl", skilltest.Builder)
	s.Must(t, carl, "scene.createEntity", `{}`)
	s.Must(t, carl, "scene.createEntity", `{"position":[10,0,0]}`)
}

// after is a setup of two, and then some calls by carl.
func after(calls ...[2]string) func(testing.TB, *server, *profiles.Principal) {
	return func(t testing.TB, s *server, p *profiles.Principal) {
		t.Helper()
		two(t, s, p)
		for _, c := range calls {
			s.Must(t, skilltest.Caller(t, "carl", skilltest.Builder), c[0], c[1])
		}
	}
}

// profile is the input of behavior.define.
func profile(parts string) string { return `{"id":"p","name":"P",` + parts + `}` }

// live gives ent_0 a profile.
func live(r *skilltest.Room, parts string) {
	r.Do("behavior.define", "%s", profile(parts))
	r.Do("behavior.assign", `{"entity":"ent_0","profileId":"p"}`)
}

// stands checks where an entity is, to a tenth of a metre, as seen from above.
func stands(t testing.TB, r *skilltest.Room, entity string, x, z float64) {
	t.Helper()
	at := r.At(t, entity)
	if math.Hypot(at[0]-x, at[2]-z) > 0.1 {
		t.Errorf("%s is at %.2f, %.2f, want %v, %v", entity, at[0], at[2], x, z)
	}
}

// does checks what viewers get of what ent_0 does.
func does(t testing.TB, r *skilltest.Room, want string) {
	t.Helper()
	_, rest, _ := strings.Cut(r.Entity(t, "ent_0"), `"behavior":`)
	got, _, _ := strings.Cut(rest, "}")
	if got += "}"; got != want {
		t.Errorf("viewers get %s, want %s", got, want)
	}
}

// put moves an entity.
func put(r *skilltest.Room, entity string, x, z float64) {
	r.Do("three.setTransform", `{"entity":%q,"position":[%v,0,%v]}`, entity, x, z)
}

// said returns what was said since Heard was asked last.
func said(r *skilltest.Room) (all []string) {
	for _, m := range r.Heard() {
		if text, ok := strings.CutPrefix(m, "social.said "); ok {
			all = append(all, text)
		}
	}
	return all
}

const seconds = 60 // steps

var hostile = fmt.Sprintf(`{"entity":"ent_0","towardEntity":"ent_1","attitude":%q}`, "hostile")
