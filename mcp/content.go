package mcp

import (
	"encoding/base64"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
)

// appendContents appends what was attached to an answer, as a JSON array.
func appendContents(dst []byte, content []registry.Content) []byte {
	dst = append(dst, '[')
	for i := range content {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendContent(dst, &content[i])
	}
	return append(dst, ']')
}

// appendContent appends one content block, in the form of the newest version of MCP.
func appendContent(dst []byte, c *registry.Content) []byte {
	dst = appendField(append(dst, '{'), "type", string(c.Type))
	switch c.Type {
	case registry.ContentText:
		dst = appendField(dst, "text", c.Text)
	case registry.ContentImage, registry.ContentAudio:
		dst = appendData(dst, "data", c.Data)
		dst = appendField(dst, "mimeType", c.MIMEType)
	case registry.ContentResource:
		dst = appendResourceContents(append(dst, `,"resource":`...), c.Resource)
	case registry.ContentLink:
		dst = appendField(dst, "uri", c.URI)
		dst = appendField(dst, "name", c.Name)
		dst = appendOptional(dst, "title", c.Title)
		dst = appendOptional(dst, "description", c.Description)
		dst = appendOptional(dst, "mimeType", c.MIMEType)
	}
	return append(dst, '}')
}

// appendResourceContents appends what a resource holds.
func appendResourceContents(dst []byte, c *registry.Contents) []byte {
	dst = appendField(append(dst, '{'), "uri", c.URI)
	dst = appendOptional(dst, "mimeType", c.MIMEType)
	if c.Blob != nil {
		dst = appendData(dst, "blob", c.Blob)
	} else {
		dst = appendField(dst, "text", c.Text)
	}
	if c.Meta != nil {
		dst = append(append(dst, `,"_meta":`...), compact(c.Meta)...)
	}
	return append(dst, '}')
}

// appendOptional is appendField for what is left out if it is empty.
func appendOptional(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return appendField(dst, key, value)
}

// appendData appends a member that is bytes, in base64.
func appendData(dst []byte, key string, data []byte) []byte {
	dst = append(append(append(dst, `,"`...), key...), `":"`...)
	return append(base64.StdEncoding.AppendEncode(dst, data), '"')
}

// fitContent returns content as a version of MCP can carry it: 2024-11-05 has no audio, which then
// goes as the contents of a resource, and the versions before 2025-06-18 have no links, which go as
// text.
func fitContent(content []registry.Content, version string) []registry.Content {
	fitted := make([]registry.Content, len(content))
	for i, c := range content {
		switch {
		case c.Type == registry.ContentAudio && version < v20250326:
			c = registry.Embed(registry.Contents{URI: "attachment:audio", MIMEType: c.MIMEType, Blob: c.Data})
		case c.Type == registry.ContentLink && version < v20250618:
			c = registry.Text(c.Name + ": " + c.URI)
		}
		fitted[i] = c
	}
	return fitted
}

// closeWithContent completes the result of a call that has attached content. The output is at
// dst[output:], behind the member name of structuredContent, which begins at start: it goes if the
// skill has no published schema to keep to, because some clients show nothing else where there is
// any (mcp.md A.6; anthropics/claude-code#54737).
func closeWithContent(dst []byte, start, output int, k registry.Skill, content []registry.Content) []byte {
	text := append([]byte(nil), dst[output:]...)
	if k.Info().Attaches {
		dst = dst[:start]
	} else {
		dst = append(dst, ',')
	}
	dst = append(dst, `"content":[`...)
	if string(text) != "{}" { // there is nothing to read in it
		dst = append(dst, `{"type":"text","text":`...)
		dst = append(wire.AppendString(dst, string(text)), "},"...)
	}
	for i := range content {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendContent(dst, &content[i])
	}
	return append(dst, "]}"...)
}
