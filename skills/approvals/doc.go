// Package approvals holds approval.*: the skills by which a reviewer looks at the calls that an
// [approval.Gate] has parked, and lets them run or drops them.
package approvals

import (
	"strings"

	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// All returns the skills of this package, for a gate.
func All(g *approval.Gate) []registry.Skill {
	return []registry.Skill{List(g), Grant(g), Deny(g)}
}

const review profiles.Permission = "approval.review"

// The events of what came of a held call; the payload is an [Outcome].
const (
	EventGranted = "approval.granted"
	EventDenied  = "approval.denied"
)

// Outcome is what came of a held call: the payload of the event of a decision.
type Outcome struct {
	ApprovalID string   `json:"approvalId"`
	Skill      string   `json:"skill"`
	AgentID    string   `json:"agentId"` // whose call it was
	SessionID  string   `json:"sessionId"`
	Profile    string   `json:"profile"`
	Outcome    string   `json:"outcome"`          // "applied", "failed" or "dropped"
	Code       string   `json:"code,omitempty"`   // of a failure
	Reason     string   `json:"reason,omitempty"` // of a failure, or the reviewer's
	Events     []string `json:"events,omitempty"` // of the call that was granted, its own first, at most maxEvents
}

// What is decided is done by the time of its event, which has to fit into the log, whatever there is to say.
const (
	maxReason = 2000 // bytes
	maxEvents = 1000 // a batch of prefabs has many thousands
)

// Granted is the outcome of a held call that was granted, and ended so.
func Granted(h *approval.Held, res *registry.Result) Outcome {
	o := outcomeOf(h, "applied")
	if res.Err != nil {
		o.Outcome, o.Code, o.Reason = "failed", string(res.Err.Code), shorten(res.Err.Message)
	}
	ids := res.Events()
	for _, id := range ids[:min(len(ids), maxEvents)] {
		o.Events = append(o.Events, id.String())
	}
	return o
}

// Denied is the outcome of a held call that was denied, for that reason.
func Denied(h *approval.Held, reason string) Outcome {
	o := outcomeOf(h, "dropped")
	o.Reason = shorten(reason)
	return o
}

// shorten cuts a text that is too long for an event.
func shorten(reason string) string {
	if len(reason) <= maxReason {
		return reason
	}
	return strings.ToValidUTF8(reason[:maxReason], "") + "…"
}

func outcomeOf(h *approval.Held, what string) Outcome {
	return Outcome{
		ApprovalID: h.ID, Skill: h.Skill, AgentID: h.Principal.ID, SessionID: h.Principal.Session, Profile: h.Principal.Profile,
		Outcome: what,
	}
}
