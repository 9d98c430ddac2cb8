package architecture_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestMadeOf has a house be of materials, and be of others after it was rebuilt, but for what somebody has painted since.
func TestMadeOf(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	is := func(when string, want map[string]string) {
		t.Helper()
		for id, want := range want {
			got := s.Entity(t, id)
			for _, part := range strings.Split(want, " ") {
				if strings.HasPrefix(part, "!") == strings.Contains(got, strings.TrimPrefix(part, "!")) {
					t.Errorf("%s: %s is %s, want %s", when, id, got, part)
				}
			}
		}
	}
	s.Must(t, p, "architecture.building", `{"material":"brick","roofColor":255,"windows":[{"wall":"back"}]}`)
	s.Must(t, p, "architecture.building", `{"position":[30,0,0],"roofMaterial":"wood","color":255}`)
	names := map[string]string{}
	for _, id := range []string{"ent_0", "ent_1", "ent_2", "ent_3", "ent_4", "ent_5", "ent_6", "ent_7", "ent_8", "ent_9", "ent_10", "ent_11", "ent_12"} {
		for _, kind := range []string{"backWallPane", "roofLeft", "leftWall", "lintel"} {
			if strings.Contains(s.Entity(t, id), `"name":"`+kind+`"`) {
				names[kind] = id
			}
		}
	}
	is("built", map[string]string{
		names["leftWall"]: `"name":"brick" !"color":10128506`, names["roofLeft"]: `"color":255 !"material"`, names["backWallPane"]: `"name":"glass"`,
	})
	s.Must(t, p, "three.setMaterial", `{"entity":"`+names["lintel"]+`","material":"stone"}`)
	group := "ent_12"
	s.Must(t, p, "architecture.rebuild", `{"building":"`+group+`","material":"plaster","roofMaterial":"wood","storeys":2}`)
	is("rebuilt", map[string]string{
		names["leftWall"]: `"name":"plaster"`, names["lintel"]: `"name":"stone"`, names["roofLeft"]: `"name":"wood" "color":255`, names["backWallPane"]: `"name":"glass"`,
	})
	if _, err := s.Call(p, "architecture.building", `{"roofMaterial":"straw"}`); err == nil || err.Code != registry.CodeInvalidInput || !strings.HasPrefix(err.Message, `roofMaterial: material: unknown material "straw"; there are `) {
		t.Errorf("a roof of straw: %v", err)
	}
	if _, err := s.Call(p, "architecture.rebuild", `{"building":"`+group+`","material":"straw"}`); err == nil || !strings.HasPrefix(err.Message, `material: unknown material "straw"; there are `) {
		t.Errorf("walls of straw: %v", err)
	}
}
