package mcp

import (
	"regexp"
	"strings"
	"sync"

	"github.com/limina-mcp/limina/registry"
)

// published returns a text with the names of skills as standard clients see them: scene_inspect for
// scene.inspect, because a model cannot call a tool that it sees by another name.
func (m *Mcp) published(text string) string { return publishedNames(m.reg, text) }

func publishedNames(reg *registry.Registry, text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	var b strings.Builder
	from := 0
	for at := 0; at < len(text); {
		if !isNamePart(text[at]) {
			at++
			continue
		}
		end := at
		for end < len(text) && isNamePart(text[end]) {
			end++
		}
		name := strings.TrimRight(text[at:end], ".") // of the sentence
		if k, ok := reg.Lookup(name); ok && k.Name() == name && strings.Contains(name, ".") {
			b.WriteString(text[from:at])
			b.WriteString(k.WireName())
			from = at + len(name)
		}
		at = end
	}
	b.WriteString(text[from:])
	return b.String()
}

// isNamePart reports whether a byte may be in a skill's dotted name.
func isNamePart(c byte) bool {
	return (c|0x20)-'a' <= 'z'-'a' || c-'0' <= 9 || c == '_' || c == '-' || c == '.'
}

// described is a description in a schema that is written on one line. It is compiled by the first list, so
// that a start is without it.
var described = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"description":"(?:[^"\\]|\\.)*"`) })

// publishedSchema is publishedNames for the descriptions in a schema.
func publishedSchema(reg *registry.Registry, schema []byte) []byte {
	return described().ReplaceAllFunc(schema, func(member []byte) []byte { return []byte(publishedNames(reg, string(member))) })
}
