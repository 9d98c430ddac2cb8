package approvals

import (
	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// WithdrawIn is the input of approval.withdraw.
type WithdrawIn struct {
	ApprovalID string `json:"approvalId" jsonschema_description:"The id of a held call of your own, as the call was answered and approval.mine gives it."`
}

// WithdrawOut is the output of approval.withdraw.
type WithdrawOut struct {
	Withdrawn string `json:"withdrawn" jsonschema_description:"The id of the call: it is not held any more, and never runs."`
	Skill     string `json:"skill" jsonschema_description:"The skill that was to be called."`
}

// Withdraw is approval.withdraw.
func Withdraw(g *approval.Gate) registry.Skill {
	return registry.Define(registry.Spec[WithdrawIn, WithdrawOut]{
		Name:        "approval.withdraw",
		Title:       "Take back a held call",
		Description: `Take back a call of your own that waits for a reviewer: it never runs, and makes room for another. Example: {"approvalId":"apr_1"}`,
		Category:    "system",
		Keywords:    "retract cancel mine held",
		Permissions: []profiles.Permission{profiles.Anyone},
		Effect:      registry.Anything,
		Unreviewed:  true,
		Outward:     true,
		Handle: func(c *registry.Call, in WithdrawIn) (WithdrawOut, error) {
			held, err := g.Withdraw(in.ApprovalID, c.Principal())
			if err != nil {
				return WithdrawOut{}, err
			}
			return WithdrawOut{Withdrawn: held.ID, Skill: held.Skill}, c.Emit(EventWithdrawn, withdrawn(&held))
		},
	})
}
