package mcp

import (
	"strings"
	"time"

	"github.com/limina-mcp/limina/internal/decimal"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// nativeVersion is the protocolVersion of native sessions.
const nativeVersion = "2026-06-23"

// native is the dialect of wire.md sections 1 to 3: JSON-RPC errors whose data is the MCPResponse.
type native struct{}

var _ dialect = native{}

func (native) verb(name []byte) verb {
	switch string(name) {
	case "tools/call", "callTool":
		return verbCall
	case "tools/list", "listTools":
		return verbList
	case "ping":
		return verbPing
	default:
		return verbOther
	}
}

func (native) method(name string) method {
	switch name {
	case "shutdown":
		return shutdown
	case "state/subscribe":
		return stateMethod(subscribe)
	case "state/unsubscribe":
		return stateMethod(unsubscribe)
	case "aoi/declare":
		return stateMethod(declare)
	case "notifications/cancelled":
		return cancelled
	default:
		return nil
	}
}

// initializeNative binds a native session.
func initializeNative(c *conn, m *message) ([]byte, *rpcError) {
	p, e := m.stringParams("agentId", "sessionId", "profile", "token")
	if e != nil {
		return nil, e
	}
	id := Identity{
		AgentID: p["agentId"], SessionID: p["sessionId"], Profile: p["profile"],
		Kind: profiles.KindExternal, Token: p["token"],
	}
	if err := id.check(); err != nil {
		return nil, wireError(err)
	}
	if id.Profile == "" {
		return nil, invalidParams("profile: required, one of " + strings.Join(c.mcp.profiles.Names(), ", "))
	}
	cred, err := c.credential(id.Token)
	if err == nil {
		err = c.admit(id, cred)
	}
	if err == nil {
		err = c.welcome(cred)
	}
	if err != nil {
		return nil, wireError(err)
	}
	id.by, id.conn = cred, c
	s, err := c.mcp.open(id, c.bound.Load().session)
	if err != nil {
		return nil, wireError(err)
	}
	c.bind(&binding{dialect: native{}, session: s})
	if !s.live() {
		return nil, ended()
	}
	result := append([]byte(nil), `{"protocolVersion":"`+nativeVersion+`","session":{`...)
	result = appendField(result, "agentId", id.AgentID)
	result = appendField(result, "sessionId", id.SessionID)
	result = appendField(result, "profile", id.Profile)
	result = append(result, '}')
	if _, ok := c.framer.(Pusher); ok && c.mcp.opts.State != nil {
		result = appendField(result, "epoch", c.mcp.opts.State.Epoch())
	}
	return append(result, '}'), nil
}

// shutdown unbinds the session, and may be the last thing that is read.
func shutdown(c *conn, _ *message) ([]byte, *rpcError) {
	b := c.bound.Load()
	b.session.Close()
	c.bound.Store(&binding{dialect: b.dialect})
	c.unsubscribeAll()
	c.over = c.peer.EndsOnShutdown
	return resultOK, nil
}

func (native) open(dst []byte) []byte { return append(dst, `"result":{"success":true,"result":`...) }

func (native) close(dst []byte, _ int, req *registry.Request, r *registry.Result) []byte {
	if len(r.Content) > 0 {
		dst = appendContents(append(dst, `,"content":`...), r.Content)
	}
	if req.DryRun {
		dst = append(append(dst, `,"dryRun":true,"changes":`...), r.Changes...)
	}
	dst = appendMetadata(append(dst, ','), r)
	if hasTerms(req) {
		dst = append(dst[:len(dst)-1], `,"revision":`...)
		dst = append(decimal.Append(dst, r.Revision), '}')
	}
	return append(dst, '}')
}

func (native) refuse(dst []byte, f *failure) []byte {
	code := wireCode(f.result.Err)
	if f.session == nil {
		code = codeNoSession
	}
	dst = append(dst, `"error":{"code":`...)
	dst = decimal.AppendInt(dst, int64(code))
	dst = appendField(dst, "message", f.result.Err.Message)
	dst = append(dst, `,"data":`...)
	return append(appendFailed(dst, f.result), '}')
}

// appendFailed appends the MCPResponse of a call that failed.
func appendFailed(dst []byte, r *registry.Result) []byte {
	dst = append(dst, `{"success":false,"error":{`...)
	dst = appendField(dst, "code", string(r.Err.Code))
	dst = appendField(dst, "message", r.Err.Message)
	dst = append(dst, '}')
	if r.Intent != 0 {
		dst = appendMetadata(append(dst, ','), r)
	}
	return append(dst, '}')
}

// appendMetadata appends the metadata member of an MCPResponse.
func appendMetadata(dst []byte, r *registry.Result) []byte {
	dst = append(dst, `"metadata":{"executionTimeMs":`...)
	dst = appendMillis(dst, r.Elapsed)
	dst = append(dst, `,"eventsEmitted":[`...)
	for i, id := range r.Events() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst, _ = id.AppendText(dst)
		dst = append(dst, '"')
	}
	dst = append(dst, `],"intent":`...)
	dst = decimal.Append(dst, r.Intent)
	return append(dst, '}')
}

func (native) list(l *toolLists, s *Session, _ *message) ([]byte, *rpcError) {
	return l.native(s.grants()), nil
}

// appendNativeTool appends one tool as native clients are shown it.
func appendNativeTool(dst []byte, t *Tool) []byte {
	dst = append(dst, '{')
	dst = appendField(dst, "name", t.Name)
	dst = appendField(dst, "description", t.Description)
	dst = append(dst, `,"input_schema":`...)
	dst = append(dst, t.InputSchema...)
	dst = appendField(dst, "category", t.Category)
	dst = appendField(dst, "priority", t.Priority)
	return append(dst, '}')
}

func (native) nullID() bool  { return true }
func (native) batches() bool { return false }

// appendMillis appends a duration as milliseconds with a fraction, to the microsecond.
func appendMillis(dst []byte, d time.Duration) []byte {
	us := max(d.Microseconds(), 0)
	dst = decimal.AppendInt(dst, us/1000)
	f := us % 1000
	return append(dst, '.', byte('0'+f/100), byte('0'+f/10%10), byte('0'+f%10))
}

func (native) tells() bool { return false }
