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
func TestLinksNothingHeavy(t *testing.T) {
	heavy := []string{
		"github.com/go-playground/validator/v10",     // see registry/rules
		"github.com/google/jsonschema-go/jsonschema", // see registry/raw
		"github.com/santhosh-tekuri/jsonschema/v6",
		"golang.org/x/text/language",
		"github.com/prometheus/client_golang/prometheus", // see server.Metrics
		"html/template",
		"runtime/metrics", // makes its table of everything at every start
		"text/template",
		"testing",
	}
	deps, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(deps))
	if !slices.Contains(linked, "github.com/limina-mcp/limina/registry") {
		t.Fatalf("go list -deps . = %q", linked)
	}
	for _, name := range linked {
		if slices.Contains(heavy, name) {
			t.Errorf("limina links %s", name)
		}
	}
}
