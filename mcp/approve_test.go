package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/registry"
)

// Who answers for his own call on another server that has the same key, or after a restart, does not approve of whatever is held there by the same id.
func TestApproveOnAnotherServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		key := []byte("a key that two servers share. . .")[:32]
		here, _ := heldCore(t, mcp.Options{StateKey: key})
		there, gate := heldCore(t, mcp.Options{StateKey: key})
		bob, err := there.Open(mcp.Identity{AgentID: "bob", SessionID: "bob's", Profile: "builder.readWrite"})
		if err != nil {
			t.Fatal(err)
		}
		const params = `"name":"scene.createEntity","arguments":{"shape":"box"},`
		held := there.CallTool(t.Context(), bob, mcp.Request{Tool: "scene.createEntity", Input: []byte(`{"shape":"sphere"}`)})
		if held.Error == nil || held.Error.Code != registry.CodePendingApproval {
			t.Fatalf("bob's call ends with %v, want that it is held", held.Error)
		}
		state := ""
		request := func(core *mcp.Mcp, more string) (answer string) {
			t.Helper()
			l := core.Link(t.Context(), mcp.Peer{}, nil)
			defer l.Close()
			x := deliver(l, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+params+more+
				`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`)
			synctest.Wait()
			_, state, _ = strings.Cut(x.got(), `"requestState":"`)
			state, _, _ = strings.Cut(state, `"`)
			return x.got()
		}
		yes := func() string {
			t.Helper()
			return request(there, fmt.Sprintf(`"inputResponses":{"approve":{"action":"accept","content":{"approve":true}}},"requestState":%q,`, state))
		}
		request(here, "")
		if got := yes(); state == "" {
			t.Errorf("she is not asked for the call that is held there: %s", got)
		} else if got := yes(); !strings.Contains(got, `"entity":"ent_0"`) {
			t.Errorf("her call is not run once she has said yes: %s", got)
		}
		if left := gate.List(); len(left) != 1 || left[0].Principal.ID != "bob" {
			t.Errorf("held are then %v, want bob's call", left)
		}
	})
}
