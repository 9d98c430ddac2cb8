package skills_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/world"
)

// textured returns a server with an image file, wall.png.
func textured(t testing.TB) (s *server, do func(skill, format string, args ...any) string) {
	t.Helper()
	dir := t.TempDir()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "wall.png"), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	s = newServerWith(t, 100, dir)
	ann := god("ann")
	return s, func(skill, format string, args ...any) string {
		return s.ask(t, ann, skill, fmt.Sprintf(format, args...))
	}
}

// ask makes a call and returns its answer, or its error.
func (s *server) ask(t testing.TB, who *profiles.Principal, skill, input string) string {
	t.Helper()
	k, ok := s.registry.Lookup(skill)
	if !ok {
		t.Fatalf("no skill %s", skill)
	}
	res := s.call(who, k, []byte(input), nil)
	if res.Err != nil {
		return res.Err.Error()
	}
	return string(res.Output)
}

// TestImportedMaterialIsAccepted names an imported material wherever a material may be named: it is unknown before it is imported, and what has it
// says so afterwards.
func TestImportedMaterialIsAccepted(t *testing.T) {
	for _, c := range []struct {
		name  string
		setup [][2]string
		call  [2]string
		field string
		then  func(s *server, do func(skill, format string, args ...any) string)
	}{
		{name: "scene.createEntity", call: [2]string{"scene.createEntity", `{"material":"slate"}`}},
		{name: "three.setMaterial", setup: [][2]string{{"scene.createEntity", `{"color":255}`}}, call: [2]string{"three.setMaterial", `{"entity":"ent_0","material":"slate"}`}},
		{name: "a batch", call: [2]string{"world.batch", `{"operations":[{"skill":"scene.createEntity","input":{"material":"slate"}}]}`}, field: "operations[0], scene.createEntity: "},
		{
			name: "a prefab", setup: [][2]string{{"prefab.define", `{"name":"post","operations":[{"skill":"scene.createEntity","input":{"material":"slate"}}]}`}},
			call: [2]string{"prefab.instantiate", `{"name":"post"}`}, field: "operations[0], scene.createEntity: ",
		},
		{
			name: "an action", call: [2]string{"event.listen", `{"eventName":"go","action":{"type":"spawn","data":{"material":"slate"}}}`},
			then: func(s *server, do func(skill, format string, args ...any) string) {
				do("event.emit", `{"eventName":"go"}`)
				for range 3 {
					s.world.Step(t.Context())
				}
			},
		},
		{
			name: "an item that is laid down", setup: [][2]string{{"agent.embody", `{}`}, {"inventory.create", `{"entity":"ent_0"}`}},
			call: [2]string{"item.define", `{"id":"ingot","name":"Ingot","config":{"drop":{"material":"slate"}}}`}, field: "config.drop: ",
			then: func(_ *server, do func(skill, format string, args ...any) string) {
				do("inventory.add", `{"entity":"ent_0","itemId":"ingot"}`)
				if out := do("interaction.drop", `{"itemId":"ingot","quantity":1}`); !strings.Contains(out, `"ok":true`) {
					t.Errorf("it cannot be laid down: %s", out)
				}
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, do := textured(t)
			for _, call := range c.setup {
				do(call[0], "%s", call[1])
			}
			const unknown = `material: unknown material "slate"; there are brick, concrete, fabric, glass, gold, grass, ice, leather, marble, metal, plaster, plastic, rubber, sand, snow, stone, tile, water, wood`
			if out := do(c.call[0], "%s", c.call[1]); !strings.Contains(out, c.field+unknown) {
				t.Errorf("before it is imported: %s", out)
			}
			do("material.import", `{"name":"shale","albedo":"wall.png"}`)
			if out := do(c.call[0], "%s", c.call[1]); !strings.Contains(out, c.field+unknown+"; imported: shale") {
				t.Errorf("where another one is imported: %s", out)
			}
			do("material.import", `{"name":"slate","albedo":"wall.png","baseRoughness":0.3}`)
			if out := do(c.call[0], "%s", c.call[1]); strings.Contains(out, "material") {
				t.Errorf("when it is imported: %s", out)
			}
			if c.then != nil {
				c.then(s, do)
			}
			wears := false
			s.world.View(func(v *world.View) {
				for _, m := range s.world.Materials.All(v) {
					wears = wears || m.Name == "slate" && m.Roughness == nil && m.Metalness == nil && (m.Color == nil || *m.Color == 0xffffff)
				}
			})
			if !wears {
				t.Error("nothing has it")
			}
		})
	}
}

// TestMaterialsAreKept has checkpoints, saves and undo bring imported materials back, with their images: the same import is no commit then.
func TestMaterialsAreKept(t *testing.T) {
	const slate = `{"name":"slate","albedo":"wall.png"}`
	s, do := textured(t)
	do("material.import", slate)
	do("scene.createEntity", `{"material":"slate"}`)
	do("checkpoint.create", `{"name":"slate"}`)
	do("save.export", `{"name":"slate"}`)
	content := func(s *server) (h [32]byte) {
		s.world.View(func(v *world.View) { h = v.ContentHash() })
		return h
	}
	before := content(s)
	do("material.import", `{"name":"slate","albedo":"wall.png","scale":3}`)
	do("material.import", `{"name":"shale","albedo":"wall.png"}`)
	if content(s) == before {
		t.Fatal("another material is no other world")
	}
	do("checkpoint.load", `{"name":"slate"}`)
	if content(s) != before {
		t.Error("the checkpoint has not brought the materials back")
	}
	var save struct{ Data string }
	if err := json.Unmarshal([]byte(do("save.slot", `{"action":"load","name":"slate"}`)), &save); err != nil {
		t.Fatal(err)
	}
	other, again := textured(t)
	if out := again("save.import", `{"data":%q}`, save.Data); !strings.Contains(out, `"ok":true`) {
		t.Fatal(out)
	}
	tick := other.world.Tick()
	if out := again("material.import", slate); !strings.Contains(out, `"replaced":true`) || other.world.Tick() != tick {
		t.Errorf("the save has brought another material: %s", out)
	}
	if out := again("scene.createEntity", `{"material":"slate"}`); !strings.Contains(out, "ent_1") {
		t.Errorf("with the save: %s", out)
	}
}
