package agentskills_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/limina-mcp/limina/agentskills"
	"github.com/limina-mcp/limina/registry"
)

func files(pairs ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return m
}

const (
	kites  = "---\nname: kites\ndescription: Build kites.\nmetadata:\n  version: \"1\"\n  parts: [2, x]\n---\n# Kites\n"
	tails  = "---\nname: tails\ndescription: Tails of kites.\n---\n"
	knots  = "# Knots\n"
	sum256 = "sha256:"
)

func TestLoad(t *testing.T) {
	set, err := agentskills.Load(files(
		"toys/kites/SKILL.md", kites, "toys/kites/references/knots.md", knots, "toys/kites/tails/SKILL.md", tails, "toys/kites/logo.bin", "\xff\x00",
	), "skill://")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, k := range set.Skills() {
		all = append(all, k.URI+" "+k.Name+" "+string(k.Frontmatter))
		for _, f := range k.Files {
			all = append(all, "  "+f.URI)
			if digits, ok := strings.CutPrefix(f.Digest, sum256); !ok || len(digits) != 64 {
				t.Errorf("%s has the digest %s", f.URI, f.Digest)
			}
		}
	}
	want := []string{
		`skill://toys/kites/SKILL.md kites {"name":"kites","description":"Build kites.","metadata":{"version":"1","parts":[2,"x"]}}`,
		"  skill://toys/kites/SKILL.md", "  skill://toys/kites/logo.bin", "  skill://toys/kites/references/knots.md", "  skill://toys/kites/tails/SKILL.md",
		`skill://toys/kites/tails/SKILL.md tails {"name":"tails","description":"Tails of kites."}`,
		"  skill://toys/kites/tails/SKILL.md",
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("skills (-want +got):\n%s", diff)
	}

	got, _ := set.Directory("skill://toys/kites")
	children := []agentskills.File{
		{URI: "skill://toys/kites/SKILL.md", Name: "SKILL.md", MIMEType: "text/markdown"},
		{URI: "skill://toys/kites/logo.bin", Name: "logo.bin", MIMEType: "application/octet-stream"},
		{URI: "skill://toys/kites/references", Name: "references", MIMEType: "inode/directory"},
		{URI: "skill://toys/kites/tails", Name: "tails", MIMEType: "inode/directory"},
	}
	if diff := cmp.Diff(children, got, cmpopts.IgnoreFields(agentskills.File{}, "Digest", "Size"), cmpopts.IgnoreUnexported(agentskills.File{})); diff != "" {
		t.Errorf("Directory (-want +got):\n%s", diff)
	}
	for _, uri := range []string{"skill://toys/kites/SKILL.md", "skill://toys/kites/", "skill://none", ""} {
		if list, ok := set.Directory(uri); ok {
			t.Errorf("Directory(%q) = %v, want none", uri, list)
		}
	}
	if k, ok := set.Skill("skill://toys/kites/tails/SKILL.md"); !ok || k.Name != "tails" {
		t.Errorf("Skill: %v, %v", k, ok)
	}
	if k, ok := set.Skill("skill://toys/kites"); ok {
		t.Errorf("Skill of a directory: %v", k)
	}
}

// A file has its type by its name, and where that says nothing it is a text or it is not: never what its first bytes
// may look like.
func TestTypes(t *testing.T) {
	set, err := agentskills.Load(files("kites/SKILL.md", kites, "kites/a/logo.PNG", "no picture", "kites/a/LICENSE", "<html>", "kites/a/empty", "",
		"kites/a/nul", "a\x00b", "kites/a/latin1.nfo", "caf\xe9", "kites/a/tail.glb", "glTF"), "skill://")
	if err != nil {
		t.Fatal(err)
	}
	list, _ := set.Directory("skill://kites/a")
	got := map[string]string{}
	for _, f := range list {
		got[f.Name] = f.MIMEType
	}
	want := map[string]string{
		"logo.PNG": "image/png", "LICENSE": "text/plain", "empty": "text/plain", "nul": "application/octet-stream",
		"latin1.nfo": "application/octet-stream", "tail.glb": "model/gltf-binary",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
}

// Who reads a file gets the bytes that its digest and its size are of.
func TestResources(t *testing.T) {
	set, err := agentskills.Load(files("kites/SKILL.md", kites, "kites/a.bin", "\xff\x00"), "skill://")
	if err != nil {
		t.Fatal(err)
	}
	reg := registry.New(registry.Options{})
	if err := reg.Resources().Register(set.Resources()...); err != nil {
		t.Fatal(err)
	}
	for uri, want := range map[string]registry.Contents{
		"skill://kites/SKILL.md": {URI: "skill://kites/SKILL.md", MIMEType: "text/markdown", Text: kites},
		"skill://kites/a.bin":    {URI: "skill://kites/a.bin", MIMEType: "application/octet-stream", Blob: []byte("\xff\x00")},
	} {
		got, err := reg.Read(t.Context(), nil, uri)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]registry.Contents{want}, got); diff != "" {
			t.Errorf("Read %s (-want +got):\n%s", uri, diff)
		}
	}
	r, _ := reg.Resources().Lookup("skill://kites/SKILL.md")
	if info := r.Info(); info.Label != "kites" || info.Description != "Build kites." || info.Size != int64(len(kites)) {
		t.Errorf("the resource of the SKILL.md: %+v", info)
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
	}{
		{"kites/SKILL.md", "# Kites", "it does not begin with YAML between two lines of ---"},
		{"kites/SKILL.md", "---\nname: kites\n", "it does not begin with YAML"},
		{"kites/SKILL.md", "---\nname: boats\ndescription: B.\n---\n", `the name is "boats", that of the directory "kites"`},
		{"kites/SKILL.md", "---\nname: kites\n---\n", "description: want 1 to 1024 characters"},
		{"kites/SKILL.md", "---\nname: kites\ndescription: " + strings.Repeat("x", 1025) + "\n---\n", "description: want 1 to 1024 characters"},
		{"Kites/SKILL.md", "---\nname: Kites\ndescription: K.\n---\n", `name "Kites": want`},
		{"a--b/SKILL.md", "---\nname: a--b\ndescription: K.\n---\n", `name "a--b": want`},
		{"kites/SKILL.md", "---\nname: [\n---\n", "frontmatter:"},
		{"kites/SKILL.md", "\xff", "it is not UTF-8"},
		{"kites/notes.md", "x", "skill://kites/notes.md belongs to no skill"},
		{"kites/SKILL.md", kites + strings.Repeat("x", agentskills.MaxBytes), "hosts take 512 of 16777216"},
	} {
		_, err := agentskills.Load(files(tt.name, tt.text), "skill://")
		if err == nil || !strings.HasPrefix(err.Error(), "agent skills: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %.30q: %v, want %s", tt.name, tt.text, err, tt.want)
		}
	}
}
