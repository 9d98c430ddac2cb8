package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/websocket"
)

// Session is who the server says the client is.
type Session struct {
	AgentID   string `json:"agentId"`
	SessionID string `json:"sessionId"`
	Profile   string `json:"profile"`
}

var errSlow = fmt.Errorf("the server took more than %v", connectTimeout)

// connect opens a connection and initializes the session.
func (c *Client) connect(ctx context.Context) (*link, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, connectTimeout, errSlow)
	defer cancel()
	stop := func() bool { return true }
	defer func() { stop() }()
	d := websocket.Dialer{
		TLSClientConfig: c.o.TLS,
		NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if c.at.Scheme == "unix" {
				network, address = "unix", c.at.Path
			}
			conn, err := c.o.NetDial(ctx, network, address)
			if err == nil {
				stop = context.AfterFunc(ctx, func() { _ = conn.Close() })
			}
			return conn, err
		},
	}
	l, err := c.greet(ctx, &d)
	if err == nil && !stop() {
		err = context.Cause(ctx)
	}
	if err == nil {
		return l, nil
	}
	if l != nil {
		l.hangUp(true)
	}
	if at, ok := ctx.Deadline(); ok && !time.Now().Before(at) {
		<-ctx.Done() // the stream knows the deadline too, and may have been first
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return nil, fmt.Errorf("connect to %s: %w", c.o.URL, err)
}

// greet makes the handshakes of WebSocket and session.
func (c *Client) greet(ctx context.Context, d *websocket.Dialer) (*link, error) {
	at := c.at
	if at.Scheme == "unix" {
		at = &url.URL{Scheme: "ws", Host: "localhost", Path: "/"}
	}
	header := http.Header{}
	if c.o.Token != "" {
		header.Set("Authorization", "Bearer "+c.o.Token)
	}
	ws, response, err := d.DialContext(ctx, at.String(), header)
	if errors.Is(err, websocket.ErrBadHandshake) {
		defer response.Body.Close()
		why, _ := io.ReadAll(response.Body) // gorilla keeps the first 1024 bytes of it
		err := fmt.Errorf("the server answered %s: %s", response.Status, cmp.Or(string(bytes.TrimSpace(why)), "no WebSocket here"))
		if response.StatusCode == http.StatusUnauthorized {
			err = fmt.Errorf("%w: %w", err, ErrToken)
		}
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	l := newLink(c, ws)
	return l, l.initialize()
}

type initialized struct {
	Session Session `json:"session"`
}

// initialize opens the session. Nobody else reads or writes yet.
func (l *link) initialize() error {
	o := &l.client.o
	params, err := json.Marshal(Session{o.AgentID, o.SessionID, o.Profile})
	if err != nil {
		return err
	}
	var got *answer
	l.ask("initialize", params, func(a answer) { got = &a })
	if _, _, err := l.flush(nil); err != nil {
		l.fail(err)
		l.hear(l.read())
		return l.reason()
	}
	for got == nil {
		if err := l.next(); err != nil {
			return err
		}
	}
	if got.refused != nil {
		return got.refused
	}
	var result initialized
	if err := json.Unmarshal(got.result, &result); err != nil {
		return violation("initialize was answered by %.100q: %w", got.result, err)
	}
	l.session = result.Session
	return nil
}
