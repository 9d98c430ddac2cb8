package mcp

import "time"

// Framer carries whole messages between one peer and [Mcp.Serve]. Transports implement it and know
// nothing of what the messages say.
//
// Serve reads on one goroutine and writes from one at a time; it may close from another one.
type Framer interface {
	// Next returns the next message, valid until the call after. io.EOF is the orderly end: calls
	// that are running are answered. An error with a method TooLong() (limit int) says that one
	// message was too long and has been skipped; any other one ends the connection.
	Next() ([]byte, error)

	// Buffered reports whether Next would return without waiting for the peer. Answers are kept
	// back while it does, so that those to the messages of one read leave in one write.
	Buffered() bool

	// Seal makes the message at dst[start:] ready to be written: a line gets its end, a frame its
	// header. What stands before start stays as it is. It may be called by any goroutine.
	Seal(dst []byte, start int) []byte

	// Write writes sealed messages, all of them or it fails.
	Write(p []byte) error

	// Close makes a waiting Next return, and Write too where it can. An error says that Next
	// cannot be woken; Serve then returns without waiting for it.
	Close() error
}

// Waiter is a Framer that finds out inside Next whether it has to wait, because what it has read of
// the peer may be a part of a message. Serve tells it what to do before, and does not ask Buffered.
type Waiter interface {
	Framer

	// OnWait is called once, before the first Next. From then on Next calls before when it is about
	// to wait for the peer, and after when it has waited; both on its own goroutine. If before
	// fails, Next does not wait, does not call after, and returns the error.
	OnWait(before func() error, after func())
}

// Prober is a Framer that can find out whether its peer is still there, which the stream alone does not tell: a peer that has lost
// its network has ended nothing.
type Prober interface {
	Framer

	// Probe has the peer asked, and the connection ended unless it answers; within is how long that takes at most. It never waits.
	Probe() (within time.Duration)
}

// Owned is a Framer that shares out what it has by whose its peers are.
type Owned interface {
	Framer

	// Own says for whom the connection counts, see [profiles.Principal.Owner], or "" as long as that is not known. It is called again when that is somebody else,
	// on the reading goroutine or before the first Next.
	Own(owner string)
}

// tooLong is the error of a message over the transport's limit.
type tooLong interface {
	error
	TooLong() (limit int)
}
