package world_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// none writes itself as null.
type none struct{}

func (none) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// rowOf puts two values under one key of a table, and says what became of the second.
func rowOf[T any](t *testing.T, first, second T, traits ...world.Trait) error {
	t.Helper()
	w := world.New(world.Config{})
	table := world.NewTable[string, T](w, "table", 0, traits...)
	put := func(v T) error {
		_, err := w.Update(context.Background(), func(tx *world.Tx) error { return table.Set(tx, "k", v) })
		return err
	}
	if err := put(first); err != nil {
		t.Errorf("a row of %#v: %v", first, err)
	}
	before := w.Hash()
	err := put(second)
	if err != nil && w.Hash() != before {
		t.Errorf("a row of %#v is refused, and the world has changed", second)
	}
	return err
}

// Viewers take null for a row that is gone, so none that they are shown may be.
func TestARowIsNotNull(t *testing.T) {
	one := 1
	for what, err := range map[string]error{
		"nil slice":     rowOf(t, []int{}, nil),
		"nil map":       rowOf(t, map[string]int{}, nil),
		"nil pointer":   rowOf(t, &one, nil),
		"nil interface": rowOf[any](t, "x", nil),
		"nil inside":    rowOf[any](t, "x", (*int)(nil)),
		"raw null":      rowOf(t, json.RawMessage("{}"), json.RawMessage("null")),
		"null of own":   rowOf[any](t, "x", none{}),
	} {
		if err == nil || !strings.Contains(err.Error(), "table: a row must not be null") {
			t.Errorf("%s as a row: %v, want that it must not be null", what, err)
		}
	}
	if err := rowOf[[]int](t, nil, nil, world.Private); err != nil {
		t.Errorf("a private row, which no viewer is shown, may be null: %v", err)
	}
}
