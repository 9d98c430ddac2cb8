package save_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/ecs"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/save"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// with returns the skills of a server with a key.
func with(key string) skilltest.Skills {
	return func(w *world.World, _ *agents.Agents) []registry.Skill {
		o := save.Options{Key: func() ([]byte, error) { return []byte(key), nil }}
		return slices.Concat(scene.All(w), ecs.All(w), history.All(w), save.All(save.New(w, o)))
	}
}

// keyed is a server whose key is that of the others.
var keyed = with(strings.Repeat("k", save.KeySize))

// saved saves a server's world and returns the text.
func saved(t *testing.T, s *skilltest.Server, p *profiles.Principal) string {
	t.Helper()
	s.Must(t, p, "save.export", `{"name":"evening","gameState":{"chapter":2},"metadata":{"hero":"Ann"}}`)
	return text(t, s, p, "evening")
}

func text(t *testing.T, s *skilltest.Server, p *profiles.Principal, name string) string {
	t.Helper()
	var out struct{ Data string }
	if err := json.Unmarshal([]byte(s.Must(t, p, "save.slot", fmt.Sprintf(`{"action":"load","name":%q}`, name))), &out); err != nil {
		t.Fatal(err)
	}
	return out.Data
}

func load(text string) string { return fmt.Sprintf(`{"data":%q}`, text) }

// A world comes back in a new server with the same ids, in one where something was with others, and in its own with its own.
func TestThereAndBack(t *testing.T) {
	s, ann := skilltest.New(t, keyed), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "scene.createEntity", `{"position":[1,2,3]}`)
	s.Must(t, ann, "scene.createEntity", `{"position":[4,5,6]}`)
	s.Must(t, ann, "scene.destroyEntity", `{"entity":"ent_0"}`)
	content := s.Content()
	data := saved(t, s, ann)
	if !strings.HasPrefix(data, "limina-save-1.") || strings.ContainsAny(data, "\n \"\\") {
		t.Errorf("the text is %q", data)
	}
	loaded := func(s *skilltest.Server, shift, found string) {
		t.Helper()
		want := `{"ok":true,"mode":"snapshot","entities":1,"idShift":` + shift + `,"gameState":{"chapter":2}}`
		skilltest.Holds(t, "loaded", s.Must(t, ann, "save.import", load(data)), want)
		skilltest.Holds(t, "found", s.Must(t, ann, "scene.queryEntities", `{}`), `{"entities":[{"entity":"`+found+`","position":[4,5,6],"distance":0}]}`)
	}

	fresh := skilltest.New(t, keyed)
	loaded(fresh, "0", "ent_1")
	if fresh.Content() != content {
		t.Error("in a new server something is otherwise")
	}
	skilltest.Holds(t, "the next", fresh.Must(t, ann, "scene.createEntity", `{}`), `{"entity":"ent_2"}`)

	other := skilltest.New(t, keyed)
	for range 3 {
		other.Must(t, ann, "scene.createEntity", `{}`)
	}
	before := other.Content()
	loaded(other, "3", "ent_4")
	loaded(other, "5", "ent_6") // each time they are new ones
	other.Must(t, ann, "world.undo", `{"steps":2}`)
	if other.Content() != before {
		t.Error("an undo does not take a load back")
	}

	s.Must(t, ann, "scene.createEntity", `{}`)
	s.Must(t, ann, "scene.destroyEntity", `{"entity":"ent_1"}`)
	loaded(s, "0", "ent_1")
	if s.Content() != content {
		t.Error("in its own world something is otherwise")
	}
}

// What was sealed with another key, or has been changed anywhere, changes nothing.
func TestSealed(t *testing.T) {
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	s := skilltest.New(t, keyed)
	s.Must(t, ann, "scene.createEntity", `{}`)
	data := saved(t, s, ann)
	refused := func(s *skilltest.Server, data, want string) {
		t.Helper()
		before := s.World.Hash()
		for _, call := range [][2]string{{"save.import", load(data)}, {"save.slot", fmt.Sprintf(`{"action":"create","name":"x","data":%q}`, data)}} {
			if _, err := s.Call(ann, call[0], call[1]); err == nil || !strings.HasPrefix(err.Message, want) {
				t.Errorf("%s of %.40q…: %v, want %s", call[0], data, err, want)
			}
		}
		if s.World.Hash() != before {
			t.Error("what was refused has changed something")
		}
	}
	const changed = "data: the text has been changed or cut"
	refused(skilltest.New(t, with(strings.Repeat("x", save.KeySize))), data, changed+", or it is of a server with another key")
	refused(skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill { return save.All(save.New(w, save.Options{})) }), data, changed+", or it is")
	refused(s, "ent_0", "data: it is no save: one begins with \"limina-save-1.\"")
	refused(s, data[:len(data)-1], changed)
	refused(s, data[:strings.LastIndexByte(data, '.')], changed)
	refused(s, data+data, changed)
	for at := len("limina-save-1."); at < len(data); at += 1 + len(data)/97 {
		b := []byte(data)
		if b[at] = 'A'; data[at] == 'A' {
			b[at] = 'B'
		}
		refused(s, string(b), changed)
	}
	s.Must(t, ann, "save.import", load("\n"+data+" \n")) // as it is pasted
}

// Slots are filled by what is here or comes from elsewhere, are listed, and are emptied; nothing else takes one back.
func TestSlots(t *testing.T) {
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	s := skilltest.New(t, keyed)
	s.Must(t, ann, "scene.createEntity", `{}`)
	data := saved(t, s, ann)
	const evening = `{"name":"evening","gameTick":1,"entityCount":1,"metadata":{"hero":"Ann"}}`
	skilltest.Holds(t, "list", s.Must(t, ann, "save.slot", `{}`), `{"ok":true,"slots":[`+evening+`]}`)
	s.Must(t, ann, "scene.createEntity", `{}`)
	const noon = `{"name":"noon","gameTick":3,"entityCount":2,"metadata":{"at":12}}`
	skilltest.Holds(t, "create", s.Must(t, ann, "save.slot", `{"action":"create","name":"noon","metadata":{"at":12}}`), `{"ok":true,"slots":[`+evening+`,`+noon+`]}`)
	s.Must(t, ann, "world.undo", `{}`) // the box
	skilltest.Holds(t, "list", s.Must(t, ann, "save.slot", `{}`), `{"ok":true,"slots":[`+evening+`,`+noon+`]}`)
	s.Must(t, ann, "save.import", load(data))
	skilltest.Holds(t, "delete", s.Must(t, ann, "save.slot", `{"action":"delete","name":"evening"}`), `{"ok":true,"slots":[`+noon+`]}`)

	// A save that has come from elsewhere goes on as it is.
	other := skilltest.New(t, keyed)
	skilltest.Holds(t, "create", other.Must(t, ann, "save.slot", fmt.Sprintf(`{"action":"create","name":"hers","data":%q}`, data)), `{"ok":true,"slots":[{"name":"hers","gameTick":1,"entityCount":1,"metadata":{"hero":"Ann"}}]}`)
	again := text(t, other, ann, "hers")
	skilltest.Holds(t, "import", s.Must(t, ann, "save.import", load(again)), `{"ok":true,"mode":"snapshot","entities":1,"idShift":0,"gameState":{"chapter":2}}`)
	other.Must(t, ann, "scene.createEntity", `{}`)
	skilltest.Holds(t, "import", other.Must(t, ann, "save.import", load(again)), `{"ok":true,"mode":"snapshot","entities":1,"idShift":1,"gameState":{"chapter":2}}`)

	for input, want := range map[string]string{
		`{"action":"load"}`:                             "name: action load needs the name of a slot",
		`{"action":"delete","name":"dawn"}`:             `name: there is no slot "dawn"; there are noon`,
		`{"action":"load","name":"dawn","data":"x"}`:    "data: only action create takes it; to make the world what a save holds use save.import",
		`{"action":"burn"}`:                             `action: must be one of "create", "load", "delete", "list", got "burn"`,
		`{"action":"create","name":"x","data":"hello"}`: `data: it is no save: one begins with "limina-save-1.", as save.slot has returned it by action load`,
	} {
		if _, err := s.Call(ann, "save.slot", input); err == nil || err.Message != want {
			t.Errorf("%s: %v, want %s", input, err, want)
		}
	}
	skilltest.Needs(t, keyed, "save.slot", `{}`, "save.write", "builder.readWrite", "world.author")
	skilltest.Needs(t, keyed, "save.export", `{"name":"x"}`, "save.write", "builder.readWrite", "world.author")
}

// There are only so many slots, with so much in them.
func TestRoom(t *testing.T) {
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	s := skilltest.New(t, keyed)
	for n := range save.MaxSlots {
		s.Must(t, ann, "save.export", fmt.Sprintf(`{"name":"n%d"}`, n))
	}
	if _, err := s.Call(ann, "save.export", `{"name":"more"}`); err == nil || err.Code != registry.CodeCapacityExceeded {
		t.Errorf("one more: %v", err)
	}
	s.Must(t, ann, "save.export", `{"name":"n3"}`)

	large := skilltest.New(t, keyed)
	noise := make([]byte, 9<<20) // which no compression makes much smaller
	x := uint64(1)
	for i := range noise {
		x = x*6364136223846793005 + 1442695040888963407
		noise[i] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-."[x>>58]
	}
	export := func(name string, size int) *registry.Error {
		_, err := large.Call(ann, "save.export", fmt.Sprintf(`{"name":%q,"gameState":{"x":%q}}`, name, noise[:size]))
		return err
	}
	full := func() bool {
		err := export("one more", len(noise))
		return err != nil && err.Code == registry.CodeCapacityExceeded && strings.Contains(err.Message, "save.slot with action delete makes room")
	}
	for n := range 7 {
		if err := export(fmt.Sprint(n), len(noise)); err != nil {
			t.Fatal(err)
		}
	}
	if !full() {
		t.Error("more than 64 MiB are kept")
	}
	if _, err := large.Call(ann, "save.slot", `{"action":"load","name":"3"}`); err == nil || !strings.Contains(err.Message, `"3" is too large to be a text`) {
		t.Errorf("9 MiB of noise: %v", err)
	}
	large.Must(t, ann, "save.slot", `{"action":"delete","name":"1"}`)
	if err := export("one more", 3<<20); err != nil {
		t.Error(err)
	}
	text(t, large, ann, "one more")
}

// A key that cannot be had is a mistake of the operator's, of which callers learn no more than that.
func TestNoKey(t *testing.T) {
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	for _, key := range []func() ([]byte, error){
		func() ([]byte, error) { return nil, errors.New("/secret/place: permission denied") },
		func() ([]byte, error) { return []byte("short"), nil },
	} {
		s := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
			return save.All(save.New(w, save.Options{Key: key}))
		})
		s.Must(t, ann, "save.export", `{"name":"x"}`)
		if _, err := s.Call(ann, "save.slot", `{"action":"load","name":"x"}`); err == nil || !err.Internal || strings.Contains(err.Message, "secret") {
			t.Errorf("%v", err)
		}
	}
}

// TestSigns saves a world whose texts are signs that JSON may write longer than they are.
func TestSigns(t *testing.T) {
	s, ann := skilltest.New(t, keyed), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "scene.createEntity", `{"name":"<&>"}`)
	s.Must(t, ann, "save.slot", fmt.Sprintf(`{"action":"create","name":"big","metadata":{"a":%q}}`, strings.Repeat("<&>", 1<<20)))
	data := text(t, s, ann, "big")
	s.Must(t, ann, "save.import", load(data))
	other := skilltest.New(t, keyed)
	other.Must(t, ann, "save.import", load(data))
	if s.Content() != other.Content() {
		t.Error("the world is another one")
	}
}
