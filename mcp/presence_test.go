package mcp_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/mcp"
)

// TestPresence tells of an agent's first session and of the end of its last one, however often any is closed.
func TestPresence(t *testing.T) {
	var told []string
	core := newCore(t, mcp.Options{Presence: func(agent string, here bool) { told = append(told, fmt.Sprint(agent, " ", here)) }})
	open := func(agent, session string) *mcp.Session {
		s, err := core.Open(mcp.Identity{AgentID: agent, SessionID: session, Profile: "builder.readWrite"})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a, b, c := open("ann", "1"), open("ann", "2"), open("bob", "3")
	a.Close()
	a.Close()
	c.Close()
	b.Close()
	open("ann", "1").Close()
	if _, err := core.Open(mcp.Identity{AgentID: "ann", SessionID: "1", Profile: "no such"}); err == nil {
		t.Error("a session of no profile")
	}
	want := []string{"ann true", "bob true", "bob false", "ann false", "ann true", "ann false"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}
