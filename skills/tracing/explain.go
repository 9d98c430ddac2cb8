package tracing

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// maxChildren bounds how many effects of one event are shown.
const maxChildren = 256

// ExplainEventIn is the input of trace.explainEvent.
type ExplainEventIn struct {
	EventID trace.ID `json:"eventId" jsonschema_description:"The event's id, evt_<number>."`
}

// ExplainEventOut is the output of trace.explainEvent.
type ExplainEventOut struct {
	Event    Event   `json:"event" jsonschema_description:"The event."`
	Parents  []Event `json:"parents" jsonschema_description:"What led to it: the call that it is a part of, then its causes, as far as they are in the log."`
	Children []Event `json:"children" jsonschema_description:"What it led to, oldest first, at most 256."`
}

// ExplainEvent is trace.explainEvent.
func ExplainEvent() registry.Skill {
	return registry.Define(registry.Spec[ExplainEventIn, ExplainEventOut]{
		Name:  "trace.explainEvent",
		Title: "Explain an event",
		Description: "Show one event of the log with the events that led to it and those that it led to." +
			` Example: {"eventId":"evt_7"}`,
		Category:    "system",
		Permissions: []profiles.Permission{readTrace},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in ExplainEventIn) (ExplainEventOut, error) {
			l := log(c)
			e, ok := l.Get(in.EventID)
			if !ok {
				return ExplainEventOut{}, notInLog(l, in.EventID)
			}
			return ExplainEventOut{
				Event:    EventOf(e),
				Parents:  EventsOf(causes(l, e, everything)),
				Children: EventsOf(l.Children(e.ID, maxChildren)),
			}, nil
		},
	})
}

// notInLog says which events there are instead.
func notInLog(l *trace.Log, id trace.ID) error {
	next, _ := l.Head()
	held := trace.ID(l.Len())
	if held == 0 {
		return registry.Failf("eventId: %v is not in the log, which is empty", id)
	}
	return registry.Failf("eventId: %v is not in the log, which holds %v to %v", id, next-held, next-1)
}
