package tracing_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/tracing"
	"github.com/limina-mcp/limina/trace"
)

// row is a decision in one line.
func row(d tracing.AuditRow) string {
	deref := func(s *string) string {
		if s == nil {
			return "null"
		}
		return *s
	}
	verdict := "deny"
	if d.Allow {
		verdict = "allow"
	}
	return fmt.Sprintf("%v %s %s %s %s %s %s profile=%s package=%s tick=%d: %s",
		d.EventID, verdict, d.Rule, d.Boundary, d.Cap, d.AgentID, d.SessionID, deref(d.Profile), deref(d.Package), *d.Tick, d.Reason)
}

func rows(list []tracing.AuditRow) []string {
	out := []string{}
	for _, d := range list {
		out = append(out, row(d))
	}
	return out
}

// The decisions of the history.
var decided = []string{
	"evt_0 allow permission call shop.buy ann s-ann profile=buyer package=null tick=5: profile buyer grants every permission that the skill needs",
	"evt_2 allow permission call shop.look bob s-bob profile=null package=null tick=5: the caller holds every permission that the skill needs",
	"evt_3 deny permission call shop.buy bob s-bob profile=null package=null tick=5: missing permission: scene.write",
	"evt_4 allow permission call shop.buy ann s-ann profile=buyer package=null tick=5: profile buyer grants every permission that the skill needs",
	"evt_5 deny policy call shop.buy ann s-ann profile=buyer package=null tick=5: not to you",
	"evt_9 deny review call shop.buy eve s-eve profile=held package=null tick=5: held for a reviewer as apr_1",
	"evt_10 deny permission call shop.tour bob s-bob profile=null package=null tick=5: missing permission: scene.write",
	"evt_11 deny permission inner shop.buy bob s-bob profile=null package=null tick=5: missing permission: scene.write",
	"evt_12 allow permission call shop.tour ann s-ann profile=buyer package=null tick=5: profile buyer grants every permission that the skill needs",
	"evt_13 allow permission inner shop.buy ann s-ann profile=buyer package=null tick=5: profile buyer grants every permission that the skill needs",
}

// pick returns the decisions of the history with these indices.
func pick(indices ...int) []string {
	out := []string{}
	for _, i := range indices {
		out = append(out, decided[i])
	}
	return out
}

func TestAuditQuery(t *testing.T) {
	tests := []struct {
		as          *profiles.Principal
		input, want string // the summary
		rows        []string
	}{
		{
			auditor, `{}`, "10: 5 + 5, map[permission:8 policy:1 review:1], map[shop.buy:7 shop.look:1 shop.tour:2]",
			decided,
		},
		{auditor, `{"limit":2}`, "10: 5 + 5, map[permission:8 policy:1 review:1], map[shop.buy:7 shop.look:1 shop.tour:2]", pick(8, 9)},
		{auditor, `{"limit":0}`, "10: 5 + 5, map[permission:8 policy:1 review:1], map[shop.buy:7 shop.look:1 shop.tour:2]", pick()},
		{auditor, `{"decision":"all","limit":10}`, "10: 5 + 5, map[permission:8 policy:1 review:1], map[shop.buy:7 shop.look:1 shop.tour:2]", decided},
		{auditor, `{"decision":"allow"}`, "5: 5 + 0, map[permission:5], map[shop.buy:3 shop.look:1 shop.tour:1]", pick(0, 1, 3, 8, 9)},
		{auditor, `{"decision":"deny"}`, "5: 0 + 5, map[permission:3 policy:1 review:1], map[shop.buy:4 shop.tour:1]", pick(2, 4, 5, 6, 7)},
		{auditor, `{"decision":"deny","limit":1}`, "5: 0 + 5, map[permission:3 policy:1 review:1], map[shop.buy:4 shop.tour:1]", pick(7)},
		{auditor, `{"cap":"shop.tour"}`, "2: 1 + 1, map[permission:2], map[shop.tour:2]", pick(6, 8)},
		{auditor, `{"rule":"review"}`, "1: 0 + 1, map[review:1], map[shop.buy:1]", pick(5)},
		{auditor, `{"agentId":"eve"}`, "1: 0 + 1, map[review:1], map[shop.buy:1]", pick(5)},
		{auditor, `{"sessionId":"s-bob","cap":"shop.buy"}`, "2: 0 + 2, map[permission:2], map[shop.buy:2]", pick(2, 7)},
		{auditor, `{"package":"any"}`, "0: 0 + 0, map[], map[]", pick()},
		{ann, `{}`, "5: 4 + 1, map[permission:4 policy:1], map[shop.buy:4 shop.tour:1]", pick(0, 3, 4, 8, 9)},
		{ann, `{"sessionId":"s-bob"}`, "0: 0 + 0, map[], map[]", pick()},
		{who("cid", ""), `{}`, "0: 0 + 0, map[], map[]", pick()},
		{&profiles.Principal{ID: "ann"}, `{}`, "0: 0 + 0, map[], map[]", pick()},
		{nil, `{}`, "0: 0 + 0, map[], map[]", pick()},
	}
	for _, tt := range tests {
		r := newRig(t, registry.Options{}, tracing.Deps{})
		r.history()
		got := read[tracing.AuditQueryOut](r, tt.as, "audit.query", tt.input)
		s := got.Summary
		if text := fmt.Sprintf("%d: %d + %d, %v, %v", s.Total, s.Allowed, s.Denied, s.ByRule, s.ByCap); text != tt.want {
			t.Errorf("%s: got %s\nwant %s", tt.input, text, tt.want)
		}
		if diff := cmp.Diff(tt.rows, rows(got.Decisions)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.input, diff)
		}
		if s.Packages == nil || len(s.Packages) != 0 {
			t.Errorf("%s: packages %v", tt.input, s.Packages)
		}
	}
	r := newRig(t, registry.Options{}, tracing.Deps{})
	for input, want := range map[string]string{
		`{"limit":2001}`:         "invalid_input: limit: must be from 0 to 2000, got 2001",
		`{"decision":"refused"}`: `invalid_input: decision: must be one of "allow", "deny", "all"`,
	} {
		if got := r.call(auditor, "audit.query", input); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s", input, got)
		}
	}
}

func TestAuditUsage(t *testing.T) {
	tests := []struct {
		as          *profiles.Principal
		input, want string
	}{
		{
			auditor, `{}`,
			"s-ann shop.buy 3+1, s-ann shop.tour 1+0, s-bob shop.buy 0+2, s-bob shop.look 1+0, s-bob shop.tour 0+1, s-eve shop.buy 0+1, ",
		},
		{auditor, `{"sessionId":"s-bob"}`, "s-bob shop.buy 0+2, s-bob shop.look 1+0, s-bob shop.tour 0+1, "},
		{ann, `{}`, "s-ann shop.buy 3+1, s-ann shop.tour 1+0, "},
		{ann, `{"sessionId":"s-bob"}`, ""},
	}
	for _, tt := range tests {
		r := newRig(t, registry.Options{}, tracing.Deps{})
		r.history()
		got, text := read[tracing.AuditUsageOut](r, tt.as, "audit.usage", tt.input), ""
		for _, u := range got.PerSessionCap {
			text += fmt.Sprintf("%s %s %d+%d, ", u.SessionID, u.Cap, u.Allowed, u.Denied)
		}
		if text != tt.want {
			t.Errorf("%s: got %s\nwant %s", tt.input, text, tt.want)
		}
	}
	r := newRig(t, registry.Options{}, tracing.Deps{})
	if got, want := r.call(nil, "audit.usage", `{}`), `{"perSessionCap":[],"quotas":[],"budgets":[]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAuditExplain(t *testing.T) {
	r := newRig(t, registry.Options{}, tracing.Deps{})
	r.history()
	const null = `"profile":null,"package":null`
	tests := []struct {
		as          *profiles.Principal
		event, want string
	}{
		{
			ann, "evt_0", `{"eventId":"evt_0","eventType":"skill.executed","found":true,"decision":{"eventId":"evt_0","allow":true,"rule":"permission",` +
				`"reason":"profile buyer grants every permission that the skill needs","boundary":"call",` +
				`"context":{"agentId":"ann","sessionId":"s-ann","cap":"shop.buy","profile":"buyer","package":null,"tick":5,"requiredPermissions":["scene.write"]},` +
				`"quota":null,"budget":null},"provenance":{"agentId":"ann","sessionId":"s-ann","profile":"buyer","package":null},` +
				`"causalTrace":{"parents":[],"ancestry":[]}}`,
		},
		{
			bob, "evt_11", `{"eventId":"evt_11","eventType":"skill.refused","found":true,"decision":{"eventId":"evt_11","allow":false,"rule":"permission",` +
				`"reason":"missing permission: scene.write","boundary":"inner",` +
				`"context":{"agentId":"bob","sessionId":"s-bob","cap":"shop.buy",` + null + `,"tick":5,"requiredPermissions":["scene.write"]},` +
				`"quota":null,"budget":null},"provenance":{"agentId":"bob","sessionId":"s-bob",` + null + `},` +
				`"causalTrace":{"parents":[{"id":"evt_10","type":"skill.refused","actorId":"bob","threadId":"s-bob"}],` +
				`"ancestry":[{"id":"evt_10","type":"skill.refused","actorId":"bob","threadId":"s-bob"}]}}`,
		},
		{ // no decision
			ann, "evt_14", `{"eventId":"evt_14","eventType":"shop.bought","found":true,"decision":null,` +
				`"provenance":{"agentId":"ann","sessionId":"s-ann",` + null + `},` +
				`"causalTrace":{"parents":[{"id":"evt_13","type":"skill.executed","actorId":"ann","threadId":"s-ann"}],` +
				`"ancestry":[{"id":"evt_13","type":"skill.executed","actorId":"ann","threadId":"s-ann"},` +
				`{"id":"evt_12","type":"skill.executed","actorId":"ann","threadId":"s-ann"}]}}`,
		},
		{bob, "evt_0", `{"eventId":"evt_0","eventType":"","found":false,"decision":null,"provenance":{"agentId":"","sessionId":"",` + null + `},"causalTrace":{"parents":[],"ancestry":[]}}`},
		{auditor, "evt_99", `{"eventId":"evt_99","eventType":"","found":false,"decision":null,"provenance":{"agentId":"","sessionId":"",` + null + `},"causalTrace":{"parents":[],"ancestry":[]}}`},
	}
	for _, tt := range tests {
		if got := r.call(tt.as, "audit.explain", fmt.Sprintf(`{"eventId":%q}`, tt.event)); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.event, got, tt.want)
		}
	}
	for _, event := range []string{"evt_6", "evt_7", "evt_8"} { // refused, but for another reason
		got := read[tracing.AuditExplainOut](r, auditor, "audit.explain", fmt.Sprintf(`{"eventId":%q}`, event))
		if !got.Found || got.Decision != nil {
			t.Errorf("%s: %+v", event, got)
		}
	}
}

// TestAuditExplainHidesOthers has an event of one session cause one of another.
func TestAuditExplainHidesOthers(t *testing.T) {
	r := newRig(t, registry.Options{}, tracing.Deps{})
	r.history()
	r.reg.Invoke(t.Context(), &registry.Request{Name: "shop.look", Principal: bob, Cause: []trace.ID{1, 3}}, nil) // evt_15
	for _, tt := range []struct {
		as   *profiles.Principal
		want string
	}{{bob, "[evt_2]"}, {auditor, "[evt_0 evt_2]"}} {
		got := read[tracing.AuditExplainOut](r, tt.as, "audit.explain", `{"eventId":"evt_15"}`)
		var parents []trace.ID
		for _, p := range got.CausalTrace.Parents {
			parents = append(parents, p.ID)
		}
		if fmt.Sprint(parents) != tt.want {
			t.Errorf("%s sees %v, want %s", tt.as.ID, parents, tt.want)
		}
	}
}

// TestAncestryIsBounded follows a chain of causes that is longer than is shown.
func TestAncestryIsBounded(t *testing.T) {
	r := newRig(t, registry.Options{}, tracing.Deps{})
	for i := range 150 {
		var cause []trace.ID
		if i > 1 {
			cause = []trace.ID{trace.ID(i), trace.ID(i - 1)}
		}
		r.reg.Invoke(t.Context(), &registry.Request{Name: "shop.look", Principal: bob, Cause: cause}, nil)
	}
	got := read[tracing.AuditExplainOut](r, bob, "audit.explain", `{"eventId":"evt_149"}`).CausalTrace.Ancestry
	if len(got) != 100 || got[0].ID.String() != "evt_148" || got[99].ID.String() != "evt_49" {
		t.Errorf("%d ancestors, from %v to %v", len(got), got[0].ID, got[len(got)-1].ID)
	}
}

// TestGoneSkill explains a call of a skill that is there no more.
func TestGoneSkill(t *testing.T) {
	r := newRig(t, registry.Options{}, tracing.Deps{})
	r.call(ann, "shop.buy", `{}`)
	r.reg.Unregister("shop.buy")
	got := read[tracing.AuditExplainOut](r, ann, "audit.explain", `{"eventId":"evt_0"}`)
	if got.Decision == nil || got.Decision.Context.RequiredPermissions != nil {
		t.Errorf("%+v", got.Decision)
	}
}

// BenchmarkAuditQuery asks for all decisions in a full log.
func BenchmarkAuditQuery(b *testing.B) {
	r := newRig(b, registry.Options{}, tracing.Deps{})
	for range 8192 {
		r.call(ann, "shop.look", `{}`)
	}
	b.ReportAllocs()
	for b.Loop() {
		r.call(auditor, "audit.query", `{}`)
	}
}
