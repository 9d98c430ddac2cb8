package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// The answers to an array wait for the last of them, so they are bounded together: what comes behind too much of them is not done, and told so.
func TestAnswersToAnArrayAreBounded(t *testing.T) {
	core := newCore(t, mcp.Options{})
	done := 0
	err := core.Registry().Register(registry.Define(registry.Spec[none, saidOut]{
		Name: "demo.large", Description: "Say a lot.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(*registry.Call, none) (saidOut, error) {
			done++
			return saidOut{strings.Repeat("x", 2<<20)}, nil
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	l := core.Link(t.Context(), mcp.Peer{}, func([]byte) bool { return true })
	defer l.Close()
	deliver(l, fmt.Sprintf(hello, "2025-03-26"))
	const many = 40
	calls := make([]string, many)
	for i := range calls {
		calls[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"demo_large","arguments":{}}}`, i)
	}
	text := strings.TrimPrefix(deliver(l, "["+strings.Join(calls, ",")+"]").got(), "answer 0 ")
	var answers []struct {
		ID     int
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal([]byte(text), &answers); err != nil || len(answers) != many {
		t.Fatalf("%d answers, want %d: %v", len(answers), many, err)
	}
	refused := 0
	for i, a := range answers {
		if a.ID != i {
			t.Errorf("answer %d is to %d", i, a.ID)
		}
		if a.Error != nil && strings.Contains(a.Error.Message, "array") {
			refused++
		}
	}
	if len(text) > 40<<20 || refused == 0 || done < 4 || done+refused != many {
		t.Errorf("%d calls were made, and %d refused, of %d; the answers have %d bytes", done, refused, many, len(text))
	}
}
