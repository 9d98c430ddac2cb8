package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/transport/stdio"
	"github.com/limina-mcp/limina/world"
)

func Example() {
	e, err := engine.New(engine.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"agentId":"ada","sessionId":"s1","profile":"builder.readWrite"}}
{"jsonrpc":"2.0","id":2,"method":"ping"}
`)
	var out strings.Builder
	err = e.Run(context.Background(), func(ctx context.Context) error {
		return e.Mcp.Serve(ctx, stdio.New(in, &out, stdio.Options{}))
	})
	fmt.Print(out.String())
	fmt.Println(err)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2026-06-23","session":{"agentId":"ada","sessionId":"s1","profile":"builder.readWrite"}}}
	// {"jsonrpc":"2.0","id":2,"result":{}}
	// <nil>
}

// TestReview holds that the profiles under review are those of the Config, and that a reviewer can
// let a held call pass.
func TestReview(t *testing.T) {
	e, err := engine.New(engine.Config{Review: []string{"builder.review"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	builder, err := e.Mcp.Open(mcp.Identity{AgentID: "bob", SessionID: "s1", Profile: "builder.review"})
	if err != nil {
		t.Fatal(err)
	}
	reviewer, err := e.Mcp.Open(mcp.Identity{AgentID: "rita", SessionID: "s2", Profile: "reviewer", Kind: profiles.KindOperator})
	if err != nil {
		t.Fatal(err)
	}
	held := e.Mcp.CallTool(ctx, builder, mcp.Request{Tool: "scene.createEntity"})
	if held.Success || held.Error.Code != registry.CodePendingApproval {
		t.Fatalf("a call under review: %+v, want pending_approval", held)
	}
	if n := e.World.Tick(); n != 0 {
		t.Errorf("a held call made commit %d", n)
	}
	granted := e.Mcp.CallTool(ctx, reviewer, mcp.Request{Tool: "approval.grant", Input: []byte(`{"approvalId":"` + held.Error.Message + `"}`)})
	if !granted.Success || !strings.Contains(string(granted.Result), `"applied":true`) {
		t.Fatalf("approval.grant: %s %+v", granted.Result, granted.Error)
	}
	if n := e.World.Tick(); n != 1 {
		t.Errorf("newest commit after the grant: %d, want 1", n)
	}
}

// TestNewRefuses holds that a Config which names no such profile is an error.
func TestNewRefuses(t *testing.T) {
	_, err := engine.New(engine.Config{MCP: mcp.Options{Profile: "builder"}})
	if err == nil || !strings.Contains(err.Error(), "builder.readWrite") {
		t.Errorf("an unknown profile: got %v, want an error that lists the known ones", err)
	}
}

// TestRunEndsWithServe holds that Run returns what serve returns and leaves nothing running.
func TestRunEndsWithServe(t *testing.T) {
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Errorf("the transport broke")
	if got := e.Run(context.Background(), func(context.Context) error { return want }); !errors.Is(got, want) {
		t.Errorf("Run: %v, want %v", got, want)
	}
}

// TestSharedIsDocumented holds that the page for those who write viewers has every global and table that they get.
func TestSharedIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/state-sync.md")
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.World.View(func(v *world.View) {
		for _, name := range e.World.Shared(v) {
			if !strings.Contains(string(page), "\n| `"+name+"` |") {
				t.Errorf("docs/state-sync.md has no line for %s", name)
			}
		}
	})
}
