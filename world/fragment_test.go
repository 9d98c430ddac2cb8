package world_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// reference is what encoding/json makes of v.
func reference(t rapid.TB, v any) string {
	t.Helper()
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatalf("%v", err)
	}
	return string(bytes.TrimSpace(buf.Bytes()))
}

// TestAppendEntity compares fragments with encoding/json, for values of every kind.
func TestAppendEntity(t *testing.T) {
	type entity struct {
		ID       world.ID        `json:"id"`
		EID      uint64          `json:"eid"`
		Pos      world.Vec3      `json:"pos"`
		Rot      world.Quat      `json:"rot"`
		Scale    world.Vec3      `json:"scale"`
		Pose     []float64       `json:"body,omitempty"`
		Parent   world.ID        `json:"parent,omitzero"`
		Name     string          `json:"name,omitempty"`
		Tags     []string        `json:"tags,omitempty"`
		Shape    *world.Shape    `json:"shape,omitempty"`
		Material *world.Material `json:"material,omitempty"`
		Body     *world.Body     `json:"rigidBody,omitempty"`
		Light    *world.Light    `json:"light,omitempty"`
		Any      map[string]any  `json:"any,omitempty"`
	}
	number := rapid.OneOf(rapid.Float64Range(-3.4e38, 3.4e38), rapid.Float64Range(-100, 100), rapid.SampledFrom([]float64{0, 1e21, 1e-6, 9.99e-7, 1e-9, 5e-324}))
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ -~]*`), rapid.SampledFrom([]string{"<b>&", "\u2028", `"\`, "\x7f"}))
	rapid.Check(t, func(t *rapid.T) {
		num := func() float64 { return number.Draw(t, "number") + 0 } // never -0, which a parent makes 0
		maybe := func() bool { return rapid.Bool().Draw(t, "maybe") }
		w := world.New(world.Config{})
		anything := world.NewComponent[map[string]any](w, "any")
		hidden := world.NewComponent[int](w, "hidden", world.Private)
		want := entity{ID: 2, EID: 1, Pos: world.Vec3{num(), num(), num()}, Rot: world.NoRotation(), Scale: world.Vec3{num(), num(), 1}}
		_, err := w.Update(t.Context(), func(tx *world.Tx) error {
			if _, err := tx.Create(world.Spec{}); err != nil {
				return err
			}
			spec := world.Spec{Position: want.Pos, Scale: want.Scale}
			if maybe() {
				want.Parent, spec.Parent = 1, 1
			}
			if maybe() {
				want.Name = string(bytes.ToValidUTF8([]byte(text.Draw(t, "name")), nil))
				if len(want.Name) > world.MaxName {
					want.Name = "long"
				}
				want.Tags = []string{"a", "b<"}
				spec.Name, spec.Tags = want.Name, want.Tags
			}
			id, err := tx.Create(spec)
			if err != nil {
				return err
			}
			if maybe() {
				want.Shape = &world.Shape{Kind: text.Draw(t, "kind"), Size: world.Vec3{num(), num(), num()}, Color: 0xffffff}
				err = w.Shapes.Set(tx, id, *want.Shape)
			}
			if maybe() && err == nil {
				color, x, yes := uint32(7), num(), maybe()
				want.Material = &world.Material{Name: text.Draw(t, "material"), PBR: maybe()}
				if maybe() {
					want.Material.Color, want.Material.Roughness, want.Material.CastShadow = &color, &x, &yes
				} else {
					want.Material.Metalness, want.Material.ReceiveShadow, want.Material.Emissive = &x, &yes, 0xff8000
				}
				err = w.Materials.Set(tx, id, *want.Material)
			}
			if maybe() && err == nil {
				want.Body = &world.Body{Type: "dynamic", Collider: text.Draw(t, "collider"), Friction: num(), Restitution: num()}
				want.Pose = append(slices.Clone(want.Pos[:]), 0, 0, 0, 1)
				err = w.Bodies.Set(tx, id, *want.Body)
			}
			if maybe() && err == nil {
				want.Light = &world.Light{Kind: "point", Intensity: num()}
				err = w.Lights.Set(tx, id, *want.Light)
			}
			if maybe() && err == nil {
				want.Any = map[string]any{text.Draw(t, "key"): num(), "b": []any{nil, true, text.Draw(t, "value")}}
				err = anything.Set(tx, id, want.Any)
			}
			if err != nil {
				return err
			}
			return hidden.Set(tx, id, 1)
		})
		if err != nil {
			t.Fatal(err)
		}
		w.View(func(v *world.View) {
			if diff := gocmp.Diff(reference(t, want), string(w.AppendEntity(nil, v, 2))); diff != "" {
				t.Errorf("AppendEntity (-want +got):\n%s", diff)
			}
			if got := w.AppendEntity([]byte("x"), v, 9); string(got) != "x" {
				t.Errorf("AppendEntity of no entity = %s, want nothing", got)
			}
		})
	})
}

func TestAppendShared(t *testing.T) {
	w := world.New(world.Config{})
	numbered := world.NewTable[int, string](w, "numbered", 0)
	byEntity := world.NewTable[world.ID, bool](w, "byEntity", 0)
	secret := world.NewGlobal(w, "secret", "s", world.Private)
	must(t, w, func(tx *world.Tx) error {
		for _, n := range []int{30, -4, 5} {
			if err := numbered.Set(tx, n, "<"); err != nil {
				return err
			}
		}
		if err := byEntity.Set(tx, 1, true); err != nil {
			return err
		}
		return secret.Set(tx, "t")
	})
	want := map[string]string{
		"numbered":  `{"-4":"<","5":"<","30":"<"}`,
		"byEntity":  `{"ent_0":true}`,
		"spawn":     `[0,0,0]`,
		"world.sky": `{"kind":"air"}`,
		"timeScale": `1`,
		"time":      `{"hour":12}`,
		"weather":   `{"kind":"clear","intensity":0}`,
		"lighting":  reference(t, world.DefaultLighting()),
	}
	got := map[string]string{}
	w.View(func(v *world.View) {
		for _, name := range w.Shared(v) {
			got[name] = string(w.AppendShared(nil, v, name))
		}
		for _, name := range []string{"secret", "none", "shape"} {
			if text := w.AppendShared(nil, v, name); text != nil {
				t.Errorf("AppendShared(%q) = %s, want nothing", name, text)
			}
		}
	})
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("shared (-want +got):\n%s", diff)
	}
}

// TestDeclare has programmers make mistakes.
func TestDeclare(t *testing.T) {
	tests := map[string]struct {
		declare func(w *world.World)
		want    string
	}{
		"twice":        {func(w *world.World) { world.NewComponent[int](w, "shape") }, "shape is declared twice"},
		"across kinds": {func(w *world.World) { world.NewTable[int, int](w, "weather", 1) }, "weather is declared twice"},
		"reserved":     {func(w *world.World) { world.NewComponent[int](w, "pos") }, "pos is taken: viewers get it with every entity"},
		"without name": {func(w *world.World) { world.NewGlobal(w, "", 1) }, "has no name"},
		"bad initial":  {func(w *world.World) { world.NewGlobal(w, "g", 1e300) }, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if got := recover(); got == nil || !strings.Contains(fmt.Sprint(got), tt.want) {
					t.Errorf("panics with %v, want %q", got, tt.want)
				}
			}()
			tt.declare(world.New(world.Config{}))
		})
	}
}

// TestCheck has programmers declare what cannot be written. It shows when they ask, and in the first use.
func TestCheck(t *testing.T) {
	tests := map[string]struct {
		declare func(w *world.World) (set func(tx *world.Tx) error)
		want    string
	}{
		"component": {func(w *world.World) func(*world.Tx) error {
			c := world.NewComponent[chan int](w, "c")
			return func(tx *world.Tx) error { return c.Set(tx, 1, nil) }
		}, "c cannot be written as JSON: it holds a chan int"},
		"table": {func(w *world.World) func(*world.Tx) error {
			rows := world.NewTable[int, func()](w, "t", 1)
			return func(tx *world.Tx) error { return rows.Set(tx, 1, nil) }
		}, "t cannot be written as JSON: it holds a func()"},
		"global": {func(w *world.World) func(*world.Tx) error {
			g := world.NewGlobal(w, "g", struct{ Z complex128 }{})
			return func(tx *world.Tx) error { return g.Set(tx, g.Get(nil)) }
		}, "g cannot be written as JSON: it holds a complex128"},
		"key that is no text": {func(w *world.World) func(*world.Tx) error {
			g := world.NewGlobal(w, "g", map[rawKey]int{{}: 1})
			return func(tx *world.Tx) error { return g.Set(tx, g.Get(nil)) }
		}, "g cannot be written as JSON: it holds a map[world_test.rawKey]int"},
		"key that is text elsewhere": {func(w *world.World) func(*world.Tx) error {
			g := world.NewGlobal(w, "g", map[farKey]int{{}: 1})
			return func(tx *world.Tx) error { return g.Set(tx, g.Get(nil)) }
		}, "g cannot be written as JSON: it holds a map[world_test.farKey]int"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := world.New(world.Config{})
			if _, err := w.Update(t.Context(), func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err }); err != nil {
				t.Fatal(err)
			}
			if err := w.Check(); err != nil {
				t.Fatalf("before: %v", err)
			}
			set := tt.declare(w)
			if err := w.Check(); err == nil || err.Error() != tt.want {
				t.Errorf("Check() = %v, want %q", err, tt.want)
			}
			defer func() {
				if r := recover(); r != "world: "+tt.want {
					t.Errorf("Set panics with %v, want %q", r, "world: "+tt.want)
				}
				whole(t, w)
			}()
			_, err := w.Update(t.Context(), func(tx *world.Tx) error { return set(tx) })
			t.Errorf("Set: %v, want a panic", err)
		})
	}
}

// Keys of maps: encoding/json writes no rawKey, because as a key it asks for text only, and no farKey, because a key has no
// address; it writes a nearKey, unless that refuses.
type (
	rawKey  struct{ N int }
	farKey  struct{ N int }
	nearKey struct{ N int }
)

func (rawKey) MarshalJSON() ([]byte, error)  { return []byte(`"k"`), nil }
func (*farKey) MarshalText() ([]byte, error) { return []byte("k"), nil }

func (k nearKey) MarshalText() ([]byte, error) {
	if k.N < 0 {
		return nil, errStop
	}
	return fmt.Append(nil, k.N), nil
}

// TestKeys sets a map whose keys write themselves: one of them refuses.
func TestKeys(t *testing.T) {
	w := world.New(world.Config{})
	g := world.NewGlobal(w, "g", map[nearKey]int{})
	set := func(n int) error {
		_, err := w.Update(t.Context(), func(tx *world.Tx) error { return g.Set(tx, map[nearKey]int{{n}: n}) })
		return err
	}
	if err := set(3); err != nil {
		t.Error(err)
	}
	if err := set(-1); err == nil || !strings.HasPrefix(err.Error(), "g: cannot be written as JSON") {
		t.Errorf("a key that refuses: %v, want that it cannot be written", err)
	}
	w.View(func(v *world.View) {
		if got := string(w.AppendShared(nil, v, "g")); got != `{"3":3}` {
			t.Errorf("written as %s", got)
		}
	})
}

// TestCheckInitial has an initial value that is written by code which refuses.
func TestCheckInitial(t *testing.T) {
	w := world.New(world.Config{})
	world.NewGlobal(w, "g", json.RawMessage("{"))
	if err := w.Check(); err == nil {
		t.Error("Check() = nil for an initial value that is no JSON")
	}
}
