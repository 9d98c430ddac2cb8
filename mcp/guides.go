package mcp

import (
	"strconv"

	"github.com/limina-mcp/limina/agentskills"
)

// skillsExtension is the extension that serves Agent Skills, SEP-2640. It is of the modern era; for
// legacy clients their files are resources like others.
const skillsExtension = metaPrefix + "skills"

// guided is for how long the entry of an Agent Skill holds: it is part of the program.
var guided = caching{ttl: 300_000, public: true}

// guide is a method of the extension, which is there if there are Agent Skills.
func guide(run func(c *conn, s *agentskills.Set, m *message) ([]byte, *rpcError)) method {
	return func(c *conn, m *message) ([]byte, *rpcError) {
		guides := c.mcp.opts.Guides
		if guides == nil {
			return nil, methodNotFound(string(m.Method))
		}
		return run(c, guides(), m)
	}
}

// listGuides is skills/list.
func listGuides(c *conn, s *agentskills.Set, m *message) ([]byte, *rpcError) {
	cursor, e := cursorOf(m)
	if e != nil {
		return nil, e
	}
	page, next, e := pageOf(c.mcp, s.Skills(), func(k agentskills.Skill) string { return k.URI }, "skills/list", cursor)
	if e != nil {
		return nil, e
	}
	return appendPage("skills", page, next, appendGuide), nil
}

// getGuide is skills/get.
func getGuide(_ *conn, s *agentskills.Set, m *message) ([]byte, *rpcError) {
	uri, e := uriOf(m)
	if e != nil {
		return nil, e
	}
	k, ok := s.Skill(uri)
	if !ok {
		return nil, unknownURI(uri, "no skill has this SKILL.md; skills/list has what there is: "+uri)
	}
	return append(appendGuide([]byte(`{"skill":`), k), '}'), nil
}

// readDirectory is resources/directory/read.
func readDirectory(c *conn, s *agentskills.Set, m *message) ([]byte, *rpcError) {
	p, e := m.stringParams("uri", "cursor")
	if e != nil {
		return nil, e
	}
	uri, e := uriOf(m)
	if e != nil {
		return nil, e
	}
	children, ok := s.Directory(uri)
	if !ok {
		return nil, unknownURI(uri, "no directory: "+uri+"; that of a skill is its uri in skills/list without /SKILL.md")
	}
	page, next, e := pageOf(c.mcp, children, func(f agentskills.File) string { return f.URI }, "resources/directory/read", p["cursor"])
	if e != nil {
		return nil, e
	}
	return appendPage("resources", page, next, func(dst []byte, f agentskills.File) []byte {
		if r, ok := c.mcp.reg.Resources().Template(f.URI); ok {
			return c.mcp.appendResource(dst, r)
		}
		dst = appendField(append(dst, '{'), "uri", f.URI)
		dst = appendField(dst, "name", f.Name)
		return append(appendField(dst, "mimeType", f.MIMEType), '}')
	}), nil
}

func unknownURI(uri, message string) *rpcError {
	return &rpcError{code: codeInvalidParams, message: message, data: append(appendField([]byte{'{'}, "uri", uri), '}')}
}

// appendGuide appends the entry of an Agent Skill.
func appendGuide(dst []byte, k agentskills.Skill) []byte {
	dst = appendField(append(dst, '{'), "uri", k.URI)
	dst = append(append(dst, `,"frontmatter":`...), k.Frontmatter...)
	dst = append(dst, `,"resources":[`...)
	for i, f := range k.Files {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendField(append(dst, '{'), "uri", f.URI)
		dst = appendField(dst, "digest", f.Digest)
		dst = append(strconv.AppendInt(append(dst, `,"size":`...), int64(f.Size), 10), '}')
	}
	return append(dst, "]}"...)
}
