package claims_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/claims"
	"github.com/limina-mcp/limina/skills/environment"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

func builders(w *world.World, _ *agents.Agents) []registry.Skill {
	return slices.Concat(scene.All(w), three.All(w), claims.All(w))
}

// hold claims n regions, a metre apart from each other, for somebody.
func hold(n int, who string) func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
		t.Helper()
		for i := range n {
			s.Must(t, skilltest.Caller(t, who, skilltest.Builder), "world.claim", fmt.Sprintf(`{"min":[%d,0,0],"max":[%d,1,1],"seconds":10,"reason":"the tower"}`, 2*i, 2*i+1))
		}
	}
}

func TestClaim(t *testing.T) {
	skilltest.Run(t, builders, "world.claim", []skilltest.Case{
		{
			Name: "a region", Input: `{"min":[0,0,0],"max":[200,1,1],"seconds":2.01,"reason":"the bridge"}`,
			Want: `{"claim":"claim_1","holder":"ann","min":[0,0,0],"max":[200,1,1],"seconds":2.0166666666666666,"reason":"the bridge"}`,
		},
		{Name: "too large", Input: `{"min":[0,0,0],"max":[1,201,1]}`, Code: registry.CodeInvalidInput, Err: "max[1]: must be from 0, which is min[1], to 200, got 201"},
		{Name: "none", Input: `{"min":[0,0,5],"max":[1,1,1]}`, Code: registry.CodeInvalidInput, Err: "max[2]: must be from 5, which is min[2], to 205, got 1"},
		{Name: "too long", Input: `{"min":[0,0,0],"max":[1,1,1],"seconds":3601}`, Code: registry.CodeInvalidInput, Err: "seconds: must be at least 1 and at most 3600, got 3601"},
		{
			Name: "somebody else's", Setup: hold(1, "bob"), Input: `{"min":[1,1,1],"max":[2,2,2]}`,
			Err: `the region meets one that bob holds, from [0 0 0] to [1 1 1] until step 600, for "the tower"`,
		},
		{Name: "beside somebody else's", Setup: hold(1, "bob"), Input: `{"min":[1.1,0,0],"max":[2,2,2],"seconds":1}`, Want: `{"claim":"claim_2","holder":"ann","min":[1.1,0,0],"max":[2,2,2],"seconds":1}`},
		{Name: "one's own", Setup: hold(1, "ann"), Input: `{"min":[1,1,1],"max":[2,2,2],"seconds":1}`, Want: `{"claim":"claim_2","holder":"ann","min":[1,1,1],"max":[2,2,2],"seconds":1}`},
		{Name: "a ninth", Setup: hold(8, "ann"), Input: `{"min":[50,0,0],"max":[51,1,1]}`, Code: registry.CodeCapacityExceeded, Err: "you hold 8 claims, which is the limit: world.release gives one back"},
		{Name: "no permission", As: "system.readonly", Input: `{"min":[0,0,0],"max":[1,1,1]}`, Code: registry.CodeForbidden, Err: "missing permission: scene.write"},
	})
}

func TestRelease(t *testing.T) {
	skilltest.Run(t, builders, "world.release", []skilltest.Case{
		{Name: "one's own", Setup: hold(1, "ann"), Input: `{"claim":"claim_1"}`, Want: `{"ok":true}`},
		{Name: "somebody else's", Setup: hold(1, "bob"), Input: `{"claim":"claim_1"}`, Err: "claim: claim_1 is bob's"},
		{Name: "the only one", Setup: hold(1, "ann"), Input: `{}`, Want: `{"ok":true}`},
		{Name: "of two", Setup: hold(2, "ann"), Input: `{}`, Code: registry.CodeInvalidInput, Err: "claim: is required: you hold claim_1, claim_2"},
		{Name: "nothing of one's own", Setup: hold(1, "bob"), Input: `{}`, Err: "you hold no claim; world.claims lists those of all"},
		{Name: "none", Input: `{"claim":"claim_1"}`, Err: `claim: there is none of the id "claim_1"; world.claims lists them`},
	})
}

// TestLease lets time pass: a claim holds until its last step, is listed with what is left of it, and is
// gone then; who held it may claim as many again.
func TestLease(t *testing.T) {
	s := skilltest.New(t, builders)
	ann, bob := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "bob", skilltest.Builder)
	s.Must(t, ann, "world.claim", `{"min":[-1,-1,-1],"max":[1,1,1],"seconds":1}`)
	for range 7 {
		s.Must(t, ann, "world.claim", `{"min":[10,0,0],"max":[11,1,1],"seconds":60}`)
	}
	s.Steps(30)
	if got := s.Must(t, bob, "world.claims", `{}`); !strings.Contains(got, `{"claim":"claim_1","holder":"ann","min":[-1,-1,-1],"max":[1,1,1],"seconds":0.5}`) {
		t.Errorf("after half a second: %s", got)
	}
	s.Steps(29)
	if _, err := s.Call(bob, "scene.createEntity", `{}`); err == nil || !strings.Contains(err.Message, "ann holds") {
		t.Errorf("one step before its end: %v", err)
	}
	if _, err := s.Call(ann, "world.claim", `{"min":[-1,-1,-1],"max":[1,1,1]}`); err == nil || err.Code != registry.CodeCapacityExceeded {
		t.Errorf("a ninth: %v", err)
	}
	s.Steps(1)
	s.Must(t, bob, "scene.createEntity", `{}`)
	s.Must(t, ann, "world.claim", `{"min":[-1,-1,-1],"max":[1,1,1]}`)
	if got := s.Must(t, bob, "world.claims", `{}`); strings.Contains(got, `"claim_1"`) || strings.Count(got, `"holder"`) != 8 {
		t.Errorf("in the end: %s", got)
	}
	if _, err := s.Call(bob, "scene.destroyEntity", `{"entity":"ent_0"}`); err == nil || !strings.Contains(err.Message, "ann holds") {
		t.Errorf("what was there before: %v", err)
	}
}

// TestLeaseInOtherTime: who has time run fast, or slowly, shortens or prolongs nobody's claim.
func TestLeaseInOtherTime(t *testing.T) {
	s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		return append(builders(w, a), environment.SetTimeScale(w))
	})
	ann, bob := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "bob", skilltest.Builder)
	s.Must(t, ann, "world.claim", `{"min":[-1,-1,-1],"max":[1,1,1],"seconds":10}`)
	left := func(want string) {
		t.Helper()
		if got := s.Must(t, bob, "world.claims", `{}`); !strings.Contains(got, `"seconds":`+want+`}`) {
			t.Errorf("left: %s, want %s", got, want)
		}
	}
	s.Must(t, bob, "world.setTimeScale", `{"scale":10}`)
	s.Steps(600) // a second, in which ten pass
	left("9")
	s.Must(t, bob, "world.setTimeScale", `{"scale":0.5}`)
	s.Steps(60) // two seconds
	left("7")
	for range 50 {
		s.Must(t, bob, "world.setTimeScale", `{"scale":0}`)
		s.Must(t, bob, "world.setTimeScale", `{"scale":0.001}`)
		s.Must(t, bob, "world.setTimeScale", `{"scale":1}`)
	}
	s.Steps(60)
	left("6")
	if _, err := s.Call(bob, "scene.createEntity", `{}`); err == nil || !strings.Contains(err.Message, "ann holds, from [-1 -1 -1] to [1 1 1] until step 1080") {
		t.Errorf("in the claim: %v", err)
	}
	s.Steps(359)
	if _, err := s.Call(bob, "scene.createEntity", `{}`); err == nil {
		t.Error("the claim ended too early")
	}
	s.Steps(1)
	s.Must(t, bob, "scene.createEntity", `{}`)
}

// TestFull has many agents claim until the world has as many regions as it may.
func TestFull(t *testing.T) {
	s := skilltest.New(t, builders)
	for i := range 256 {
		p := skilltest.Caller(t, fmt.Sprint("agent ", i/8), skilltest.Builder)
		s.Must(t, p, "world.claim", fmt.Sprintf(`{"min":[%d,0,0],"max":[%d,1,1]}`, 2*i, 2*i+1))
	}
	_, err := s.Call(skilltest.Caller(t, "late", skilltest.Builder), "world.claim", `{"min":[0,50,0],"max":[1,51,1]}`)
	if err == nil || err.Code != registry.CodeCapacityExceeded {
		t.Errorf("one too many: %v", err)
	}
}

// TestManyNames: the names of one token do not have all claims.
func TestManyNames(t *testing.T) {
	s := skilltest.New(t, builders)
	n := 0
	for ; n < world.MaxClaims; n++ {
		p := skilltest.Caller(t, fmt.Sprint("fleet-", n/8), skilltest.Builder)
		p.Holder = "fleet-*"
		if _, err := s.Call(p, "world.claim", fmt.Sprintf(`{"min":[%d,0,0],"max":[%d,1,1]}`, 2*n, 2*n+1)); err != nil {
			if err.Code != registry.CodeCapacityExceeded || !strings.HasPrefix(err.Message, "192 of 256 claims are yours, and the 64 that are left are for others") {
				t.Error(err)
			}
			break
		}
	}
	if n != world.MaxClaims*3/4 {
		t.Errorf("they have %d", n)
	}
	s.Must(t, skilltest.Caller(t, "ann", skilltest.Builder), "world.claim", `{"min":[0,50,0],"max":[1,51,1]}`)
}
