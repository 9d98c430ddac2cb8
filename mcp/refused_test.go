package mcp_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/transport/stdio"
)

// TestRefusedBeforeTheRegistry looks for the events of calls that never get as far as a skill. Of those
// without a session only the first leaves one.
func TestRefusedBeforeTheRegistry(t *testing.T) {
	reg := registry.New(registry.Options{})
	m, err := mcp.New(reg, mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	call := func(params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + "}\n"
	}
	in := call(`{"name":"demo.echo"}`) + call(`{"name":"demo.echo"}`) + initAs("ada", "s1", "player.full", "") + call(`{"name":7}`)
	var out bytes.Buffer
	if err := m.Serve(t.Context(), stdio.New(strings.NewReader(in), &out, stdio.Options{})); err != nil {
		t.Fatal(err)
	}
	var got []string
	events, _ := reg.Trace().Tail(trace.Filter{})
	for _, e := range events {
		got = append(got, strings.Join([]string{e.Type, e.ActorID, string(e.Payload)}, " "))
	}
	want := []string{
		`skill.refused  {"skill":"demo.echo","version":"","intent":1,"profile":"","code":"forbidden","reason":"MCP session is not initialized","required":[]}`,
		`skill.refused ada {"skill":"","version":"","intent":2,"profile":"player.full","code":"invalid_input","reason":"name: must be a string"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
