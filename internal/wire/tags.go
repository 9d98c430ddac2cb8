package wire

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// rule is one rule of a validate tag: name or name=param.
type rule struct{ name, param string }

func (r rule) String() string {
	if r.param == "" {
		return r.name
	}
	return r.name + "=" + r.param
}

// parseRules takes a validate tag apart. Rules behind "dive" are for the items and
// stand behind a rule of that name here too.
func parseRules(tag string) []rule {
	if tag == "" || tag == "-" {
		return nil
	}
	rules := make([]rule, 0, 1+strings.Count(tag, ","))
	for part := range strings.SplitSeq(tag, ",") {
		name, param, _ := strings.Cut(part, "=")
		if strings.Contains(part, "|") { // alternatives: for the fall-back, as they are
			name, param = part, ""
		}
		// The two characters that a parameter cannot hold, in validator's spelling.
		param = strings.ReplaceAll(strings.ReplaceAll(param, "0x2C", ","), "0x7C", "|")
		rules = append(rules, rule{name, param})
	}
	return rules
}

// split parts the rules for a value from those for its items.
func split(rules []rule) (own, items []rule, dives bool) {
	i := slices.IndexFunc(rules, func(r rule) bool { return r.name == "dive" })
	if i < 0 {
		return rules, nil, false
	}
	return rules[:i], rules[i+1:], true
}

// absence says when a field is left out of what is written, and thereby that its
// key may be left out of what is read.
type absence uint8

const (
	never absence = iota
	whenEmpty
	whenZero
)

// parseName reads the json tag of a field; skip says that the field does not travel.
func parseName(f reflect.StructField) (name string, omit absence, skip bool, err error) {
	tag := f.Tag.Get("json")
	if tag == "-" {
		return "", never, true, nil
	}
	name, options, _ := strings.Cut(tag, ",")
	if name == "" {
		name = f.Name
	}
	for _, c := range []byte(name) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"\<>&,`, c) >= 0 {
			return "", never, false, fmt.Errorf("json name %q: only printable ASCII without quotes, commas and HTML's characters", name)
		}
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "omitempty":
			omit = whenEmpty
		case "omitzero":
			omit = whenZero
		default:
			return "", never, false, fmt.Errorf("json option %q is not supported", option)
		}
	}
	return name, omit, false, nil
}

// notes are what the jsonschema tag says that concerns reading.
type notes struct {
	def        string
	hasDefault bool
	nullable   bool
	also       string // another name that the field may be given by
}

// parseNotes reads the jsonschema tag. Limits are refused there, because the decoder
// takes them from the validate tag and there must be one source.
func parseNotes(f reflect.StructField) (n notes, err error) {
	for _, part := range splitCommas(f.Tag.Get("jsonschema")) {
		name, param, _ := strings.Cut(part, "=")
		switch name {
		case "", "title", "description", "example", "format":
		case "default":
			n.def, n.hasDefault = param, true
		case "also":
			n.also = param
		case "nullable":
			if f.Type.Kind() != reflect.Pointer {
				return n, errors.New("nullable is for a pointer")
			}
			n.nullable = true
		default:
			return n, fmt.Errorf("jsonschema tag %q is not supported: limits belong in the validate tag", part)
		}
	}
	return n, nil
}

// splitCommas splits at commas that have no backslash before them.
func splitCommas(s string) []string {
	if s == "" {
		return nil
	}
	var parts []string
	start := ""
	for part := range strings.SplitSeq(s, ",") {
		if p, ok := strings.CutSuffix(part, `\`); ok {
			start += p + ","
			continue
		}
		parts = append(parts, start+part)
		start = ""
	}
	return parts
}
