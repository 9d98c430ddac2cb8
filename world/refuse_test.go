package world_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/world"
)

// TestRefusals asks for what is not allowed: the message names it, and nothing changes.
func TestRefusals(t *testing.T) {
	type odd struct {
		Deep  map[string][]any `json:"deep"`
		Raw   json.RawMessage  `json:"raw,omitempty"`
		Small float32          `json:"small"`
	}
	nan, inf, big := math.NaN(), math.Inf(1), 3.5e38
	w := world.New(world.Config{MaxEntities: 70})
	odds := world.NewComponent[odd](w, "odd")
	table := world.NewTable[string, float64](w, "table", 2)
	must(t, w, func(tx *world.Tx) error {
		for i := range 66 { // ent_0 above ent_1 above … ent_63, then ent_64 and ent_65 by themselves
			create(t, tx, world.Spec{Parent: world.ID(i * min(1, 64/(i+1)))})
		}
		for i := range world.MaxTagsOf {
			if _, err := tx.AddTag(65, strings.Repeat("t", 1+i%100)+string(rune('a'+i/100))); err != nil {
				return err
			}
		}
		if err := table.Set(tx, "a", 1); err != nil {
			return err
		}
		tx.Destroy(66)
		return table.Set(tx, "b", 1)
	})
	must(t, w, func(tx *world.Tx) error {
		for range 5 {
			create(t, tx, world.Spec{})
		}
		return nil
	})
	tests := []struct {
		name string
		do   func(tx *world.Tx) error
		code string
		want string
	}{
		{"position", func(tx *world.Tx) error { return tx.SetPosition(1, world.Vec3{0, nan, 0}) }, "invalid_input", "position[1]: must be a finite number within ±3.4e38, got NaN"},
		{"position of a new one", func(tx *world.Tx) error {
			_, err := tx.Create(world.Spec{Position: world.Vec3{0, 0, -inf}})
			return err
		}, "capacity_exceeded", "the world holds at most 70 entities, and these would be more; destroy some first, or make fewer"},
		{"rotation", func(tx *world.Tx) error { return tx.SetRotation(1, world.Quat{0, 0, 0, big}) }, "invalid_input", "rotation[3]: must be a finite number within ±3.4e38, got 3.5e+38"},
		{"no rotation", func(tx *world.Tx) error { return tx.SetRotation(1, world.Quat{}) }, "invalid_input", "rotation: must not be all zeros; no rotation is [0, 0, 0, 1]"},
		{"scale", func(tx *world.Tx) error { return tx.SetScale(1, world.Vec3{inf, 1, 1}) }, "invalid_input", "scale[0]: must be a finite number within ±3.4e38, got +Inf"},
		{"transform", func(tx *world.Tx) error {
			return tx.SetTransform(1, world.Transform{Rotation: world.NoRotation(), Position: world.Vec3{-big}})
		}, "invalid_input", "position[0]: must be a finite number within ±3.4e38, got -3.5e+38"},
		{"beyond in world space", func(tx *world.Tx) error {
			if err := tx.SetPosition(2, world.Vec3{3e38, 0, 0}); err != nil {
				return err
			}
			return tx.SetPosition(1, world.Vec3{3e38, 0, 0})
		}, "invalid_input", "ent_1 would be beyond ±3.4e38 in world space"},
		{"scale beyond in world space", func(tx *world.Tx) error {
			if err := tx.SetScale(2, world.Vec3{1e20, 1, 1}); err != nil {
				return err
			}
			return tx.SetScale(1, world.Vec3{1e20, 1, 1})
		}, "invalid_input", "ent_1 would be beyond ±3.4e38 in world space"},
		{"unknown", func(tx *world.Tx) error { return tx.SetPosition(66, world.Vec3{}) }, "handler_error", "unknown entity ent_65, which was destroyed; the nearest are ent_63, ent_64, ent_66"},
		{"unknown far away", func(tx *world.Tx) error { return tx.SetName(1e15, "x") }, "handler_error", "unknown entity ent_999999999999999; the nearest are ent_68, ent_69, ent_70"},
		{"none", func(tx *world.Tx) error { return tx.SetScale(0, world.Vec3{}) }, "handler_error", `no entity is named; ids look like "ent_0"`},
		{"unknown parent", func(tx *world.Tx) error { return tx.SetParent(1, 66) }, "handler_error", "unknown entity ent_65, which was destroyed; the nearest are ent_63, ent_64, ent_66"},
		{"own parent", func(tx *world.Tx) error { return tx.SetParent(1, 1) }, "invalid_input", "ent_0 cannot be under ent_0, which is under it"},
		{"own ancestor", func(tx *world.Tx) error { return tx.SetParent(1, 9) }, "invalid_input", "ent_0 cannot be under ent_8, which is under it"},
		{"too deep", func(tx *world.Tx) error { return tx.SetParent(1, 67) }, "", ""},
		{"deeper than that", func(tx *world.Tx) error {
			if err := tx.SetParent(67, 68); err != nil {
				return err
			}
			return tx.SetParent(1, 67)
		}, "capacity_exceeded", "ent_0 under ent_66 would be 65 deep; at most 64 are allowed"},
		{"long name", func(tx *world.Tx) error { return tx.SetName(1, strings.Repeat("n", 257)) }, "invalid_input", "name: must have at most 256 bytes, got 257"},
		{"bad name", func(tx *world.Tx) error { return tx.SetName(1, "\xff") }, "invalid_input", "name: must be valid UTF-8"},
		{"no tag", func(tx *world.Tx) error { _, err := tx.AddTag(1, ""); return err }, "invalid_input", "tag: must have 1 to 128 bytes, got 0"},
		{"bad tag", func(tx *world.Tx) error { _, err := tx.AddTag(1, "\xff"); return err }, "invalid_input", "tag: must be valid UTF-8"},
		{"many tags", func(tx *world.Tx) error { _, err := tx.AddTag(65, "more"); return err }, "capacity_exceeded", "ent_64 has 256 tags; no entity may have more"},
		{"component of none", func(tx *world.Tx) error { return w.Shapes.Set(tx, 66, world.Shape{}) }, "handler_error", "unknown entity ent_65, which was destroyed; the nearest are ent_63, ent_64, ent_66"},
		{"number in a component", func(tx *world.Tx) error { return w.Shapes.Set(tx, 1, world.Shape{Size: world.Vec3{1, 1, nan}}) }, "invalid_input", "shape.size[2]: must be a finite number within ±3.4e38, got NaN"},
		{"number deep in a component", func(tx *world.Tx) error { return odds.Set(tx, 1, odd{Deep: map[string][]any{"k": {1, "x", 1e39}}}) }, "invalid_input", "odd.deep.k[2]: must be a finite number within ±3.4e38, got 1e+39"},
		{"small number", func(tx *world.Tx) error { return odds.Set(tx, 1, odd{Small: float32(inf)}) }, "invalid_input", "odd.small: must be a finite number within ±3.4e38, got +Inf"},
		{"bad raw JSON", func(tx *world.Tx) error { return odds.Set(tx, 1, odd{Raw: json.RawMessage("{")}) }, "invalid_input", "odd: cannot be written as JSON"},
		{"a channel", func(tx *world.Tx) error { return odds.Set(tx, 1, odd{Deep: map[string][]any{"k": {make(chan int)}}}) }, "invalid_input", "odd: cannot be written as JSON"},
		{"a body's friction", func(tx *world.Tx) error { return w.Bodies.Set(tx, 1, world.Body{Friction: nan}) }, "invalid_input", "rigidBody.friction: must be"},
		{"a body's restitution", func(tx *world.Tx) error { return w.Bodies.Set(tx, 1, world.Body{Restitution: -nan}) }, "invalid_input", "rigidBody.restitution: must be"},
		{"another pointer's number", func(tx *world.Tx) error { return w.Materials.Set(tx, 1, world.Material{Metalness: &nan}) }, "invalid_input", "material.metalness: must be"},
		{"a light's number", func(tx *world.Tx) error { return w.Lights.Set(tx, 1, world.Light{Range: nan}) }, "invalid_input", "light.range: must be"},
		{"a pointer's number", func(tx *world.Tx) error { return w.Materials.Set(tx, 1, world.Material{Roughness: &nan}) }, "invalid_input", "material.roughness: must be"},
		{"number in a row", func(tx *world.Tx) error { return table.Set(tx, "a", inf) }, "invalid_input", "table: must be a finite number within ±3.4e38, got +Inf"},
		{"number in a global", func(tx *world.Tx) error { return w.Environment.TimeScale.Set(tx, inf) }, "invalid_input", "timeScale: must be"},
		{"full table", func(tx *world.Tx) error { return table.Set(tx, "c", 1) }, "capacity_exceeded", "table is full: it holds 2; remove some first"},
		{"moment without kind", func(tx *world.Tx) error { return tx.Moment(world.Moment{}) }, "invalid_input", "a moment has no kind"},
		{"moment nowhere", func(tx *world.Tx) error { return tx.Moment(world.Moment{Kind: "k", At: world.Vec3{inf}}) }, "invalid_input", "at[0]: must be"},
		{"moment of too much", func(tx *world.Tx) error {
			return tx.Moment(world.Moment{Kind: "k", Payload: []byte(`"` + strings.Repeat("x", world.MaxMoment-2) + `"`)})
		}, "capacity_exceeded", "a moment may have 65536 bytes, this one of kind k has 65537: tell less"},
		{"moment of nonsense", func(tx *world.Tx) error { return tx.Moment(world.Moment{Kind: "k", Payload: []byte("{")}) }, "invalid_input", "the payload of a moment of kind k is no valid JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := snapshot(w)
			_, err := w.Update(context.Background(), func(tx *world.Tx) error {
				mark, err := 0, tt.do(tx)
				if tt.code == "" {
					tx.RollbackTo(mark)
				}
				return err
			})
			if tt.code == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var refusal interface{ Refusal() (code, message string) }
			if !errors.As(err, &refusal) {
				t.Fatalf("error = %v, want a refusal", err)
			}
			code, message := refusal.Refusal()
			if code != tt.code || !strings.HasPrefix(message, tt.want) {
				t.Errorf("refusal = %s: %s\nwant %s: %s", code, message, tt.code, tt.want)
			}
			if diff := gocmp.Diff(before, snapshot(w)); diff != "" {
				t.Errorf("the world has changed:\n%s", diff)
			}
		})
	}
}

// TestRefusedAlone has a refused change leave the rest of the transaction as it is.
func TestRefusedAlone(t *testing.T) {
	w := world.New(world.Config{})
	c := must(t, w, func(tx *world.Tx) error {
		a := create(t, tx, world.Spec{Position: world.Vec3{3e38, 0, 0}})
		b := create(t, tx, world.Spec{Position: world.Vec3{3e38, 0, 0}})
		cart := create(t, tx, world.Spec{})
		load := create(t, tx, world.Spec{Parent: cart, Position: world.Vec3{2e38, 0, 0}})
		next, tick, hash := tx.NextID(), tx.Tick(), tx.Hash()
		if err := tx.SetParent(b, a); err == nil {
			t.Error("SetParent took something beyond the numbers")
		}
		for _, spec := range []world.Spec{
			{Parent: 99},
			{Parent: a, Position: world.Vec3{3e38, 0, 0}},
			{Name: "\xff", Parent: a},
			{Name: "x", Tags: []string{"good", ""}},
			{Position: world.Vec3{math.NaN()}},
			{Rotation: world.Quat{1e-30, 0, 0, 0}},
		} {
			if id, err := tx.Create(spec); err == nil || id != 0 {
				t.Errorf("Create(%v) = %s, %v, want a refusal", spec, id, err)
			}
		}
		for what, err := range map[string]error{ // cart would be there, but not its load
			"SetPosition":  tx.SetPosition(cart, world.Vec3{2e38, 0, 0}),
			"SetScale":     tx.SetScale(cart, world.Vec3{2, 2, 2}),
			"SetTransform": tx.SetTransform(cart, world.Transform{Position: world.Vec3{2e38, 0, 0}, Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}}),
			"SetParent":    tx.SetParent(cart, a),
		} {
			if at, _ := tx.Position(load); err == nil || at != (world.Vec3{2e38, 0, 0}) || tx.Hash() != hash {
				t.Errorf("%s: %v; the load is at %v", what, err, at)
			}
		}
		if tx.NextID() != next || tx.Tick() != tick || tx.Hash() != hash {
			t.Error("a refused change has changed something")
		}
		return nil
	})
	if len(c.Changes) != 4 {
		t.Errorf("commit has %v, want four created", c.Changes)
	}
}

func TestCapacity(t *testing.T) {
	w := world.New(world.Config{MaxEntities: 3})
	must(t, w, func(tx *world.Tx) error {
		for range 3 {
			create(t, tx, world.Spec{})
		}
		_, err := tx.Create(world.Spec{})
		var e *world.Error
		if !errors.As(err, &e) || e.Code != "capacity_exceeded" || !strings.Contains(e.Message, "3 entities") {
			t.Errorf("the fourth of three: %v, want capacity_exceeded", err)
		}
		tx.Destroy(2)
		if id := create(t, tx, world.Spec{}); id != 4 {
			t.Errorf("after one was destroyed Create = %s, want ent_3", id)
		}
		return nil
	})
}

// TestTagsInAll makes as many tags as there may be, of all entities together, and gives them back.
func TestTagsInAll(t *testing.T) {
	w := world.New(world.Config{MaxTags: 5})
	do := func(fn func(tx *world.Tx) error) error {
		_, err := w.Update(context.Background(), fn)
		return err
	}
	create := func(tags ...string) error {
		return do(func(tx *world.Tx) error {
			_, err := tx.Create(world.Spec{Tags: tags})
			return err
		})
	}
	clone := func() error {
		return do(func(tx *world.Tx) error {
			_, err := tx.Clone(1, world.Spec{})
			return err
		})
	}
	const full = "the entities have at most 5 tags together, and these would be more; take some off first, or give fewer"
	for i, step := range []struct {
		do   func() error
		want string
	}{
		{func() error { return create("b", "a", "b") }, ""},
		{clone, ""},
		{clone, full},
		{func() error { return create("c", "d") }, full},
		{func() error { return create("c") }, ""},
		{func() error { return do(func(tx *world.Tx) error { _, err := tx.AddTag(2, "c"); return err }) }, full},
		{func() error { return do(func(tx *world.Tx) error { _, err := tx.RemoveTag(2, "a"); return err }) }, ""},
		{func() error { return do(func(tx *world.Tx) error { _, err := tx.AddTag(2, "c"); return err }) }, ""},
		{func() error { return do(func(tx *world.Tx) error { tx.Destroy(2); return nil }) }, ""},
		{clone, ""},
		{clone, full},
	} {
		got := ""
		if err := step.do(); err != nil {
			got = err.Error()
		}
		if got != step.want {
			t.Errorf("%d: got %q, want %q", i, got, step.want)
		}
	}
	w.View(func(v *world.View) {
		if got, want := fmt.Sprint(v.AllTags(), v.Tagged("c")), "map[a:2 b:2 c:1] [ent_2]"; got != want {
			t.Errorf("tags are %s, want %s", got, want)
		}
	})
}
