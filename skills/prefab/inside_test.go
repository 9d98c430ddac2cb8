package prefab

import "github.com/limina-mcp/limina/registry"

// Turns are the turns that are taken.
func (s *Prefabs) Turns() *registry.Turns { return s.turns }
