// Package config bounds what callers give skills in free form, and reads the parts of it that a skill knows.
package config

import (
	"errors"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
)

// Read reads one member of a free object into v, by the rules of an input of v's type, and reports whether it is there. What is wrong is
// named from field on, which says what the object is: "config".
func Read[T any](field string, o registry.Object, name string, v *T) (there bool, err error) {
	text := wire.Member(o, name)
	if text == nil {
		return false, nil
	}
	return true, at(field+"."+name, wire.Unmarshal(text, v))
}

// Only reports, as invalid_input, what a free object has that a T has not, and what is allowed. It may be empty.
func Only[T any](field string, o registry.Object) error {
	if len(o) == 0 {
		return nil
	}
	return at(field, wire.Unmarshal(o, new(T)))
}

// at puts where it was read before each thing that is wrong.
func at(path string, err error) error {
	var problems wire.Errors
	if !errors.As(err, &problems) {
		return err
	}
	for i, p := range problems {
		dot := ""
		if p.Path != "" && p.Path[0] != '[' {
			dot = "."
		}
		problems[i].Path = path + dot + p.Path
	}
	return registry.Invalidf("%s", problems.Error())
}

// Fits reports, with capacity_exceeded, that what a field holds has more bytes than it may.
func Fits(field string, bytes, most int) error {
	if bytes <= most {
		return nil
	}
	return registry.Errorf(registry.CodeCapacityExceeded, "%s: holds at most %d bytes, this one has %d", field, most, bytes)
}
