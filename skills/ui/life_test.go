package ui_test

import (
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/skills/ui"
)

func TestTTLCountsSteps(t *testing.T) {
	for _, tt := range []struct {
		ttl   string
		steps int // until it is gone; 0 for never
	}{
		{`"ttl":1`, 1},
		{`"ttl":0.1`, 1},
		{`"ttl":2.5`, 3},
		{`"ttl":60`, 60},
		{`"ttl":3e38`, 0},
		{`"ttlSeconds":1`, 60},
		{`"ttlSeconds":0.001`, 1},
		{`"ttlSeconds":0.5`, 30},
		{`"ttlSeconds":3e38`, 0},
	} {
		h := newHouse(t)
		h.step(5)
		h.call("ui.label", `{"anchor":{"kind":"screen"},"lifecycle":{`+tt.ttl+`}}`, `{"handle":"ui_0"}`)
		h.call("ui.label", `{"anchor":{"kind":"screen"}}`, `{"handle":"ui_1"}`)
		for i := range 100 {
			if want := tt.steps == 0 || i < tt.steps; h.shown(0) != want {
				t.Fatalf("%s: after %d steps, is it shown: %v", tt.ttl, i, h.shown(0))
			}
			h.step(1)
		}
		if !h.shown(1) {
			t.Errorf("%s: the panel without a ttl is gone", tt.ttl)
		}
	}
}

// TestTTLTwice refuses two times for one.
func TestTTLTwice(t *testing.T) {
	newHouse(t).call("ui.label", `{"anchor":{"kind":"screen"},"lifecycle":{"ttl":60,"ttlSeconds":2}}`, `invalid_input: lifecycle.ttl, lifecycle.ttlSeconds: give one of the two; ttl counts simulation steps`)
}

func TestExpiredPanelIsGone(t *testing.T) {
	h := newHouse(t)
	h.call("ui.label", `{"anchor":{"kind":"screen"},"lifecycle":{"ttl":2}}`, `{"handle":"ui_0"}`)
	h.step(2)
	tick := h.w.Tick()
	h.call("ui.update", `{"handle":"ui_0","text":"a"}`, `handler_error: unknown panel ui_0; no panel is shown`)
	h.call("ui.remove", `{"handle":"ui_0"}`, `{"removed":false}`)
	h.step(10)
	if h.w.Tick() != tick {
		t.Error("steps with nothing to do made commits")
	}
}

func TestRemovedPanelDoesNotExpire(t *testing.T) {
	h := newHouse(t)
	for i := range 3 {
		h.call("ui.label", `{"anchor":{"kind":"screen"},"lifecycle":{"ttl":4}}`, fmt.Sprintf(`{"handle":"ui_%d"}`, i))
	}
	h.call("ui.remove", `{"handle":"ui_1"}`, `{"removed":true}`)
	h.step(3)
	if !h.shown(0) || h.shown(1) || !h.shown(2) {
		t.Error("one panel too many was removed")
	}
	h.step(1)
	if h.shown(0) || h.shown(2) {
		t.Error("the time is up and a panel is shown")
	}
}

func TestPanelGoesWithItsEntity(t *testing.T) {
	h := newHouse(t)
	gone, stays := h.entity(), h.entity()
	for i, at := range []string{gone.String(), stays.String(), gone.String()} {
		h.call("ui.label", `{"anchor":{"kind":"world","entity":"`+at+`"},"lifecycle":{"ttl":100}}`, fmt.Sprintf(`{"handle":"ui_%d"}`, i))
	}
	h.destroy(gone)
	// To the skills it is gone at once …
	h.call("ui.update", `{"handle":"ui_0","text":"a"}`, `handler_error: unknown panel ui_0; the nearest are ui_1`)
	h.call("ui.remove", `{"handle":"ui_2"}`, `{"removed":false}`)
	// … and to viewers with the next step.
	tick := h.w.Tick()
	h.step(1)
	if h.w.Tick() != tick+1 {
		t.Error("the step did not remove the panels")
	}
	if h.shown(0) || !h.shown(1) || h.shown(2) {
		t.Error("not the panels of the entity are gone")
	}
	h.step(10)
	if h.w.Tick() != tick+1 {
		t.Error("later steps had something to do")
	}
}

// TestRoomIsGivenBack opens panels that go in each way, many times more than there is room for.
func TestRoomIsGivenBack(t *testing.T) {
	h := newHouse(t)
	const room = ui.MaxPanels * 3 / 4 // for one agent alone
	for round := range 4 {
		e := h.entity()
		for i := range room {
			h.call("ui.label", `{"anchor":{"kind":"world","entity":"`+e.String()+`"},"lifecycle":{"ttl":`+fmt.Sprint(1+i%7)+`}}`,
				fmt.Sprintf(`{"handle":"ui_%d"}`, round*room+i))
		}
		if round%2 == 0 {
			h.destroy(e)
			h.step(1)
		} else {
			h.step(7)
		}
	}
}
