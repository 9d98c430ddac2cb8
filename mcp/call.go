package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// Request is a call made in process: the MCPRequest of the wire contract.
type Request struct {
	Tool    string          `json:"tool"`            // dotted or published
	Input   json.RawMessage `json:"input,omitempty"` // a JSON object; absent means {}
	Context *Context        `json:"context,omitempty"`

	DryRun     bool    `json:"dryRun,omitempty"`     // only try it out: see [registry.Request]
	IfRevision *uint64 `json:"ifRevision,omitempty"` // a revision that the caller has seen; also there
}

// Context is what a Request says of its origin.
type Context struct {
	// AgentID and SessionID are who the call is made as, where [Mcp.CallToolInternal] takes it.
	// Everywhere else they are not looked at.
	AgentID   string `json:"agentId"`
	SessionID string `json:"sessionId"`
	// PreviousResults is handed to the skill as it is.
	PreviousResults json.RawMessage `json:"previousResults,omitempty"`
}

// Response is the outcome of a Request: the MCPResponse of the wire contract.
type Response struct {
	Success  bool            `json:"success"`
	Result   json.RawMessage `json:"result,omitempty"`  // of a success
	Content  Content         `json:"content,omitempty"` // that the call attached
	Error    *registry.Error `json:"error,omitempty"`   // of a failure
	DryRun   bool            `json:"dryRun,omitempty"`  // it was tried out only
	Changes  json.RawMessage `json:"changes,omitempty"` // of a dry run: what it would have changed
	Metadata *Metadata       `json:"metadata,omitempty"`
}

// Content is what a call attached to its answer.
type Content []registry.Content

// MarshalJSON returns the content as it is sent to native clients.
func (c Content) MarshalJSON() ([]byte, error) { return appendContents(nil, c), nil }

// Metadata says what a call has cost and caused.
type Metadata struct {
	ExecutionTimeMs float64    `json:"executionTimeMs"`
	EventsEmitted   []trace.ID `json:"eventsEmitted"`
	Intent          uint64     `json:"intent,omitempty"`   // what causedBy in a delta refers to
	Revision        *uint64    `json:"revision,omitempty"` // of a call with DryRun or IfRevision: see [registry.Result]
}

// CallTool runs a tool as the session's agent, on the calling goroutine. It never returns a Go error: a failure is in the Response, a panic of a skill, a
// gate or a recorder too. Only what an observer of the world panics with comes through: the call is done by then. Without a session, or after its end, the call
// is forbidden. Where the world is locked, as inside a handler's transaction, a step
// or an observer, it would wait for itself, and fails: a handler goes on by [registry.Call.Invoke], a step by [registry.Registry.InvokeIn].
func (m *Mcp) CallTool(ctx context.Context, s *Session, req Request) Response {
	if !s.live() {
		return Response{Error: registry.Errorf(registry.CodeForbidden, noSession)}
	}
	return m.callTool(ctx, &s.principal, &req)
}

// CallToolInternal is CallTool for engine code that knows better than the session who acts: agent
// and session come from the request's Context, where it gives them. What may be done is still
// decided by the session.
func (m *Mcp) CallToolInternal(ctx context.Context, s *Session, req Request) Response {
	if !s.live() || req.Context == nil {
		return m.CallTool(ctx, s, req)
	}
	p := s.principal
	if req.Context.AgentID != "" {
		p.ID = req.Context.AgentID
	}
	if req.Context.SessionID != "" {
		p.Session = req.Context.SessionID
	}
	return m.callTool(ctx, &p, &req)
}

func (m *Mcp) callTool(ctx context.Context, p *profiles.Principal, req *Request) Response {
	r := registry.Request{Name: req.Tool, Input: req.Input, Principal: p, DryRun: req.DryRun, IfRevision: req.IfRevision, Stands: m.stands}
	if req.Context != nil {
		r.Previous = req.Context.PreviousResults
	}
	buf := m.scratch.Get().(*[]byte)
	res := m.reg.Invoke(ctx, &r, (*buf)[:0])
	k := new(struct {
		metadata Metadata
		events   [2]trace.ID
	})
	k.metadata = Metadata{
		ExecutionTimeMs: float64(res.Elapsed) / float64(time.Millisecond),
		EventsEmitted:   append(k.events[:0], res.Events()...),
		Intent:          res.Intent,
	}
	out := Response{Success: res.Err == nil, Content: res.Content, Error: res.Err, Metadata: &k.metadata}
	if out.Success {
		out.Result = bytes.Clone(res.Output)
		if hasTerms(&r) {
			out.DryRun, out.Changes, k.metadata.Revision = req.DryRun, res.Changes, &res.Revision
		}
	}
	if cap(res.Output) <= keepBuffer {
		*buf = res.Output
	}
	m.scratch.Put(buf)
	return out
}

// AppendCall is CallTool for those who want the Response as text: it appends its JSON to dst. Into
// a buffer with room it makes the call without a copy.
func (m *Mcp) AppendCall(ctx context.Context, s *Session, tool string, input, dst []byte) []byte {
	if !s.live() {
		return appendFailed(dst, &registry.Result{Err: registry.Errorf(registry.CodeForbidden, noSession)})
	}
	start := len(dst)
	dst = append(dst, `{"success":true,"result":`...)
	r := registry.Request{Name: tool, Input: input, Principal: &s.principal}
	res := m.reg.Invoke(ctx, &r, dst)
	if res.Err != nil {
		return appendFailed(dst[:start], &res)
	}
	return native{}.close(res.Output, 0, &r, &res)
}

// Invoke runs a skill as the session's agent, from one Go value to another: the same pipeline as
// every call, without any JSON. In and Out are the skill's own types. Defaults are not set here: begin
// with [registry.Default]. A failure is a [*registry.Error]. Where the world is locked it fails as [Mcp.CallTool] does.
func Invoke[In, Out any](ctx context.Context, m *Mcp, s *Session, tool string, in In) (Out, error) {
	if !s.live() {
		var none Out
		return none, registry.Errorf(registry.CodeForbidden, noSession)
	}
	return registry.Invoke[In, Out](ctx, m.reg, &s.principal, tool, in)
}
