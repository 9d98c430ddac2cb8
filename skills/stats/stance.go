package stats

import "github.com/limina-mcp/limina/world"

// Stance is that an entity defends itself, for some steps.
type Stance struct {
	Until   uint64  `json:"until"`             // the step at which it ends
	Reduces float64 `json:"reduces"`           // the part of damage that it keeps off, 0 to 1
	Throws  float64 `json:"reflect,omitempty"` // how likely a blow is thrown back, 0 to 1
}

// Defend has an entity take a stance for some seconds, in place of the one it has. It returns the step at which that ends.
func (s *Stats) Defend(tx *world.Tx, id world.ID, seconds, reduces, throws float64) (until uint64, err error) {
	until = tx.Step() + s.steps(seconds)
	return until, s.stances.Set(tx, id, Stance{until, reduces, throws})
}

// stance returns the stance of an entity, false if it has none.
func (s *Stats) stance(v *world.View, id world.ID) (Stance, bool) {
	st, ok := s.stances.Get(v, id)
	return st, ok && st.Until > v.Step()
}
