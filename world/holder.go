package world

import "strings"

// MaxHolders is how many tokens that are for many names a world knows at a time.
const MaxHolders = 4096

// noteHolder notes, the first time, that the agent of a call is one of many that one token is for, which holder covers: what its names end with "*" for. From then on all of them have one share of
// what is scarce, see [View.Holder]. Of an agent with a token of his own, "", who would be covered too, it notes that.
func (tx *Tx) noteHolder(agent, holder string) error {
	known := tx.w.holders.Len(&tx.View)
	if agent == "" || holder == "" && known == 0 {
		return nil
	}
	name := holder
	if holder == "" {
		if name = agent; tx.Holder(agent) == agent {
			return nil
		}
	}
	if _, there := tx.w.holders.Get(&tx.View, name); there || known >= MaxHolders {
		return nil
	}
	if err := tx.w.holders.Set(tx, name, true); err != nil {
		return err
	}
	for _, fn := range tx.w.onHolders {
		if err := fn(tx); err != nil {
			return err
		}
	}
	return nil
}

// Holder returns by whom what an agent has is counted, where each has a share of what is scarce: the token that is for many names, of which his is one ("fleet-*"), as far as calls
// have shown that; the agent himself else. Of what it returns it returns the same.
func (v *View) Holder(agent string) string {
	if agent == "" || v.w.holders.Len(v) == 0 {
		return agent
	}
	if _, own := v.w.holders.Get(v, agent); own {
		return agent
	}
	holder, most := agent, -1
	for name := range v.w.holders.All(v) {
		if prefix, open := strings.CutSuffix(name, "*"); open && len(prefix) > most && strings.HasPrefix(agent, prefix) {
			holder, most = name, len(prefix)
		}
	}
	return holder
}

// OnHolder has fn called in the transaction in which [View.Holder] begins to return something else, for who keeps counts by it. It is called where the world is put together.
func (w *World) OnHolder(fn func(tx *Tx) error) {
	needs("OnHolder", fn != nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.onHolders = append(w.onHolders, fn)
}
