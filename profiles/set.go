package profiles

import (
	"maps"
	"slices"
	"sync/atomic"
)

// Set is a collection of named profiles. [Set.With] returns a new one; one that is in use changes by [Set.Replace] alone. It is safe for concurrent
// use, and is not to be copied. The zero Set is empty.
type Set struct {
	there atomic.Pointer[map[string]Grants] // nil: none; what it leads to does not change
}

func newSet(profiles map[string]Grants) *Set {
	s := &Set{}
	s.there.Store(&profiles)
	return s
}

// all returns the profiles, not to be changed.
func (s *Set) all() map[string]Grants {
	if there := s.there.Load(); there != nil {
		return *there
	}
	return nil
}

// Names returns the names of all profiles, in byte order.
func (s *Set) Names() []string { return slices.Sorted(maps.Keys(s.all())) }

// Resolve returns what the named profile grants. The error is an [*UnknownProfileError]: a name that is not known never means
// "no permissions".
func (s *Set) Resolve(name string) (Grants, error) {
	grants, ok := s.all()[name]
	if !ok {
		return Grants{}, &UnknownProfileError{Name: name, Known: s.Names()}
	}
	return grants, nil
}

// Replace has the profiles of another set take the place of those of s, for all who have s, and returns the names of those that are another now, new or
// gone, in byte order. What was granted before is not taken from anybody by it: that is for who has granted it, see Reprofile of package mcp.
func (s *Set) Replace(by *Set) (changed []string) {
	next := by.all()
	var before map[string]Grants
	if was := s.there.Swap(&next); was != nil {
		before = *was
	}
	for name, grants := range next {
		if was, ok := before[name]; !ok || was != grants {
			changed = append(changed, name)
		}
	}
	for name := range before {
		if _, ok := next[name]; !ok {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return changed
}
