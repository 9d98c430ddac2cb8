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
	err = wire.Unmarshal(text, v)
	var problems wire.Errors
	if !errors.As(err, &problems) {
		return true, err
	}
	for i, p := range problems {
		at := field + "." + name
		if p.Path != "" && p.Path[0] != '[' {
			at += "."
		}
		problems[i].Path = at + p.Path
	}
	return true, registry.Invalidf("%s", problems.Error())
}

// Fits reports, with capacity_exceeded, that what a field holds has more bytes than it may.
func Fits(field string, bytes, most int) error {
	if bytes <= most {
		return nil
	}
	return registry.Errorf(registry.CodeCapacityExceeded, "%s: holds at most %d bytes, this one has %d", field, most, bytes)
}
