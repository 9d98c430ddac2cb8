//go:build unix

package exchange_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/world"
)

// TestPipe holds that a pipe in the folder for files is no file: who opens it waits for ever, and everybody who renders with him.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.glb"), 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	s := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		return exchange.All(exchange.Deps{World: w, Meshes: mesh.New(w), Dir: dir})
	})
	_, err := s.Call(skilltest.Caller(t, "ann", skilltest.Builder), "scene.import", `{"file":"pipe.glb"}`)
	if err == nil || !strings.Contains(err.Error(), "file: pipe.glb is no file") {
		t.Errorf("got %v", err)
	}
}
