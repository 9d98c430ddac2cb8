package catalogue

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
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
		if got := likeness(tt.word, strings.Fields(tt.among)); got != tt.want {
			t.Errorf("likeness(%q, %q) = %d, want %d", tt.word, tt.among, got, tt.want)
		}
	}
}

// likeness is how much a word is like the most alike of some, as an index finds it.
func likeness(word string, among []string) (most int) {
	slices.Sort(among)
	for _, l := range vocabulary(slices.Compact(among)).like(newTerm(word)) {
		most = max(most, l)
	}
	return most
}

// TestLikenessOfAny holds it against looking at each word.
func TestLikenessOfAny(t *testing.T) {
	var some []string
	for _, m := range meanings {
		some = append(some, strings.Fields(m)...)
	}
	word := rapid.OneOf(rapid.SampledFrom(some), rapid.StringMatching(`[a-c]{1,9}`), rapid.Custom(func(rt *rapid.T) string {
		return rapid.SampledFrom(some).Draw(rt, "stem") + rapid.StringMatching(`[a-z]{0,4}`).Draw(rt, "ending")
	}))
	rapid.Check(t, func(rt *rapid.T) {
		said, among := word.Draw(rt, "word"), rapid.SliceOf(word).Draw(rt, "among")
		want := 0
		for _, other := range among {
			switch {
			case other == said:
				want = same
			case strings.HasPrefix(other, said):
				want = max(want, beginning)
			case oneStem(said, other) || synonyms(said)[other]:
				want = max(want, related)
			}
		}
		if got := likeness(said, slices.Clone(among)); got != want {
			rt.Errorf("%q among %q is like %d, want %d", said, among, got, want)
		}
	})
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
