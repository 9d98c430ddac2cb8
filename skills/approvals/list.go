package approvals

import (
	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// ListIn is the input of approval.list.
type ListIn struct{}

// ListOut is the output of approval.list.
type ListOut struct {
	Pending []PendingOut `json:"pending" jsonschema_description:"The calls that are held, oldest first."`
}

// PendingOut is a call that is held.
type PendingOut struct {
	ApprovalID string          `json:"approvalId" jsonschema_description:"The id for approval.grant and approval.deny."`
	Skill      string          `json:"skill" jsonschema_description:"The skill that is to be called."`
	AgentID    string          `json:"agentId" jsonschema_description:"The agent that called."`
	Profile    *string         `json:"profile" jsonschema:"nullable" jsonschema_description:"The profile of its session."`
	Tick       uint64          `json:"tick" jsonschema_description:"The world's newest commit when the call arrived."`
	Input      registry.Object `json:"input" jsonschema_description:"The input, found good when the call arrived."`
}

// List is approval.list.
func List(g *approval.Gate) registry.Skill {
	return registry.Define(registry.Spec[ListIn, ListOut]{
		Name:  "approval.list",
		Title: "List held calls",
		Description: "List the calls that wait for a reviewer, with their inputs. Decide on each with approval.grant, which runs it, or " +
			"approval.deny, which drops it.",
		Category:    "system",
		Permissions: []profiles.Permission{review},
		Effect:      registry.Reads,
		Handle: func(*registry.Call, ListIn) (ListOut, error) {
			held := g.List()
			out := ListOut{Pending: make([]PendingOut, len(held))}
			for i, h := range held {
				out.Pending[i] = pendingOut(h)
			}
			return out, nil
		},
	})
}

func pendingOut(h approval.Held) PendingOut {
	p := PendingOut{ApprovalID: h.ID, Skill: h.Skill, AgentID: h.Principal.ID, Tick: h.Tick, Input: registry.Object(h.Input)}
	if h.Principal.Profile != "" {
		p.Profile = &h.Principal.Profile
	}
	return p
}
