package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/world"
)

// What versions of a host's program have for a component and a table.
type (
	ore1 struct {
		Kind   string  `json:"kind"`
		Amount int     `json:"amount"`
		Spare  string  `json:"spare"`
		Layers []layer `json:"layers"`
	}
	layer struct {
		Depth float64 `json:"depth"`
		Hard  bool    `json:"hard,omitempty"`
	}
	oreLarger struct {
		Kind   string  `json:"kind"`
		Amount int     `json:"amount"`
		Layers []layer `json:"layers"`
		Owner  string  `json:"owner"` // is new; spare is gone, and was always empty
	}
	oreRenamed struct {
		Sort   string  `json:"sort"` // was kind
		Amount int     `json:"amount"`
		Layers []layer `json:"layers"`
	}
	oreShallow struct {
		Kind   string     `json:"kind"`
		Amount int        `json:"amount"`
		Layers []struct{} `json:"layers"` // have no depth any more
	}
	oreOther struct {
		Kind   int     `json:"kind"` // was a text
		Amount int     `json:"amount"`
		Layers []layer `json:"layers"`
	}
)

// oreReads is oreRenamed that reads what the first version wrote.
type oreReads oreRenamed

func (o *oreReads) UnmarshalJSON(text []byte) error {
	var kept struct {
		oreRenamed
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(text, &kept); err != nil {
		return err
	}
	if *o = oreReads(kept.oreRenamed); o.Sort == "" {
		o.Sort = kept.Kind
	}
	return nil
}

// TestMigrate has later versions of a host's program open a world that the first has kept. Nothing of it is lost without a word: who cannot hold all of
// it is refused, with what is missing and what may be done, and the file is as it was.
func TestMigrate(t *testing.T) {
	dir := t.TempDir()
	program := func(t *testing.T) *engine.Engine {
		t.Helper()
		e, err := engine.New(engine.Config{Rigid: true, Logger: zerolog.Nop(), TraceKeep: -1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}
	first := program(t)
	ores := world.NewComponent[ore1](first.World, "ore")
	stock := world.NewTable[string, ore1](first.World, "stock", 10)
	if err := first.Keep(dir); err != nil {
		t.Fatal(err)
	}
	var id world.ID
	if _, err := first.World.Update(t.Context(), func(tx *world.Tx) (err error) {
		if id, err = tx.Create(world.Spec{}); err != nil {
			return err
		}
		if err = ores.Set(tx, id, ore1{Kind: "gold", Amount: 5, Layers: []layer{{Depth: 2, Hard: true}, {Depth: 7}}}); err != nil {
			return err
		}
		return stock.Set(tx, "a", ore1{Kind: "iron", Amount: 9})
	}); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "world.jsonl")
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	// get opens the world with what declares, and returns what a value is then, as JSON.
	get := func(t *testing.T, declare func(w *world.World) (ore func(v *world.View) any, row func(v *world.View) any)) (text string, err error) {
		t.Helper()
		if err := os.WriteFile(path, kept, 0o600); err != nil {
			t.Fatal(err)
		}
		e := program(t)
		ore, row := declare(e.World)
		if err := e.Keep(dir); err != nil {
			now, readErr := os.ReadFile(path)
			if readErr != nil || string(now) != string(kept) {
				t.Error("the file of a world that was refused is another one")
			}
			return "", err
		}
		e.World.View(func(v *world.View) {
			out, err := json.Marshal([]any{ore(v), row(v)})
			if err != nil {
				t.Fatal(err)
			}
			text = string(out)
		})
		return text, e.Close()
	}
	for _, tt := range []struct {
		name, want string
		errs       []string
		open       func(w *world.World) (ore, row func(v *world.View) any)
	}{
		{"added and removed", `[{"kind":"gold","amount":5,"layers":[{"depth":2,"hard":true},{"depth":7}],"owner":""},{"kind":"iron","amount":9,"layers":null,"owner":""}]`, nil, declare[oreLarger](id)},
		{"renamed", "", []string{"world.jsonl", "restore ore of ent_0", "kept as kind,", `Retire("ore.kind")`, "UnmarshalJSON"}, declare[oreRenamed](id)},
		{"renamed, and the name retired", `[{"sort":"","amount":5,"layers":[{"depth":2,"hard":true},{"depth":7}]},{"sort":"","amount":9,"layers":null}]`, nil, declare[oreRenamed](id, "ore.kind", "stock.kind")},
		{"renamed, and retired in one only", "", []string{"restore stock", "row a", `Retire("stock.kind")`}, declare[oreRenamed](id, "ore.kind")},
		{"renamed, and read", `[{"sort":"gold","amount":5,"layers":[{"depth":2,"hard":true},{"depth":7}]},{"sort":"iron","amount":9,"layers":null}]`, nil, declare[oreReads](id)},
		{"a part of a part", "", []string{"kept as layers.depth, layers.hard,"}, declare[oreShallow](id)},
		{"a part of a part, retired", `[{"kind":"gold","amount":5,"layers":[{},{}]},{"kind":"iron","amount":9,"layers":null}]`, nil, declare[oreShallow](id, "ore.layers")},
		{"another type", "", []string{"restore ore of ent_0", "kind"}, declare[oreOther](id)},
		{"nothing of it", "", []string{"this program knows no ore, stock", "World.Retire"}, func(*world.World) (ore, row func(*world.View) any) { return nil, nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := get(t, tt.open)
			if (err != nil) != (tt.errs != nil) || got != tt.want {
				t.Errorf("it is %s %v\nwant %s", got, err, tt.want)
			}
			for _, want := range tt.errs {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("it says %v, want %s", err, want)
				}
			}
		})
	}
}

func declare[T any](id world.ID, retired ...string) func(w *world.World) (ore, row func(v *world.View) any) {
	return func(w *world.World) (ore, row func(v *world.View) any) {
		c, t := world.NewComponent[T](w, "ore"), world.NewTable[string, T](w, "stock", 10)
		for _, name := range retired {
			w.Retire(name)
		}
		return func(v *world.View) any { o, _ := c.Get(v, id); return o }, func(v *world.View) any { o, _ := t.Get(v, "a"); return o }
	}
}
