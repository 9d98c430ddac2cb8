package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// as makes a call in a session of its own, and returns what came of it.
func (p *place) as(agent, profile, skill, input string) string {
	p.t.Helper()
	s, err := p.Mcp.Open(mcp.Identity{AgentID: agent, SessionID: "of-" + agent + "-" + profile, Profile: profile})
	if err != nil {
		return err.Error()
	}
	defer s.Close()
	res := p.Mcp.CallTool(context.Background(), s, mcp.Request{Tool: skill, Input: []byte(input)})
	if res.Error != nil {
		return string(res.Error.Code) + ": " + res.Error.Message
	}
	return string(res.Result)
}

// must is as for a call that has to do what it is to.
func (p *place) must(agent, profile, skill, input string) string {
	p.t.Helper()
	got := p.as(agent, profile, skill, input)
	if !strings.HasPrefix(got, "{") {
		p.t.Fatalf("%s by %s: %s", skill, agent, got)
	}
	return got
}

// rings has ann ring the bell, and returns what has become of the counters by a second later.
func (p *place) rings() string {
	p.t.Helper()
	p.must("ann", "builder.readWrite", "event.emit", `{"eventName":"bell"}`)
	p.passed(2)
	var all []string
	for _, name := range []string{"state", "call", "scene", "timer", "condition"} {
		got := p.must("ann", "builder.readWrite", "game.counter", fmt.Sprintf(`{"name":%q}`, name))
		_, value, _ := strings.Cut(got, `"value":`)
		value, _, _ = strings.Cut(value, ",")
		all = append(all, name+" "+strings.TrimSuffix(value, "}"))
		p.must("ann", "builder.readWrite", "game.counter", fmt.Sprintf(`{"name":%q,"action":"set","value":0}`, name))
	}
	return strings.Join(all, ", ")
}

// counts is an action that counts.
func counts(name string) string {
	return fmt.Sprintf(`{"type":"setState","data":{"game":{"counter":{"name":%q,"action":"increment"}}}}`, name)
}

// sets has somebody set up what happens when the bell rings: in each way in which something is done for somebody.
func (p *place) sets(agent, profile string) {
	p.t.Helper()
	p.must(agent, profile, "event.listen", `{"eventName":"bell","action":`+counts("state")+`}`)
	p.must(agent, profile, "event.listen", `{"eventName":"bell","action":{"type":"call","target":"game.counter","data":{"name":"call","action":"increment"}}}`)
	p.must(agent, profile, "cutscene.define", `{"id":"show","keyframes":[{"atTick":0,"action":`+counts("scene")+`}]}`)
	p.must(agent, profile, "event.listen", `{"eventName":"bell","action":{"type":"setState","data":{"game":{"cutscene":"show"}}}}`)
	p.must(agent, profile, "event.listen", `{"eventName":"bell","action":{"type":"setState","data":{"game":{"timer":{"name":"t","duration":0.5,"onComplete":"late"}}}}}`)
	p.must("ann", "builder.readWrite", "event.listen", `{"eventName":"late","action":`+counts("timer")+`}`)
	p.must("ann", "builder.readWrite", "event.listen", `{"eventName":"so","action":`+counts("condition")+`}`)
	p.must("ann", "builder.readWrite", "event.listen", `{"eventName":"bell","action":{"type":"setState","data":{"game":{"flag":{"name":"rung","value":true}}}}}`)
	p.must(agent, profile, "game.condition", `{"name":"rung","expression":"flag(\"rung\")","onTrue":"so"}`)
}

const (
	allDone = "state 1, call 1, scene 1, timer 1, condition 1"
	noneIs  = "state 0, call 0, scene 0, timer 0, condition 0"
)

// What somebody has set up rests while he is banned, also in the next process, whatever checkpoint is loaded; it goes on when he is not.
func TestRulesOfTheBanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		e, err := engine.New(engine.Config{Review: []string{"builder.review"}, Always: true, MCP: mcp.Options{Allowed: []string{"builder.readWrite", "builder.review", "reviewer"}}})
		if err != nil {
			t.Fatal(err)
		}
		p := &place{e, t}
		run := func() (end func()) {
			if err := p.Keep(dir); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error)
			go func() {
				done <- p.Run(ctx, func(ctx context.Context) error { <-ctx.Done(); return nil })
			}()
			return func() {
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
		}
		end := run()
		p.must("eve", "builder.readWrite", "behavior.define", `{"id":"sentry","name":"Sentry"}`)
		p.sets("eve", "builder.readWrite")
		if got := p.rings(); got != allDone {
			t.Fatalf("before: %s", got)
		}
		p.must("eve", "builder.readWrite", "scene.createEntity", `{"name":"sentry","position":[20,0,0]}`)
		p.must("eve", "builder.readWrite", "behavior.assign", `{"entity":"ent_0","profileId":"sentry"}`)
		p.must("eve", "builder.readWrite", "behavior.setGoal", `{"entity":"ent_0","type":"patrol","config":{"waypoints":[[20,0,0],[40,0,0]]}}`)
		walks := func() bool {
			before := p.must("ann", "builder.readWrite", "scene.queryEntities", `{"entity":"ent_0","details":true}`)
			p.passed(3)
			return before != p.must("ann", "builder.readWrite", "scene.queryEntities", `{"entity":"ent_0","details":true}`)
		}
		if !walks() {
			t.Fatal("the sentry does not walk")
		}
		p.must("eve", "builder.readWrite", "world.claim", `{"min":[-5,-5,-5],"max":[5,5,5],"seconds":3000}`)
		if got := p.as("ann", "builder.readWrite", "scene.createEntity", `{}`); !strings.Contains(got, "eve holds") {
			t.Errorf("the claim: %s", got)
		}
		p.must("ann", "builder.readWrite", "checkpoint.create", `{"name":"before"}`)
		if got := p.as("eve", "builder.review", "scene.createEntity", `{"name":"statue"}`); got != "pending_approval: apr_1" {
			t.Fatal(got)
		}

		if err := p.Ban([]string{"ev*"}); err != nil {
			t.Fatal(err)
		}
		p.must("ann", "builder.readWrite", "game.flag", `{"name":"rung","value":false}`)
		if got := p.rings(); got != noneIs {
			t.Errorf("while she is banned: %s", got)
		}
		if p.passed(3); walks() {
			t.Error("her sentry walks while she is banned")
		}
		if got := p.must("ann", "builder.readWrite", "game.rules", `{}`); !strings.Contains(got, "eve is banned from this server: nothing is done for") {
			t.Errorf("the rules do not say why: %s", got)
		}
		p.must("ann", "builder.readWrite", "scene.createEntity", `{}`) // her claim has ended
		if got := p.as("rita", "reviewer", "approval.grant", `{"approvalId":"apr_1"}`); !strings.Contains(got, "eve is banned from this server by now") {
			t.Errorf("her held call: %s", got)
		}
		p.must("ann", "builder.readWrite", "checkpoint.load", `{"name":"before"}`)
		if got := p.rings(); got != noneIs {
			t.Errorf("with the checkpoint of before: %s", got)
		}
		end()

		if e, err = engine.New(engine.Config{Always: true}); err != nil {
			t.Fatal(err)
		}
		p = &place{e, t}
		end = run()
		defer func() { end() }()
		if got := p.rings(); got != noneIs {
			t.Errorf("in the next process: %s", got)
		}
		if err := p.Ban(nil); err != nil {
			t.Fatal(err)
		}
		p.must("ann", "builder.readWrite", "game.flag", `{"name":"rung","value":false}`)
		if got := p.rings(); got != allDone {
			t.Errorf("once she is not banned: %s", got)
		}
		if p.passed(3); !walks() {
			t.Error("her sentry does not walk once she is not banned")
		}
		before := p.World.Tick()
		if err := p.Ban(nil); err != nil || p.World.Tick() != before {
			t.Errorf("what is no news is told: %v", err)
		}
	})
}

// What somebody has set up is held to what his profile grants when it is done, and so is a call of his that was held.
func TestRulesOfLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := profiles.Builtin()
		with := func(profile string) *profiles.Set {
			set, err := profiles.Builtin().With([]byte("profiles:\n  "+profile), "file")
			if err != nil {
				t.Fatal(err)
			}
			return set
		}
		const gamer = "gamer: {grants: [event.write, event.read, game.configure, scene.read%s]}"
		all := fmt.Sprintf(gamer, ", game.write, scene.write, ecs.modify")
		known.Replace(with(all))
		p := start(t, engine.Config{Profiles: known, Review: []string{"builder.review"}, Always: true, MCP: mcp.Options{Allowed: []string{"builder.readWrite", "builder.review", "reviewer", "gamer"}}})
		p.sets("gus", "gamer")
		if got := p.rings(); got != allDone {
			t.Fatalf("before: %s", got)
		}
		change := func(to *profiles.Set) {
			known.Replace(to)
			if _, err := p.Reprofile(); err != nil {
				t.Fatal(err)
			}
			p.must("ann", "builder.readWrite", "game.flag", `{"name":"rung","value":false}`)
		}
		change(with(fmt.Sprintf(gamer, ", scene.write")))
		if got := p.rings(); got != "state 0, call 0, scene 0, timer 0, condition 1" { // a condition that comes true is news, and nobody's doing
			t.Errorf("of a profile without game.write: %s", got)
		}
		got := p.must("ann", "builder.readWrite", "game.rules", `{}`)
		for _, want := range []string{"missing permission: game.write, which the profile gamer does not grant any more", `"lastError":"missing permission: game.write"`} {
			if !strings.Contains(got, want) {
				t.Errorf("the rules do not say %q: %s", want, got)
			}
		}
		change(profiles.Builtin())
		if got := p.rings(); got != "state 0, call 0, scene 0, timer 0, condition 1" {
			t.Errorf("of a profile that is gone: %s", got)
		}
		change(with(all[:len(all)-2] + ", terrain.write]}"))
		if got := p.rings(); got != allDone {
			t.Errorf("of a profile that grants it again: %s", got)
		}

		for range 2 {
			p.as("eve", "builder.review", "scene.createEntity", `{}`)
		}
		if got := p.as("rita", "reviewer", "approval.grant", `{"approvalId":"apr_1"}`); !strings.Contains(got, `"applied":true`) {
			t.Errorf("a held call of a profile that grants what it did: %s", got)
		}
		change(with("builder.review: {replace: true, grants: [scene.read]}"))
		if got := p.as("rita", "reviewer", "approval.grant", `{"approvalId":"apr_2"}`); !strings.Contains(got, "missing permission: scene.write") {
			t.Errorf("a held call of a profile that grants less: %s", got)
		}
	})
}

// TestLimitsReplay makes the calls that a recorder was told of again, also those that have taken something from somebody: the same world comes of it.
func TestLimitsReplay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p *place
		r := &record{w: func() *world.World { return p.World }}
		e, err := engine.New(engine.Config{Recorder: r, Rigid: true, Always: true})
		if err != nil {
			t.Fatal(err)
		}
		p = &place{e, t}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- p.Run(ctx, func(ctx context.Context) error { <-ctx.Done(); return nil }) }()
		p.sets("eve", "builder.readWrite")
		for _, banned := range [][]string{nil, {"eve"}, {"bob", "e*"}, nil} {
			if err := p.Ban(banned); err != nil {
				t.Fatal(err)
			}
			p.must("ann", "builder.readWrite", "game.flag", `{"name":"rung","value":false}`)
			p.rings()
		}
		cancel()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		want, steps := p.World.Hash(), p.World.Steps()

		again, err := engine.New(engine.Config{Rigid: true})
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		limited := 0
		for _, c := range r.calls {
			for again.World.Steps() < c.step {
				again.World.Step(t.Context())
			}
			if c.by.Kind == profiles.KindAgent && c.by.Session == "" {
				continue // a step has made it
			}
			req := registry.Request{Name: c.skill, Input: c.input, Principal: &c.by}
			if c.skill == "agent.limit" {
				req.Skill = again.Presence.Limit()
				limited++
			}
			if res := again.Registry.Invoke(t.Context(), &req, nil); res.Err != nil {
				t.Fatalf("%s %s: %v", c.skill, c.input, res.Err)
			}
		}
		for again.World.Steps() < steps {
			again.World.Step(t.Context())
		}
		if got := again.World.Hash(); got != want || limited != 3 {
			t.Errorf("%d calls, %d of them of what was taken from somebody, made again give another world", len(r.calls), limited)
		}
	})
}
