package profiles

import (
	"fmt"
	"maps"
	"os"
)

// Load reads a profile file, see [Set.With], and adds its profiles to the built-in ones.
func Load(path string) (*Set, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("profile file: %w", err)
	}
	return Builtin().With(data, path)
}

// With returns a set of the profiles of s and those of a file, in YAML or JSON:
//
//	profiles:
//	  mason:
//	    extends: [builder.review] # everything that these profiles grant, of s or of this file
//	    grants: [social.act]      # and these permissions
//	  player.full:
//	    replace: true             # or else a name that s has already is an error
//	    extends: [player.full]    # in a replacement, its own name is the profile it replaces
//	    grants: [social.act]
//
// A profile states extends, grants or both; grants may be an empty list. A permission that no built-in profile grants is
// allowed, since packages bring their own; a key that is not in the example is not. Errors begin with source, usually the
// file's path, and the line.
func (s *Set) With(data []byte, source string) (*Set, error) {
	entries, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", source, err)
	}
	r := resolver{base: s.all(), entries: entries, done: maps.Clone(s.all())}
	if r.done == nil {
		r.done = make(map[string]Grants)
	}
	if err := r.resolveAll(); err != nil {
		return nil, fmt.Errorf("%s:%w", source, err)
	}
	return newSet(r.done), nil
}
