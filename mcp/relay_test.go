package mcp_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/skills/catalogue"
)

// TestSlowCallsAreRelayed calls a slow skill through skills.call, once and twice over: what comes
// behind is answered meanwhile, and a cancellation finds it running.
func TestSlowCallsAreRelayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		if err := core.Registry().Register(catalogue.Call()); err != nil {
			t.Fatal(err)
		}
		p := dial(t, core, 0)
		p.send(initNative)
		const call = `{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"skills_call","arguments":{"name":"NAME","input":INPUT}}}` + "\n"
		send := func(id, name, input string) {
			p.send(strings.NewReplacer("ID", id, "NAME", name, "INPUT", input).Replace(call))
		}
		send("1", "demo_work", `{"seconds":5}`)
		send("2", "skills.call", `{"skill":"demo.work","input":{"seconds":3}}`)
		send("3", "demo.work", `{"seconds":1}`)
		send("4", "demo.echo", `{"text":"x"}`)
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n")
		time.Sleep(10 * time.Second)
		p.close()
		var order []string
		for _, line := range p.said() {
			id, _, _ := strings.Cut(strings.TrimPrefix(line, `{"jsonrpc":"2.0","id":`), ",")
			order = append(order, id)
		}
		if got := strings.Join(order, " "); got != `"i" 4 3 2` {
			t.Errorf("answered were %s, want \"i\" 4 3 2", got)
		}
		// What cannot be taken apart is refused by the skill.
		for _, input := range []string{`7`, `{"name":7}`, `{"name":"skills.call","input":{}}`} {
			p := dial(t, core, 0)
			p.send(strings.Replace(initNative, "s1", "s2", 1))
			send = func(id, name, input string) {
				p.send(strings.NewReplacer("ID", id, "NAME", name, "INPUT", input).Replace(call))
			}
			send("5", "skills.call", input)
			p.close()
			if said := p.said(); len(said) != 2 || !strings.Contains(said[1], `"invalid_input"`) {
				t.Errorf("%s: %s", input, said)
			}
		}
	})
}
