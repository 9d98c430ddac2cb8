package world_test

import (
	"context"
	"encoding/json"
	"math"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

func TestIDText(t *testing.T) {
	tests := []struct {
		text string
		want world.ID
		ok   bool
	}{
		{"ent_0", 1, true},
		{"ent_17", 18, true},
		{"ent_18446744073709551614", math.MaxUint64, true},
		{"ent_18446744073709551615", 0, false}, // there is no such ID
		{"ent_99999999999999999999", 0, false},
		{"ent_", 0, false},
		{"ent_00", 0, false},
		{"ent_07", 0, false},
		{"ent_-1", 0, false},
		{"ent_+1", 0, false},
		{"ent_1 ", 0, false},
		{"ent_1a", 0, false},
		{"Ent_1", 0, false},
		{"1", 0, false},
		{"", 0, false},
	}
	pattern := regexp.MustCompile(world.ID(0).JSONSchemaPattern())
	for _, tt := range tests {
		got, err := world.ParseID(tt.text)
		if got != tt.want || (err == nil) != tt.ok {
			t.Errorf("ParseID(%q) = %d, %v, want %d", tt.text, got, err, tt.want)
		}
		if tt.ok && (got.String() != tt.text || !pattern.MatchString(tt.text)) {
			t.Errorf("%q is written as %q, or the pattern does not take it", tt.text, got)
		}
	}
	if _, err := world.ParseID("table"); err == nil || err.Error() != `"table" is not an entity id; ids look like "ent_0", "ent_17"` {
		t.Errorf("the message does not say what ids look like: %v", err)
	}
	if s := world.ID(0).String(); s != "" {
		t.Errorf("the zero ID has the text %q, want none", s)
	}
}

func TestIDJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := world.ID(rapid.Uint64Min(1).Draw(t, "id"))
		text, err := json.Marshal(map[world.ID]world.ID{id: id})
		if err != nil {
			t.Fatal(err)
		}
		var back map[world.ID]world.ID
		if err := json.Unmarshal(text, &back); err != nil || back[id] != id {
			t.Errorf("%s comes back as %v, %v", text, back, err)
		}
	})
}

// TestIDsAreNotReused creates and destroys more than pages hold, and takes back now and then.
func TestIDsAreNotReused(t *testing.T) {
	w := world.New(world.Config{})
	seen := map[world.ID]bool{}
	for round := range 40 {
		var ids []world.ID
		build := func(tx *world.Tx) error {
			ids = ids[:0]
			for range 100 {
				ids = append(ids, create(t, tx, world.Spec{}))
			}
			return nil
		}
		_, _ = w.Update(context.Background(), func(tx *world.Tx) error { _ = build(tx); return errStop })
		taken := ids[0]
		must(t, w, build)
		if ids[0] != taken {
			t.Fatalf("round %d: a rollback did not give %s back: the next was %s", round, taken, ids[0])
		}
		for _, id := range ids {
			if seen[id] {
				t.Fatalf("round %d: %s named an entity before", round, id)
			}
			seen[id] = true
		}
		must(t, w, func(tx *world.Tx) error {
			for _, id := range ids[min(round, 1):] {
				tx.Destroy(id)
			}
			return nil
		})
	}
	w.View(func(v *world.View) {
		if v.NextID() != 4001 || v.Len() != 39 {
			t.Errorf("NextID() = %s, Len() = %d, want ent_4000, 39", v.NextID(), v.Len())
		}
		n := world.ID(0)
		for id := range v.All() {
			if id <= n || v.Exists(id-1) && id != n+1 {
				t.Errorf("All() yields %s after %s", id, n)
			}
			n = id
		}
	})
}
