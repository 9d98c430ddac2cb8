package engine_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
)

// TestInstructionsSuitTheProfile reads what each profile's clients are told, in either era: only who may build is told how, and
// nobody is told of a skill that he may not call.
func TestInstructionsSuitTheProfile(t *testing.T) {
	named := regexp.MustCompile(`[a-z]+_[a-zA-Z]+`)
	for _, profile := range profiles.Builtin().Names() {
		t.Run(profile, func(t *testing.T) {
			e, err := engine.New(engine.Config{MCP: mcp.Options{Profile: profile}})
			if err != nil {
				t.Fatal(err)
			}
			grants, err := profiles.Builtin().Resolve(profile)
			if err != nil {
				t.Fatal(err)
			}
			text := official(t, e, "2025-11-25", nil).InitializeResult().Instructions
			if modern := official(t, e, "2026-07-28", nil).InitializeResult().Instructions; modern != text {
				t.Errorf("modern clients are told\n%s\nlegacy ones\n%s", modern, text)
			}
			told := map[string]bool{}
			for _, name := range named.FindAllString(text, -1) {
				if k, ok := e.Registry.Lookup(name); ok {
					told[name] = true
					if !k.Allowed(grants) {
						t.Errorf("told of %s, which is refused:\n%s", name, text)
					}
				} else if name != "pending_approval" {
					t.Errorf("told of %s, which is no skill:\n%s", name, text)
				}
			}
			builds := grants.Has("scene.write")
			if got := strings.Contains(text, "Build: "); got != builds {
				t.Errorf("told to build: %v, want %v:\n%s", got, builds, text)
			}
			if got := strings.Contains(text, `"forbidden"`); got == builds {
				t.Errorf("told that he may not build: %v, want %v:\n%s", got, !builds, text)
			}
			if !told["scene_inspect"] || !told["skills_search"] || !strings.HasPrefix(text, "Limina is one shared 3-D world") {
				t.Errorf("told too little:\n%s", text)
			}
			for skill, permission := range map[string]profiles.Permission{"player_move": "player.write", "social_say": "social.act", "approval_grant": "approval.review"} {
				if want := grants.Has(permission) && !builds; told[skill] != want {
					t.Errorf("told of %s: %v, want %v:\n%s", skill, told[skill], want, text)
				}
			}
		})
	}
}

// TestInstructionsOfAHost holds that a host's own text is everybody's.
func TestInstructionsOfAHost(t *testing.T) {
	e, err := engine.New(engine.Config{MCP: mcp.Options{Profile: "system.readonly", Instructions: "Count the boxes."}})
	if err != nil {
		t.Fatal(err)
	}
	if got := official(t, e, "2025-11-25", nil).InitializeResult().Instructions; got != "Count the boxes." {
		t.Errorf("told %q", got)
	}
}
