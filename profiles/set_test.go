package profiles_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
)

func TestResolveUnknown(t *testing.T) {
	set := profiles.Builtin()
	tests := []struct{ name, near string }{
		{"builder.readwrite", "builder.readWrite"},
		{"reviewers", "reviewer"},
		{"npc.agnet", "npc.agent"},
		{"my.reviewer", "reviewer"},
		{"ownerreviewer", ""},
		{"delegate.review", ""},
		{"root", ""},
		{"", ""},
		{strings.Repeat("x", 10_000), ""},
	}
	for _, tt := range tests {
		_, err := set.Resolve(tt.name)
		var unknown *profiles.UnknownProfileError
		if !errors.As(err, &unknown) {
			t.Fatalf("Resolve(%.20q) = %v, want an *UnknownProfileError", tt.name, err)
		}
		text := err.Error()
		if !strings.HasPrefix(text, "unknown profile ") || len(text) > 500 {
			t.Errorf("Resolve(%.20q): message %q, want a short one that begins with \"unknown profile\"", tt.name, text)
		}
		for _, known := range set.Names() {
			if !strings.Contains(text, known) {
				t.Errorf("Resolve(%.20q): message %q does not list %s", tt.name, text, known)
			}
		}
		if got := strings.Contains(text, "did you mean"); got != (tt.near != "") {
			t.Errorf("Resolve(%.20q): message %q, want a hint: %t", tt.name, text, tt.near != "")
		}
		if tt.near != "" && !strings.Contains(text, "did you mean \""+tt.near+"\"?") {
			t.Errorf("Resolve(%.20q): message %q, want the hint %s", tt.name, text, tt.near)
		}
	}
}

func TestZeroSet(t *testing.T) {
	var set profiles.Set
	_, err := set.Resolve("reviewer")
	if want := `unknown profile "reviewer", known: none`; err == nil || err.Error() != want {
		t.Errorf("Resolve = %v, want %s", err, want)
	}
	more, err := set.With([]byte("profiles: {a: {grants: [b.c]}}"), "f")
	if err != nil {
		t.Fatal(err)
	}
	if !resolve(t, more, "a").Has("b.c") || len(set.Names()) != 0 {
		t.Error("With changed its receiver or lost the profile")
	}
}
