package world

// OnRestore has fn called in the transaction of every [Tx.Restore] and [Tx.Adopt], once all is as it was. Since then past simulation steps
// have been taken, 0 where that is not known; so whatever holds a step adds as many to it, and what runs goes on where it was: what has a second left, has a second left.
func (w *World) OnRestore(fn func(tx *Tx, past uint64) error) {
	needs("OnRestore", fn != nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.restoring = append(w.restoring, fn)
}

// catchUp has what counts steps do so from now on as it did at a step, nil if it is not known which that was.
func (tx *Tx) catchUp(step *uint64) error {
	var past uint64
	if now := tx.Step(); step != nil && *step < now {
		past = now - *step
	}
	for _, fn := range tx.w.restoring {
		if err := fn(tx, past); err != nil {
			return err
		}
	}
	return nil
}

// onLater is OnRestore for what is as it was if no step has been taken.
func (w *World) onLater(fn func(tx *Tx, past uint64) error) {
	w.OnRestore(func(tx *Tx, past uint64) error {
		if past == 0 {
			return nil
		}
		return fn(tx, past)
	})
}
