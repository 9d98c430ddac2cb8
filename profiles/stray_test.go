package profiles_test

import (
	"testing"

	"github.com/limina-mcp/limina/profiles"
)

func TestStray(t *testing.T) {
	set, err := profiles.Builtin().With([]byte("profiles: {mason: {grants: [scene.write, brick.lay, brick.lya]}}"), "test")
	if err != nil {
		t.Fatal(err)
	}
	bricks := func(p profiles.Permission) bool { return p == "brick.lay" }
	if profile, p, ok := set.Stray(bricks); !ok || profile != "mason" || p != "brick.lya" {
		t.Errorf("got %q %q %v, want brick.lya of mason", profile, p, ok)
	}
	if profile, p, ok := profiles.Builtin().Stray(bricks); ok {
		t.Errorf("the built-in %s has %s", profile, p)
	}
}
