package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/world"
)

// A world that a host program has kept, with state of its own, is verified as one of limina's: all of it but what that state says, and it says so. Only that program opens it.
func TestVerifyOfAHostsWorld(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "w")
	e, err := engine.New(engine.Config{Rigid: true})
	if err != nil {
		t.Fatal(err)
	}
	ore := world.NewComponent[int](e.World, "ore")
	dug := world.NewTable[string, int](e.World, "quarry.dug", 0)
	if err := e.Keep(dir); err != nil {
		t.Fatal(err)
	}
	host, err := e.Mcp.Open(mcp.Identity{AgentID: "host", SessionID: "s", Profile: "builder.readWrite"})
	if err != nil {
		t.Fatal(err)
	}
	if r := e.Mcp.CallTool(t.Context(), host, mcp.Request{Tool: "scene.createEntity", Input: []byte(`{"shape":"box"}`)}); r.Error != nil {
		t.Fatal(r.Error)
	}
	if _, err := e.World.Update(t.Context(), func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{})
		if err == nil {
			err = ore.Set(tx, id, 7)
		}
		if err == nil {
			err = dug.Set(tx, "ada", 3)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	host.Close()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args, want string
		fails      bool
	}{
		{"verify " + dir, "a world of 2 entities at tick ", false},
		{"verify " + dir, "another program, or another version, which alone opens it: what it holds of ore, quarry.dug is there as it was written", false},
		{"verify " + dir, "\nevents", false},
		{"--world " + dir + " call scene.inspect {}", "this program knows no ore, quarry.dug: ", true},
	} {
		out, err := exec.CommandContext(t.Context(), "limina", strings.Fields(tt.args)...).CombinedOutput()
		if (err != nil) != tt.fails || !strings.Contains(string(out), tt.want) {
			t.Errorf("limina %s: %v, and says %q; want %q", tt.args, err, out, tt.want)
		}
	}
}
