package registry

import "context"

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
	switch {
	case k == nil:
		return r.conclude(c, nil, nil, r.unknown(c, req.Name))
	case k.info.Slow && !k.info.Short:
		c.skill = k
		return r.conclude(c, nil, nil, c.refuse(Failf("%s takes long, and nobody can wait for it here", k.info.Name)))
	case req.DryRun:
		c.skill = k
		return r.conclude(c, nil, nil, c.refuse(Failf("%s cannot be tried here: what is open is somebody else's", k.info.Name)))
	}
	c.tx, c.lent, c.mark, c.judged = tx, true, tx.Savepoint(), req.judged
	out, e := r.serve(c, k, req.Read.take(k), req.Input, nil)
	return r.conclude(c, nil, out, e)
}

// Lent reports whether the call, or one that it is inside of, was made by [Registry.InvokeIn]: everybody waits for its end.
func (c *Call) Lent() bool { return c.top().lent }
