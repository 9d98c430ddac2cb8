// Package approvals holds approval.*: the skills by which a reviewer looks at the calls that an
// [approval.Gate] has parked, and lets them run or drops them, and by which whoever called asks after them, or takes them back.
package approvals

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/internal/clip"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// All returns the skills of this package, for a gate.
func All(g *approval.Gate) []registry.Skill {
	return []registry.Skill{List(g), Grant(g), Deny(g), Mine(g), Withdraw(g)}
}

const review profiles.Permission = "approval.review"

// The events of what came of a held call; the payload is an [Outcome].
const (
	EventGranted   = "approval.granted"
	EventDenied    = "approval.denied"
	EventWithdrawn = "approval.withdrawn"
)

// Outcome is what came of a held call: the payload of the event of a decision.
type Outcome struct {
	ApprovalID string   `json:"approvalId"`
	Skill      string   `json:"skill"`
	AgentID    string   `json:"agentId"` // whose call it was
	SessionID  string   `json:"sessionId"`
	Profile    string   `json:"profile"`
	Outcome    string   `json:"outcome"`          // "applied", "failed", "dropped" or "withdrawn"
	Code       string   `json:"code,omitempty"`   // of a failure
	Reason     string   `json:"reason,omitempty"` // of a failure, or the reviewer's
	Events     []string `json:"events,omitempty"` // of the call that was granted, its own first, at most maxEvents

	// Answer is what the granted call has answered: all of it, or, if that is more than maxAnswer bytes, of its members those that are no
	// lists and objects.
	Answer json.RawMessage `json:"answer,omitempty"`
}

// What is decided is done by the time of its event, which has to fit into the log, whatever there is to say.
const (
	maxReason = 2000 // bytes
	maxAnswer = 1000 // bytes
	maxEvents = 1000 // a batch of prefabs has many thousands
)

// Granted is the outcome of a held call that was granted, and ended so.
func Granted(h *approval.Held, res *registry.Result) Outcome {
	o := outcomeOf(h, "applied")
	if res.Err != nil {
		o.Outcome, o.Code, o.Reason = "failed", string(res.Err.Code), clip.Shown(res.Err.Message, maxReason)
	} else {
		o.Answer = answer(res.Output)
	}
	ids := res.Events()
	for _, id := range ids[:min(len(ids), maxEvents)] {
		o.Events = append(o.Events, id.String())
	}
	return o
}

// answer is as much of an output as an event has room for, nil if that is nothing.
func answer(output []byte) json.RawMessage {
	if len(output) <= maxAnswer {
		return bytes.Clone(output)
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(output, &all) != nil {
		return nil
	}
	maps.DeleteFunc(all, func(_ string, value json.RawMessage) bool { return value[0] == '[' || value[0] == '{' })
	short, err := json.Marshal(all)
	if err != nil || len(all) == 0 || len(short) > maxAnswer {
		return nil
	}
	return short
}

// Denied is the outcome of a held call that was denied, for that reason.
func Denied(h *approval.Held, reason string) Outcome {
	o := outcomeOf(h, "dropped")
	o.Reason = clip.Shown(reason, maxReason)
	return o
}

// withdrawn is the outcome of a held call that its caller has taken back.
func withdrawn(h *approval.Held) Outcome { return outcomeOf(h, "withdrawn") }

func outcomeOf(h *approval.Held, what string) Outcome {
	return Outcome{
		ApprovalID: h.ID, Skill: h.Skill, AgentID: h.Principal.ID, SessionID: h.Principal.Session, Profile: h.Principal.Profile,
		Outcome: what,
	}
}
