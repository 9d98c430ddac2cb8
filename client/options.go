package client

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	mrand "math/rand/v2"
	"net"
	"net/url"
	"strings"
	"time"
)

// Encoding is a format of snapshots and deltas. All three say the same; positions and rotations are
// rounded in the compact ones.
type Encoding string

// The encodings.
const (
	JSON   Encoding = "json"   // the default
	Packed Encoding = "packed" // JSON with flat arrays of integers
	Binary Encoding = "binary" // the fewest bytes
)

// Options say where the server is, and who the client is there. URL, AgentID and Profile are required.
type Options struct {
	URL string // ws://host:port, wss://host:port, or unix:/path/of/the/socket

	AgentID   string
	SessionID string // default: one that nobody else has
	Profile   string
	Token     string // sent as Authorization: Bearer

	TLS      *tls.Config // for wss; nil is Go's default
	Encoding Encoding    // of subscriptions that name none; default JSON
	Backoff  Backoff

	MaxMessage int64 // longest message that is taken, in bytes; default 64 MiB
	MaxCalls   int   // how many calls are under way at once, the others wait; default 256

	// OnState, if set, is told how the connection is: nil when it is up again, else why it is not, once
	// for its loss and once for every attempt that failed. A goroutine of its own calls it, so it may
	// use the client, but neither call Close nor wait for Done. Of what happens while it runs it is told
	// the newest only.
	OnState func(error)

	// NetDial, if set, opens the stream that everything goes through, in place of net.Dialer: for tests,
	// and for tunnels.
	NetDial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Backoff says when to try again after a connection was lost, or could not be made again. The zero value
// is right for people and for the server.
type Backoff struct {
	Min    time.Duration // before the first attempt; default 100 ms, or Max if that is less. It doubles with each that follows,
	Max    time.Duration // up to this; default 10 s, or Min if that is more
	GiveUp time.Duration // after that long without a connection that lasts for Max the client ends; default 5 min, below 0 never

	// Jitter returns a number from 0 up to 1. One that is near 0 halves the pause, so that clients that
	// lost their server together do not all come back together. Default: math/rand/v2.
	Jitter func() float64
}

// Times that nobody has had to change.
const (
	connectTimeout = 10 * time.Second // for one attempt, from dialling to the session
	writeTimeout   = 10 * time.Second // how long the server may read nothing
	pingEvery      = 20 * time.Second
	readTimeout    = 50 * time.Second // how long the server may say nothing, not even to pings
	linger         = time.Second      // for the goodbye
	retryAfter     = time.Second      // what the server had no room for
)

// withDefaults returns the options with what was left out, or says what is wrong with them.
func (o Options) withDefaults() (Options, *url.URL, error) {
	at, err := address(o.URL)
	if err != nil {
		return o, nil, err
	}
	switch {
	case o.AgentID == "":
		return o, nil, errors.New("client: AgentID is missing: it says who acts")
	case o.Profile == "":
		return o, nil, errors.New(`client: Profile is missing: it says what may be done, as "builder.readWrite" does`)
	}
	if err := o.Encoding.check(); err != nil {
		return o, nil, err
	}
	if o.SessionID == "" {
		o.SessionID = "go_" + rand.Text()
	}
	if o.Encoding == "" {
		o.Encoding = JSON
	}
	if o.MaxMessage <= 0 {
		o.MaxMessage = 64 << 20
	}
	if o.MaxCalls <= 0 {
		o.MaxCalls = 256
	}
	if o.NetDial == nil {
		o.NetDial = new(net.Dialer).DialContext
	}
	o.Backoff = o.Backoff.withDefaults()
	return o, at, nil
}

func (b Backoff) withDefaults() Backoff {
	if b.Max <= 0 {
		b.Max = max(b.Min, 10*time.Second)
	}
	if b.Min <= 0 {
		b.Min = min(100*time.Millisecond, b.Max)
	}
	b.Max = max(b.Max, b.Min)
	if b.GiveUp == 0 {
		b.GiveUp = 5 * time.Minute
	}
	if b.Jitter == nil {
		b.Jitter = mrand.Float64
	}
	return b
}

func (e Encoding) check() error {
	switch e {
	case "", JSON, Packed, Binary:
		return nil
	}
	return fmt.Errorf(`client: encoding must be one of "json", "packed", "binary", got %q`, string(e))
}

// address reads Options.URL. That of a socket in the file system has the scheme unix, and its path.
func address(text string) (*url.URL, error) {
	if path, ok := strings.CutPrefix(text, "unix:"); ok {
		path = strings.TrimPrefix(path, "//")
		if path == "" {
			return nil, errors.New("client: URL: unix: wants the path of a socket, as unix:/run/limina.sock")
		}
		return &url.URL{Scheme: "unix", Path: path}, nil
	}
	at, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("client: URL: %w", err)
	}
	if at.Scheme != "ws" && at.Scheme != "wss" || at.Host == "" {
		return nil, fmt.Errorf("client: URL must be ws://host:port, wss://host:port or unix:/path, got %q", text)
	}
	return at, nil
}
