package registry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// TestNothingLeaks makes random calls in one registry, whose pools hand on what calls have used, and
// each of them also in a registry of its own. What a call answers and writes must be the same.
func TestNothingLeaks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		used := leakRig(t)
		for i := range rapid.IntRange(2, 12).Draw(rt, "calls") {
			op := drawOp(rt)
			before := used.events()
			last := trace.ID(len(before))
			got := op.run(used, last)
			fresh := op.run(leakRig(t), 0)
			if diff := cmp.Diff(fresh, got); diff != "" {
				rt.Fatalf("call %d, %s %s (-alone +after others):\n%s", i+1, op.name, op.input, diff)
			}
		}
	})
}

func leakRig(tb testing.TB) *rig {
	tb.Helper()
	look := registry.Define(registry.Spec[struct{}, registry.Object]{
		Name: "test.look", Description: "Tell what a call knows.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ struct{}) (registry.Object, error) {
			c.Progress(1, 2, "looking")
			text, err := json.Marshal(map[string]any{
				"who": c.Principal().ID, "grants": c.Principal().Grants.List(), "previous": string(c.Previous()), "skill": c.Skill().Name,
				"open": c.Transaction() != nil, "cancelled": c.Context().Err() != nil,
			})
			return text, err
		},
	})
	echoRaw, err := rawSkill(tb, `{"type":"object"}`, "", func(in json.RawMessage) (json.RawMessage, error) { return in, nil })
	if err != nil {
		tb.Fatal(err)
	}
	return newRig(tb, registry.Options{Gate: gate(func(p *registry.Pending) registry.Verdict {
		if p.Principal.Profile == "review" && p.Skill.Name == "test.write" {
			return registry.Verdict{Decision: registry.Hold, Reason: "hold"}
		}
		return registry.Verdict{}
	})}, look, echoRaw)
}

// op is a call to be made.
type op struct {
	name, input string
	as          *profiles.Principal
	previous    string
	typed       bool
	cancelled   bool
	in          echoIn // of a typed call
}

func drawOp(t *rapid.T) op {
	word := rapid.StringMatching(`[a-c]{0,6}`)
	o := op{
		name:      rapid.SampledFrom([]string{"test.echo", "test.write", "test.seq", "test.look", "raw.do", "test.no", "test_echo"}).Draw(t, "skill"),
		as:        rapid.SampledFrom([]*profiles.Principal{writer(), reader(), nil, {ID: "b", Session: "s2", Profile: "review", Grants: writer().Grants}}).Draw(t, "as"),
		previous:  rapid.SampledFrom([]string{"", "[1]", `{"a":2}`}).Draw(t, "previous"),
		typed:     rapid.IntRange(0, 4).Draw(t, "typed") == 0,
		cancelled: rapid.IntRange(0, 9).Draw(t, "cancelled") == 0,
	}
	o.in = echoIn{Text: word.Draw(t, "text"), N: rapid.IntRange(0, 12).Draw(t, "n"), List: rapid.SliceOfN(word, 0, 3).Draw(t, "list")}
	o.input = drawInput(t, o.name, 2)
	return o
}

// drawInput draws an input, good or bad, with many of its fields left out: there a value of an
// earlier call would show.
func drawInput(t *rapid.T, skill string, depth int) string {
	var members []string
	maybe := func(member string) {
		if rapid.Bool().Draw(t, "has") {
			members = append(members, member)
		}
	}
	word := func() string { return rapid.StringMatching(`[x-z]{1,9}`).Draw(t, "word") }
	switch skill {
	case "test.write":
		maybe(fmt.Sprintf(`"line":%q`, word()))
		maybe(fmt.Sprintf(`"then":%q`, rapid.SampledFrom([]string{"fail", "panic", "refuse", "break", "secret", "exhaust", "fly"}).Draw(t, "then")))
		maybe(fmt.Sprintf(`"emits":%d`, rapid.IntRange(0, 6).Draw(t, "emits")))
	case "test.seq":
		var steps []string
		for range rapid.IntRange(0, 4).Draw(t, "steps") {
			inner := rapid.SampledFrom([]string{"test.echo", "test.write", "test.look", "raw.do", "test.seq"}).Draw(t, "inner")
			if depth == 0 && inner == "test.seq" {
				inner = "test.echo"
			}
			steps = append(steps, fmt.Sprintf(`{"name":%q,"input":%s}`, inner, drawInput(t, inner, depth-1)))
		}
		members = append(members, `"steps":[`+strings.Join(steps, ",")+`]`)
		maybe(`"go":true`)
		maybe(fmt.Sprintf(`"then":%q`, rapid.SampledFrom([]string{"fail", "panic"}).Draw(t, "end")))
	case "test.look":
		maybe(`"odd":1`)
	default:
		maybe(fmt.Sprintf(`"text":%q`, word()))
		maybe(fmt.Sprintf(`"n":%d`, rapid.IntRange(0, 12).Draw(t, "n")))
		maybe(fmt.Sprintf(`"list":[%q]`, word()))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// result is everything that a call leaves, without the numbers of its events and of itself.
type result struct {
	Output, Err string
	Progress    int
	Events      []string
	Lines       string
}

var numbers = regexp.MustCompile(`"intent":\d+|in call \d+`)

func (o op) run(r *rig, last trace.ID) (out result) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if o.cancelled {
		cancel()
	}
	had := len(r.ledger.all())
	if o.typed {
		got, err := registry.Invoke[echoIn, echoOut](ctx, r.reg, o.as, "test.echo", o.in)
		out.Output = fmt.Sprintf("%+v", got)
		if err != nil {
			out.Err = err.Error()
		}
	} else {
		res := r.reg.Invoke(ctx, &registry.Request{
			Name: o.name, Input: []byte(o.input), Principal: o.as, Previous: json.RawMessage(o.previous),
			Progress: func(registry.Progress) { out.Progress++ },
		}, nil)
		out.Output, out.Err = string(res.Output), text(res.Err)
	}
	out.Output, out.Err = numbers.ReplaceAllString(out.Output, "#"), numbers.ReplaceAllString(out.Err, "#")
	out.Lines = strings.Join(r.ledger.all()[had:], " ")
	for _, e := range r.events()[last:] {
		parent := trace.ID(0)
		if e.ParentEventID != nil {
			parent = *e.ParentEventID - last
		}
		out.Events = append(out.Events, fmt.Sprintf("%d %s %s %s %d %v %s",
			e.ID-last, e.Type, e.ActorID, e.ThreadID, parent, e.CausedBy, numbers.ReplaceAllString(string(e.Payload), "#")))
	}
	return out
}
