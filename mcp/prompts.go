package mcp

import (
	"strconv"

	"github.com/limina-mcp/limina/registry"
)

// listPrompts is prompts/list: what the session may get, in pages.
func listPrompts(c *conn, m *message) ([]byte, *rpcError) {
	b, e := c.admitted(m)
	if e != nil {
		return nil, e
	}
	cursor, e := cursorOf(m)
	if e != nil {
		return nil, e
	}
	page, next, e := pageOf(c.mcp, c.mcp.reg.Prompts().Find(b.session.grants()), registry.Prompt.Name, "prompts/list", cursor)
	if e != nil {
		return nil, e
	}
	return appendPage("prompts", page, next, c.mcp.appendPrompt), nil
}

// appendPrompt appends a prompt as lists show it.
func (m *Mcp) appendPrompt(dst []byte, p registry.Prompt) []byte {
	info := p.Info()
	dst = appendField(append(dst, '{'), "name", info.Name)
	dst = appendField(dst, "title", info.Title)
	dst = appendField(dst, "description", m.published(info.Description))
	dst = append(dst, `,"arguments":[`...)
	for i, a := range info.Arguments {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendField(append(dst, '{'), "name", a.Name)
		dst = appendOptional(dst, "title", a.Title)
		dst = appendOptional(dst, "description", a.Description)
		if a.Required {
			dst = append(dst, `,"required":true`...)
		}
		dst = append(dst, '}')
	}
	return append(dst, "]}"...)
}

// getPrompt is prompts/get.
func getPrompt(c *conn, m *message) ([]byte, *rpcError) {
	b, e := c.admitted(m)
	if e != nil {
		return nil, e
	}
	p, e := m.stringParams("name")
	if e != nil {
		return nil, e
	}
	name, given := p["name"]
	if !given {
		return nil, invalidParams("name: required; prompts/list has the names")
	}
	arguments, e := texts(member(m.Params, "arguments"), "arguments")
	if e != nil {
		return nil, e
	}
	version := v20260728
	if d, ok := b.dialect.(standard); ok {
		version = d.version
	}
	q := &inquiry{
		c: c, result: func(res *registry.Result) []byte { return appendPrompted(res.Prompted(), version) },
		fault: func(e *registry.Error) *rpcError {
			return offerError(e, codeInvalidParams, appendField([]byte{'{'}, "name", name))
		},
	}
	return q.serve(b, m, c.mcp.reg.Prompts().Getting(name, arguments))
}

// maxTexts is how many arguments a prompt may be given.
const maxTexts = 256

// texts reads an object whose members are strings; it may be absent.
func texts(object []byte, path string) (map[string]string, *rpcError) {
	if object == nil || string(object) == "null" {
		return nil, nil
	}
	if object[0] != '{' {
		return nil, invalidParams(path + ": must be an object of strings")
	}
	found := map[string]string{}
	var e *rpcError
	eachMember(object, func(key string, value []byte) bool {
		s, ok := stringValue(value)
		if _, twice := found[key]; twice {
			e = invalidParams(path + "." + key + ": given twice")
		} else if !ok {
			e = invalidParams(path + "." + key + ": must be a string, as all arguments of prompts are")
		}
		if found[key] = s; len(found) > maxTexts {
			e = invalidParams(path + ": at most " + strconv.Itoa(maxTexts) + " strings")
		}
		return e == nil
	})
	return found, e
}

// appendPrompted appends the result of prompts/get.
func appendPrompted(p *registry.Prompted, version string) []byte {
	dst := []byte(`{"messages":[`)
	for i, message := range p.Messages {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendField(append(dst, '{'), "role", string(message.Role))
		fitted := fitContent([]registry.Content{message.Content}, version)
		dst = append(appendContent(append(dst, `,"content":`...), &fitted[0]), '}')
	}
	dst = append(dst, ']')
	dst = appendOptional(dst, "description", p.Description)
	return append(dst, '}')
}
