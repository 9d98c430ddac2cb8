package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// An answer that comes again answers nothing else, although a later question of the task has the same name.
func TestLateAnswerOfATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		defer core.Close()
		err := core.Registry().Register(registry.Define(registry.Spec[none, saidOut]{
			Name: "demo.paint", Description: "Ask for colours.", Permissions: []profiles.Permission{profiles.Anyone}, Slow: true,
			Handle: func(c *registry.Call, _ none) (saidOut, error) {
				wall, roof, door := form("colour", "Of the walls?", "name", "string"), form("colour", "Of the roof?", "name", "string"), form("door", "Of the door?", "name", "string")
				if err := c.Ask(&wall); err != nil {
					return saidOut{}, err
				}
				err := c.Ask(&roof, &door)
				return saidOut{field(wall.Answered, "name") + " walls, " + field(roof.Answered, "name") + " roof, " + field(door.Answered, "name") + " door"}, err
			},
		}))
		if err != nil {
			t.Fatal(err)
		}
		const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}`
		l := core.Link(t.Context(), mcp.Peer{}, nil)
		defer l.Close()
		type task struct {
			TaskID        string
			InputRequests map[string]json.RawMessage
			Result        json.RawMessage
		}
		request := func(method, params string) (result task) {
			t.Helper()
			x := deliver(l, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,%s}}`, method, params, meta))
			synctest.Wait()
			_, text, _ := strings.Cut(x.got(), "answer 0 ")
			var answer struct{ Result task }
			if err := json.Unmarshal([]byte(text), &answer); err != nil {
				t.Fatalf("%s: %v: %s", method, err, x.got())
			}
			return answer.Result
		}
		id := fmt.Sprintf(`"taskId":%q`, request("tools/call", `"name":"demo.paint"`).TaskID)
		said := func(key, colour string) {
			t.Helper()
			request("tasks/update", id+fmt.Sprintf(`,"inputResponses":{%q:{"action":"accept","content":{"name":%q}}}`, key, colour))
		}
		said("colour", "white")
		said("colour", "white") // once more, as a client does that is not sure
		open := request("tasks/get", id).InputRequests
		if len(open) != 2 {
			t.Fatalf("after the answer to the first question came twice %d are open, want both that followed", len(open))
		}
		for key := range open {
			said(key, strings.TrimRight(key, "-0123456789"))
		}
		if got, want := string(request("tasks/get", id).Result), `white walls, colour roof, door door`; !strings.Contains(got, want) {
			t.Errorf("it answers %s, want %q", got, want)
		}
	})
}
