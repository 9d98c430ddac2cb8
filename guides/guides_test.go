package guides_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agentskills"
	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/guides"
)

// What the guides name is there: tools by the names that standard clients see, files, resources.
func TestGuidesAreTrue(t *testing.T) {
	set, err := guides.Load()
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	named, tools := 0, regexp.MustCompile("`([a-z0-9]+_[a-zA-Z]+)`")
	links := regexp.MustCompile(`\]\(([^)]+)\)`)
	for _, k := range set.Skills() {
		for _, f := range k.Files {
			contents, err := e.Registry.Read(t.Context(), nil, f.URI)
			if err != nil {
				t.Fatalf("%s is not served: %v", f.URI, err)
			}
			text := contents[0].Text
			for _, m := range tools.FindAllStringSubmatch(text, -1) {
				named++
				if _, ok := e.Registry.Lookup(m[1]); !ok && m[1] != "pending_approval" {
					t.Errorf("%s names the tool %s, which is not there", f.URI, m[1])
				}
			}
			root := strings.TrimSuffix(k.URI, "SKILL.md")
			for _, m := range links.FindAllStringSubmatch(text, -1) {
				if !has(k, root+m[1]) {
					t.Errorf("%s links to %s, which is not there", f.URI, m[1])
				}
			}
		}
	}
	if named < 10 {
		t.Errorf("only %d names of tools were looked at", named)
	}
}

func has(k agentskills.Skill, uri string) bool {
	for _, f := range k.Files {
		if f.URI == uri {
			return true
		}
	}
	return false
}
