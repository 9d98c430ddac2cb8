package engine_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
)

// TestIdsOfHeldCalls: what a reviewer has looked at before a restart is not another call after it, nor is what came of that what came of the other.
func TestIdsOfHeldCalls(t *testing.T) {
	dir := t.TempDir()
	open := func() *place {
		return &place{town(t, dir, engine.Config{Review: []string{"builder.review"}, MCP: mcp.Options{Allowed: []string{"builder.review", "reviewer"}}}), t}
	}
	held := func(p *place, agent string) string {
		t.Helper()
		got := p.as(agent, "builder.review", "scene.createEntity", `{"name":"of `+agent+`"}`)
		id := regexp.MustCompile(`^pending_approval: (apr_\d+)$`).FindStringSubmatch(got)
		if id == nil {
			t.Fatalf("%s: %s", agent, got)
		}
		return id[1]
	}
	first := open()
	lost := held(first, "ann")
	if lost != "apr_1" {
		t.Errorf("the first call of a world is held as %s", lost)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	second := open()
	defer func() {
		if err := second.Close(); err != nil {
			t.Error(err)
		}
	}()
	theirs := held(second, "bob")
	if theirs == lost {
		t.Fatalf("bob's call is held as ann's was: %s", theirs)
	}
	grant := func(id string) string {
		return second.as("rita", "reviewer", "approval.grant", fmt.Sprintf(`{"approvalId":%q}`, id))
	}
	if got := grant(lost); !strings.Contains(got, `no call is held as "apr_1"`) {
		t.Errorf("granting what is gone: %s", got)
	}
	if got := grant(theirs); !strings.Contains(got, `"applied":true`) {
		t.Errorf("granting bob's: %s", got)
	}
	got := second.as("ann", "builder.review", "audit.query", `{}`)
	if !strings.Contains(got, `"held for a reviewer as apr_1"`) {
		t.Errorf("ann is told of her call: %s", got)
	}
}
