package tracing_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/tracing"
)

// An agent that was refused something asks why.
func Example() {
	reg := registry.New(registry.Options{})
	if err := reg.Register(tracing.All(tracing.Deps{})...); err != nil {
		fmt.Println(err)
		return
	}
	agent := &profiles.Principal{ID: "ada", Session: "s1"}
	call := func(name, input string) registry.Result {
		return reg.Invoke(context.Background(), &registry.Request{Name: name, Input: []byte(input), Principal: agent}, nil)
	}
	res := call("trace.tail", `{}`)
	fmt.Println(res.Err, res.Events())
	res = call("audit.query", `{"decision":"deny"}`)
	fmt.Println(string(res.Output))
	// Output:
	// missing permission: trace.read [evt_0]
	// {"summary":{"total":1,"allowed":0,"denied":1,"byRule":{"permission":1},"byCap":{"trace.tail":1},"packages":[]},"decisions":[{"eventId":"evt_0","allow":false,"rule":"permission","reason":"missing permission: trace.read","boundary":"call","cap":"trace.tail","agentId":"ada","sessionId":"s1","profile":null,"package":null,"tick":0}]}
}
