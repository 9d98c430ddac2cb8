package engine_test

import (
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// TestUndoOwn has agents whose profiles hold none of the built-in rights take back what they did by a host's own skill: that is a right of its own,
// which those have whom the host gives it.
func TestUndoOwn(t *testing.T) {
	set, err := profiles.Builtin().With([]byte(`{"profiles":{
		"miner": {"grants": ["mine.dig", "world.undo"]},
		"player": {"extends": ["player.full"], "grants": ["mine.dig"]}}}`), "test")
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Config{Rigid: true, Profiles: set, Logger: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	dug := world.NewTable[string, int](e.World, "dug", 0)
	if err := e.Registry.Register(registry.Define(registry.Spec[NothingIn, NothingOut]{
		Name: "mine.dig", Description: "Dig.", Permissions: []profiles.Permission{"mine.dig"}, Effect: registry.Writes,
		Handle: func(c *registry.Call, _ NothingIn) (NothingOut, error) {
			return world.Do(e.World, c, func(tx *world.Tx) (out NothingOut, err error) {
				agent, _ := c.Author()
				n, _ := dug.Get(&tx.View, agent)
				return out, dug.Set(tx, agent, n+1)
			})
		},
	})); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ profile, undo, redo string }{
		{"miner", "", ""},
		{"player", "missing permission: world.undo", "missing permission: world.undo"},
	} {
		t.Run(tt.profile, func(t *testing.T) {
			s, err := e.Mcp.Open(mcp.Identity{AgentID: tt.profile, SessionID: tt.profile, Profile: tt.profile})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			for _, call := range []struct {
				skill, want string
				has         int
			}{{"mine.dig", "", 1}, {"mine.dig", "", 2}, {"world.undo", tt.undo, 1}, {"world.redo", tt.redo, 2}} {
				res := e.Mcp.CallTool(t.Context(), s, mcp.Request{Tool: call.skill})
				said := ""
				if res.Error != nil {
					said = res.Error.Message
				}
				if said != call.want {
					t.Errorf("%s: %q, want %q", call.skill, said, call.want)
				}
				e.World.View(func(v *world.View) {
					if n, _ := dug.Get(v, tt.profile); call.want == "" && n != call.has {
						t.Errorf("after %s %d, want %d", call.skill, n, call.has)
					}
				})
			}
			var tools []string
			for _, tool := range e.Mcp.ListTools(s) {
				tools = append(tools, tool.Name)
			}
			if listed := strings.Contains(strings.Join(tools, " "), "world.undo"); listed != (tt.undo == "") {
				t.Errorf("world.undo is listed: %v", listed)
			}
		})
	}
}

// TestUndoNeeds has an agent come again with less than she had: by undo and redo she changes nothing that she may not change by a call, whichever of a batch it was. With what the calls needed, or
// as one who decides about what others change, she does.
func TestUndoNeeds(t *testing.T) {
	set, err := profiles.Builtin().With([]byte(`{"profiles":{
		"all": {"grants": ["scene.read", "scene.write", "world.write", "world.undo"]},
		"nothing": {"grants": ["scene.read", "world.undo"]},
		"scene": {"grants": ["scene.read", "scene.write", "world.undo"]},
		"weather": {"grants": ["scene.read", "world.write", "world.undo"]},
		"judge": {"grants": ["scene.read", "world.undo", "approval.review"]}}}`), "test")
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Config{Rigid: true, Profiles: set, Logger: zerolog.Nop(), MCP: mcp.Options{Allowed: set.Names()}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	as := func(profile, skill, input string) string {
		t.Helper()
		s, err := e.Mcp.Open(mcp.Identity{AgentID: "ada", SessionID: profile, Profile: profile})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if res := e.Mcp.CallTool(t.Context(), s, mcp.Request{Tool: skill, Input: []byte(input)}); res.Error != nil {
			return string(res.Error.Code) + ": " + res.Error.Message
		}
		return ""
	}
	const batch = `{"operations":[{"skill":"scene.createEntity"},{"skill":"world.setWeather","input":{"weather":"rain"}},{"skill":"scene.createEntity"}]}`
	for _, call := range [][2]string{{"scene.createEntity", `{}`}, {"world.batch", batch}} {
		if said := as("all", call[0], call[1]); said != "" {
			t.Fatal(said)
		}
	}
	for _, tt := range []struct {
		profile, skill, input string
		lacks                 string // "" if it is done
	}{
		{"nothing", "world.undo", `{}`, "scene.write"},
		{"scene", "world.undo", `{}`, "world.write"},
		{"weather", "world.undo", `{}`, "scene.write"},
		{"scene", "world.undo", `{"steps":2}`, "world.write"},
		{"all", "world.undo", `{"steps":2}`, ""},
		{"scene", "world.redo", `{}`, "world.write"}, // of both in one
		{"nothing", "world.redo", `{}`, "scene.write"},
		{"judge", "world.redo", `{}`, ""},
		{"weather", "world.undo", `{}`, "scene.write"}, // of the redo
		{"scene", "world.undo", `{}`, "world.write"},
		{"judge", "world.undo", `{}`, ""},
		{"all", "world.redo", `{}`, ""},
		{"all", "world.undo", `{}`, ""},
		{"all", "scene.createEntity", `{}`, ""},
		{"weather", "world.undo", `{}`, "scene.write"},
		{"scene", "world.undo", `{}`, ""},
	} {
		before := content(e.World)
		said := as(tt.profile, tt.skill, tt.input)
		if refused := strings.Contains(said, "forbidden: steps: ") && strings.Contains(said, "needs the permission "+tt.lacks+","); tt.lacks != "" && !refused || tt.lacks == "" && said != "" {
			t.Errorf("%s of %s: %q, want %q to be missing", tt.skill, tt.profile, said, tt.lacks)
		}
		if changed := content(e.World) != before; changed != (tt.lacks == "") {
			t.Errorf("%s of %s: the world is another one: %v", tt.skill, tt.profile, changed)
		}
	}
}
