package tracing

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// maxAncestry bounds how far back causes are followed.
const maxAncestry = 100

// AuditExplainIn is the input of audit.explain.
type AuditExplainIn struct {
	EventID trace.ID `json:"eventId" jsonschema_description:"The event's id, evt_<number>, as in eventsEmitted."`
}

// AuditExplainOut is the output of audit.explain.
type AuditExplainOut struct {
	EventID     trace.ID    `json:"eventId" jsonschema_description:"The event that was asked for."`
	EventType   string      `json:"eventType" jsonschema_description:"Its type, empty if it was not found."`
	Found       bool        `json:"found" jsonschema_description:"Whether the log holds the event and you may see it."`
	Decision    *Decision   `json:"decision" jsonschema:"nullable" jsonschema_description:"What was decided; null if the event is no decision."`
	Provenance  Provenance  `json:"provenance" jsonschema_description:"Whose event it is."`
	CausalTrace CausalTrace `json:"causalTrace" jsonschema_description:"What led to it, as far as you may see it."`
}

// Decision says whether a call was allowed, and why.
type Decision struct {
	EventID  trace.ID         `json:"eventId" jsonschema_description:"The event that records it."`
	Allow    bool             `json:"allow" jsonschema_description:"Whether the call was allowed to run."`
	Rule     string           `json:"rule" jsonschema_description:"permission, policy, or review for a call that was held."`
	Reason   string           `json:"reason" jsonschema_description:"Why, in words; of a held call also what came of it."`
	Boundary string           `json:"boundary" jsonschema_description:"call for a call from outside, inner for one that another skill made."`
	Context  DecisionContext  `json:"context" jsonschema_description:"Who wanted what."`
	Quota    *registry.Object `json:"quota" jsonschema:"nullable" jsonschema_description:"The quota that it counted against, if any."`
	Budget   *registry.Object `json:"budget" jsonschema:"nullable" jsonschema_description:"The budget that it counted against, if any."`
}

// DecisionContext says who wanted what.
type DecisionContext struct {
	AgentID             string    `json:"agentId" jsonschema_description:"The agent that called."`
	SessionID           string    `json:"sessionId" jsonschema_description:"Its session."`
	Cap                 string    `json:"cap" jsonschema_description:"The skill that was called."`
	Profile             *string   `json:"profile" jsonschema:"nullable" jsonschema_description:"The profile of the session."`
	Package             *string   `json:"package" jsonschema:"nullable" jsonschema_description:"The package that the call came from, if any."`
	Tick                *uint64   `json:"tick" jsonschema:"nullable" jsonschema_description:"The world's newest commit then."`
	RequiredPermissions *[]string `json:"requiredPermissions" jsonschema:"nullable" jsonschema_description:"What the skill needs; null if the skill is gone."`
}

// Provenance says whose an event is.
type Provenance struct {
	AgentID   string  `json:"agentId" jsonschema_description:"The agent."`
	SessionID string  `json:"sessionId" jsonschema_description:"Its session."`
	Profile   *string `json:"profile" jsonschema:"nullable" jsonschema_description:"The profile of the session."`
	Package   *string `json:"package" jsonschema:"nullable" jsonschema_description:"The package that the call came from, if any."`
}

// CausalTrace is what led to an event.
type CausalTrace struct {
	Parents  []Ref `json:"parents" jsonschema_description:"The call that it is a part of, then its causes."`
	Ancestry []Ref `json:"ancestry" jsonschema_description:"The parents, their parents, and so on, nearest first, at most 100."`
}

// Ref names an event.
type Ref struct {
	ID       trace.ID `json:"id" jsonschema_description:"The event's id."`
	Type     string   `json:"type" jsonschema_description:"What happened."`
	ActorID  string   `json:"actorId" jsonschema_description:"The agent whose call it was."`
	ThreadID string   `json:"threadId" jsonschema_description:"The session of the call."`
}

// AuditExplain is audit.explain.
func AuditExplain() registry.Skill {
	return registry.Define(registry.Spec[AuditExplainIn, AuditExplainOut]{
		Name:  "audit.explain",
		Title: "Explain a decision",
		Description: "Explain why a call was allowed, denied or held, from its event's id. You see the events of your own calls in this session, and all of " +
			"them with the permission trace.read." +
			` Example: {"eventId":"evt_7"}`,
		Category:    "system",
		Keywords:    "wrong refused why failed",
		Permissions: []profiles.Permission{profiles.Anyone},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in AuditExplainIn) (AuditExplainOut, error) {
			see := visible(c.Principal())
			e, ok := log(c).Get(in.EventID)
			if !ok || !see(e) {
				return AuditExplainOut{EventID: in.EventID}, nil
			}
			out := AuditExplainOut{
				EventID: e.ID, EventType: e.Type, Found: true,
				Provenance: Provenance{AgentID: e.ActorID, SessionID: e.ThreadID},
				CausalTrace: CausalTrace{
					Parents:  refs(causes(log(c), e, see)),
					Ancestry: refs(ancestry(log(c), e, see)),
				},
			}
			if d, ok := decisionOf(e); ok {
				d.settle(func() outcomes { return outcomesIn(log(c)) })
				out.Decision = d.explained(c.Registry())
				out.Provenance.Profile = out.Decision.Context.Profile
			}
			return out, nil
		},
	})
}

func (d *decision) explained(r *registry.Registry) *Decision {
	return &Decision{
		EventID: d.event.ID, Allow: d.allow, Rule: d.rule, Reason: d.reason, Boundary: d.boundary,
		Context: DecisionContext{
			AgentID: d.event.ActorID, SessionID: d.event.ThreadID, Cap: d.payload.Skill, Profile: orNull(d.payload.Profile),
			Tick: d.tick(), RequiredPermissions: d.required(r),
		},
	}
}

// ancestry returns the causes of e, their causes and so on, nearest first.
func ancestry(l *trace.Log, e trace.Event, see func(trace.Event) bool) []trace.Event {
	var found []trace.Event
	known := map[trace.ID]bool{e.ID: true}
	next := []trace.Event{e}
	for len(next) > 0 {
		var further []trace.Event
		for _, e := range next {
			for _, cause := range causes(l, e, see) {
				if known[cause.ID] {
					continue
				}
				if len(found) == maxAncestry {
					return found
				}
				known[cause.ID] = true
				found = append(found, cause)
				further = append(further, cause)
			}
		}
		next = further
	}
	return found
}

func refs(events []trace.Event) []Ref {
	out := make([]Ref, len(events))
	for i, e := range events {
		out[i] = Ref{ID: e.ID, Type: e.Type, ActorID: e.ActorID, ThreadID: e.ThreadID}
	}
	return out
}
