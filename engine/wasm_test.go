package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/world"
)

// fall has a ball fall for a second in a world whose compiled physics engine is kept in a folder. It returns how far, and the log.
func fall(t *testing.T, dir string) (metres float64, log string) {
	t.Helper()
	var lines strings.Builder
	e, err := engine.New(engine.Config{WasmDir: dir, Logger: zerolog.New(zerolog.SyncWriter(&lines))})
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.Mcp.Open(mcp.Identity{AgentID: "ada", SessionID: "s1", Profile: "builder.readWrite"})
	if err != nil {
		t.Fatal(err)
	}
	if res := e.Mcp.CallTool(t.Context(), s, mcp.Request{Tool: "scene.createEntity", Input: []byte(`{"shape":"sphere","position":[0,100,0],"dynamic":true}`)}); res.Error != nil {
		t.Fatal(res.Error)
	}
	for range 60 {
		e.World.Step(t.Context())
	}
	e.World.View(func(v *world.View) {
		at, _ := v.Position(1)
		metres = 100 - at[1]
	})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return metres, lines.String()
}

// TestUnkeptEngine has the compiled physics engine kept where that cannot be: what a full disk, or a folder of somebody else's, comes to. Bodies
// move nevertheless, and the log says why the next start takes long.
func TestUnkeptEngine(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the engine")
	}
	kept := t.TempDir()
	if metres, log := fall(t, kept); metres < 4 || log != "" {
		t.Fatalf("the ball falls %v m, and the log says %q", metres, log)
	}
	files, err := filepath.Glob(filepath.Join(kept, "*", "*"))
	if err != nil || len(files) != 2 || files[1] != files[0]+".crc32c" {
		t.Fatalf("kept are %q, %v", files, err)
	}

	// What is not what was written there is not run, wherever it differs: the first of these bytes says where a function begins, of which nobody else has a sum.
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	text := bytes.Clone(whole)
	text[100] ^= 4
	if err := os.WriteFile(files[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
	if metres, log := fall(t, kept); metres < 4 || !strings.Contains(log, "was damaged, and was compiled anew") || !strings.Contains(log, filepath.Base(files[0])) {
		t.Errorf("with a byte that is another the ball falls %v m, and the log says %q", metres, log)
	}
	if now, err := os.ReadFile(files[0]); err != nil || !bytes.Equal(now, whole) {
		t.Errorf("the file is not as it was: %v", err)
	}
	if metres, log := fall(t, kept); metres < 4 || log != "" {
		t.Errorf("once more the ball falls %v m, and the log says %q", metres, log)
	}
	if err := os.Remove(files[1]); err != nil { // an earlier program has kept none
		t.Fatal(err)
	}
	if metres, log := fall(t, kept); metres < 4 || log != "" {
		t.Errorf("without its sum the ball falls %v m, and the log says %q", metres, log)
	}
	if _, err := os.Stat(files[1]); err != nil {
		t.Error(err)
	}

	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(files[0], "in the way"), 0o700); err != nil { // nothing can be read there, nor written
		t.Fatal(err)
	}
	if metres, log := fall(t, kept); metres < 4 || !strings.Contains(log, "cannot be kept") || !strings.Contains(log, filepath.Base(files[0])) {
		t.Errorf("with something else in its place the ball falls %v m, and the log says %q", metres, log)
	}
}
