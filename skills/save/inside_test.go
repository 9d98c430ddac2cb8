package save

import "github.com/limina-mcp/limina/registry"

// Turns are the turns that are taken.
func (s *Saves) Turns() *registry.Turns { return s.turns }
