package tracing

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/approvals"
	"github.com/limina-mcp/limina/trace"
)

// The rules by which calls are allowed or denied.
const (
	rulePermission = "permission" // the caller's profile grants what the skill needs, or does not
	rulePolicy     = "policy"     // a gate, or the skill itself, says no
	ruleReview     = "review"     // a reviewer has to look at the call first
)

// The boundaries at which it is decided.
const (
	boundaryCall  = "call"  // a call from outside
	boundaryInner = "inner" // a call that another skill made
)

// decision is what an event of the pipeline says of permission: skill.executed and skill.failed
// that the call was allowed, skill.refused with code forbidden and approval.held that it was not.
// Other events say nothing of it.
type decision struct {
	event    trace.Event
	allow    bool
	rule     string
	reason   string
	boundary string
	payload  callPayload
}

// callPayload is what is read of the payload of the pipeline's events.
type callPayload struct {
	Skill    string   `json:"skill"`
	Profile  string   `json:"profile"`
	Code     string   `json:"code"`
	Reason   string   `json:"reason"`
	Required []string `json:"required"`
	Approval string   `json:"approvalId"`
}

func decisionOf(e trace.Event) (decision, bool) {
	d := decision{event: e, boundary: boundaryCall, rule: rulePermission}
	switch e.Type {
	case registry.EventExecuted, registry.EventFailed, registry.EventRefused, registry.EventHeld:
	default:
		return decision{}, false
	}
	if err := json.Unmarshal(e.Payload, &d.payload); err != nil {
		return decision{}, false
	}
	if e.ParentEventID != nil {
		d.boundary = boundaryInner
	}
	switch {
	case e.Type == registry.EventHeld:
		d.rule, d.reason = ruleReview, "held for a reviewer as "+d.payload.Approval
	case e.Type != registry.EventRefused:
		d.allow, d.reason = true, allowedBecause(d.payload.Profile)
	case d.payload.Code != string(registry.CodeForbidden):
		return decision{}, false
	default:
		d.reason = d.payload.Reason
		if !strings.HasPrefix(d.reason, "missing permission: ") {
			d.rule = rulePolicy
		}
	}
	return d, true
}

func allowedBecause(profile string) string {
	if profile == "" {
		return "the caller holds every permission that the skill needs"
	}
	return "profile " + profile + " grants every permission that the skill needs"
}

// required returns the permissions that the decision was about: from the event, or else as the
// skill is declared now; nil if it is gone.
func (d *decision) required(r *registry.Registry) *[]string {
	if d.payload.Required != nil {
		return &d.payload.Required
	}
	k, ok := r.Lookup(d.payload.Skill)
	if !ok {
		return nil
	}
	names := []string{}
	for _, p := range k.Info().Permissions {
		names = append(names, string(p))
	}
	return &names
}

func (d *decision) tick() *uint64 {
	tick := d.event.Tick
	return &tick
}

// orNull returns nil for the empty string.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// visible returns which events the caller may see: all with trace.read, else those of his own calls in
// his session. The session alone does not do: its id is free again when it has ended, for anybody.
func visible(p *profiles.Principal) func(trace.Event) bool {
	if p.Grants.Has(readTrace) {
		return everything
	}
	actor, session := p.ID, p.Session
	return func(e trace.Event) bool { return session != "" && e.ThreadID == session && e.ActorID == actor }
}

// outcomes are what became of held calls, by their approval ids.
type outcomes map[string]approvals.Outcome

// outcomesIn reads them from the log. A caller who sees that his call is held may see this too: it is what he waits for.
func outcomesIn(l *trace.Log) outcomes {
	found := outcomes{}
	l.Range(func(e trace.Event) bool {
		if o, ok := approvals.OutcomeOf(&e); ok {
			found[o.ApprovalID] = o
		}
		return true
	})
	return found
}

// settle adds to the reason of a held call what has become of it.
func (d *decision) settle(all func() outcomes) {
	if d.event.Type != registry.EventHeld {
		return
	}
	o, ok := all()[d.payload.Approval]
	switch {
	case !ok:
		return
	case o.Outcome == "failed":
		d.reason += "; granted, and failed: " + o.Code + ": " + o.Reason
	case o.Outcome == "applied":
		d.reason += "; granted, and done"
		if len(o.Answer) > 0 {
			d.reason += ": " + string(o.Answer)
		}
	case o.Outcome == "withdrawn":
		d.reason += "; taken back by its caller"
	case o.Reason == "":
		d.reason += "; denied"
	default:
		d.reason += "; denied: " + o.Reason
	}
}

// decisions calls yield with every decision in the log that the caller may see, oldest first.
func decisions(c *registry.Call, yield func(*decision)) {
	see := visible(c.Principal())
	all := sync.OnceValue(func() outcomes { return outcomesIn(log(c)) })
	log(c).Range(func(e trace.Event) bool {
		if see(e) {
			if d, ok := decisionOf(e); ok {
				d.settle(all)
				yield(&d)
			}
		}
		return c.Context().Err() == nil
	})
}
