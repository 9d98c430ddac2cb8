package checkpoint

import "github.com/limina-mcp/limina/registry"

// Turns are the turns that are taken.
func (s *Checkpoints) Turns() *registry.Turns { return s.turns }
