package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/mcp"
)

// Of a request that stays open all counts that is kept of it, not only the input of a call: its id, where its progress goes, what the client has answered,
// what it listens to.
func TestAllThatOpenRequestsKeepIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := strings.Repeat("x", 50<<10)
		const meta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}`
		call := func(more, meta string) string {
			return `"method":"tools/call","params":{"name":"demo.work","arguments":{"seconds":10},` + more + `"_meta":{` + meta + `}}`
		}
		for name, tt := range map[string]struct {
			id, rest string
			open     string // what it is answered with while there is room
		}{
			"the id of a call":   {long, call("", `"x":1`), ""},
			"a progress token":   {"", call("", `"progressToken":"`+long+`"`), ""},
			"answers":            {"", call(`"inputResponses":{"a":{"b":"`+long+`"}},`, meta), `"resultType":"task"`},
			"the id of a listen": {long, `"method":"subscriptions/listen","params":{"notifications":{},"_meta":{` + meta + `}}`, "acknowledged"},
		} {
			core := newCore(t, mcp.Options{MaxInputs: 200 << 10})
			p := dialAs(t, core, 0, mcp.Peer{})
			p.send(initAs("ada", "s", "builder.readWrite", "") + "\n")
			synctest.Wait()
			p.said()
			for n := range 3 {
				p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d%s",%s}`, n, tt.id, tt.rest) + "\n")
				synctest.Wait()
				said := strings.Join(p.said(), "\n")
				full := strings.Contains(said, "no room for one of ")
				if full != (n == 2) || !full && !strings.Contains(said, tt.open) {
					t.Errorf("%s of 50 KiB, where there is room for 200, the %d. time: refused %v: %.200s", name, n+1, full, said)
				}
			}
			p.close()
			core.Close()
		}
	})
}
