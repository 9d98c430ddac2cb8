package httpmcp

// Left returns what is kept for sessions, in bytes, and how many have any.
func (e *Endpoint) Left() (kept, callers int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.kept.Held(), len(e.own)
}
