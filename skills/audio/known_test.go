package audio_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
)

// TestNamesOfThePage: what the descriptions say that the page knows, it knows, and all of it.
func TestNamesOfThePage(t *testing.T) {
	described := map[string]string{}
	for _, k := range newHall(t).r.List(registry.Filter{}) {
		described[k.Name()] = k.Info().Description
	}
	for skill, in := range map[string][2]string{"audio.playSFX": {"effects.js", "export const effects"}, "audio.playBGM": {"music.js", "export const moods"}} {
		text, err := os.ReadFile("../../viewer/web/src/" + in[0])
		if err != nil {
			t.Fatal(err)
		}
		_, list, found := strings.Cut(string(text), in[1])
		list, _, ended := strings.Cut(list, "\n};")
		var words []string
		for _, m := range regexp.MustCompile(`(?m)^  (\w+): `).FindAllStringSubmatch(list, -1) {
			words = append(words, m[1])
		}
		if !found || !ended || len(words) < 5 {
			t.Fatalf("%s has no list: %q", in[0], words)
		}
		if want := " " + strings.Join(words, ", "); !strings.Contains(described[skill], want) {
			t.Errorf("%s says %q, and the page knows%s", skill, described[skill], want)
		}
	}
}
