package tracing_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/tracing"
	"github.com/limina-mcp/limina/trace"
)

// rig is a registry with this package's skills and a few that make events.
type rig struct {
	t   testing.TB
	reg *registry.Registry
	log *trace.Log
}

type in struct {
	N    int    `json:"n,omitempty"`
	Then string `json:"then,omitempty"`
}

type out struct{}

func newRig(tb testing.TB, o registry.Options, d tracing.Deps) *rig {
	tb.Helper()
	if o.Trace == nil {
		o.Trace = trace.New(trace.Options{})
	}
	o.Clock = func() time.Time { return time.UnixMilli(1000) }
	o.Tick = func() uint64 { return 5 }
	o.Gate = gate{}
	r := &rig{tb, registry.New(o), o.Trace}
	err := r.reg.Register(append(tracing.All(d),
		define("shop.buy", "scene.write", func(c *registry.Call, in in) error {
			switch in.Then {
			case "fail":
				return registry.Failf("sold out")
			case "refuse":
				return registry.Errorf(registry.CodeForbidden, "not to you")
			case "exhaust":
				return registry.Errorf(registry.CodeCapacityExceeded, "the basket is full")
			}
			return c.Emit("shop.bought", in)
		}),
		define("shop.look", profiles.Anyone, func(*registry.Call, in) error { return nil }),
		define("shop.tour", profiles.Anyone, func(c *registry.Call, in in) error {
			input, _ := json.Marshal(in)
			_, err := c.Invoke("shop.buy", input)
			return err
		}),
	)...)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func define(name string, need profiles.Permission, do func(*registry.Call, in) error) registry.Skill {
	return registry.Define(registry.Spec[in, out]{
		Name: name, Description: "A skill.", Permissions: []profiles.Permission{need},
		Handle: func(c *registry.Call, in in) (out, error) { return out{}, do(c, in) },
	})
}

// gate holds what the profile "held" buys.
type gate struct{}

func (gate) Judge(p *registry.Pending) registry.Verdict {
	if p.Principal.Profile == "held" && p.Skill.Name == "shop.buy" {
		return registry.Verdict{Decision: registry.Hold, Reason: "apr_1"}
	}
	return registry.Verdict{}
}

// who returns a caller of the session "s-"+id, with these permissions.
func who(id, profile string, ps ...profiles.Permission) *profiles.Principal {
	return &profiles.Principal{ID: id, Session: "s-" + id, Profile: profile, Grants: profiles.Grant(ps...)}
}

var (
	ann     = who("ann", "buyer", "scene.write")
	bob     = who("bob", "", "scene.read")
	held    = who("eve", "held", "scene.write")
	auditor = who("rita", "reviewer", "trace.read")
)

// call calls a skill and returns its output, or "code: message".
func (r *rig) call(p *profiles.Principal, name, input string) string {
	r.t.Helper()
	res := r.reg.Invoke(r.t.Context(), &registry.Request{Name: name, Input: []byte(input), Principal: p}, nil)
	if res.Err != nil {
		return fmt.Sprintf("%s: %s", res.Err.Code, res.Err.Message)
	}
	return string(res.Output)
}

// read calls a skill that must succeed and decodes its output.
func read[T any](r *rig, p *profiles.Principal, name, input string) (out T) {
	r.t.Helper()
	text := r.call(p, name, input)
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		r.t.Fatalf("%s %s: %s", name, input, text)
	}
	return out
}

// history makes the events evt_0 to evt_9.
func (r *rig) history() {
	r.call(ann, "shop.buy", `{"n":1}`)            // evt_0 skill.executed, evt_1 shop.bought
	r.call(bob, "shop.look", `{}`)                // evt_2 skill.executed
	r.call(bob, "shop.buy", `{}`)                 // evt_3 skill.refused, forbidden
	r.call(ann, "shop.buy", `{"then":"fail"}`)    // evt_4 skill.failed
	r.call(ann, "shop.buy", `{"then":"refuse"}`)  // evt_5 skill.refused, forbidden by the skill
	r.call(ann, "shop.buy", `{"then":"exhaust"}`) // evt_6 skill.refused, capacity
	r.call(ann, "shop.bye", `{}`)                 // evt_7 skill.refused, not_found
	r.call(ann, "shop.buy", `{"m":1}`)            // evt_8 skill.refused, invalid_input
	r.call(held, "shop.buy", `{"n":2}`)           // evt_9 approval.held
	r.call(bob, "shop.tour", `{}`)                // evt_10 skill.refused, evt_11 that of the inner one
	r.call(ann, "shop.tour", `{"n":3}`)           // evt_12 skill.executed, evt_13 inner, evt_14 shop.bought
	if n := r.log.Len(); n != 15 {
		r.t.Fatalf("the history has %d events", n)
	}
}
