package tracing

import (
	"cmp"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// AuditUsageIn is the input of audit.usage.
type AuditUsageIn struct {
	SessionID string `json:"sessionId,omitempty" jsonschema_description:"Only this session."`
}

// AuditUsageOut is the output of audit.usage.
type AuditUsageOut struct {
	PerSessionCap []Usage         `json:"perSessionCap" jsonschema_description:"Counts by session and skill, in alphabetical order."`
	Quotas        []SessionQuota  `json:"quotas" jsonschema_description:"The quota of each session that has one."`
	Budgets       []SessionBudget `json:"budgets" jsonschema_description:"The budget of each session that has one."`
}

// Usage counts the calls of one skill in one session.
type Usage struct {
	SessionID string `json:"sessionId" jsonschema_description:"The session."`
	Cap       string `json:"cap" jsonschema_description:"The skill."`
	Allowed   int    `json:"allowed" jsonschema_description:"How many calls were allowed."`
	Denied    int    `json:"denied" jsonschema_description:"How many were denied or held."`
}

// SessionQuota is what a session may still use.
type SessionQuota struct {
	SessionID string          `json:"sessionId" jsonschema_description:"The session."`
	Quota     registry.Object `json:"quota" jsonschema_description:"Its quota."`
}

// SessionBudget is what a session may still spend.
type SessionBudget struct {
	SessionID string          `json:"sessionId" jsonschema_description:"The session."`
	Budget    registry.Object `json:"budget" jsonschema_description:"Its budget."`
}

// AuditUsage is audit.usage. Sessions have no quotas and budgets yet, so these lists are empty.
func AuditUsage() registry.Skill {
	return registry.Define(registry.Spec[AuditUsageIn, AuditUsageOut]{
		Name:  "audit.usage",
		Title: "Count decisions",
		Description: "Count the calls that were allowed and denied, by session and skill. You see your own in this session, and all of them with the " +
			"permission trace.read.",
		Category:    "system",
		Permissions: []profiles.Permission{profiles.Anyone},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, in AuditUsageIn) (AuditUsageOut, error) {
			type key struct{ session, skill string }
			counts := map[key]*Usage{}
			decisions(c, func(d *decision) {
				if in.SessionID != "" && in.SessionID != d.event.ThreadID {
					return
				}
				k := key{d.event.ThreadID, d.payload.Skill}
				if counts[k] == nil {
					counts[k] = &Usage{SessionID: k.session, Cap: k.skill}
				}
				counts[k].count(d.allow)
			})
			var out AuditUsageOut
			for _, u := range counts {
				out.PerSessionCap = append(out.PerSessionCap, *u)
			}
			slices.SortFunc(out.PerSessionCap, func(a, b Usage) int {
				return cmp.Or(cmp.Compare(a.SessionID, b.SessionID), cmp.Compare(a.Cap, b.Cap))
			})
			return out, c.Context().Err()
		},
	})
}

func (u *Usage) count(allowed bool) {
	if allowed {
		u.Allowed++
	} else {
		u.Denied++
	}
}
