package trace

import "time"

// Sink is where a log's events go to stay, such as a file.
//
// Write gets the lines of one [Log.Append], each ended by a line feed, and the id of the last event among them. It is called before
// anyone sees these events, by one goroutine at a time and in their order. If it fails, the Append fails and
// leaves no mark; what the sink has half written is the sink's to undo. It must not keep lines and must not
// use the log, nor the world, which is locked by a call that is about to commit.
type Sink interface {
	Write(lines []byte, last ID) error
}

// Options configures a [Log]. The zero value is ready to use.
type Options struct {
	MaxEvents int              // how many events are kept; 0: 8,192
	MaxBytes  int              // how many bytes of lines are kept; 0: 4 MiB. An event that is larger cannot be appended
	Aside     int              // of each actor so many of his newest events are found also when those of others have pushed them out; 0: 32, or an eighth of MaxEvents; less: none
	Clock     func() time.Time // nil: time.Now
	Sink      Sink             // nil: none
}
