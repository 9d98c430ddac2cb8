package registry

import (
	"context"

	"github.com/limina-mcp/limina/profiles"
)

// InvokeIn is [Registry.Invoke] where a transaction is open that is not the call's own, as in a simulation step: what the skill changes is a
// part of it, and is undone if the call fails. Who has opened the transaction ends it. The call's events are appended at once, whatever
// becomes of the transaction. A skill that is Slow is refused, because everybody would wait for it, unless it is Short; so is a dry run.
func (r *Registry) InvokeIn(ctx context.Context, tx Transaction, req *Request) Result {
	c := r.open(ctx, req)
	defer r.recycle(c)
	k := req.Skill.s
	if k == nil {
		k = r.set.Load().byName[req.Name]
	}
	k, e := r.within(c, tx, k, req.Name, req.DryRun)
	if e != nil {
		return r.conclude(c, nil, nil, e)
	}
	c.judged = req.judged
	out, e := r.serve(c, k, req.Read.take(k), req.Input, nil)
	return r.conclude(c, nil, out, e)
}

// InvokeIn is [Registry.InvokeIn] from one Go value to another, as [Invoke] is Registry.Invoke.
func InvokeIn[In, Out any](ctx context.Context, r *Registry, tx Transaction, p *profiles.Principal, name string, in In) (Out, error) {
	var out Out
	c := r.open(ctx, &Request{Principal: p})
	defer r.recycle(c)
	k, e := r.within(c, tx, r.set.Load().byName[name], name, false)
	if e == nil {
		out, e = serveTyped[In, Out](r, c, k, in)
	}
	if res := r.conclude(c, nil, nil, e); res.Err != nil {
		var none Out
		return none, res.Err
	}
	return out, nil
}

// within has a call of k, which was asked for by name, run in a transaction of somebody else, or refuses it.
func (r *Registry) within(c *Call, tx Transaction, k *skill, name string, dry bool) (*skill, *Error) {
	if k == nil {
		return nil, r.unknown(c, name)
	}
	c.skill = k
	switch {
	case k.info.Slow && !k.info.Short:
		return nil, c.refuse(Failf("%s takes long, and nobody can wait for it here", k.info.Name))
	case dry:
		return nil, c.refuse(Failf("%s cannot be tried here: what is open is somebody else's", k.info.Name))
	}
	c.tx, c.lent, c.mark = tx, true, tx.Savepoint()
	return k, nil
}

// Lent reports whether the call, or one that it is inside of, was made by [Registry.InvokeIn]: everybody waits for its end.
func (c *Call) Lent() bool { return c.top().lent }
