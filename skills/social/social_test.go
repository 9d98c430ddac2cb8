package social_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/world"
)

func skills(w *world.World, a *agents.Agents) []registry.Skill {
	return append(social.All(social.New(w, a)), agent.All(w, a)...)
}

type server = skilltest.Server

const actor = "social.actor"

// bodies gives ann a body at the origin and bob one 10 metres before her, ent_0 and ent_1.
func bodies(t testing.TB, s *server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "agent.embody", `{}`)
	s.Must(t, skilltest.Caller(t, "bob", actor), "agent.embody", `{"position":[0,0,10]}`)
}

func TestSay(t *testing.T) {
	const forbidden = `actorId: you can only speak as yourself, ann; leave it out`
	skilltest.Run(t, skills, "social.say", []skilltest.Case{
		{
			Name: "good", As: actor, Setup: bodies, Input: `{"text":"Good morning"}`, Want: `{"said":true,"speaker":"ann","handle":"say_0"}`,
			Check: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				if got := s.Must(t, p, "social.say", `{"text":"?"}`); got != `{"said":true,"speaker":"ann","handle":"say_1"}` {
					t.Errorf("again: %s", got)
				}
			},
		},
		{Name: "as herself", As: actor, Setup: bodies, Input: `{"text":"x","actorId":"ann"}`, Want: `{"said":true,"speaker":"ann","handle":"say_0"}`},
		{Name: "as her body", As: actor, Setup: bodies, Input: `{"text":"x","actorId":"ent_0"}`, Want: `{"said":true,"speaker":"ann","handle":"say_0"}`},
		{Name: "280 characters of any length", As: actor, Setup: bodies, Input: `{"text":"` + strings.Repeat("ä", 280) + `"}`, Want: `{"said":true,"speaker":"ann","handle":"say_0"}`},
		{Name: "as bob", As: actor, Setup: bodies, Input: `{"text":"x","actorId":"bob"}`, Code: registry.CodeForbidden, Err: forbidden},
		{Name: "as bob's body", As: actor, Setup: bodies, Input: `{"text":"x","actorId":"ent_1"}`, Code: registry.CodeForbidden, Err: forbidden},
		{Name: "without a body", As: actor, Input: `{"text":"x"}`, Err: `you have no body and no character: call agent.embody or player.spawn first`},
		{Name: "nothing", As: actor, Input: `{"text":""}`, Code: registry.CodeInvalidInput, Err: `text: must have from 1 to 280 characters, got 0`},
		{Name: "a speech", As: actor, Input: `{"text":"` + strings.Repeat("x", 281) + `"}`, Code: registry.CodeInvalidInput, Err: `text: must have from 1 to 280 characters, got 281`},
		{Name: "permission", Input: `{"text":"x"}`, Code: registry.CodeForbidden, Err: `missing permission: social.act`},
	})
}

// TestSayIsHeard looks at what viewers and readers of the trace get.
func TestSayIsHeard(t *testing.T) {
	s := skilltest.New(t, skills)
	ann := skilltest.Caller(t, "ann", actor)
	bodies(t, s, ann)
	var heard []world.Moment
	stop := s.World.Observe(func(c *world.Commit) { heard = append(heard, c.Moments...) })
	defer stop()
	s.Must(t, ann, "social.say", `{"text":"Good <morning>"}`)
	_, _ = s.Call(ann, "social.say", `{"text":"I am bob","actorId":"bob"}`)

	const payload = `{"handle":"say_0","speaker":"ann","entity":"ent_0","position":[0,0.85,0],"text":"Good \u003cmorning\u003e"}`
	want := []world.Moment{{Kind: "social.said", Entity: 1, Placed: true, At: world.Vec3{0, 0.85, 0}, Payload: []byte(payload)}}
	if diff := cmp.Diff(want, heard); diff != "" {
		t.Errorf("moments (-want +got):\n%s", diff)
	}
	events, _ := s.Registry.Trace().Tail(trace.Filter{Type: social.Said})
	if len(events) != 1 || string(events[0].Payload) != payload || events[0].ActorID != "ann" {
		t.Errorf("events %+v", events)
	}
}

// TestHeard has ann and a thing say something: who is near perceives it, who is not, or says it, or asks too late, does not.
func TestHeard(t *testing.T) {
	var talk *social.Social
	s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		talk = social.New(w, a)
		return append(social.All(talk), agent.All(w, a)...)
	})
	ann, bob, carl := skilltest.Caller(t, "ann", actor), skilltest.Caller(t, "bob", actor), skilltest.Caller(t, "carl", actor)
	bodies(t, s, ann)
	s.Must(t, carl, "agent.embody", `{"position":[0,0,29]}`)
	heard := func(p *profiles.Principal, want string) {
		t.Helper()
		out := s.Must(t, p, "agent.getPerception", `{}`)
		_, got, _ := strings.Cut(out, `"heard":`)
		got, _, _ = strings.Cut(got, `,"events"`)
		got, _, _ = strings.Cut(got, `,"more"`)
		if got != want {
			t.Errorf("%s hears %s, want %s", p.ID, got, want)
		}
	}
	s.Must(t, ann, "social.say", `{"text":"Hello <you>"}`)
	s.Steps(60)
	_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{Position: world.Vec3{0, 1, 20}})
		if err == nil {
			err = tx.SetName(id, "Parrot")
		}
		if err == nil {
			_, err = talk.Speak(tx, &social.Speech{Entity: id, By: "ann", Text: "Ahoy"})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Steps(30)
	const (
		hello  = `{"speaker":"ann","name":"ann","text":"Hello <you>","secondsAgo":1.5}`
		parrot = `{"speaker":"ent_3","name":"Parrot","text":"Ahoy","secondsAgo":0.5}`
	)
	heard(bob, `[`+hello+`,`+parrot+`]`)
	heard(carl, `[`+parrot+`]`)
	heard(ann, ``)
	s.Steps(29 * 60)
	heard(bob, `[`+strings.Replace(parrot, "0.5", "29.5", 1)+`]`)
	s.Steps(60)
	heard(bob, ``)
	for range agents.MaxSpoken + 10 {
		s.Must(t, ann, "social.say", `{"text":"x"}`)
	}
	heard(bob, `[`+strings.Repeat(`{"speaker":"ann","name":"ann","text":"x","secondsAgo":0},`, agents.MaxHeard-1)+`{"speaker":"ann","name":"ann","text":"x","secondsAgo":0}]`)
}

func TestApproach(t *testing.T) {
	skilltest.Run(t, skills, "social.approach", []skilltest.Case{
		{Name: "an entity", As: actor, Setup: bodies, Input: `{"target":"ent_1"}`, Want: `{"approaching":true,"target":"ent_1"}`, Check: endsAt(world.Vec3{0, 0.85, 8})},
		{Name: "an agent", As: actor, Setup: bodies, Input: `{"target":"bob","talkDistance":0.5}`, Want: `{"approaching":true,"target":"bob"}`, Check: endsAt(world.Vec3{0, 0.85, 9.5})},
		{Name: "a point", As: actor, Setup: bodies, Input: `{"target":[-3,7,0],"talkDistance":1}`, Want: `{"approaching":true,"target":[-3,7,0]}`, Check: endsAt(world.Vec3{-2, 0.85, 0})},
		{Name: "near enough", As: actor, Setup: bodies, Input: `{"target":"bob","talkDistance":10}`, Want: `{"approaching":false,"target":"bob"}`, Check: endsAt(world.Vec3{0, 0.85, 0})},
		{
			Name: "near enough ends another walk", As: actor, Input: `{"target":[0,0,0]}`, Want: `{"approaching":false,"target":[0,0,0]}`, Check: endsAt(world.Vec3{0, 0.85, 0}),
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				bodies(t, s, p)
				s.Must(t, p, "social.approach", `{"target":"bob"}`)
			},
		},
		{Name: "herself", As: actor, Setup: bodies, Input: `{"target":"ann"}`, Code: registry.CodeInvalidInput, Err: `target: ent_0 is your own body`},
		{Name: "nobody", As: actor, Setup: bodies, Input: `{"target":"carl"}`, Code: registry.CodeInvalidInput, Err: `target: "carl" is neither the id of an entity, such as ent_3, nor an agent with a body`},
		{Name: "no entity", As: actor, Setup: bodies, Input: `{"target":"ent_9"}`, Err: `unknown entity ent_9; the nearest are ent_0, ent_1`},
		{Name: "without a body", As: actor, Input: `{"target":[1,2,3]}`, Err: `you have no body: call agent.embody first; a character goes where navmesh.moveTo sends it`},
		{Name: "empty", As: actor, Input: `{"target":""}`, Code: registry.CodeInvalidInput, Err: `target: must be the id of an entity or agent, or a point [x, y, z]`},
		{Name: "a number", As: actor, Input: `{"target":3}`, Code: registry.CodeInvalidInput, Err: `target: must be the id of an entity or agent, or a point [x, y, z]`},
		{Name: "two numbers", As: actor, Input: `{"target":[1,2]}`, Code: registry.CodeInvalidInput, Err: `target: must have 3 items, got 2`},
		{Name: "beyond float32", As: actor, Input: `{"target":[1,2,1e39]}`, Code: registry.CodeInvalidInput, Err: `target[2]: must be from -3.4e+38 to 3.4e+38, got 1e39`},
		{Name: "distance", As: actor, Input: `{"target":[1,2,3],"talkDistance":51}`, Code: registry.CodeInvalidInput, Err: `talkDistance: must be greater than 0 and at most 50, got 51`},
		{Name: "permission", Input: `{"target":[1,2,3]}`, Code: registry.CodeForbidden, Err: `missing permission: social.act`},
	})
}

// endsAt checks where ann is after four seconds of simulation.
func endsAt(want world.Vec3) func(testing.TB, *server, *profiles.Principal) {
	return func(t testing.TB, s *server, _ *profiles.Principal) {
		t.Helper()
		s.Steps(240)
		s.World.View(func(v *world.View) {
			if got, _ := v.Position(1); got.Dist(want) > 1e-9 {
				t.Errorf("ann ends at %v, want %v", got, want)
			}
		})
	}
}

// TestApproachTakesSteps: the call moves nobody, every step moves by the same stride.
func TestApproachTakesSteps(t *testing.T) {
	s := skilltest.New(t, skills)
	ann := skilltest.Caller(t, "ann", actor)
	bodies(t, s, ann)
	s.Must(t, ann, "social.approach", `{"target":"bob"}`)
	for i := range 100 {
		s.World.View(func(v *world.View) {
			want := world.Vec3{0, 0.85, float64(i) * 4.5 / 60}
			if got, _ := v.Position(1); got.Dist(want) > 1e-9 {
				t.Errorf("after %d steps ann is at %v, want %v", i, got, want)
			}
		})
		s.Steps(1)
	}
}

// TestTypedTarget holds engine code to the limits of the wire.
func TestTypedTarget(t *testing.T) {
	s := skilltest.New(t, skills)
	ann := skilltest.Caller(t, "ann", actor)
	bodies(t, s, ann)
	approach := func(to social.Target) (social.ApproachOut, error) {
		return registry.Invoke[social.ApproachIn, social.ApproachOut](t.Context(), s.Registry, ann, "social.approach", social.ApproachIn{Target: to})
	}
	if out, err := approach(social.Target{ID: "bob"}); err != nil || !out.Approaching {
		t.Errorf("bob: %v, %v", out, err)
	}
	if _, err := approach(social.Target{Point: world.Vec3{0, 0, 1e39}}); err == nil || err.Error() != `target[2]: must be from -3.4e+38 to 3.4e+38, got 1e+39` {
		t.Errorf("beyond float32: %v", err)
	}
}

func TestPermissions(t *testing.T) {
	skilltest.Needs(t, skills, "social.say", `{"text":"x"}`, "social.act", "npc.agent", "player.full", "social.actor")
	skilltest.Needs(t, skills, "social.approach", `{"target":[0,0,0]}`, "social.act", "npc.agent", "player.full", "social.actor")
}
