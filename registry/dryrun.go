package registry

import "encoding/json"

// Rehearse runs fn, which calls other skills by [Call.Invoke] and may change things itself, and takes
// everything back that it did. It returns what fn would have changed, as the transaction tells it, an
// object without members if it was nothing, and fn's error.
//
// What is called in a rehearsal goes the whole way of a call but for what must not happen: the gate
// does not hold it, the recorder is not told, and its events are dropped. Only refusals leave theirs,
// and only if fn fails. Content that it attaches stays. Skills that are [Spec.Outward] are refused.
func (c *Call) Rehearse(fn func() error) (changes json.RawMessage, err error) {
	root := c.root
	mark, drafts, dry := 0, len(root.log.drafts), root.dry
	if root.tx != nil {
		mark = root.tx.Savepoint()
	}
	root.dry = true
	failed := true // also by a panic, which the handler may catch
	defer func() {
		root.dry = dry
		changes = root.preview(mark)
		l := &root.log
		if failed {
			l.dropDone(drafts - 1) // there is one before: that of this call
			return
		}
		l.drafts, l.notes = l.drafts[:drafts], l.notes[:drafts]
	}()
	err = fn()
	failed = err != nil
	return nil, err
}

// Dry reports whether what the call does is going to be taken back, because it is tried out. It is for handlers that do something that is in no transaction: such as
// to remember how far a session has read.
func (c *Call) Dry() bool { return c.root.dry }

// preview tells what was done since the mark and undoes it.
func (c *Call) preview(mark int) json.RawMessage {
	if c.tx == nil {
		return emptyObject
	}
	if p, ok := c.tx.(Previewer); ok {
		return p.Preview(mark)
	}
	c.tx.RollbackTo(mark)
	return emptyObject
}

// tryOut makes a root call as a dry run.
func (r *Registry) tryOut(c *Call, k *skill, input, dst []byte) Result {
	c.dry = true
	out, e := r.serve(c, k, nil, input, dst)
	var changes json.RawMessage
	if e == nil {
		changes = c.preview(0)
		if len(input) == 0 {
			input = emptyObject
		}
		c.tried(input)
	}
	res := r.conclude(c, dst, out, e)
	if res.Err == nil {
		res.Changes = changes
	}
	return res
}

// Outward refuses what no transaction takes back where the call's outcome may be taken back after it has ended: it is tried out, or inside another
// call that has a transaction open. It is for handlers that do such a thing for some inputs only; what always does it says [Spec.Outward].
func (c *Call) Outward(field string) error {
	switch {
	case c.root.dry:
		return Invalidf("%s: %s does what cannot be taken back with it, so it cannot be tried out", field, c.skill.info.Name)
	case c.Transaction() != nil:
		return Invalidf("%s: %s does what cannot be taken back with it, so it is a call of its own, in no batch", field, c.skill.info.Name)
	}
	return nil
}

// outward refuses to try out a skill that acts beyond the transaction.
func outward(k *skill) *Error {
	return Errorf(CodeInvalidInput, "dryRun: %s does what cannot be taken back, so it cannot be tried out", k.info.Name)
}
