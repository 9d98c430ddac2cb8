package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// What is linked is initialised at every start and stays in memory, whether it is used or not. These
// are packages that cost much of both, or that keep the linker from leaving out methods that nobody
// calls, and that came in by the way before.
var heavy = []string{
	"github.com/go-playground/validator/v10",     // see registry/rules
	"github.com/google/jsonschema-go/jsonschema", // see registry/raw
	"github.com/santhosh-tekuri/jsonschema/v6",
	"golang.org/x/text/language",
	"github.com/prometheus/client_golang/prometheus", // see server/metrics
	"html/template",
	"runtime/metrics", // makes its table of everything at every start
	"text/template",
	"testing",
}

// What only a port needs, a host without one does not link: HTTP, TLS and OAuth are 77 packages of 346.
var network = []string{"net/http", "crypto/tls", "crypto/x509", "mime/multipart", "github.com/coreos/go-oidc/v3/oidc", "github.com/gorilla/websocket"}

func TestLinksNothingHeavy(t *testing.T) {
	for pkg, without := range map[string][]string{
		".":            heavy,
		"../../engine": slices.Concat(heavy, network),
	} {
		deps, err := exec.CommandContext(t.Context(), "go", "list", "-deps", pkg).Output()
		if err != nil {
			t.Fatal(err)
		}
		linked := strings.Fields(string(deps))
		if !slices.Contains(linked, "github.com/limina-mcp/limina/mcp") {
			t.Fatalf("go list -deps %s = %q", pkg, linked)
		}
		for _, name := range linked {
			if slices.Contains(without, name) {
				t.Errorf("%s links %s", pkg, name)
			}
		}
	}
}
