package mcp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/catalogue"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

// worldCore returns a core with skills that change a world.
func worldCore(t testing.TB) *mcp.Mcp {
	t.Helper()
	core, _ := newWorldCore(t)
	return core
}

func newWorldCore(t testing.TB) (*mcp.Mcp, *world.World) {
	t.Helper()
	w := world.New(world.Config{Seed: 1})
	reg := registry.New(registry.Options{Tick: w.Tick})
	if err := reg.Register(slices.Concat(scene.All(w), three.All(w), history.All(w), batch.All(w), catalogue.All())...); err != nil {
		t.Fatal(err)
	}
	core, err := mcp.New(reg, mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return core, w
}

// Calls in process may be made on terms, too; a dry run leaves the world's hash as it was.
func TestCallOnTerms(t *testing.T) {
	core, w := newWorldCore(t)
	s := open(t, core, "builder.readWrite")
	call := func(tool, input string, dry bool, seen *uint64) mcp.Response {
		return core.CallTool(t.Context(), s, mcp.Request{Tool: tool, Input: json.RawMessage(input), DryRun: dry, IfRevision: seen})
	}
	hash := w.Hash()
	got := call("scene.createEntity", `{"position":[1,2,3]}`, true, nil)
	if !got.Success || !got.DryRun || string(got.Result) != `{"entity":"ent_0"}` || *got.Metadata.Revision != 0 ||
		!strings.Contains(string(got.Changes), `"created":1`) || w.Hash() != hash {
		t.Fatalf("a dry run: %+v", got)
	}
	none := uint64(0)
	if got = call("scene.createEntity", `{}`, false, &none); !got.Success || got.DryRun || got.Changes != nil || *got.Metadata.Revision != 1 {
		t.Fatalf("a call with a condition: %+v", got)
	}
	if got = call("scene.createEntity", `{}`, false, nil); got.Metadata.Revision != nil {
		t.Fatalf("a call on no terms tells the revision %d", *got.Metadata.Revision)
	}
	late := uint64(9)
	if got = call("scene.createEntity", `{}`, false, &late); got.Success || got.Metadata.Revision != nil {
		t.Fatalf("a revision that is none yet: %+v", got)
	}
}
