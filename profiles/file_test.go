package profiles_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
)

func TestWith(t *testing.T) {
	type grants map[string][]profiles.Permission
	tests := []struct {
		name, file string
		want       grants
	}{
		{"one profile", "profiles:\n  mason:\n    grants: [scene.write, zoo.feed]\n", grants{"mason": {"scene.write", "zoo.feed"}}},
		{"grants nothing", "profiles: {marker: {grants: []}}", grants{"marker": nil}},
		{"no profiles", "profiles: {}", grants{}},
		{"JSON with tabs", "{\n\t\"profiles\": {\n\t\t\"a\": {\"grants\": [\"b.\\u0063\"]}\n\t}\n}\n", grants{"a": {"b.c"}}},
		{"comments", "# ours\nprofiles: # all\n  a:\n    grants: # these\n      - b # one\n      # two\n      - c\n", grants{"a": {"b", "c"}}},
		{"line ends of Windows", "profiles:\r\n  a:\r\n    grants:\r\n      - b\r\n", grants{"a": {"b"}}},
		{
			"extends a built-in one", "profiles:\n  a:\n    extends: [vfx.writer]\n    grants: [zoo]\n",
			grants{"a": {"animation.write", "ecs.read", "scene.read", "vfx.write", "zoo"}},
		},
		{
			"extends later ones, twice the same", "profiles:\n  a: {extends: [b, c]}\n  b: {extends: [d]}\n  c: {extends: [d], grants: [c]}\n  d: {grants: [d]}\n",
			grants{"a": {"c", "d"}, "b": {"d"}, "c": {"c", "d"}, "d": {"d"}},
		},
		{
			"replaces and extends what it replaces",
			"profiles:\n  a: {extends: [vfx.writer]}\n  vfx.writer: {replace: true, extends: [vfx.writer], grants: [zoo]}\n",
			grants{
				"a":          {"animation.write", "ecs.read", "scene.read", "vfx.write", "zoo"},
				"vfx.writer": {"animation.write", "ecs.read", "scene.read", "vfx.write", "zoo"},
			},
		},
		{
			"replaces and extends another one of the file",
			"profiles:\n  vfx.writer: {replace: true, extends: [a]}\n  a: {grants: [zoo]}\n",
			grants{"a": {"zoo"}, "vfx.writer": {"zoo"}},
		},
		{"replaces outright", "profiles:\n  reviewer: {replace: true, grants: [zoo]}\n", grants{"reviewer": {"zoo"}}},
		{"may say that it replaces nothing", "profiles:\n  a: {replace: false, grants: [zoo]}\n", grants{"a": {"zoo"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base := profiles.Builtin()
			set, err := base.With([]byte(tt.file), "file")
			if err != nil {
				t.Fatal(err)
			}
			want := make(grants)
			for _, name := range base.Names() {
				want[name] = resolve(t, base, name).List()
			}
			for name, ps := range tt.want {
				want[name] = ps
			}
			got := make(grants)
			for _, name := range set.Names() {
				got[name] = resolve(t, set, name).List()
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("profiles (-want +got):\n%s", diff)
			}
			if len(base.Names()) != 14 {
				t.Error("With changed its receiver")
			}
		})
	}
}

func TestWithRefuses(t *testing.T) {
	tests := []struct{ file, want string }{
		{"", `1: the file is empty: want the key "profiles"`},
		{"# nothing\n", `1: the file is empty: want the key "profiles"`},
		{"just words", `1: the file: want a mapping, got "just words"`},
		{"\n- a\n", `2: the file: want a mapping, got a list`},
		{"{}", `1: missing key "profiles"`},
		{"profile: {}", `1: unknown key "profile", allowed: profiles`},
		{"profiles: {}\nversion: 1\n", `2: unknown key "version", allowed: profiles`},
		{"profiles:\n", `1: profiles: want a mapping, got nothing`},
		{"profiles: {}\n---\nprofiles: {}\n", `3: a second document: one is allowed`},
		{"profiles:\n  a:\n", `2: profile a: want a mapping, got nothing`},
		{"profiles:\n  a: {}\n", `2: profile a: states neither grants nor extends; to grant nothing, say grants: []`},
		{"profiles:\n  7: {grants: []}\n", `2: profiles: want a name for a key, got 7`},
		{"profiles:\n  My Profile: {grants: []}\n", `2: profile name "My Profile" is malformed: want words`},
		{"profiles:\n  a:\n    grant: [b]\n", `3: profile a: unknown key "grant", allowed: extends, grants, replace`},
		{"profiles:\n  a:\n    Grants: [b]\n", `3: profile a: unknown key "Grants", allowed: extends, grants, replace`},
		{"profiles:\n  a:\n    grants: b\n", `3: grants: want a list, got "b"`},
		{"profiles:\n  a:\n    grants:\n", `3: grants: want a list, got nothing`},
		{"profiles:\n  a:\n    grants:\n      - b\n      - 7\n", `5: grants: want a string, got 7`},
		{"profiles:\n  a:\n    grants:\n      - b\n      - {c: d}\n", `5: grants: want a string, got a mapping`},
		{"profiles:\n  a:\n    grants:\n      - b\n      - scene.*\n", `5: permission "scene.*" is malformed: want words`},
		{"profiles:\n  a:\n    grants: [b, b]\n", `3: grants: "b" stands here twice`},
		{"profiles:\n  a:\n    grants: [anyone]\n", `3: grants: everybody holds "anyone" anyway: leave it out`},
		{"profiles:\n  a:\n    grants: [b]\n    replace: yes\n", `4: replace: want true or false, got "yes"`},
		{"profiles:\n  a:\n    grants: [b]\n    replace: true\n", `2: profile a: replace: true, but there is none to replace, known: builder.readWrite, `},
		{"profiles:\n  reviewer:\n    replace: true\n    extends: [reviewed]\n", `4: profile reviewer: extends: unknown profile "reviewed", did you mean "reviewer"?`},
		{"profiles:\n  reviewer:\n    grants: [b]\n", `2: profile reviewer exists already; say replace: true`},
		{"profiles:\n  a:\n    grants: [b]\n  a:\n    grants: [c]\n", `4: profiles: key "a" stands here twice`},
		{"profiles:\n  a:\n    extends: [b, reviwer]\n  b: {grants: []}\n", `3: profile a: extends: unknown profile "reviwer", did you mean "reviewer"? known: a, b, builder.readWrite, `},
		{"profiles:\n  a: {extends: [a]}\n", `2: profile a: extends goes round in a circle: a → a`},
		{"profiles:\n  a: {extends: [b]}\n  b: {extends: [c]}\n  c: {extends: [b]}\n", `4: profile c: extends goes round in a circle: b → c → b`},
		{"profiles:\n  a: &x {grants: [b]}\n", `2: profile a: want a mapping, got an anchor or alias, which is not allowed here`},
		{"profiles: ~\n", `1: profiles: want a mapping, got ~`},
		{"profiles:\n  a: {grants: [!b c]}\n", `2: grants: want a string, got a tag`},
		{"profiles:\n  a: {grants: [2026-11-23]}\n", `2: grants: want a string, got 2026-11-23`},
		{"\xff\xfe", `1: it is not UTF-8`},
		{"profiles: \x01", `1: control characters are not allowed`},
		{"profiles:\n  a:\n    <<: {grants: [b]}\n", `3: profile a: want a name for a key, got an anchor or alias`},
		{"profiles:\n\ta: {grants: []}\n", `2: `},
		{"profiles:\n  a: {grants: [}\n", `2: `},
		{"{\"profiles\":\n  {\"a\": \"b}\n", `2: `},
	}
	for _, tt := range tests {
		_, err := profiles.Builtin().With([]byte(tt.file), "some/file.yaml")
		if want := "some/file.yaml:" + tt.want; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("With(%q)\n got: %v\nwant: %s…", tt.file, err, want)
		}
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "profiles.yaml")
	if err := os.WriteFile(path, []byte("profiles: {a: {extends: [reviewer]}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := profiles.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if resolve(t, set, "a") != resolve(t, set, "reviewer") {
		t.Error("a extends reviewer and adds nothing, but the two differ")
	}
	if _, err := profiles.Load(path + "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Load of no file = %v, want fs.ErrNotExist", err)
	}
}

// FuzzWith checks that a file either gives a set that holds what was there before, or an error with a line.
func FuzzWith(f *testing.F) {
	f.Add("profiles:\n  a:\n    extends: [reviewer, b]\n    grants: [x.y]\n  b: {grants: []}\n")
	f.Add("{\n\t\"profiles\": {\"reviewer\": {\"replace\": true, \"extends\": [\"reviewer\"]}}}")
	f.Add("profiles: &a\n  b: *a\n---\n? x\n: |\n  y\n")
	position := regexp.MustCompile(`^f:[1-9][0-9]*: [^\n]+$`)
	f.Fuzz(func(t *testing.T, file string) {
		base := profiles.Builtin()
		set, err := base.With([]byte(file), "f")
		if err != nil {
			if !position.MatchString(err.Error()) {
				t.Fatalf("With(%q) = %q, want an error of one line that begins with its position", file, err)
			}
			return
		}
		for _, name := range base.Names() {
			resolve(t, set, name)
		}
		for _, name := range set.Names() {
			for _, p := range resolve(t, set, name).List() {
				if err := p.Check(); err != nil {
					t.Fatalf("profile %s: %v", name, err)
				}
			}
		}
	})
}
