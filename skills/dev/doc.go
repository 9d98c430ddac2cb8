// Package dev holds dev.reload, which rebuilds a part of a running server.
//
// What can be rebuilt, and how, is the operator's to say, in a [Sources]:
//
//	sources := dev.NewSources()
//	err := sources.Add(dev.TargetScene, "village", dev.SourceFunc(func(c *registry.Call) ([]string, error) {
//		return world.Do(w, c, rebuildVillage)
//	}))
//	err = reg.Register(dev.All(sources)...)
package dev

import "github.com/limina-mcp/limina/registry"

// All returns the skills of this package. With nil sources nothing can be reloaded.
func All(s *Sources) []registry.Skill {
	if s == nil {
		s = NewSources()
	}
	return []registry.Skill{Reload(s)}
}
