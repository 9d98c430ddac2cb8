package mcp

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/clip"
	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
)

// The versions of standard MCP that begin with a handshake, oldest first.
const (
	v20241105 = "2024-11-05"
	v20250326 = "2025-03-26"
	v20250618 = "2025-06-18"
	v20251125 = "2025-11-25"
)

var standardVersions = []string{v20241105, v20250326, v20250618, v20251125}

// negotiate returns the version to speak: the one asked for if it is among ours, else our newest.
func negotiate(requested string) string {
	if slices.Contains(standardVersions, requested) {
		return requested
	}
	return standardVersions[len(standardVersions)-1]
}

// standard is the dialect of MCP as others speak it. Where versions differ only by what they may
// leave unread, all get the newest form: mcp.md A.16.
type standard struct{ version string }

var _ dialect = standard{}

func (standard) verb(name []byte) verb {
	switch string(name) {
	case "tools/call":
		return verbCall
	case "tools/list":
		return verbList
	case "ping":
		return verbPing
	default:
		return verbOther
	}
}

func (standard) method(name string) method {
	m := standardMethodOf(name)
	if !m.legacy {
		return nil
	}
	return m.run
}

// initializeStandard binds a standard session. It may come again, and after anything: clients do
// send it twice, and after a probe of the stateless era.
func initializeStandard(c *conn, m *message) ([]byte, *rpcError) {
	p, e := m.stringParams("protocolVersion")
	if e != nil {
		return nil, e
	}
	old := c.bound.Load()
	id, e := c.standardIdentity(cmp.Or(nameOf(member(m.Params, "clientInfo")), defaultAgentName))
	if e != nil {
		return nil, e
	}
	id.SessionID, id.conn, id.client = sessionID(old), c, clientOf(member(m.Params, "clientInfo"))
	s, err := c.mcp.open(id, old.session)
	if err != nil {
		return nil, wireError(err)
	}
	version := negotiate(p["protocolVersion"])
	c.bind(legacy(version, s, readCapabilities(member(m.Params, "capabilities"))))
	if !s.live() {
		return nil, ended()
	}

	instructions := c.mcp.instructions(s)
	result := make([]byte, 0, 1024+len(instructions)) // the whole, mostly: what a start makes in between is new memory each time
	result = append(result, `{"protocolVersion":"`+version+`","capabilities":`...)
	result = c.appendCapabilities(result, false)
	result = c.mcp.appendServerInfo(append(result, `,"serverInfo":`...))
	result = appendField(result, "instructions", instructions)
	return append(result, '}'), nil
}

// nameOf returns what a client calls itself in its clientInfo, as far as it is seen, "" if it does not: the agent id of its
// calls.
func nameOf(clientInfo []byte) string {
	name, _ := stringValue(member(clientInfo, "name"))
	return strings.TrimSpace(clip.Bytes(plain(name), maxIdentity))
}

// clientOf returns what a client calls itself in its clientInfo, with its version.
func clientOf(clientInfo []byte) string {
	version, _ := stringValue(member(clientInfo, "version"))
	return strings.TrimSpace(nameOf(clientInfo) + " " + clip.Bytes(version, maxIdentity))
}

// sessionID returns the id of the standard session that is bound, else a new one.
func sessionID(b *binding) string {
	if _, ok := b.dialect.(standard); ok && b.session.live() {
		return b.session.principal.Session
	}
	return newSessionID()
}

// The output stands first, so that it is at hand when its text is appended. Both hold the same,
// because some clients show one and some the other.
func (standard) open(dst []byte) []byte { return append(dst, openStructured...) }

const (
	openResult     = `"result":{`
	openStructured = openResult + `"structuredContent":`
)

func (s standard) close(dst []byte, output int, req *registry.Request, r *registry.Result) []byte {
	dst = s.closeResult(dst, output, req, r)
	if hasTerms(req) {
		dst = append(dst[:len(dst)-1], `,"_meta":{`...)
		dst = append(appendTerms(dst, req, r), "}}"...)
	}
	return dst
}

// closeResult is close without the _meta.
func (s standard) closeResult(dst []byte, output int, req *registry.Request, r *registry.Result) []byte {
	if len(r.Content) > 0 {
		start := output - len(openStructured) + len(openResult)
		return closeWithContent(dst, start, output, req.Skill, s.blocks(req, r))
	}
	end := len(dst)
	dst = append(dst, `,"content":[{"type":"text","text":"`...)
	dst = appendQuoted(dst, dst[output:end])
	dst = append(dst, `"}`...)
	if req.DryRun {
		note := registry.Text(tried(r))
		dst = appendContent(append(dst, ','), &note)
	}
	return append(dst, `]}`...)
}

// blocks returns the content of an answer but for the text of its output.
func (s standard) blocks(req *registry.Request, r *registry.Result) []registry.Content {
	fitted := fitContent(r.Content, s.version)
	if req.DryRun {
		fitted = append(fitted, registry.Text(tried(r)))
	}
	return fitted
}

// refuse makes a tool result of a failure, because a model reads those and not protocol errors;
// only a call of a tool that is not there is a protocol error (mcp.md A.4).
func (standard) refuse(dst []byte, f *failure) []byte {
	if f.session == nil {
		return (&rpcError{code: codeNoSession, message: noSession}).append(dst)
	}
	if f.skill.Name() == "" {
		return invalidParams(f.advice()).append(dst)
	}
	return f.appendAdvice(append(dst, openResult...))
}

func (standard) list(l *toolLists, s *Session, m *message) ([]byte, *rpcError) {
	cursor, e := cursorOf(m)
	if e != nil {
		return nil, e
	}
	return l.page(s.grants(), cursor, 's', nil)
}

// cursorOf returns the cursor of a request for a list, "" for its first page.
func cursorOf(m *message) (string, *rpcError) {
	if m.Params == nil {
		return "", nil
	}
	p, e := m.stringParams("cursor")
	return p["cursor"], e
}

// appendStandardTool appends one tool as standard clients are shown it.
func appendStandardTool(dst []byte, reg *registry.Registry, k registry.Skill) []byte {
	info := k.Info()
	dst = append(dst, '{')
	dst = appendField(dst, "name", k.WireName())
	dst = appendField(dst, "title", info.Title)
	dst = appendField(dst, "description", publishedNames(reg, info.Description))
	dst = append(dst, `,"inputSchema":`...)
	dst = append(dst, publishedSchema(reg, wire.Brief(compact(k.InputSchema())))...)
	if out := k.OutputSchema(); out != nil && !info.Attaches {
		dst = append(dst, `,"outputSchema":`...)
		dst = append(dst, publishedSchema(reg, wire.Brief(compact(out)))...)
	}
	dst = append(dst, `,"annotations":{`...)
	dst = appendField(dst, "title", info.Title)
	dst = appendHints(dst, &info)
	dst = append(dst, `},"_meta":{`...)
	dst = appendField(dst, "dev.limina/skill", info.Name)
	if info.App != "" {
		dst = append(appendField(append(dst, `,"ui":{`...), "resourceUri", info.App), '}')
		dst = appendField(dst, "ui/resourceUri", info.App) // as it was called at first
	}
	return append(dst, "}}"...)
}

// appendHints appends what the skill claims, and nothing that it does not claim: an absent hint is
// read as the worst.
func appendHints(dst []byte, info *registry.Info) []byte {
	yes, no := true, false
	var readOnly, destructive, idempotent, openWorld *bool
	switch info.Effect {
	case registry.Reads:
		readOnly, destructive, idempotent, openWorld = &yes, &no, &yes, &no
	case registry.Writes:
		readOnly, destructive, idempotent, openWorld = &no, &no, &info.Idempotent, &no
	case registry.Destroys:
		readOnly, destructive, idempotent, openWorld = &no, &yes, &info.Idempotent, &no
	default:
		if info.Idempotent {
			idempotent = &yes
		}
	}
	for _, h := range []struct {
		name  string
		claim *bool
	}{{"readOnlyHint", readOnly}, {"destructiveHint", destructive}, {"idempotentHint", idempotent}, {"openWorldHint", openWorld}} {
		switch {
		case h.claim == nil:
		case *h.claim:
			dst = append(dst, `,"`+h.name+`":true`...)
		default:
			dst = append(dst, `,"`+h.name+`":false`...)
		}
	}
	return dst
}

func (standard) nullID() bool    { return false }
func (s standard) batches() bool { return s.version == v20250326 }

func (standard) tells() bool { return true }
