package wire_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/internal/wire"
)

func TestNearest(t *testing.T) {
	names := []string{"shape", "size", "color", "position", "doorWidth", "doorHeight", "scene.createEntity", "scene.destroyEntity", "x"}
	for got, want := range map[string]string{
		"shpae":                    "shape",
		"Shape":                    "shape",
		"colour":                   "color",
		"door_width":               "doorWidth",
		"DOORHEIGHT":               "doorHeight",
		"pos":                      "position",
		"sizes":                    "size",
		"positionInMetres":         "position",
		"backgroundColor":          "color",
		"createEntity":             "scene.createEntity",
		"scene_createEntity":       "scene.createEntity",
		"scene.createentitiy":      "scene.createEntity",
		"opacity":                  "",
		"":                         "",
		"X":                        "x",
		"z":                        "", // another letter, not a slip
		"xs":                       "",
		strings.Repeat("z", 1<<20): "",
	} {
		if near := wire.Nearest(got, names); near != want {
			t.Errorf("Nearest(%.20q) = %q, want %q", got, near, want)
		}
	}
}

func TestNearPutsTheNearestFirst(t *testing.T) {
	names := []string{"ent_120", "ent_12", "ent_2", "wall"}
	if diff := cmp.Diff([]string{"ent_12", "ent_120", "ent_2"}, wire.Near("ent_12", names, 5)); diff != "" {
		t.Errorf("Near (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"ent_12"}, wire.Near("ENT-12", names, 1)); diff != "" {
		t.Errorf("Near, one only (-want +got):\n%s", diff)
	}
	if got := wire.Near("ent_13", nil, 3); got != nil {
		t.Errorf("Near of no names = %v", got)
	}
}

func TestSlips(t *testing.T) {
	names := []string{"scene.createEntity", "scene.destroyEntity", "three.setTransform", "ui.label", "world.undo"}
	for got, want := range map[string]string{
		"scene_creatEntitty": "scene.createEntity",
		"three.setTransfrom": "three.setTransform",
		"ui_lable":           "ui.label",
		"WORLD-UNDO":         "world.undo",
		"scene_moveEntity":   "", // another word in the place of one
		"createEntity":       "",
		"world.redo":         "",
		"":                   "",
	} {
		if near := strings.Join(wire.Slips(got, names, 3), " "); near != want {
			t.Errorf("Slips(%q) = %q, want %q", got, near, want)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"scene.createEntity": {"scene", "create", "entity"},
		"HTTP2_serverÄrger":  {"http2", "server", "ärger"},
		"(a-1b/ΔX)":          {"a", "1b", "δx"},
		"":                   nil,
		"._":                 nil,
	} {
		if diff := cmp.Diff(want, wire.Words(text)); diff != "" {
			t.Errorf("Words(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func TestField(t *testing.T) {
	names := []string{"rotationEuler", "scale", "tag", "component"}
	for key, want := range map[string]string{
		"Rotation_Euler": "rotationEuler",
		"yaw":            "rotationEuler",
		"tags":           "tag",
		"factor":         "scale",
		"scal":           "",
		"":               "",
		"s":              "",
	} {
		if got := wire.Field(key, names); got != want {
			t.Errorf("Field(%q) = %q, want %q", key, got, want)
		}
	}
}
