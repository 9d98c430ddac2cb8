package approvals

import (
	"encoding/json"

	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/trace"
)

// maxDecided is how many of what was decided approval.mine tells.
const maxDecided = 20

// MineIn is the input of approval.mine.
type MineIn struct {
	ApprovalID string `json:"approvalId,omitempty" jsonschema_description:"Only this call; all of yours if left out."`
}

// MineOut is the output of approval.mine.
type MineOut struct {
	Pending []PendingOut `json:"pending" jsonschema_description:"Your calls that are held, oldest first."`
	Decided []DecidedOut `json:"decided" jsonschema_description:"What came of those that are not held any more, oldest first: the newest 20 that the trace still has."`
}

// DecidedOut is what came of a call that was held.
type DecidedOut struct {
	ApprovalID string           `json:"approvalId" jsonschema_description:"The id that the call was held as."`
	Skill      string           `json:"skill" jsonschema_description:"The skill that was called."`
	Outcome    string           `json:"outcome" jsonschema_description:"applied, failed, dropped by a reviewer, or withdrawn by you."`
	By         string           `json:"by" jsonschema_description:"Who decided."`
	Code       string           `json:"code,omitempty" jsonschema_description:"The code of a failure."`
	Reason     string           `json:"reason,omitempty" jsonschema_description:"Why it failed or was dropped."`
	Answer     *registry.Object `json:"answer,omitempty" jsonschema_description:"What the call has answered; of a long answer its ids and numbers."`
}

// Mine is approval.mine. What is a caller's own goes by his id, so that he finds it in a later session, too.
func Mine(g *approval.Gate) registry.Skill {
	return registry.Define(registry.Spec[MineIn, MineOut]{
		Name:  "approval.mine",
		Title: "What came of your held calls",
		Description: "List your own calls that wait for a reviewer, and what came of those that were decided: done, with what the call has answered, failed, or dropped, with the reason. " +
			"Calls of your earlier sessions are among them. To take one back: approval.withdraw." +
			` Example: {"approvalId":"apr_1"}`,
		Category:    "system",
		Keywords:    "pending_approval outcome waiting decided came",
		Permissions: []profiles.Permission{profiles.Anyone},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, in MineIn) (MineOut, error) {
			me := c.Principal().ID
			asked := func(id string) bool { return in.ApprovalID == "" || in.ApprovalID == id }
			out := MineOut{Pending: []PendingOut{}, Decided: decided(c, me, asked)}
			for _, h := range g.List() {
				if h.Principal.ID == me && asked(h.ID) {
					out.Pending = append(out.Pending, pendingOut(h))
				}
			}
			if in.ApprovalID != "" && len(out.Pending)+len(out.Decided) == 0 {
				return out, registry.Failf("approvalId: no call of yours was held as %q, as far back as the trace goes; leave it out to see all of yours", quote.Clip(in.ApprovalID))
			}
			return out, c.Context().Err()
		},
	})
}

// decided are the newest of an agent's calls on which somebody has decided.
func decided(c *registry.Call, agent string, asked func(id string) bool) []DecidedOut {
	list := []DecidedOut{}
	c.Registry().Trace().Range(func(e trace.Event) bool {
		if o, ok := OutcomeOf(&e); ok && o.AgentID == agent && asked(o.ApprovalID) {
			d := DecidedOut{ApprovalID: o.ApprovalID, Skill: o.Skill, Outcome: o.Outcome, By: e.ActorID, Code: o.Code, Reason: o.Reason}
			if len(o.Answer) > 0 && o.Answer[0] == '{' {
				answer := registry.Object(o.Answer)
				d.Answer = &answer
			}
			if len(list) == maxDecided {
				list = append(list[:0], list[1:]...)
			}
			list = append(list, d)
		}
		return c.Context().Err() == nil
	})
	return list
}

// OutcomeOf returns what an event says has come of a held call, and false if it is about something else.
func OutcomeOf(e *trace.Event) (Outcome, bool) {
	switch e.Type {
	case EventGranted, EventDenied, EventWithdrawn:
		var o Outcome
		err := json.Unmarshal(e.Payload, &o)
		return o, err == nil
	}
	return Outcome{}, false
}
