package trace

import "encoding/json"

// Event is one entry of the log, as readers get it. It shares no memory with the log.
type Event struct {
	ID            ID              `json:"id"`
	Type          string          `json:"type"` // such as "skill.executed"
	ActorID       string          `json:"actorId"`
	ThreadID      string          `json:"threadId"`                // the session
	ParentEventID *ID             `json:"parentEventId,omitempty"` // the event that this one is a part of
	CausedBy      []ID            `json:"causedBy"`                // never nil
	Timestamp     int64           `json:"timestamp"`               // Unix milliseconds
	Tick          uint64          `json:"tick"`                    // the world's newest commit when it happened
	Payload       json.RawMessage `json:"payload"`                 // an object
	Integrity     *Integrity      `json:"integrity,omitempty"`
}

// Integrity is an event's place in the chain: the hash of the event before it and its own, both sha256 in lower-case hex.
// Before the first event come 64 zeros.
type Integrity struct {
	Prev string `json:"prev"`
	Hash string `json:"hash"`
}
