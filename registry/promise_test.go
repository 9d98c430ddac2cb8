package registry_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// said names the event that it emitted.
type said struct {
	Event trace.ID `json:"event"`
}

func (s *said) NameEvents(resolve func(trace.ID) trace.ID) { s.Event = resolve(s.Event) }

func say() registry.Skill {
	return registry.Define(registry.Spec[struct{}, said]{
		Name: "test.say", Description: "Emit an event and name it.", Permissions: []profiles.Permission{"scene.write"},
		Handle: func(c *registry.Call, _ struct{}) (said, error) {
			id, err := c.EmitNamed("test.said", json.RawMessage(`{"hello":1}`))
			return said{id}, err
		},
	})
}

// twice says it twice, by calls inside its own, and fails if it is told to.
func twice() registry.Skill {
	type in struct {
		Fail bool `json:"fail,omitempty"`
	}
	type out struct {
		Said []json.RawMessage `json:"said"`
	}
	return registry.Define(registry.Spec[in, out]{
		Name: "test.twice", Description: "Say it twice.", Permissions: []profiles.Permission{"scene.write"},
		Handle: func(c *registry.Call, in in) (out, error) {
			var o out
			for range 2 {
				text, err := c.Invoke("test.say", nil)
				if err != nil {
					return o, err
				}
				o.Said = append(o.Said, text)
			}
			if in.Fail {
				return o, registry.Failf("told to")
			}
			return o, nil
		},
	})
}

func TestEmitNamed(t *testing.T) {
	r := newRig(t, registry.Options{}, say(), twice())
	for _, tt := range []struct{ skill, input, want string }{
		{"test.say", `{}`, `{"event":"evt_1"}`},
		{"test.twice", `{}`, `{"said":[{"event":"evt_4"},{"event":"evt_6"}]}`},
		{"test.twice", `{"fail":true}`, ""},
		{"test.say", `{}`, `{"event":"evt_9"}`},
	} {
		if got := string(r.call(writer(), tt.skill, tt.input).Output); got != tt.want {
			t.Errorf("%s %s: got %s, want %s", tt.skill, tt.input, got, tt.want)
		}
	}
	for id, want := range map[trace.ID]string{2: "test.said", 5: "test.said", 7: "test.said", 8: registry.EventFailed, 10: "test.said"} {
		if e, _ := r.log.Get(id); e.Type != want {
			t.Errorf("event %v is a %q, want %q", id, e.Type, want)
		}
	}
	full := newRig(t, registry.Options{Trace: trace.New(trace.Options{Sink: sink(func([]byte) error { return errors.New("disk full") })})}, say())
	res := full.call(writer(), "test.say", `{}`)
	if res.Err == nil || len(res.Output) != 0 || res.Tick != 0 || res.Events() != nil && len(res.Events()) != 0 {
		t.Errorf("an event that could not be kept: %+v, want a failure that names none", res)
	}
	out, err := registry.Invoke[struct{}, said](t.Context(), r.reg, writer(), "test.say", struct{}{})
	if e, _ := r.log.Get(out.Event); err != nil || e.Type != "test.said" {
		t.Errorf("typed: %v, %v, which is a %q", out, err, e.Type)
	}
}

func TestRefuse(t *testing.T) {
	r := newRig(t, registry.Options{}, say())
	k, _ := r.reg.Lookup("test.say")
	for _, req := range []registry.Request{
		{Skill: k, Principal: writer()},
		{Name: "no.such", Principal: writer()},
		{},
	} {
		res := r.reg.Refuse(&req, registry.Errorf(registry.CodeCapacityExceeded, "too many"))
		if res.Err == nil || res.Err.Message != "too many" || len(res.Events()) != 1 || res.Intent == 0 {
			t.Errorf("%v: got %+v", req, res)
		}
	}
	want := "skill.refused test.say capacity_exceeded\nskill.refused no.such capacity_exceeded\nskill.refused  capacity_exceeded\n"
	if got := r.tree(); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if res := r.reg.Invoke(context.Background(), &registry.Request{Skill: k, Principal: writer()}, nil); res.Err != nil {
		t.Error(res.Err)
	}
}

// TestEmitNamedRefuses emits what is no event: it has no name either, and the event before it keeps its own.
func TestEmitNamedRefuses(t *testing.T) {
	r := newRig(t, registry.Options{}, registry.Define(registry.Spec[struct{}, said]{
		Name: "test.slip", Description: "Go on after a bad event.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ struct{}) (said, error) {
			good, err := c.EmitNamed("test.said", struct{}{})
			if err != nil {
				return said{}, err
			}
			if id, err := c.EmitNamed(registry.EventExecuted, struct{}{}); id != 0 || err == nil {
				t.Errorf("an event of the pipeline's own is named %v, %v", id, err)
			}
			return said{good}, nil
		},
	}))
	if got, want := r.must("test.slip", ""), `{"event":"evt_1"}`; got != want {
		t.Errorf("answered %s, want %s", got, want)
	}
}
