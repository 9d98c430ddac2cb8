package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/transport/stdio"
	"github.com/limina-mcp/limina/world"
)

// TestUnnamedLog has a host's skill and a host's step fail. Who has named no log finds why on stderr.
func TestUnnamedLog(t *testing.T) {
	for _, tt := range []struct {
		name string
		log  zerolog.Logger
		said bool
	}{{"none", zerolog.Logger{}, true}, {"a silent one", zerolog.Nop(), false}} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "stderr")
			file, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			stderr := os.Stderr
			os.Stderr = file
			defer func() { os.Stderr = stderr }()
			e, err := engine.New(engine.Config{Rigid: true, Logger: tt.log})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			e.World.OnStep("clockwork", func(*world.Tx) error { return errors.New("the spring is broken") })
			if err := e.Registry.Register(registry.Define(registry.Spec[NothingIn, NothingOut]{
				Name: "try.fail", Description: "Fail.", Permissions: []profiles.Permission{profiles.Anyone}, Effect: registry.Reads,
				Handle: func(*registry.Call, NothingIn) (out NothingOut, err error) { return out, errors.New("the well is dry") },
			})); err != nil {
				t.Fatal(err)
			}
			ada, err := e.Mcp.Open(mcp.Identity{AgentID: "ada", SessionID: "s1", Profile: "builder.readWrite"})
			if err != nil {
				t.Fatal(err)
			}
			res := e.Mcp.CallTool(t.Context(), ada, mcp.Request{Tool: "try.fail"})
			if res.Error == nil || strings.Contains(res.Error.Message, "the well is dry") {
				t.Errorf("the caller is told %v", res.Error)
			}
			e.World.Step(t.Context())
			said, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"the well is dry", "try.fail", "the spring is broken", "clockwork"} {
				if strings.Contains(string(said), want) != tt.said {
					t.Errorf("%q in what stderr has: %v\n%s", want, !tt.said, said)
				}
			}
		})
	}
}

// TestMisspeltProfile holds that a profile that there is not is named with where it stands.
func TestMisspeltProfile(t *testing.T) {
	for _, tt := range []struct {
		options engine.Config
		want    string
	}{
		{engine.Config{MCP: mcp.Options{Profile: "bulder"}}, `Options.Profile: unknown profile "bulder"`},
		{engine.Config{MCP: mcp.Options{Allowed: []string{"player.full", "plaer"}}}, `Options.Allowed: unknown profile "plaer"`},
		{engine.Config{Review: []string{"buildr"}}, `profiles under review: unknown profile "buildr"`},
	} {
		if _, err := engine.New(tt.options); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("it says %v, want %s", err, tt.want)
		}
	}
	if _, err := mcp.New(registry.New(registry.Options{}), mcp.Options{Held: []string{"buildr"}}); err == nil || !strings.Contains(err.Error(), `Options.Held: unknown profile "buildr"`) {
		t.Errorf("held: %v", err)
	}
}

// TestNamedServer has a client ask who serves it.
func TestNamedServer(t *testing.T) {
	for _, tt := range []struct {
		options mcp.Options
		want    string
	}{
		{mcp.Options{}, `"serverInfo":{"name":"limina","title":"Limina","version":"0.0.0"}`},
		{mcp.Options{Name: "outpost", Version: "3"}, `"serverInfo":{"name":"outpost","title":"outpost","version":"3"}`},
		{mcp.Options{Name: "outpost", Title: "The Outpost"}, `"serverInfo":{"name":"outpost","title":"The Outpost","version":"0.0.0"}`},
	} {
		e, err := engine.New(engine.Config{Rigid: true, MCP: tt.options})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n")
		if err := e.Mcp.Serve(context.Background(), stdio.New(in, &out, stdio.Options{})); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), tt.want) {
			t.Errorf("it says %s, want %s", out.String(), tt.want)
		}
		e.Close()
	}
}

// TestHostsClock gives a kept world a clock of the host's, which is set back between two runs. All events have its time, those of calls too, and the trace
// goes on: what is first is known by the ids.
func TestHostsClock(t *testing.T) {
	dir := t.TempDir()
	times := []time.Time{time.UnixMilli(9_000_000), time.UnixMilli(5_000_000)}
	for run, now := range times {
		e, err := engine.New(engine.Config{Rigid: true, Logger: zerolog.Nop(), Trace: trace.Options{Clock: func() time.Time { return now }}})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Keep(dir); err != nil {
			t.Fatal(err)
		}
		ada, err := e.Mcp.Open(mcp.Identity{AgentID: "ada", SessionID: "s1", Profile: "builder.readWrite"})
		if err != nil {
			t.Fatal(err)
		}
		if res := e.Mcp.CallTool(t.Context(), ada, mcp.Request{Tool: "scene.createEntity"}); res.Error != nil || res.Metadata.ExecutionTimeMs != 0 {
			t.Fatal(res.Error, res.Metadata)
		}
		events, _ := e.Trace.Tail(trace.Filter{})
		var last trace.ID
		for _, event := range events {
			if event.ID != last+1 {
				t.Errorf("after %v comes %v", last, event.ID)
			}
			last = event.ID
			if of := times[(int(event.ID)-1)/3]; event.Timestamp != of.UnixMilli() { // opened, executed, closed
				t.Errorf("run %d: %v %s is of %d, want %d", run, event.ID, event.Type, event.Timestamp, of.UnixMilli())
			}
		}
		if want := 3*run + 2; len(events) != want {
			t.Errorf("run %d has %d events, want %d", run, len(events), want)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
