package world_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// saveRig is a world with state of every kind.
type saveRig struct {
	w     *world.World
	loves *world.Component[world.ID]
	notes *world.Component[string]
	rows  *world.Table[string, map[string]world.ID]
	about *world.Table[world.ID, int]
	sky   *world.Global[string]
	given *world.Global[uint64]
	kept  *world.Table[string, int]
}

func newSaveRig() *saveRig {
	w := world.New(world.Config{})
	return &saveRig{
		w: w, loves: world.NewComponent[world.ID](w, "loves"), notes: world.NewComponent[string](w, "notes", world.Private),
		rows: world.NewTable[string, map[string]world.ID](w, "rows", 100), about: world.NewTable[world.ID, int](w, "about", 100),
		sky: world.NewGlobal(w, "sky", ""), given: world.NewGlobal[uint64](w, "given", 0, world.Private, world.Lasting),
		kept: world.NewTable[string, int](w, "kept", 100, world.Lasting),
	}
}

// live has things happen in the world.
func (r *saveRig) live(t *rapid.T) {
	for range rapid.IntRange(0, 30).Draw(t, "calls") {
		r.w.Step(t.Context())
		_, err := r.w.Update(t.Context(), func(tx *world.Tx) error {
			var ids []world.ID
			for id := range tx.All() {
				ids = append(ids, id)
			}
			if len(ids) == 0 || rapid.Bool().Draw(t, "create") {
				spec := world.Spec{Position: world.Vec3{float64(len(ids))}, Name: rapid.SampledFrom([]string{"", "wall", "sent_1"}).Draw(t, "name")}
				if len(ids) > 0 {
					spec.Parent = rapid.SampledFrom(ids).Draw(t, "parent")
				}
				_, err := tx.Create(spec)
				return err
			}
			id, other := rapid.SampledFrom(ids).Draw(t, "id"), rapid.SampledFrom(ids).Draw(t, "other")
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0:
				tx.Destroy(id)
			case 1:
				return r.loves.Set(tx, id, other)
			case 2:
				return r.notes.Set(tx, id, fmt.Sprintf("\"%s\" and ent_x, not ent_999999 of\n%s", other, id))
			case 3:
				n := r.rows.Next(tx)
				return r.rows.Set(tx, fmt.Sprintf("row_%d", n), map[string]world.ID{"at": other, fmt.Sprint(id, "/left"): id})
			case 4:
				return r.about.Set(tx, id, int(tx.Step()))
			case 5:
				return r.sky.Set(tx, "over "+id.String())
			case 6:
				return r.given.Set(tx, r.given.Get(&tx.View)+1)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func (r *saveRig) save() (text []byte) {
	r.w.View(func(v *world.View) { text = v.AppendSave(nil) })
	return text
}

func (r *saveRig) adopt(t *rapid.T, text []byte) (shift uint64, err error) {
	_, err = r.w.Update(t.Context(), func(tx *world.Tx) error {
		shift, err = tx.Adopt(text)
		return err
	})
	return shift, err
}

// A new world that has taken in a save writes the same save.
func TestAdoptAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, fresh := newSaveRig(), newSaveRig()
		old.live(t)
		text := old.save()
		if shift, err := fresh.adopt(t, text); err != nil || shift != 0 {
			t.Fatalf("shift %d: %v", shift, err)
		}
		if got := fresh.save(); !bytes.Equal(got, text) {
			t.Errorf("saved\n%s\nwas adopted as\n%s", text, got)
		}
		fresh.live(t) // and goes on
	})
}

// A world in which there was something has the same elsewhere; what failed, and what was undone, leaves no trace.
func TestAdoptBeside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, other := newSaveRig(), newSaveRig()
		old.live(t)
		other.live(t)
		text := old.save()
		before, hash := other.save(), other.w.Hash()
		var s struct {
			Given    uint64
			Step     uint64
			Counters map[string]uint64
			Numbers  map[string]uint64
		}
		own := s
		_ = json.Unmarshal(text, &s)
		_ = json.Unmarshal(before, &own)

		broken := bytes.Replace(text, []byte(`"sky":"`), []byte(`"sky":7,"x":"`), 1)
		if _, err := other.adopt(t, broken); err == nil || !strings.Contains(err.Error(), "restore sky") {
			t.Fatalf("a broken save was adopted: %v", err)
		}
		if other.w.Hash() != hash {
			t.Fatal("what failed has left something")
		}

		x := write(other.w)
		if err := x.tracker.Whole(func(piece []byte) error { x.add(t, piece); return nil }); err != nil {
			t.Fatal(err)
		}
		var content, now [32]byte
		other.w.View(func(v *world.View) { content = v.ContentHash() })
		var shift uint64
		c := &call{agent: "ada", skill: "test"}
		_, err := world.Do(other.w, c, func(tx *world.Tx) (_ nothing, err error) {
			shift, err = tx.Adopt(text)
			return nothing{}, err
		})
		c.end(1, err != nil)
		if err != nil || shift != own.Given {
			t.Fatalf("shift %d, want %d: %v", shift, own.Given, err)
		}
		// The dumb way: id by id, from the last one, so that none is moved twice.
		want := string(text)
		for n := int(s.Given) - 1; n >= 0; n-- {
			for _, end := range []string{`"`, `\"`, `/`} {
				for _, begin := range []string{`"`, `\"`, `\n`, ` `} {
					want = strings.ReplaceAll(want, fmt.Sprintf("%sent_%d%s", begin, n, end), fmt.Sprintf("%sent_%d%s", begin, n+int(shift), end))
				}
			}
		}
		for name, n := range own.Counters {
			s.Counters[name] = max(s.Counters[name], n)
		}
		for name, n := range own.Numbers {
			s.Numbers[name] = max(s.Numbers[name], n)
		}
		got := map[string]any{}
		_ = json.Unmarshal(other.save(), &got)
		expected := map[string]any{}
		_ = json.Unmarshal([]byte(want), &expected)
		expected["given"], expected["step"] = float64(own.Given+s.Given), float64(max(s.Step, own.Step))
		expected["counters"], expected["numbers"] = anyOf(s.Counters), anyOf(s.Numbers)
		if a, b := fmt.Sprint(got), fmt.Sprint(expected); a != b {
			t.Fatalf("adopted\n%s\nwant\n%s", a, b)
		}

		x.flush(t)
		loaded := newSaveRig()
		if err := loaded.w.Load(&x.image); err != nil {
			t.Fatal(err)
		}
		if loaded.w.Hash() != other.w.Hash() {
			t.Error("a world that is written down has not all that was adopted")
		}

		c = &call{agent: "ada", skill: "undo"}
		_, err = world.Do(other.w, c, func(tx *world.Tx) (_ nothing, err error) {
			_, err = tx.Undo(1)
			return nothing{}, err
		})
		c.end(2, err != nil)
		if err != nil && !strings.Contains(err.Error(), "nothing of yours to undo") { // both were empty
			t.Fatal(err)
		}
		if other.w.View(func(v *world.View) { now = v.ContentHash() }); now != content {
			t.Error("an undo does not take back what was adopted")
		}
	})
}

func anyOf(m map[string]uint64) map[string]any {
	out := map[string]any{}
	for k, v := range m {
		out[k] = float64(v)
	}
	return out
}

// TestAdoptAndClaims: a save in which more steps were taken ends nobody's claim.
func TestAdoptAndClaims(t *testing.T) {
	from, w := world.New(world.Config{}), world.New(world.Config{})
	for range 1000 {
		from.Step(t.Context())
	}
	var text []byte
	from.View(func(v *world.View) { text = v.AppendSave(nil) })
	if err := as(w, "ann", 0, func(tx *world.Tx) error {
		_, _, err := tx.Claim(world.Claim{Hi: world.Vec3{1, 1, 1}}, 60)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := as(w, "bob", 0, func(tx *world.Tx) error { _, err := tx.Adopt(text); return err }); err != nil {
		t.Fatal(err)
	}
	w.Step(t.Context())
	w.View(func(v *world.View) {
		for _, c := range v.Claims() {
			if left := v.ClaimLeft(&c); v.Step() != 1001 || left != 59./60 {
				t.Errorf("in step %d it has %v s left", v.Step(), left)
			}
			return
		}
		t.Error("the claim is over")
	})
}
