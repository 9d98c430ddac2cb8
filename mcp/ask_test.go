package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/catalogue"
)

type saidOut struct {
	Text string `json:"text" jsonschema_description:"What came of it."`
}

type askIn struct {
	What string `json:"what,omitempty" validate:"omitempty,oneof=name both all url sample roots unslow swallow open endless pause" jsonschema_description:"What to ask."`
}

func form(key, message, field, kind string) registry.Elicitation {
	return registry.Elicitation{
		Key: key, Message: message,
		Schema: json.RawMessage(`{"type":"object","properties":{"` + field + `":{"type":"` + kind + `"}},"required":["` + field + `"]}`),
	}
}

func field(e registry.Elicited, name string) string {
	var v map[string]any
	_ = json.Unmarshal(e.Content, &v)
	s, _ := v[name].(string)
	return s
}

// ask asks its client in all the ways there are.
func ask(c *registry.Call, in askIn) (saidOut, error) {
	switch in.What {
	case "both": // one after the other
		name, err := c.Elicit(form("", "Who are you?", "name", "string"))
		if err != nil || !name.Accepted() {
			return saidOut{"nobody: " + string(name.Action)}, err
		}
		colour, err := c.Elicit(form("", "Which colour, "+field(name, "name")+"?", "colour", "string"))
		return saidOut{field(name, "name") + " likes " + field(colour, "colour")}, err
	case "all": // at once
		name := form("name", "Who are you?", "name", "string")
		poem := registry.Sampling{Key: "poem", System: "Be brief.", Messages: []registry.SamplingMessage{{Role: "user", Text: "A greeting, please."}}, MaxTokens: 50}
		var roots registry.RootsQuestion
		if err := c.Ask(&name, &poem, &roots); err != nil {
			return saidOut{}, err
		}
		return saidOut{poem.Answered.Text + ", " + field(name.Answered, "name") + " of " + roots.Answered[0].URI}, nil
	case "url":
		e, err := c.Elicit(registry.Elicitation{Key: "pay", Message: "Please pay.", URL: "https://example.com/pay"})
		return saidOut{string(e.Action)}, err
	case "sample":
		s, err := c.Sample(registry.Sampling{Messages: []registry.SamplingMessage{{Role: "user", Text: "Hi"}}, MaxTokens: 10})
		return saidOut{s.Model + ": " + s.Text}, err
	case "roots":
		roots, err := c.Roots()
		return saidOut{"as many roots: " + string(rune('0'+len(roots)))}, err
	case "unslow":
		_, err := c.Invoke("demo.hasty", nil)
		return saidOut{"asked"}, err
	case "pause":
		_, err := c.Roots()
		time.Sleep(time.Second)
		return saidOut{"paused"}, err
	case "swallow": // goes on without an answer
		if !c.Can(registry.AskSample) {
			return saidOut{"nobody to ask"}, nil
		}
		return saidOut{"somebody to ask"}, nil
	case "open":
		c.Begin(openTx{})
		_, err := c.Roots()
		return saidOut{}, err
	case "endless":
		for {
			if _, err := c.Elicit(form("", "And now?", "name", "string")); err != nil {
				return saidOut{}, err
			}
		}
	default:
		name, err := c.Elicit(form("name", "Who are you?", "name", "string"))
		return saidOut{"hello " + field(name, "name") + " (" + string(name.Action) + ")"}, err
	}
}

// heldCore holds the calls that may change something, at the gate, and lets the person at the client decide.
func heldCore(t *testing.T, o mcp.Options) (core *mcp.Mcp, gate *approval.Gate) {
	t.Helper()
	gate = approval.NewGate(approval.Options{Profiles: []string{"builder.readWrite"}})
	reg := registry.New(registry.Options{Gate: gate})
	if err := reg.Register(append(testSkills(), catalogue.Call())...); err != nil {
		t.Fatal(err)
	}
	o.Approve = func(ctx context.Context, id string, by *profiles.Principal, yes bool) registry.Result {
		var err error
		if yes {
			var res registry.Result
			if _, res, err = gate.Grant(ctx, id, by); err == nil {
				return res
			}
		} else if _, err = gate.Deny(id); err == nil {
			return registry.Result{Err: registry.Errorf(registry.CodeForbidden, "%s did not approve", by.ID)}
		}
		return registry.Result{Err: registry.Failf("%v", err)}
	}
	core, err := mcp.New(reg, o)
	if err != nil {
		t.Fatal(err)
	}
	return core, gate
}

// openTx is a transaction of nothing.
type openTx struct{}

func (openTx) Savepoint() int { return 0 }
func (openTx) RollbackTo(int) {}
func (openTx) Tick() uint64   { return 0 }
func (openTx) Commit(uint64)  {}
func (openTx) Rollback()      {}

type tellIn struct {
	Pause bool `json:"pause,omitempty" jsonschema_description:"Whether to pause in between."`
}

// tell logs in all levels.
func tell(c *registry.Call, in tellIn) (none, error) {
	for level := registry.LevelDebug; level <= registry.LevelEmergency; level++ {
		c.Log(level, map[string]string{"said": level.String()})
		if in.Pause && level == registry.LevelWarning {
			time.Sleep(time.Second)
		}
	}
	c.Log(registry.LevelAlert, "a text")
	c.Log(registry.LevelAlert, make(chan int)) // nothing that can be said
	return none{}, nil
}

// askSkills ask and tell their client.
func askSkills() []registry.Skill {
	anyone := []profiles.Permission{profiles.Anyone}
	return []registry.Skill{
		registry.Define(registry.Spec[askIn, saidOut]{
			Name: "demo.ask", Description: "Ask whoever calls.", Permissions: anyone, Slow: true, Timeout: 5 * time.Minute, Published: true, Handle: ask,
		}),
		registry.Define(registry.Spec[none, none]{
			Name: "demo.hasty", Description: "Ask, without being Slow.", Permissions: anyone, Published: true,
			Handle: func(c *registry.Call, _ none) (none, error) {
				_, err := c.Roots()
				return none{}, err
			},
		}),
		registry.Define(registry.Spec[tellIn, none]{
			Name: "demo.tell", Description: "Log.", Permissions: anyone, Effect: registry.Reads, Published: true, Handle: tell,
		}),
		registry.Define(registry.Spec[tellIn, none]{
			Name: "demo.tellSlowly", Description: "Log, beside others.", Permissions: anyone, Effect: registry.Reads, Slow: true, Published: true, Handle: tell,
		}),
		registry.Define(registry.Spec[failIn, none]{
			Name: "demo.job", Description: "Fail, after a while.", Permissions: anyone, Slow: true, Detach: registry.DetachAlways, Published: true,
			Handle: func(c *registry.Call, in failIn) (none, error) {
				time.Sleep(time.Second)
				return fail(c, in)
			},
		}),
		registry.Define(registry.Spec[none, saidOut]{
			Name: "demo.late", Description: "Ask, then take a while.", Permissions: anyone, Slow: true, Detach: registry.DetachLate, Published: true,
			Handle: func(c *registry.Call, _ none) (saidOut, error) {
				name, err := c.Elicit(form("name", "Who are you?", "name", "string"))
				if err != nil {
					return saidOut{}, err
				}
				c.Detach()
				c.Detach() // twice is once
				time.Sleep(time.Second)
				more, err := c.Elicit(form("name", "And now?", "name", "string"))
				return saidOut{field(name, "name") + ", then " + field(more, "name")}, err
			},
		}),
		registry.Define(registry.Spec[none, none]{
			Name: "demo.wrongly", Description: "Ask what is not well made.", Permissions: anyone, Slow: true, Published: true,
			Handle: func(c *registry.Call, _ none) (none, error) {
				_, noForm := c.Elicit(registry.Elicitation{Message: "?"})
				_, noMessages := c.Sample(registry.Sampling{MaxTokens: 1})
				_, badRole := c.Sample(registry.Sampling{MaxTokens: 1, Messages: []registry.SamplingMessage{{Role: "system", Text: "x"}}})
				if noForm == nil || noMessages == nil || badRole == nil {
					return none{}, registry.Failf("asked all the same")
				}
				return none{}, errors.New("none of this is for the caller")
			},
		}),
	}
}
