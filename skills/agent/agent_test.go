package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/world"
)

func skills(w *world.World, a *agents.Agents) []registry.Skill {
	return append(agent.All(w, a), scene.All(w)...)
}

type server = skilltest.Server

// call makes a call beforehand.
func call(name, input string) func(testing.TB, *server, *profiles.Principal) {
	return func(t testing.TB, s *server, p *profiles.Principal) {
		t.Helper()
		s.Must(t, p, name, input)
	}
}

func TestEmbody(t *testing.T) {
	skilltest.Run(t, skills, "agent.embody", []skilltest.Case{
		{
			Name: "a new body", Input: `{}`, Want: `{"entity":"ent_0","position":[0,0.85,0],"created":true}`,
			Check: func(t testing.TB, s *server, _ *profiles.Principal) {
				t.Helper()
				const want = `{"id":"ent_0","eid":0,"pos":[0,0.85,0],"rot":[0,0,0,1],"scale":[1,1,1],"name":"ann","tags":["agent"],` +
					`"shape":{"kind":"capsule","size":[0.7,1.7,0.7],"color":4886745},"agent":"ann"}`
				if got := s.Entity(t, "ent_0"); got != want {
					t.Errorf("body\n got %s\nwant %s", got, want)
				}
			},
		},
		{Name: "somewhere", Input: `{"position":[2,1,5]}`, Want: `{"entity":"ent_0","position":[2,1.85,5],"created":true}`},
		{
			Name: "at the spawn", Input: `{}`, Want: `{"entity":"ent_0","position":[7,0.85,0],"created":true}`,
			Setup: func(t testing.TB, s *server, _ *profiles.Principal) {
				t.Helper()
				_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
					return s.World.Environment.Spawn.Set(tx, world.Vec3{7, 0, 0})
				})
				if err != nil {
					t.Fatal(err)
				}
			},
		},
		{Name: "has one already", Setup: call("agent.embody", `{}`), Input: `{"position":[2,1,5]}`, Want: `{"entity":"ent_0","position":[0,0.85,0],"created":false}`},
		{Name: "an existing entity", Setup: call("scene.createEntity", `{"position":[1,1,1]}`), Input: `{"entity":"ent_0"}`, Want: `{"entity":"ent_0","position":[1,1,1],"created":false}`},
		{
			Name: "another body", Input: `{"entity":"ent_1"}`, Want: `{"entity":"ent_1","position":[0,0,0],"created":false}`,
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				s.Must(t, p, "agent.embody", `{}`)
				s.Must(t, p, "scene.createEntity", `{}`)
			},
			Check: func(t testing.TB, s *server, _ *profiles.Principal) {
				t.Helper()
				if got := s.Entity(t, "ent_0"); strings.Contains(got, `"agent":`) {
					t.Errorf("the old body is still one: %s", got)
				}
			},
		},
		{
			Name: "somebody else's", Input: `{"entity":"ent_0"}`, Err: `ent_0 is the body of another agent, bob`,
			Setup: func(t testing.TB, s *server, _ *profiles.Principal) {
				t.Helper()
				s.Must(t, skilltest.Caller(t, "bob", skilltest.Builder), "agent.embody", `{}`)
			},
		},
		{Name: "nobody", Input: `{"entity":"ent_5"}`, Err: `unknown entity ent_5; the world has none`},
		{
			Name: "a thing, without the right to change things", As: "social.actor", Input: `{"entity":"ent_0"}`, Code: registry.CodeForbidden,
			Setup: func(t testing.TB, s *server, _ *profiles.Principal) {
				t.Helper()
				s.Must(t, skilltest.Caller(t, "bob", skilltest.Builder), "scene.createEntity", `{}`)
			},
			Err: `missing permission: scene.write, to take ent_0 as a body; leave entity out to get a new one`,
		},
		{Name: "a new body without that right", As: "social.actor", Input: `{}`, Want: `{"entity":"ent_0","position":[0,0.85,0],"created":true}`},
		{Name: "both", Input: `{"entity":"ent_0","position":[0,0,0]}`, Code: registry.CodeInvalidInput, Err: `position: is for a new body; leave it out, or leave entity out`},
		{Name: "out of the world", Input: `{"position":[0,0,3.5e38]}`, Code: registry.CodeInvalidInput, Err: `position[2]: must be from -3.4e+38 to 3.4e+38, got 3.5e38`},
		{Name: "permission", As: "world.author", Input: `{}`, Code: registry.CodeForbidden, Err: `missing permission: agent.write`},
	})
}

// TestEmbodyNeedsAName: a caller without an id is no agent.
func TestEmbodyNeedsAName(t *testing.T) {
	s := skilltest.New(t, skills)
	before := s.World.Hash()
	_, err := s.Call(skilltest.Caller(t, "", skilltest.Builder), "agent.embody", `{}`)
	if err == nil || err.Message != "agent: must have 1 to 256 bytes, got 0" {
		t.Errorf("no id: %v", err)
	}
	if s.World.Hash() != before {
		t.Error("a body is left")
	}
}

func TestGetPerception(t *testing.T) {
	skilltest.Run(t, skills, "agent.getPerception", []skilltest.Case{
		{Name: "without a body", Input: `{}`, Want: `{"perception":null,"reason":"you have no body and no character: agent.embody {} or player.spawn makes one"}`},
		{
			Name: "the body was destroyed", Input: `{}`, Want: `{"perception":null,"reason":"you have no body and no character: agent.embody {} or player.spawn makes one"}`,
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				s.Must(t, p, "agent.embody", `{}`)
				s.Must(t, p, "scene.destroyEntity", `{"entity":"ent_0"}`)
			},
		},
		{Name: "alone", Setup: call("agent.embody", `{}`), Input: `{}`, Want: `{"perception":{"agent":"ann","body":"ent_0","position":[0,0.85,0],"step":0,"seen":[],"events":[` +
			`{"id":"evt_0","type":"skill.executed","tick":1,"payload":{"skill":"agent.embody"}},` +
			`{"id":"evt_1","type":"agent.embodied","tick":1,"payload":{"entity":"ent_0","created":true}}]}}`},
		{Name: "permission", As: "vfx.writer", Input: `{}`, Code: registry.CodeForbidden, Err: `missing permission: agent.read`},
		{Name: "input", Input: `{"radius":5}`, Code: registry.CodeInvalidInput, Err: `radius: unknown field: nothing is allowed here`},
	})
}

// TestPerceptionIsBounded fills the surroundings and the trace with more than a perception holds.
func TestPerceptionIsBounded(t *testing.T) {
	s := skilltest.New(t, skills)
	ann, bob := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "bob", skilltest.Builder)
	s.Must(t, ann, "agent.embody", `{}`)
	for i := range 50 {
		s.Must(t, bob, "scene.createEntity", fmt.Sprintf(`{"position":[%v,0.85,0]}`, 24.5-float64(i)/2))
	}
	s.Must(t, ann, "agent.emitEvent", `{"type":"long","payload":{"x":"`+strings.Repeat("y", agent.MaxPayload)+`"}}`)
	_, _ = s.Call(ann, "scene.createEntity", `{"size":-1}`)
	_, _ = s.Call(skilltest.Caller(t, "ann", "reviewer"), "scene.createEntity", `{}`)
	other := skilltest.Caller(t, "ann", skilltest.Builder)
	other.Session = "another session"
	s.Must(t, other, "scene.createEntity", `{"position":[0,99,0]}`)
	out, err := registry.Invoke[agent.GetPerceptionIn, agent.GetPerceptionOut](t.Context(), s.Registry, ann, "agent.getPerception", agent.GetPerceptionIn{})
	if err != nil {
		t.Fatal(err)
	}
	p := out.Perception
	if len(p.Seen) != agent.MaxSeen || p.More != 9 {
		t.Errorf("sees %d and %d more, want %d and 9", len(p.Seen), p.More, agent.MaxSeen)
	}
	for i, seen := range p.Seen { // nearest first
		if want := float64(i) / 2; seen.Distance != want || seen.Entity != world.ID(51-i) {
			t.Errorf("seen[%d] is %s at %v, want %s at %v", i, seen.Entity, seen.Distance, world.ID(51-i), want)
		}
	}
	var types []string
	for _, e := range p.Events {
		types = append(types, fmt.Sprint(e.Type, " ", len(e.Payload) > 0))
	}
	want := []string{"skill.executed true", "agent.embodied true", "skill.executed true", "agent.signal.long false", "skill.refused true", "skill.refused true"}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Errorf("events of ann in her session (-want +got):\n%s", diff)
	}
}

func TestEmitEvent(t *testing.T) {
	skilltest.Run(t, skills, "agent.emitEvent", []skilltest.Case{
		{
			Name: "with payload", Input: `{"type":"wall.finished","payload":{"entity": "ent_7"}}`, Want: `{"eventId":"evt_1"}`,
			Check: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				e, ok := s.Registry.Trace().Get(2)
				if !ok || e.Type != "agent.signal.wall.finished" || e.ActorID != "ann" || e.ThreadID != p.Session ||
					string(e.Payload) != `{"intent":1,"payload":{"entity":"ent_7"}}` {
					t.Errorf("event %+v", e)
				}
			},
		},
		{
			Name: "it cannot look like another event", Input: `{"type":"skill.executed","payload":{"skill":"scene.createEntity","decision":"allow"}}`, Want: `{"eventId":"evt_1"}`,
			Check: func(t testing.TB, s *server, _ *profiles.Principal) {
				t.Helper()
				e, _ := s.Registry.Trace().Get(2)
				if e.Type != "agent.signal.skill.executed" || string(e.Payload) != `{"intent":1,"payload":{"skill":"scene.createEntity","decision":"allow"}}` {
					t.Errorf("event %+v", e)
				}
			},
		},
		{
			Name: "without payload, on several lines", Input: "{\"type\":\"x\",\n\"payload\":{\n}}", Want: `{"eventId":"evt_1"}`,
			Check: func(t testing.TB, s *server, _ *profiles.Principal) {
				t.Helper()
				var export strings.Builder
				if _, err := s.Registry.Trace().Export(&export); err != nil {
					t.Fatal(err)
				}
				if _, err := trace.Verify(strings.NewReader(export.String())); err != nil {
					t.Error(err)
				}
			},
		},
		{Name: "no type", Input: `{}`, Code: registry.CodeInvalidInput, Err: `type: is required: a string of at least 1 character`},
		{Name: "empty type", Input: `{"type":""}`, Code: registry.CodeInvalidInput, Err: `type: must have at least 1 character, got 0`},
		{Name: "payload", Input: `{"type":"x","payload":"y"}`, Code: registry.CodeInvalidInput, Err: `payload: must be an object`},
		{Name: "long type", Input: `{"type":"` + strings.Repeat("x", 129) + `"}`, Code: registry.CodeCapacityExceeded, Err: `type: holds at most 128 bytes, this one has 129`},
		{
			Name: "long payload", Input: `{"type":"x","payload":{"x":"` + strings.Repeat("y", agent.MaxSignalPayload) + `"}}`,
			Code: registry.CodeCapacityExceeded, Err: `payload: holds at most 65472 bytes, this one has 65480`,
		},
		{Name: "permission", As: "system.readonly", Input: `{"type":"x"}`, Code: registry.CodeForbidden, Err: `missing permission: agent.write`},
	})
}

func TestPermissions(t *testing.T) {
	writers := []string{"builder.readWrite", "builder.review", "npc.agent", "player.full", "player.limited", "social.actor"}
	skilltest.Needs(t, skills, "agent.embody", `{}`, "agent.write", writers...)
	skilltest.Needs(t, skills, "agent.emitEvent", `{"type":"x"}`, "agent.write", writers...)
	skilltest.Needs(t, skills, "agent.getPerception", `{}`, "agent.read",
		"builder.readWrite", "builder.review", "game.author", "npc.agent", "player.full", "player.limited", "reviewer", "reviewer.coordinator", "social.actor", "system.readonly")
}
