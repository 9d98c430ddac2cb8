package quest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/claims"
	"github.com/limina-mcp/limina/skills/combat"
	"github.com/limina-mcp/limina/skills/dialogue"
	"github.com/limina-mcp/limina/skills/ecs"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/game"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/progression"
	"github.com/limina-mcp/limina/skills/quest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

func all(w *world.World, a *agents.Agents) []registry.Skill {
	skills, _ := with(w, a, nil)
	return skills
}

// with returns the skills, and what announces events as the server does.
func with(w *world.World, a *agents.Agents, r *registry.Registry) ([]registry.Skill, *action.Actions) {
	does := action.New(w, audio.New(w))
	bodies, looks := physics.New(w, physics.Config{}), solid.NewLooks(w)
	cast := player.New(w, a, bodies)
	owned := inventory.New(w, cast.Acts)
	zones := trigger.On(w, does)
	vitals := stats.New(w, stats.Deps{Does: does, Agents: a, Guard: cast.Guard, Self: cast.Own})
	play := game.New(w, does)
	talks := dialogue.New(dialogue.Deps{World: w, Agents: a, Social: social.New(w, a), Game: play, Does: does, Owned: owned, Acts: cast.Acts})
	book := progression.New(w, progression.Deps{Does: does, Stats: vitals, Guard: cast.Acts})
	quests := quest.New(w, quest.Deps{Does: does, Stats: vitals, Owned: owned, Zones: zones, Book: book, Guard: cast.Acts, Plays: cast.Plays})
	heard := event.New(w, does)
	does.Calls(r)
	return slices.Concat(scene.All(w), three.All(w), ecs.All(w), layout.All(w, looks), agent.All(w, a), player.All(cast), history.All(w), claims.All(w),
		checkpoint.All(checkpoint.New(w)), trigger.All(zones), inventory.All(owned), stats.All(vitals), game.All(play), progression.All(book), quest.All(quests), dialogue.All(talks),
		combat.All(combat.New(combat.Deps{World: w, Stats: vitals, Physics: bodies, Things: looks})), event.All(heard)), does
}

// room is a world as a builder and a viewer see it.
type room struct {
	*skilltest.Room
	t    testing.TB
	does *action.Actions
}

// newRoom returns a room in which the hero is ent_0.
func newRoom(t testing.TB, members ...string) *room {
	t.Helper()
	r := newEmptyRoom(t, members...)
	r.Do("scene.createEntity", `{}`)
	return r
}

func newEmptyRoom(t testing.TB, members ...string) *room {
	t.Helper()
	r := &room{t: t}
	r.Room = skilltest.Build(t, func(s *skilltest.Server) (skills []registry.Skill) {
		skills, r.does = with(s.World, s.Agents, s.Registry)
		return skills
	}).Room(t, members...)
	return r
}

// give has the hero accept a quest with such objectives, and more of a definition.
func (r *room) give(id, objectives, more string) {
	r.t.Helper()
	r.Do("quest.define", `{"id":%q,"name":"The quest","objectives":[%s]%s}`, id, objectives, more)
	r.offer(id)
	r.Do("quest.accept", `{"entity":"ent_0","questId":%q}`, id)
	r.Steps(1)
	r.Heard()
}

func (r *room) offer(id string) {
	r.t.Helper()
	if out := r.Do("quest.offer", `{"entity":"ent_0","questId":%q}`, id); out != `{"ok":true}` {
		r.t.Errorf("%s was not offered: %s", id, out)
	}
}

// log writes the quests of an entity: "goblins active slay 1/3, find 0/1*".
func (r *room) log(entity string) string {
	r.t.Helper()
	var out quest.ListOut
	if err := json.Unmarshal([]byte(r.Do("quest.list", `{"entity":%q}`, entity)), &out); err != nil {
		r.t.Fatal(err)
	}
	var lines []string
	for _, q := range out.Quests {
		var parts []string
		for _, o := range q.Objectives {
			parts = append(parts, fmt.Sprintf("%s %d/%d", o.ID, o.Progress, o.Required))
		}
		line := q.QuestID + " " + q.Status + " " + strings.Join(parts, ", ")
		if q.Tracked {
			line += "*"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

// stands checks how the quests of the hero stand.
func (r *room) stands(when, want string) {
	r.t.Helper()
	if got := r.log("ent_0"); got != want {
		r.t.Errorf("%s: %q, want %q", when, got, want)
	}
}

// next takes a step, and checks how the quests of the hero stand then.
func (r *room) next(when, want string) {
	r.t.Helper()
	r.Steps(1)
	r.stands(when, want)
}

// simple is a definition of a quest with an objective, do, of 2, and more of it.
func simple(id, more string) [2]string {
	return [2]string{"quest.define", fmt.Sprintf(`{"id":%q,"name":"N","objectives":[{"id":"do","type":"custom","description":"d","required":2}]%s}`, id, more)}
}

// of is a call about a quest of ent_0.
func of(skill, id string) [2]string {
	return [2]string{"quest." + skill, fmt.Sprintf(`{"entity":"ent_0","questId":%q}`, id)}
}

// taken is that ent_0 has accepted a simple quest.
func taken(id, more string, then ...[2]string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return skilltest.Hero(append([][2]string{simple(id, more), of("offer", id), of("accept", id)}, then...)...)
}
