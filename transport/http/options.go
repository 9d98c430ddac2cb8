package httpmcp

import (
	"time"

	"github.com/rs/zerolog"
)

// Options configure an [Endpoint]. The zero value is useful.
type Options struct {
	Limit       int           // of a body, in bytes; default 10 MiB
	Rate        int           // calls a second outside of sessions, of one token, or without one of one connection; default 250,000, negative: without bound
	MaxSessions int           // open at once; default 10,000
	Idle        time.Duration // after which a session that nobody uses is ended; default 30 min
	KeepAlive   time.Duration // between comments on a stream on which nothing happens; default 20 s
	Patience    time.Duration // with a client that does not read what it is sent; default 10 s
	History     int           // bytes of events that a stream keeps, or that wait on it; one of any size fits besides. Default 256 KiB

	// What all peers together may have the endpoint hold, in bytes. Where it is more, those that have had it hold something for
	// longest are let go, of those of the token for which it holds most; what is short, up to 64 KiB, does not count.
	MaxArriving int // of bodies that have come in part, or whose message is not served yet, which is not let go; default 256 MiB
	MaxUnsent   int // of answers that are being sent; default 256 MiB
	MaxKept     int // of streams that are over, and that sessions keep for clients that come back; default 64 MiB

	// Hold is how long a session's client is held on the stream of one request. Then the stream is
	// broken off, and the client, if it is of 2025-11-25, comes back for the rest. 0 is for ever.
	Hold time.Duration
	// Retry is what a client is told to wait before it comes back; default 500 ms.
	Retry  time.Duration
	Logger zerolog.Logger
}

func (o Options) withDefaults() Options {
	if o.Limit <= 0 {
		o.Limit = 10 << 20
	}
	if o.Rate == 0 {
		o.Rate = 250_000
	}
	o.Rate = max(o.Rate, 0)
	if o.MaxSessions <= 0 {
		o.MaxSessions = 10_000
	}
	if o.Idle <= 0 {
		o.Idle = 30 * time.Minute
	}
	if o.KeepAlive <= 0 {
		o.KeepAlive = 20 * time.Second
	}
	if o.Patience <= 0 {
		o.Patience = 10 * time.Second
	}
	if o.History <= 0 {
		o.History = 256 << 10
	}
	if o.MaxArriving <= 0 {
		o.MaxArriving = 256 << 20
	}
	if o.MaxUnsent <= 0 {
		o.MaxUnsent = 256 << 20
	}
	if o.MaxKept <= 0 {
		o.MaxKept = 64 << 20
	}
	if o.Retry <= 0 {
		o.Retry = 500 * time.Millisecond
	}
	return o
}
