package inspector_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/inspector"
	"github.com/limina-mcp/limina/skills/post"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// TestFinish has the snapshot and the summary of the world tell what is done to pictures.
func TestFinish(t *testing.T) {
	w := world.New(world.Config{})
	a := agents.New(w)
	r := &rig{t, w, registry.New(registry.Options{Tick: w.Tick})}
	if err := r.reg.Register(append(inspector.All(inspector.Deps{World: w, Agents: a}), post.All(post.New(w))...)...); err != nil {
		t.Fatal(err)
	}
	told := func(want string) {
		t.Helper()
		var summary json.RawMessage
		w.View(func(v *world.View) { summary = scene.Summarise(v).Environment })
		for where, env := range map[string]string{"snapshot": string(r.snapshot("system.readonly", `{}`).World.Environment), "summary": string(summary)} {
			if !json.Valid([]byte(env)) || !strings.HasSuffix(env, want+"}") {
				t.Errorf("the environment of the %s is %s, want it to end with %s", where, env, want)
			}
		}
	}
	told(`,"render.post":{}`)
	res := r.reg.Invoke(t.Context(), &registry.Request{Name: "render.enablePost", Principal: caller("builder.readWrite"), Input: []byte(`{"ao":{"enabled":false},"bloom":{"enabled":false},"grade":{"exposure":1,"contrast":1,"saturation":0}}`)}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	told(`,"render.post":{"grade":{"enabled":true,"exposure":1,"contrast":1,"saturation":0}}`)
}
