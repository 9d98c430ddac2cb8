package world

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
)

// Seats reports where a world has values that nobody holds, or one that more hold, or fewer, than it says itself. It is for tests, between transactions.
func (w *World) Seats() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.states {
		held, v := s.(interface{ held() ([]seat, vaultOf) }).held()
		seen := map[seat]int{}
		for _, at := range held {
			if at != none {
				seen[at]++
			}
		}
		for at, holders := range seen {
			if by := v.(interface{ holders(seat) int }).holders(at); by != holders {
				return fmt.Errorf("%s: seat %d is held %d times, and says %d", s.key(), at, holders, by)
			}
		}
		if taken := v.(interface{ taken() int }).taken(); taken != len(seen) {
			return fmt.Errorf("%s: %d seats are taken, %d held", s.key(), taken, len(seen))
		}
	}
	return nil
}

// RememberFew has the ledger forget the oldest commits beyond n.
func (w *World) RememberFew(n int) { w.ledger.most = n }

func (t teller[T]) taken() (n int) {
	for i := range t.b.room.pages {
		n += t.b.room.pages[i].count
	}
	return n
}

func (t teller[T]) holders(at seat) int { return t.b.room.holders(at) }

// holders returns how often a seat is taken.
func (r *room) holders(at seat) int {
	if !r.has(at) {
		return 0
	}
	p := &r.pages[at>>bankBits]
	if p.also == nil {
		return 1
	}
	return 1 + int(p.also[at&(bankSize-1)])
}

func (m *memory) before() (seats []seat) {
	for n := m.past.start; n < m.past.end; n++ {
		seats = append(seats, m.past.at(n).at)
	}
	for _, k := range m.past.held {
		seats = append(seats, k.at)
	}
	return append(seats, m.olds...)
}

func (c *columnState) held() ([]seat, vaultOf) {
	seats := c.before()
	for _, at := range c.seats.places() {
		seats = append(seats, at)
	}
	return seats, c.values
}

func (g *globalState) held() ([]seat, vaultOf) { return append(g.before(), g.now), g.values }

func (t *tableState[K]) held() (seats []seat, _ vaultOf) {
	for n := t.past.start; n < t.past.end; n++ {
		seats = append(seats, t.past.at(n).at)
	}
	for _, k := range t.past.held {
		seats = append(seats, k.at)
	}
	for i := range t.olds {
		seats = append(seats, t.olds[i].at)
	}
	for _, at := range t.of.rows {
		seats = append(seats, at)
	}
	return seats, t.values
}

// TestForgottenValues holds that what the history forgets is kept nowhere.
func TestForgottenValues(t *testing.T) {
	w := New(Config{})
	c, table, g := NewComponent[[]string](w, "c"), NewTable[string, []int](w, "t", 2), NewGlobal(w, "g", "first")
	for i := range 3 {
		for _, remove := range []bool{false, true} {
			if _, err := w.Update(t.Context(), func(tx *Tx) error {
				if remove {
					c.Remove(tx, 1)
					table.Delete(tx, "k")
					return g.Set(tx, "last")
				}
				if !tx.Exists(1) {
					if _, err := tx.Create(Spec{}); err != nil {
						return err
					}
				}
				return errors.Join(c.Set(tx, 1, []string{"v"}), table.Set(tx, "k", []int{i}), table.Set(tx, "l", []int{i}), g.Set(tx, "next"))
			}); err != nil {
				t.Fatal(err)
			}
			if err := w.Seats(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := w.Update(t.Context(), func(tx *Tx) error { return table.Set(tx, "m", []int{1}) }); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Update(t.Context(), func(tx *Tx) error {
		if err := table.Set(tx, "n", []int{1}); err == nil {
			t.Error("the table has room for more than it is to")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	for w.ledger.past.len() > 0 {
		w.ledger.forget()
	}
	bytes := w.ledger.bytes
	w.mu.Unlock()
	if err := w.Seats(); err != nil {
		t.Error(err)
	}
	for _, s := range w.states {
		if held, _ := s.(interface{ held() ([]seat, vaultOf) }).held(); s.key() == "t" && len(held) != 2 || s.key() == "g" && len(held) != 1 || s.key() == "c" && len(held) > 0 {
			t.Errorf("%s still holds %d values", s.key(), len(held))
		}
	}
	if bytes != 0 {
		t.Errorf("what is forgotten weighs %d bytes", bytes)
	}
}

// TestRefusedValues holds that what is refused on its way into a world keeps no seat there, and that a world that is loaded remembers nothing of before.
func TestRefusedValues(t *testing.T) {
	w := New(Config{})
	c, g := NewComponent[[]string](w, "c"), NewGlobal(w, "g", "first")
	if _, err := w.Update(t.Context(), func(tx *Tx) error {
		if err := c.state.load(tx, 1, []byte(`{"no":"list"}`)); err == nil {
			t.Error("an object is a list")
		}
		if err := c.state.set(tx, 99, c.bank.put([]string{"v"})); err == nil {
			t.Error("an entity that is not there has a value")
		}
		return g.Set(tx, "next")
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.Seats(); err != nil {
		t.Error(err)
	}
	tracker, err := w.Track()
	if err != nil {
		t.Fatal(err)
	}
	var image Image
	if err := tracker.Whole(func(piece []byte) error {
		var part Image
		if err := json.Unmarshal(piece, &part); err != nil {
			return err
		}
		image.Merge(&part)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	loaded := New(Config{})
	NewComponent[[]string](loaded, "c")
	again := NewGlobal(loaded, "g", "first")
	if err := loaded.Load(&image); err != nil {
		t.Fatal(err)
	}
	if held, _ := again.state.held(); len(held) != 1 || again.Get(&loaded.view) != "next" {
		t.Errorf("the global holds %d values, want %q alone", len(held), "next")
	}
	if err := loaded.Seats(); err != nil {
		t.Error(err)
	}
}
