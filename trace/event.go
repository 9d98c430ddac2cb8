package trace

import (
	"encoding/json"
	"time"
)

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

// Draft is an event to be appended. The log copies all of it.
type Draft struct {
	Type    string // required
	Actor   string
	Session string
	Tick    uint64
	Time    time.Time // zero: the log's clock

	// CausedBy names earlier events, from before this Append. Zero ids are left out.
	CausedBy []ID

	// Parent says which draft of the same Append this one is a part of: 1 is the first, 0 none. It must come earlier.
	Parent int

	// Payload is one JSON object, valid in itself: the log looks at its braces only. Nil is {}.
	Payload []byte
}

// Filter says which events [Log.Tail] returns. Empty strings match everything.
type Filter struct {
	After  ID   // only events after this one; 0: from the oldest
	Limit  int  // at most so many; 0: 100
	Newest bool // the newest that match instead of the oldest; they come oldest first either way

	Actor   string
	Session string
	Type    string
}

// Sink is where a log's events go to stay, such as a file.
//
// Write gets the lines of one [Log.Append], each ended by a line feed, and the id of the last event among them. It is called before
// anyone sees these events, by one goroutine at a time and in their order. If it fails, the Append fails and
// leaves no mark; what the sink has half written is the sink's to undo. It must not keep lines and must not use the log.
type Sink interface {
	Write(lines []byte, last ID) error
}

// Options configures a [Log]. The zero value is ready to use.
type Options struct {
	MaxEvents int              // how many events are kept; 0: 8,192
	MaxBytes  int              // how many bytes of lines are kept; 0: 4 MiB. An event that is larger cannot be appended
	Clock     func() time.Time // nil: time.Now
	Sink      Sink             // nil: none
}
