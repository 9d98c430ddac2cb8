package mcp

import (
	"bytes"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/registry"
)

// headerKey marks a property of a tool's input schema whose value comes as a header too, where the
// transport has headers (SEP-2243). Its value is the header's name behind paramPrefix.
const (
	headerKey   = "x-mcp-header"
	paramPrefix = "Mcp-Param-"
)

// paramHeader is a header that repeats an argument.
type paramHeader struct {
	header string
	path   []string // of the argument
}

// headers returns the headers that a call of a tool comes with. A schema in which one is declared in a
// way that clients do not accept has none at all: they do not call such a tool.
func (l *toolLists) headers(k registry.Skill) []paramHeader {
	list, _ := l.keep(listKey{form: 'h', after: k.Name()}, nil, func() any {
		schema := compact(k.InputSchema())
		if !bytes.Contains(schema, []byte(headerKey)) {
			return []paramHeader{}
		}
		list, ok := appendHeaders(nil, schema, nil)
		if !ok || bytes.Count(schema, []byte(`"`+headerKey+`"`)) != len(list) {
			return []paramHeader{}
		}
		return list
	}).([]paramHeader)
	return list
}

// appendHeaders appends the headers that the properties of a schema declare, and of those below. Only
// strings, integers and booleans may, under names that differ by more than case.
func appendHeaders(list []paramHeader, schema []byte, path []string) (_ []paramHeader, ok bool) {
	properties := member(schema, "properties")
	if len(properties) == 0 || properties[0] != '{' {
		return list, true
	}
	ok = true
	eachMember(properties, func(key string, property []byte) bool {
		at := append(slices.Clone(path), key)
		if declared := member(property, headerKey); declared != nil {
			name, _ := stringValue(declared)
			kind, _ := stringValue(member(property, "type"))
			header := paramPrefix + name
			ok = isToken(name) && slices.Contains([]string{"string", "integer", "boolean"}, kind) &&
				!slices.ContainsFunc(list, func(h paramHeader) bool { return strings.EqualFold(h.header, header) })
			list = append(list, paramHeader{header, at})
		}
		if ok {
			list, ok = appendHeaders(list, property, at)
		}
		return ok
	})
	return list, ok
}

// isToken reports whether a header may have the name: RFC 9110, section 5.6.2.
func isToken(name string) bool {
	for _, c := range []byte(name) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		digit := '0' <= c && c <= '9'
		if !letter && !digit && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return name != ""
}
