package profiles_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
)

func TestPermissionCheck(t *testing.T) {
	good := []profiles.Permission{
		"scene.write", "orchestrate", "a", "a.b.c", "my-pack.doThing_2", profiles.Anyone,
		profiles.Permission(strings.Repeat("a", 64)),
	}
	for _, p := range good {
		if err := p.Check(); err != nil {
			t.Errorf("Permission(%q).Check() = %v, want nil", p, err)
		}
	}
	shape := regexp.MustCompile(`^[a-z][a-zA-Z0-9_-]*(\.[a-z][a-zA-Z0-9_-]*)*$`)
	for b := range 256 {
		for _, text := range []string{string([]byte{byte(b)}) + "a", "a" + string([]byte{byte(b)}) + "a"} {
			if err := profiles.Permission(text).Check(); (err == nil) != shape.MatchString(text) {
				t.Errorf("Permission(%q).Check() = %v", text, err)
			}
		}
	}
	bad := []profiles.Permission{
		"", ".", "scene.", ".write", "scene..write", "Scene.write", "scene.Write", "scene write", "scene.*", "9lives",
		"scène.read", "scene.write\n", "-a", "a.-b", profiles.Permission(strings.Repeat("a", 65)),
	}
	for _, p := range bad {
		if err := p.Check(); err == nil || !strings.HasPrefix(err.Error(), "permission ") {
			t.Errorf("Permission(%q).Check() = %v, want an error that begins with \"permission \"", p, err)
		}
	}
}
