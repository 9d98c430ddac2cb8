package tracing

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// AuditQueryIn is the input of audit.query.
type AuditQueryIn struct {
	Decision  string `json:"decision,omitempty" validate:"omitempty,oneof=allow deny all" jsonschema:"default=all" jsonschema_description:"Only calls that were allowed, or only those that were denied or held."`
	Cap       string `json:"cap,omitempty" jsonschema_description:"Only calls of this skill."`
	Rule      string `json:"rule,omitempty" jsonschema_description:"Only decisions by this rule: permission, policy or review."`
	AgentID   string `json:"agentId,omitempty" jsonschema_description:"Only calls of this agent."`
	SessionID string `json:"sessionId,omitempty" jsonschema_description:"Only calls of this session."`
	Package   string `json:"package,omitempty" jsonschema_description:"Only calls that came from this package."`
	Limit     int    `json:"limit,omitempty" validate:"omitempty,gte=0,lte=2000" jsonschema:"default=200" jsonschema_description:"List at most so many decisions, the newest; the summary counts all."`
}

// AuditQueryOut is the output of audit.query.
type AuditQueryOut struct {
	Summary   AuditSummary `json:"summary" jsonschema_description:"Counts over everything that matched."`
	Decisions []AuditRow   `json:"decisions" jsonschema_description:"The newest that matched, oldest first."`
}

// AuditSummary counts decisions.
type AuditSummary struct {
	Total    int            `json:"total" jsonschema_description:"How many matched."`
	Allowed  int            `json:"allowed" jsonschema_description:"How many of them were allowed."`
	Denied   int            `json:"denied" jsonschema_description:"How many of them were denied or held."`
	ByRule   map[string]int `json:"byRule" jsonschema_description:"How many by rule."`
	ByCap    map[string]int `json:"byCap" jsonschema_description:"How many by skill."`
	Packages []string       `json:"packages" jsonschema_description:"The packages that calls came from."`
}

// AuditRow is one decision.
type AuditRow struct {
	EventID   trace.ID `json:"eventId" jsonschema_description:"The event that records it; audit.explain tells more."`
	Allow     bool     `json:"allow" jsonschema_description:"Whether the call was allowed to run."`
	Rule      string   `json:"rule" jsonschema_description:"permission, policy, or review for a call that was held."`
	Reason    string   `json:"reason" jsonschema_description:"Why, in words; of a held call also what came of it."`
	Boundary  string   `json:"boundary" jsonschema_description:"call for a call from outside, inner for one that another skill made."`
	Cap       string   `json:"cap" jsonschema_description:"The skill that was called."`
	AgentID   string   `json:"agentId" jsonschema_description:"The agent that called."`
	SessionID string   `json:"sessionId" jsonschema_description:"Its session."`
	Profile   *string  `json:"profile" jsonschema:"nullable" jsonschema_description:"The profile of the session."`
	Package   *string  `json:"package" jsonschema:"nullable" jsonschema_description:"The package that the call came from, if any."`
	Tick      *uint64  `json:"tick" jsonschema:"nullable" jsonschema_description:"The world's newest commit then."`
}

// AuditQuery is audit.query.
func AuditQuery() registry.Skill {
	return registry.Define(registry.Spec[AuditQueryIn, AuditQueryOut]{
		Name:  "audit.query",
		Title: "Query decisions",
		Description: "List which calls were allowed, denied or held, filtered, with counts. You see your own in this session, and all of them " +
			"with the permission trace.read." +
			` Example: {"decision":"deny","limit":10}`,
		Category:    "system",
		Permissions: []profiles.Permission{profiles.Anyone},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, in AuditQueryIn) (AuditQueryOut, error) {
			out := AuditQueryOut{Summary: AuditSummary{ByRule: map[string]int{}, ByCap: map[string]int{}}}
			var newest window
			decisions(c, func(d *decision) {
				if in.matches(d) {
					out.Summary.count(d)
					newest.push(d, in.Limit)
				}
			})
			out.Decisions = newest.rows()
			return out, c.Context().Err()
		},
	})
}

func (in *AuditQueryIn) matches(d *decision) bool {
	is := func(want, got string) bool { return want == "" || want == got }
	return (in.Decision != "allow" || d.allow) && (in.Decision != "deny" || !d.allow) &&
		is(in.Cap, d.payload.Skill) && is(in.Rule, d.rule) &&
		is(in.AgentID, d.event.ActorID) && is(in.SessionID, d.event.ThreadID) &&
		is(in.Package, "") // no call comes from a package yet
}

func (s *AuditSummary) count(d *decision) {
	s.Total++
	if d.allow {
		s.Allowed++
	} else {
		s.Denied++
	}
	s.ByRule[d.rule]++
	s.ByCap[d.payload.Skill]++
}

// window keeps the newest rows of many.
type window struct {
	ring []AuditRow
	next int // the oldest, once the ring is full
}

func (w *window) push(d *decision, limit int) {
	row := AuditRow{
		EventID: d.event.ID, Allow: d.allow, Rule: d.rule, Reason: d.reason, Boundary: d.boundary, Cap: d.payload.Skill,
		AgentID: d.event.ActorID, SessionID: d.event.ThreadID, Profile: orNull(d.payload.Profile), Tick: d.tick(),
	}
	switch {
	case limit == 0:
	case len(w.ring) < limit:
		w.ring = append(w.ring, row)
	default:
		w.ring[w.next] = row
		w.next = (w.next + 1) % limit
	}
}

func (w *window) rows() []AuditRow {
	return append(w.ring[w.next:len(w.ring):len(w.ring)], w.ring[:w.next]...)
}
