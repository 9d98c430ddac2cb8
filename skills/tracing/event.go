package tracing

import (
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// Event is an event as skills show it.
type Event struct {
	ID            trace.ID        `json:"id" jsonschema_description:"The event's id."`
	Type          string          `json:"type" jsonschema_description:"What happened: skill.executed, skill.refused, skill.failed, approval.held, or a type of a skill's own."`
	ActorID       string          `json:"actorId" jsonschema_description:"The agent whose call it was."`
	ThreadID      string          `json:"threadId" jsonschema_description:"The session of the call."`
	ParentEventID *trace.ID       `json:"parentEventId" jsonschema:"nullable" jsonschema_description:"The event of the call that this one is a part of."`
	CausedBy      []trace.ID      `json:"causedBy" jsonschema_description:"Earlier events that led to this one."`
	Timestamp     int64           `json:"timestamp" jsonschema_description:"When the call arrived, in Unix milliseconds."`
	Tick          uint64          `json:"tick" jsonschema_description:"The number of the call's commit, or of the newest one if it changed nothing."`
	Payload       registry.Object `json:"payload" jsonschema_description:"The rest, by type: the skill, its input, why it was refused."`
	Integrity     *Integrity      `json:"integrity,omitempty" jsonschema_description:"The event's place in the chain of hashes."`
}

// Integrity is an event's place in the chain of hashes.
type Integrity struct {
	Prev string `json:"prev" jsonschema_description:"The hash of the event before it."`
	Hash string `json:"hash" jsonschema_description:"The event's own sha256, in hex."`
}

// EventOf returns an event of the log as skills show it.
func EventOf(e trace.Event) Event {
	out := Event{
		ID: e.ID, Type: e.Type, ActorID: e.ActorID, ThreadID: e.ThreadID, ParentEventID: e.ParentEventID, CausedBy: e.CausedBy,
		Timestamp: e.Timestamp, Tick: e.Tick, Payload: registry.Object(e.Payload),
	}
	if e.Integrity != nil {
		out.Integrity = &Integrity{Prev: e.Integrity.Prev, Hash: e.Integrity.Hash}
	}
	return out
}

// EventsOf is EventOf for several.
func EventsOf(events []trace.Event) []Event {
	out := make([]Event, len(events))
	for i, e := range events {
		out[i] = EventOf(e)
	}
	return out
}

// causes returns the events that led to e and that see lets pass, the call that it is a part of
// first; those that have left the log are left out.
func causes(l *trace.Log, e trace.Event, see func(trace.Event) bool) []trace.Event {
	ids := e.CausedBy
	if e.ParentEventID != nil {
		ids = append([]trace.ID{*e.ParentEventID}, ids...)
	}
	var found []trace.Event
	for i, id := range ids {
		cause, ok := l.Get(id)
		if ok && see(cause) && !slices.Contains(ids[:i], id) {
			found = append(found, cause)
		}
	}
	return found
}

// everything lets every event pass.
func everything(trace.Event) bool { return true }
