package engine_test

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/transport/memnet"
	"github.com/limina-mcp/limina/world"
)

// falling is an engine with a floor and a body high above it.
func falling(t *testing.T, c engine.Config) *engine.Engine {
	t.Helper()
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	s, err := e.Mcp.Open(mcp.Identity{AgentID: "ann", SessionID: "s1", Profile: "builder.readWrite"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for _, input := range []string{`{"size":50,"position":[0,-25,0],"static":true}`, `{"position":[0,100,0],"dynamic":true}`} {
		if res := e.Mcp.CallTool(t.Context(), s, mcp.Request{Tool: "scene.createEntity", Input: []byte(input)}); !res.Success {
			t.Fatal(res.Error)
		}
	}
	return e
}

// second steps for a second of the world's time and returns how high the body is.
func second(e *engine.Engine) (y float64) {
	for range 60 {
		e.World.Step(context.Background())
	}
	e.World.View(func(v *world.View) {
		id, _ := world.ParseID("ent_1")
		at, _ := v.WorldTransform(id)
		y = at.Position[1]
	})
	return y
}

// Bodies fall as the host says: as on earth, up, or, in a world without physics, not at all.
func TestGravity(t *testing.T) {
	up, none := 2.0, 0.0
	for _, tt := range []struct {
		name string
		c    engine.Config
		want float64 // after a second
	}{
		{"as on earth", engine.Config{}, 100 + engine.Gravity/2},
		{"upwards", engine.Config{Gravity: &up}, 101},
		{"none", engine.Config{Gravity: &none}, 100},
		{"no physics", engine.Config{Rigid: true}, 100},
	} {
		if y := second(falling(t, tt.c)); math.Abs(y-tt.want) > 0.2 {
			t.Errorf("%s: after a second it is %.2f m high, want %.2f", tt.name, y, tt.want)
		}
	}
}

// That the physics engine was replaced is in the trace, with the step, which a replay needs; and in the figures, beside what
// there is in the world.
func TestRebuiltIsRecorded(t *testing.T) {
	e := falling(t, engine.Config{})
	second(e)
	at := e.World.Steps() + 1
	if err := e.Physics.RebuildAt(at); err != nil {
		t.Fatal(err)
	}
	second(e)
	events, _ := e.Trace.Tail(trace.Filter{Type: engine.EventRebuilt})
	var said struct{ Step uint64 }
	if len(events) != 1 || json.Unmarshal(events[0].Payload, &said) != nil || said.Step != at || events[0].ActorID != "engine" {
		t.Errorf("%d events of it: %+v, want one of step %d", len(events), events, at)
	}

	l := memnet.Listen()
	s, err := server.On(l, true, server.Config{Core: e.Mcp, Figures: e.Figures})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Run(ctx) }()
	res, err := (&http.Transport{DialContext: l.DialContext, DisableKeepAlives: true}).RoundTrip(metricsRequest(t))
	if err != nil {
		t.Fatal(err)
	}
	text := readAll(res)
	for _, want := range []string{"limina_entities 2", "limina_bodies 2", "limina_bodies_awake 1", "limina_physics_rebuilds_total 1", "limina_physics_opening 0", "limina_steps_total 120", "limina_time_scale 1", "limina_views 0"} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("the figures lack %q", want)
		}
	}
	cancel()
	<-done
}
