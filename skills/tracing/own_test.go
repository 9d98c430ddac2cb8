package tracing_test

import (
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/tracing"
)

// TestSessionIDIsUsedAgain has another agent open a session by the id of one that has ended: he sees
// nothing of the agent before him.
func TestSessionIDIsUsedAgain(t *testing.T) {
	r := newRig(t, registry.Options{}, tracing.Deps{})
	r.history()
	heir := who("carl", "buyer", "scene.write")
	heir.Session = ann.Session
	for name, want := range map[string]string{
		"audit.query": `{"summary":{"total":0,"allowed":0,"denied":0,"byRule":{},"byCap":{},"packages":[]},"decisions":[]}`,
		"audit.usage": `{"perSessionCap":[],"quotas":[],"budgets":[]}`,
	} {
		// Each is asked once: from then on the heir has calls of his own.
		asker := *heir
		asker.ID += name
		if got := r.call(&asker, name, `{}`); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
	if got := read[tracing.AuditExplainOut](r, heir, "audit.explain", `{"eventId":"evt_0"}`); got.Found {
		t.Errorf("audit.explain found %+v", got)
	}
}
