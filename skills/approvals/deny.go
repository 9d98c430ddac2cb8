package approvals

import (
	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// DenyIn is the input of approval.deny.
type DenyIn struct {
	ApprovalID string `json:"approvalId" jsonschema_description:"The id of a held call, as approval.list gives it."`
	Reason     string `json:"reason,omitempty" jsonschema_description:"Why, for the record and for whose call it is; the first 2,000 bytes are kept."`
}

// DenyOut is the output of approval.deny.
type DenyOut struct {
	Resolved bool    `json:"resolved" jsonschema_description:"The call is not held any more."`
	Error    *string `json:"error" jsonschema:"nullable" jsonschema_description:"Always null: what goes wrong is an error of this call."`
}

// Deny is approval.deny.
func Deny(g *approval.Gate) registry.Skill {
	return registry.Define(registry.Spec[DenyIn, DenyOut]{
		Name:  "approval.deny",
		Title: "Deny a held call",
		Description: "Drop a held call: it never runs. The reason is written to the log, where whose call it was finds it by audit.query." +
			` Example: {"approvalId":"apr_0","reason":"too close to the road"}`,
		Category:    "system",
		Permissions: []profiles.Permission{review},
		Effect:      registry.Anything,
		Outward:     true,
		Handle: func(c *registry.Call, in DenyIn) (DenyOut, error) {
			held, err := g.Deny(in.ApprovalID)
			if err != nil {
				return DenyOut{}, err
			}
			return DenyOut{Resolved: true}, c.Emit(EventDenied, Denied(&held, in.Reason))
		},
	})
}
