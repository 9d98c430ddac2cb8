package ui

// Types of the events that the skills append to the trace. A panel that goes by itself is no call
// and has none.
const (
	EventOpened  = "ui.opened"  // {handle, kind}
	EventUpdated = "ui.updated" // {handle}
	EventRemoved = "ui.removed" // {handle}
)

type opened struct {
	Handle Handle `json:"handle"`
	Kind   Kind   `json:"kind"`
}

type touched struct {
	Handle Handle `json:"handle"`
}
