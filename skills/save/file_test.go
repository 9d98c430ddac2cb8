package save_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/save"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// TestFile writes a save to a file, and has another server with the same folder and key become that world.
func TestFile(t *testing.T) {
	within := func(dir string) skilltest.Skills {
		return func(w *world.World, _ *agents.Agents) []registry.Skill {
			key := func() ([]byte, error) { return []byte(strings.Repeat("k", save.KeySize)), nil }
			return slices.Concat(scene.All(w), save.All(save.New(w, save.Options{Key: key, Dir: dir})))
		}
	}
	dir := t.TempDir()
	s, ann := skilltest.New(t, within(dir)), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "scene.createEntity", `{"position":[1,2,3]}`)
	s.Must(t, ann, "save.export", `{"name":"evening"}`)
	if got := s.Must(t, ann, "save.slot", `{"action":"load","name":"evening","file":"evening.save"}`); !strings.HasSuffix(got, `"file":"evening.save"}`) || strings.Contains(got, "limina-save") {
		t.Errorf("the answer is %s", got)
	}
	other := skilltest.New(t, within(dir))
	other.Must(t, ann, "save.import", `{"file":"evening.save"}`)
	if s.Content() != other.Content() {
		t.Error("the world of the file is another one")
	}
	refuse := func(s *skilltest.Server, skill, input, want string) {
		t.Helper()
		if _, err := s.Call(ann, skill, input); err == nil || err.Message != want {
			t.Errorf("%s %s: %v, want %s", skill, input, err, want)
		}
	}
	const none = "data: give the text of a save, or the name of one on the server as file, and not both"
	refuse(other, "save.import", `{}`, none)
	refuse(other, "save.import", `{"data":"x","file":"evening.save"}`, none)
	refuse(other, "save.import", `{"file":"morning.save"}`, "file: there is no file morning.save on the server; save.slot with action load and file writes one")
	refuse(other, "save.slot", `{"action":"create","name":"a","file":"a"}`, "file: only action load writes one; to make the world what a file holds use save.import")
	bare := skilltest.New(t, within(""))
	bare.Must(t, ann, "save.export", `{"name":"evening"}`)
	const folder = "the server has no folder for files: its operator gives one with --files DIR; leave file out"
	refuse(bare, "save.slot", `{"action":"load","name":"evening","file":"evening.save"}`, folder)
	refuse(bare, "save.import", `{"file":"evening.save"}`, folder)
}
