package catalogue

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		" -- ":                          "",
		"scene.createEntity":            "scene create entity",
		"scene_create-entity2":          "scene create entity2",
		"audio.playBGM":                 "audio play bgm",
		"three.loadGLTF now":            "three load gltf now",
		"Entities, boxes; glass & gas.": "entity boxe glass gas",
		"Größe ÄNDERN":                  "größe ändern",
		"a\xffb":                        "a b",
	} {
		if got := strings.Join(words(text), " "); got != want {
			t.Errorf("words(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestLikeness(t *testing.T) {
	tests := []struct {
		word, among string
		want        int
	}{
		{"wall", "roof wall", same},
		{"wal", "roof wall", beginning},
		{"rotate", "rotation", related},
		{"building", "build", related},
		{"delete", "destroy entity", related},
		{"color", "colour", related},
		{"wall", "walrus", 0},
		{"text", "texture", beginning},
		{"set", "settle", beginning},
		{"settle", "set", 0},
		{"wall", "", 0},
	}
	for _, tt := range tests {
		if got := newTerm(tt.word).likeness(strings.Fields(tt.among)); got != tt.want {
			t.Errorf("likeness(%q, %q) = %d, want %d", tt.word, tt.among, got, tt.want)
		}
	}
}

// TestMeaningsAreSingular checks the table of synonyms: its words are compared with singulars, and
// found between blanks.
func TestMeaningsAreSingular(t *testing.T) {
	for _, m := range meanings {
		if !strings.HasPrefix(m, " ") || !strings.HasSuffix(m, " ") {
			t.Errorf("%q has no blanks around it", m)
		}
		for _, w := range strings.Fields(m) {
			if singular(w) != w {
				t.Errorf("%q is no singular: %q is", w, singular(w))
			}
		}
	}
}
