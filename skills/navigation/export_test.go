package navigation

import "github.com/limina-mcp/limina/world"

// Now is the grid as it is asked for.
func (m *Mesh) Now(v *world.View) (*Grid, error) { return m.now(v) }

// Anew is the grid as it would be if nobody had asked before.
func (m *Mesh) Anew(v *world.View) (*Grid, error) {
	how := m.grid.Get(v)
	if how == nil {
		return nil, nil
	}
	s := newSurvey(m, v, how.How)
	if err := s.draw(m, v); err != nil {
		return how.How.closed(), err
	}
	return s.g, nil
}

// Dull is Anew, of all that is looked up where it is.
func (m *Mesh) Dull(v *world.View) (*Grid, error) {
	how := m.grid.Get(v)
	if how == nil {
		return nil, nil
	}
	s := newSurvey(m, v, how.How)
	s.dull = true
	if err := s.draw(m, v); err != nil {
		return how.How.closed(), err
	}
	return s.g, nil
}
