package wire

import (
	"slices"
	"strings"
)

// Elsewhere adds to what is said of unknown fields of the outermost object who sets them, as sets says of a key: by whom, and
// by which field of his own, "" if by none that goes by that name, and whether the key is the very name of what he sets; nobody is "". Where the
// field that was meant, as far as this object goes, does not take the value, he alone is named; where it is his own too, or is the one that is
// missing, or the key is only another word for what he sets and the value of the kind of the field, he is not.
func (e Errors) Elsewhere(sets func(key string) (whom, field string, named bool)) Errors {
	said := slices.Clone(e)
	for i := 0; i < len(said); i++ {
		key, about := said[i].Path, said[i].topic
		if about.allowed == "" || strings.ContainsAny(key, ".[") {
			continue
		}
		whom, field, named := sets(key)
		if whom == "" || about.meant != "" && (!named && about.fits || field == about.meant || said.lack(about.meant)) {
			continue
		}
		whom += " sets that"
		if field != "" && field != key {
			whom += " as " + field
		}
		end := i + 1
		for end < len(said) && said[end].in(key) {
			end++
		}
		message := unknownField + ", " + whom
		if about.meant != "" && end == i+1 {
			message += ", or " + about.unknown()
		} else {
			message += ": " + about.allowed
			said = slices.Delete(said, i+1, end)
		}
		said[i].Message = message
	}
	return said
}

// lack reports whether a field is required and not there.
func (e Errors) lack(field string) bool {
	return slices.ContainsFunc(e, func(p Problem) bool { return p.Path == field && p.topic.missing })
}

// in reports whether the problem is with the value of a key, or with something in it.
func (p Problem) in(key string) bool {
	rest, ok := strings.CutPrefix(p.Path, key)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Field returns which of names a writer of key means, "" if none: the same but for case, separators and a plural, or the first that goes
// by key elsewhere.
func Field(key string, names []string) string {
	for _, name := range names {
		if Same(key, name) {
			return name
		}
	}
	if other := called(key, names); len(other) > 0 {
		return other[0]
	}
	return ""
}

// Same reports whether two names are the same but for case, separators and a plural.
func Same(a, b string) bool {
	a, b = strings.TrimSuffix(fold(a), "s"), strings.TrimSuffix(fold(b), "s")
	return a == b && a != ""
}

// Fields returns the names of the fields of the outermost object, none if the plan is of no object. They are not to be changed.
func (p *Plan) Fields() []string {
	if p.root.object == nil {
		return nil
	}
	return p.root.object.names
}
