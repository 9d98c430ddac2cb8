package engine

import (
	"encoding/json"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// appURI names the page that hosts of MCP Apps show. The extension is io.modelcontextprotocol/ui, version 2026-01-26.
const appURI = "ui://limina/view"

// appType is what such a page is, to the letter.
const appType = "text/html;profile=mcp-app"

// appMeta says what the page needs: nothing from elsewhere. Hosts want that said list by list.
var appMeta = json.RawMessage(`{"ui":{"csp":{"connectDomains":[],"resourceDomains":[],"frameDomains":[],"baseUriDomains":[]},"prefersBorder":true}}`)

// app is the page as a resource.
func app(page []byte) registry.Resource {
	return registry.DefineResource(registry.ResourceSpec{
		URI: appURI, Name: "view", Title: "The world, live",
		Description: "A page for hosts of MCP Apps: it shows the person at the client the world in 3-D, as it is built. Models have no use for it.",
		MIMEType:    appType,
		Size:        int64(len(page)),
		Permissions: []profiles.Permission{"scene.read"},
		Read: func(*registry.Call, registry.Place) ([]registry.Contents, error) {
			return []registry.Contents{{URI: appURI, MIMEType: appType, Text: string(page), Meta: appMeta}}, nil
		},
	})
}
