package mcp

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/limina-mcp/limina/internal/clip"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// approves reports whether the person at the client may be asked to approve a call of k, and may have
// to be.
func (c *conn) approves(b *binding, k registry.Skill) bool {
	return c.mcp.opts.Approve != nil && b.capable.asks(registry.AskForm) && b.dialect.tells() && c.mcp.reg.Judges(k, &b.session.principal)
}

// invoke makes the call of a request. Is it held, and may the person at the client decide, it is he
// who is asked; whoever cannot be asked, or does not say, is told that it is held. a is nil for a
// call that asks nobody.
func (c *conn) invoke(ctx context.Context, a *asker, r *registry.Request, dst []byte) (res registry.Result) {
	held := ""
	if a != nil && a.round != nil && a.round.sealed {
		held = a.round.state.Held
	}
	if held == "" {
		res = c.mcp.reg.Invoke(ctx, r, dst)
		if e := res.Err; e != nil && e.Code == registry.CodeInvalidInput && len(r.Input) > 0 && r.Input[0] != '{' {
			res.Err = registry.Errorf(e.Code, "arguments: %s", e.Message) // which is what peers call them
		}
		if a == nil || a.beside == nil || res.Err == nil || res.Err.Code != registry.CodePendingApproval ||
			!c.approves(a.b, c.called(r.Skill, r.Input)) { // what is held may be a part of the call only
			return res
		}
		held = res.Err.Message
	}
	p := r.Principal
	info := c.called(r.Skill, r.Input).Info()
	q := approval(&info, r, held)
	if a.round != nil && a.task == nil {
		a.round.state.Held, a.round.state.By = held, c.mcp.self()
		if !a.round.sealed { // nobody can have been asked yet
			a.round.given = nil
		}
	}
	waiting, stop := context.WithTimeout(ctx, roundLife)
	defer stop()
	err := a.Ask(waiting, &info, []registry.Question{q})
	if gone := c.mcp.gone(p); gone != nil {
		e, _ := gone.(*registry.Error) //nolint:errorlint // it is ours, and not wrapped
		return registry.Result{Output: dst, Err: e, Intent: res.Intent}
	}
	if err != nil {
		return registry.Result{Output: dst, Err: unasked(err, held), Intent: res.Intent}
	}
	if q.Answered.Action == registry.Cancel {
		return registry.Result{Output: dst, Err: registry.Errorf(registry.CodePendingApproval, "%s", held)}
	}
	var form struct{ Approve bool }
	_ = json.Unmarshal(q.Answered.Content, &form) // it was checked
	by := &profiles.Principal{Kind: profiles.KindUser, ID: "the person at " + p.ID, Profile: p.Profile}
	res = c.mcp.opts.Approve(ctx, held, by, q.Answered.Accepted() && form.Approve)
	res.Output = append(dst, res.Output...)
	return res
}

// unasked is how a call ends whose approval could not be asked for: it is held, as it was before.
func unasked(err error, held string) *registry.Error {
	if e, ok := err.(*registry.Error); ok && e.Code == registry.CodeInputRequired { //nolint:errorlint // it is ours, and not wrapped
		return e
	}
	return registry.Errorf(registry.CodePendingApproval, "%s", held)
}

// maxShown bounds what a person is shown of an input.
const maxShown = 1000

// approval is the question whether a call may run.
func approval(info *registry.Info, r *registry.Request, held string) *registry.Elicitation {
	input := cmp.Or(clip.Shown(string(r.Input), maxShown), "{}")
	return &registry.Elicitation{
		Key:     "approve",
		Message: "The agent " + r.Principal.ID + " wants to call " + info.Name + " (" + info.Title + "), which needs approval (" + held + "). Its input: " + input,
		Schema: json.RawMessage(`{"type":"object","properties":{"approve":{"type":"boolean","title":"Approve",` +
			`"description":"Whether the call may run, once."}},"required":["approve"]}`),
	}
}
