package profiles

import (
	"maps"
	"slices"
)

// Set is a collection of named profiles. It never changes: [Set.With] returns a new one. The zero Set is empty.
type Set struct{ profiles map[string]Grants }

// Names returns the names of all profiles, in byte order.
func (s *Set) Names() []string { return slices.Sorted(maps.Keys(s.profiles)) }

// Resolve returns what the named profile grants. The error is an [*UnknownProfileError]: a name that is not known never means
// "no permissions".
func (s *Set) Resolve(name string) (Grants, error) {
	grants, ok := s.profiles[name]
	if !ok {
		return Grants{}, &UnknownProfileError{Name: name, Known: s.Names()}
	}
	return grants, nil
}
