package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limina-mcp/limina/engine"
)

// TestApp checks that hosts of MCP Apps find the page that a host program gives, and that there is none where it gives none.
func TestApp(t *testing.T) {
	const page = "<!doctype html><title>a page \u2028</title>"
	for _, tt := range []struct {
		page []byte
		want []string // tools that name an app
	}{{[]byte(page), []string{"scene_render"}}, {nil, nil}} {
		e, err := engine.New(engine.Config{App: tt.page, Rigid: true})
		if err != nil {
			t.Fatal(err)
		}
		session := official(t, e, "2025-11-25", nil)
		tools, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var named []string
		for _, tool := range tools.Tools {
			if ui, ok := tool.Meta["ui"].(map[string]any); ok {
				named = append(named, tool.Name)
				if ui["resourceUri"] != "ui://limina/view" || tool.Meta["ui/resourceUri"] != "ui://limina/view" {
					t.Errorf("%s names its app %v and %v", tool.Name, ui, tool.Meta["ui/resourceUri"])
				}
			}
		}
		if strings.Join(named, " ") != strings.Join(tt.want, " ") {
			t.Errorf("with %q the tools %q name an app, want %q", tt.page, named, tt.want)
		}
		read, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "ui://limina/view"})
		if (err == nil) != (tt.page != nil) {
			t.Fatalf("with %q: %v", tt.page, err)
		}
		if err != nil {
			continue
		}
		c := read.Contents[0]
		meta, _ := json.Marshal(c.Meta)
		const want = `{"ui":{"csp":{"baseUriDomains":[],"connectDomains":[],"frameDomains":[],"resourceDomains":[]},"prefersBorder":true}}`
		if c.Text != page || c.MIMEType != "text/html;profile=mcp-app" || string(meta) != want {
			t.Errorf("the page is %q, %s, %s", c.Text, c.MIMEType, meta)
		}
	}
}
