package audio_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/world"
)

// hall is a world with sounds and everything that calls of the skills need.
type hall struct {
	t         *testing.T
	w         *world.World
	r         *registry.Registry
	principal profiles.Principal
	moments   []string // what viewers were told to play, in order
	changed   []string // tables and globals of the newest commit
}

func newHall(t *testing.T) *hall {
	t.Helper()
	w := world.New(world.Config{})
	grants, err := profiles.Builtin().Resolve("social.actor")
	if err != nil {
		t.Fatal(err)
	}
	h := &hall{
		t: t, w: w,
		r:         registry.New(registry.Options{Tick: w.Tick}),
		principal: profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Session: "s1", Profile: "social.actor", Grants: grants},
	}
	if err := h.r.Register(audio.All(audio.New(w))...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Observe(func(c *world.Commit) {
		h.changed = slices.Clone(c.World)
		for _, m := range c.Moments {
			where := "everywhere"
			if m.Placed {
				where = fmt.Sprint("at ", m.At)
			}
			h.moments = append(h.moments, fmt.Sprintf("%s %s %s", m.Kind, where, m.Payload))
		}
	}))
	return h
}

// try calls a skill with JSON and returns its output, or "code: message".
func (h *hall) try(skill, input string) string {
	h.t.Helper()
	res := h.r.Invoke(context.Background(), &registry.Request{Name: skill, Input: []byte(input), Principal: &h.principal}, nil)
	if res.Err != nil {
		return string(res.Err.Code) + ": " + res.Err.Message
	}
	return string(res.Output)
}

// call is try that must give want.
func (h *hall) call(skill, input, want string) {
	h.t.Helper()
	if got := h.try(skill, input); got != want {
		h.t.Errorf("%s %s\n got  %s\n want %s", skill, input, got, want)
	}
}

// still is call that must leave the world as it was.
func (h *hall) still(skill, input, want string) {
	h.t.Helper()
	before := h.w.Hash()
	h.call(skill, input, want)
	if h.w.Hash() != before {
		h.t.Errorf("%s %s: the call left a mark on the world", skill, input)
	}
}

func (h *hall) step(n int) {
	for range n {
		h.w.Step(context.Background())
	}
}

// heard returns the moments since it was asked last.
func (h *hall) heard() []string {
	m := h.moments
	h.moments = nil
	return m
}

// state returns what viewers get of a table or a global.
func (h *hall) state(name string) string {
	h.t.Helper()
	var text string
	h.w.View(func(v *world.View) { text = string(h.w.AppendShared(nil, v, name)) })
	return text
}

// lastEvent returns type and payload of the newest event of the trace.
func (h *hall) lastEvent() string {
	h.t.Helper()
	next, _ := h.r.Trace().Head()
	e, ok := h.r.Trace().Get(next - 1)
	if !ok {
		h.t.Fatal("there is no event")
	}
	return e.Type + " " + string(e.Payload)
}
