package mcp

// Metered returns of how many tokens it is known how often they call.
func (m *Mcp) Metered() int {
	m.meters.mu.Lock()
	defer m.meters.mu.Unlock()
	return len(m.meters.of)
}
