package approvals

import (
	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// GrantIn is the input of approval.grant.
type GrantIn struct {
	ApprovalID string `json:"approvalId" jsonschema_description:"The id of a held call, as approval.list gives it."`
}

// GrantOut is the output of approval.grant.
type GrantOut struct {
	Resolved bool    `json:"resolved" jsonschema_description:"The call is not held any more."`
	Applied  bool    `json:"applied" jsonschema_description:"The call ran and did what it says. If not, it has changed nothing."`
	Error    *string `json:"error" jsonschema:"nullable" jsonschema_description:"Why the call failed, null if it did not."`
}

// Grant is approval.grant. The call that is granted has a commit of its own, before that of the grant.
func Grant(g *approval.Gate) registry.Skill {
	return registry.Define(registry.Spec[GrantIn, GrantOut]{
		Name:  "approval.grant",
		Title: "Grant a held call",
		Description: "Run a held call now, as the agent that made it and with the permissions that it has. You cannot grant a call of your own, " +
			"nor grant inside a batch." +
			` Example: {"approvalId":"apr_0"}`,
		Category:    "system",
		Permissions: []profiles.Permission{review},
		Effect:      registry.Anything,
		Outward:     true,
		Slow:        true, // the granted call may be
		Timeout:     -1,   // and has a timeout of its own
		Handle: func(c *registry.Call, in GrantIn) (GrantOut, error) {
			if c.Transaction() != nil { // the granted call would wait for the end of this one
				return GrantOut{}, registry.Failf("approval.grant has to be called on its own: what it grants is a change of its own")
			}
			held, res, err := g.Grant(c.Context(), in.ApprovalID, c.Principal())
			if err != nil {
				return GrantOut{}, err
			}
			out := GrantOut{Resolved: true, Applied: res.Err == nil}
			if res.Err != nil {
				message := string(res.Err.Code) + ": " + res.Err.Message
				out.Error = &message
			}
			return out, c.Emit(EventGranted, Granted(&held, &res))
		},
	})
}
