package engine_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// crowd is a gate that lets nobody make an entity where there are enough, and has to look at the world for that.
type crowd struct {
	w      *world.World
	enough int
}

func (g *crowd) Concerns(k *registry.Info, _ *profiles.Principal) bool {
	return k.Name == "scene.createEntity"
}

func (g *crowd) Judge(p *registry.Pending) registry.Verdict {
	n, err := world.Read(g.w, p.Call, func(v *world.View) (int, error) { return v.Len(), nil })
	if err != nil || n >= g.enough {
		return registry.Verdict{Decision: registry.Deny, Reason: "it is crowded here"}
	}
	return registry.Verdict{}
}

// A gate of the host's own reads the world as the call before which it stands has it: also inside a call that
// has changed the world and keeps it locked. Reviewers are asked about what it lets pass.
func TestOwnGate(t *testing.T) {
	g := &crowd{enough: 2}
	e, err := engine.New(engine.Config{Gate: g, Review: []string{"builder.review"}, Rigid: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	g.w = e.World
	call := func(profile, tool, input string) string {
		s, err := e.Mcp.Open(mcp.Identity{AgentID: "ada", SessionID: "s1", Profile: profile})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if res := e.Mcp.CallTool(t.Context(), s, mcp.Request{Tool: tool, Input: []byte(input)}); res.Error != nil {
			return string(res.Error.Code) + ": " + res.Error.Message
		}
		return ""
	}
	batch := func(n int) string {
		op := `{"skill":"scene.createEntity","input":{"shape":"box"}},`
		return `{"operations":[` + strings.TrimSuffix(strings.Repeat(op, n), ",") + `]}`
	}
	for _, tt := range []struct{ profile, tool, input, want string }{
		{"builder.readWrite", "world.batch", batch(3), "it is crowded here"},
		{"builder.review", "scene.createEntity", `{"shape":"box"}`, "pending_approval"},
		{"builder.readWrite", "world.batch", batch(2), ""},
		{"builder.readWrite", "scene.createEntity", `{"shape":"box"}`, "forbidden: it is crowded here"},
		{"builder.review", "scene.createEntity", `{"shape":"box"}`, "forbidden: it is crowded here"},
	} {
		got := call(tt.profile, tt.tool, tt.input)
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s of %s: %q, want %q in it", tt.tool, tt.profile, got, tt.want)
		}
	}
}

func TestReviewOfNoProfile(t *testing.T) {
	_, err := engine.New(engine.Config{Review: []string{"builder.reviews"}, Rigid: true})
	if err == nil || !strings.Contains(err.Error(), `unknown profile "builder.reviews"`) {
		t.Errorf("got %v", err)
	}
}
