package world_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

func TestClone(t *testing.T) {
	w := world.New(world.Config{MaxEntities: 10})
	owner := world.NewComponent[string](w, "owner", world.Single)
	var first, copied world.ID
	update := func(fn func(tx *world.Tx) error) error {
		_, err := w.Update(t.Context(), fn)
		return err
	}
	if err := update(func(tx *world.Tx) (err error) {
		if first, err = tx.Create(world.Spec{Name: "cart", Tags: []string{"wood"}, Position: world.Vec3{1, 2, 3}}); err != nil {
			return err
		}
		wheel, err := tx.Create(world.Spec{Parent: first, Name: "wheel", Position: world.Vec3{0, -1, 0}, Scale: world.Vec3{1, 2, 1}})
		if err != nil {
			return err
		}
		if err := owner.Set(tx, first, "ann"); err != nil {
			return err
		}
		return w.Shapes.Set(tx, wheel, world.Shape{Kind: "sphere", Size: world.Vec3{1, 1, 1}})
	}); err != nil {
		t.Fatal(err)
	}
	if err := update(func(tx *world.Tx) (err error) {
		copied, err = tx.Clone(first, world.Spec{Position: world.Vec3{5, 0, 0}, Tags: []string{"copy"}})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	w.View(func(v *world.View) {
		if got := v.Tags(copied); v.Name(copied) != "cart" || strings.Join(got, " ") != "copy wood" {
			t.Errorf("the copy is %q with the tags %q", v.Name(copied), got)
		}
		if owner.Has(v, copied) {
			t.Error("the copy has the owner too")
		}
		wheel := v.Children(copied)[0]
		if p, _ := v.Position(wheel); p != (world.Vec3{5, -1, 0}) || v.Name(wheel) != "wheel" {
			t.Errorf("its wheel, %q, is at %v", v.Name(wheel), p)
		}
		if s, _ := w.Shapes.Get(v, wheel); s.Kind != "sphere" {
			t.Errorf("its wheel is %+v", s)
		}
	})
	before := w.Hash()
	for name, try := range map[string]func(tx *world.Tx) error{
		"unknown": func(tx *world.Tx) error { _, err := tx.Clone(99, world.Spec{}); return err },
		"into itself": func(tx *world.Tx) error {
			_, err := tx.Clone(first, world.Spec{Parent: tx.Children(first)[0]})
			return err
		},
		"too many": func(tx *world.Tx) error {
			for range 4 {
				if _, err := tx.Clone(first, world.Spec{}); err != nil {
					return err
				}
			}
			return nil
		},
	} {
		if err := update(try); err == nil {
			t.Errorf("%s: no error", name)
		}
		if w.Hash() != before {
			t.Errorf("%s: the world has changed", name)
		}
	}
}
