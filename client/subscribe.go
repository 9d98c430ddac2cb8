package client

import (
	"cmp"
	"context"
	"fmt"
	"unicode/utf8"
)

// Subscription says what to watch. The zero value is the connection's default subscription, to an area
// that holds nothing but the origin.
type Subscription struct {
	Name     string // one client may have many subscriptions, with different names; UTF-8
	Area     Area
	Encoding Encoding // default: that of the client's options

	// Batch has the server send what is due of all subscriptions with Batch in one frame: right for
	// somebody who watches many areas.
	Batch bool
}

// Subscribe returns a live copy of an area, once it is filled. From then on the copy follows the
// world by itself, through lost connections too, until it is unsubscribed or the client ends.
//
// Subscribe waits while there is no connection. What the server refuses is an [*Error]. A name that is
// subscribed to already is refused: see [View.Declare].
func (c *Client) Subscribe(ctx context.Context, s Subscription) (*View, error) {
	s.Encoding = cmp.Or(s.Encoding, c.o.Encoding)
	if err := cmp.Or(s.Encoding.check(), s.Area.check()); err != nil {
		return nil, err
	}
	if !utf8.ValidString(s.Name) { // JSON would make another one of it, and what comes would be of nobody
		return nil, fmt.Errorf("client: the name of a subscription must be UTF-8, got %q", s.Name)
	}
	v, err := c.enlist(s)
	if err != nil {
		return nil, err
	}
	select {
	case <-v.ready:
	case <-ctx.Done():
		if c.quit(v, ctx.Err()) {
			return nil, fmt.Errorf("subscribe %q: %w", s.Name, ctx.Err())
		}
	}
	if err := v.Err(); err != nil {
		return nil, fmt.Errorf("subscribe %q: %w", s.Name, err)
	}
	return v, nil
}

// enlist adds a view, and asks for it if there is a connection.
func (c *Client) enlist(s Subscription) (*View, error) {
	c.viewsMu.Lock()
	defer c.viewsMu.Unlock()
	l, err := c.current()
	if err != nil {
		return nil, err
	}
	if c.views[s.Name] != nil {
		return nil, fmt.Errorf("client: subscribe %q: there is a subscription of that name; Declare moves it", s.Name)
	}
	v := &View{
		client: c, name: s.Name, encoding: s.Encoding, batch: s.Batch, accepted: s.Area,
		ready: make(chan struct{}), done: make(chan struct{}), watchers: map[*watcher]struct{}{},
	}
	c.views[s.Name] = v
	if l != nil {
		v.ask(l)
	}
	return v, nil
}

// quit ends a view that is not filled yet. It reports false if it is too late for that.
func (c *Client) quit(v *View, why error) bool {
	c.viewsMu.Lock()
	defer c.viewsMu.Unlock()
	if v.isReady() {
		return false
	}
	c.leave(v, why, func() {})
	return true
}

// leave ends a view and tells the server. then is called when the server has answered, or cannot any
// more; perhaps at once. The caller holds viewsMu.
func (c *Client) leave(v *View, why error, then func()) {
	delete(c.views, v.name)
	v.end(why)
	left := func() {
		// Until here, what came under the name was of this view.
		if c.leaving[v.name]--; c.leaving[v.name] <= 0 {
			delete(c.leaving, v.name)
		}
		c.copy.Forget(v.name)
		then()
	}
	c.leaving[v.name]++
	l, _ := c.current()
	if l == nil || v.asked != l || !l.request("state/unsubscribe", named{v.name}, func(answer) {
		c.viewsMu.Lock()
		defer c.viewsMu.Unlock()
		left()
	}) {
		left()
	}
}

type named struct {
	Subscription string `json:"subscription,omitempty"`
}

// Unsubscribe ends the view. It can still be read, but nothing more comes. It returns when the server
// has heard of it; an error says only that ctx ended before.
func (v *View) Unsubscribe(ctx context.Context) error {
	c := v.client
	told := make(chan struct{})
	c.viewsMu.Lock()
	if v.err == nil {
		c.leave(v, ErrUnsubscribed, func() { close(told) })
	} else {
		close(told)
	}
	c.viewsMu.Unlock()
	select {
	case <-told:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("unsubscribe %q: %w", v.name, ctx.Err())
	}
}
