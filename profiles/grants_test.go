package profiles_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/profiles"
)

// somePermission draws from known permissions, unknown ones (two of them prefixes of others) and Anyone.
var somePermission = rapid.SampledFrom([]profiles.Permission{
	"agent.read", "scene.read", "scene.write", "ecs.modify", "orchestrate", "trace.read", "world.write",
	"zoo.feed", "zoo.feedAll", "zoo", "aaa", "scene.readAll", profiles.Anyone,
})

// TestGrantsAgainstMap holds Grants and Need to a plain map of permissions.
func TestGrantsAgainstMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		granted := rapid.SliceOf(somePermission).Draw(t, "granted")
		other := rapid.SliceOf(somePermission).Draw(t, "other")
		needed := rapid.SliceOfN(somePermission, 1, 6).Draw(t, "needed")
		asked := somePermission.Draw(t, "asked")

		model := setOf(granted)
		g := profiles.Grant(granted...)
		if got, want := g.Has(asked), model[asked] || asked == profiles.Anyone; got != want {
			t.Fatalf("Grant(%q).Has(%q) = %t, want %t", granted, asked, got, want)
		}
		if diff := cmp.Diff(sorted(model), g.List()); diff != "" {
			t.Fatalf("Grant(%q).List() (-want +got):\n%s", granted, diff)
		}
		if got, want := g == profiles.Grant(other...), cmp.Equal(model, setOf(other)); got != want {
			t.Fatalf("Grant(%q) == Grant(%q) is %t, want %t", granted, other, got, want)
		}

		var wantMissing profiles.Permission
		var wantList []profiles.Permission
		for _, p := range needed {
			if p == profiles.Anyone {
				continue
			}
			if !slices.Contains(wantList, p) {
				wantList = append(wantList, p)
			}
			if !model[p] && wantMissing == "" {
				wantMissing = p
			}
		}
		need := profiles.Require(needed...)
		if diff := cmp.Diff(wantList, need.Permissions()); diff != "" {
			t.Fatalf("Require(%q).Permissions() (-want +got):\n%s", needed, diff)
		}
		if got, missing := g.Missing(need); got != wantMissing || missing != (wantMissing != "") {
			t.Fatalf("Grant(%q).Missing(Require(%q)) = %q, %t, want %q", granted, needed, got, missing, wantMissing)
		}
	})
}

func setOf(ps []profiles.Permission) map[profiles.Permission]bool {
	set := make(map[profiles.Permission]bool)
	for _, p := range ps {
		if p != profiles.Anyone {
			set[p] = true
		}
	}
	return set
}

func sorted(set map[profiles.Permission]bool) []profiles.Permission {
	var ps []profiles.Permission
	for p := range set {
		ps = append(ps, p)
	}
	slices.Sort(ps)
	return ps
}

func TestZeroValuesDeny(t *testing.T) {
	var nothing profiles.Grants
	var unmet profiles.Need
	everything, err := profiles.Builtin().Resolve("builder.readWrite")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []profiles.Grants{nothing, everything} {
		if p, missing := g.Missing(unmet); p != "" || !missing {
			t.Errorf("Missing(zero Need) = %q, %t, want \"\", true", p, missing)
		}
	}
	if ps := unmet.Permissions(); len(ps) != 0 {
		t.Errorf("the zero Need's Permissions() = %q, want none", ps)
	}
	if p, missing := nothing.Missing(profiles.Require("scene.read")); p != "scene.read" || !missing {
		t.Errorf("zero Grants: Missing(scene.read) = %q, %t, want scene.read, true", p, missing)
	}
	if p, missing := nothing.Missing(profiles.Require(profiles.Anyone)); missing {
		t.Errorf("zero Grants: Missing(anyone) = %q, true, want nothing missing", p)
	}
	if nothing != profiles.Grant() || nothing != profiles.Grant(profiles.Anyone) {
		t.Error("Grant of nothing is not the zero Grants")
	}
}

func TestProgrammersMistakesPanic(t *testing.T) {
	tests := map[string]func(){
		"a need of nothing":        func() { profiles.Require() },
		"a malformed need":         func() { profiles.Require("scene write") },
		"a malformed grant":        func() { profiles.Grant("scene.write\nscene.read") },
		"an empty string to grant": func() { profiles.Grant("") },
	}
	for name, do := range tests {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			do()
		})
	}
}

func TestMissingAllocatesNothing(t *testing.T) {
	g := profiles.Grant("scene.read", "scene.write", "zoo.feed")
	for _, need := range []profiles.Need{
		profiles.Require("scene.read", "scene.write"), profiles.Require("ecs.read"), profiles.Require("zoo.feed"),
		profiles.Require("zoo.close"), profiles.Require(profiles.Anyone),
		{},
	} {
		if n := testing.AllocsPerRun(100, func() { g.Missing(need) }); n != 0 {
			t.Errorf("Missing(%q) allocates %v times, want 0", need.Permissions(), n)
		}
	}
}
