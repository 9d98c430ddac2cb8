package profiles_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
)

// TestBuiltinReach counts, for every built-in profile, the skills of the catalogue that it may call, and compares with the
// counts of the contract: a permission too many or too few shows in at least one of them.
func TestBuiltinReach(t *testing.T) {
	needs := make(map[string]profiles.Need)
	for _, f := range readFields(t, "testdata/catalogue.txt") {
		ps := []profiles.Permission{profiles.Anyone}
		for _, p := range f[1:] {
			ps = append(ps, profiles.Permission(p))
		}
		needs[f[0]] = profiles.Require(ps...)
	}
	want := make(map[string]int)
	for _, f := range readFields(t, "testdata/callable.txt") {
		n, err := strconv.Atoi(f[1])
		if err != nil {
			t.Fatal(err)
		}
		want[f[0]] = n
	}

	set := profiles.Builtin()
	got := make(map[string]int)
	for _, name := range set.Names() {
		grants := resolve(t, set, name)
		for _, need := range needs {
			if _, missing := grants.Missing(need); !missing {
				got[name]++
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("callable skills of %d per profile (-want +got):\n%s", len(needs), diff)
	}
}

func TestBuiltinNames(t *testing.T) {
	names := profiles.Builtin().Names()
	if len(names) != 14 || !slices.IsSorted(names) {
		t.Errorf("Names() = %q, want 14 in order", names)
	}
}

// TestBuiltinSeparation pins who holds the rights that open other doors.
func TestBuiltinSeparation(t *testing.T) {
	want := map[profiles.Permission][]string{
		"social.act":      {"npc.agent", "player.full", "social.actor"},
		"trace.read":      {"reviewer", "reviewer.coordinator", "system.readonly"},
		"approval.review": {"reviewer", "reviewer.coordinator"},
		"orchestrate":     {"reviewer.coordinator"},
	}
	set := profiles.Builtin()
	for p, holders := range want {
		var got []string
		for _, name := range set.Names() {
			if resolve(t, set, name).Has(p) {
				got = append(got, name)
			}
		}
		if diff := cmp.Diff(holders, got); diff != "" {
			t.Errorf("holders of %s (-want +got):\n%s", p, diff)
		}
	}
}

func resolve(tb testing.TB, set *profiles.Set, name string) profiles.Grants {
	tb.Helper()
	grants, err := set.Resolve(name)
	if err != nil {
		tb.Fatalf("Resolve(%q): %v", name, err)
	}
	return grants
}

func readFields(t *testing.T, path string) [][]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]string
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 0 && f[0] != "#" {
			lines = append(lines, f)
		}
	}
	return lines
}
