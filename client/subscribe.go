package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/statesync/replica"
)

// Subscription says what to watch. The zero value is the connection's default subscription, to an area
// that holds nothing but the origin.
type Subscription struct {
	Name     string // one client may have many subscriptions, with different names
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

// Declare moves the view to another area. What of the new area is not in the copy comes soon after
// Declare has returned; what is outside it goes in the same moment.
//
// Declare waits while there is no connection, and starts again if the connection is lost. An error
// leaves the view where it was, unless it is that of ctx: then it may have moved.
func (v *View) Declare(ctx context.Context, a Area) error {
	if err := a.check(); err != nil {
		return err
	}
	for {
		l, err := v.client.acquire(ctx)
		if err != nil {
			return fmt.Errorf("declare %q: %w", v.name, err)
		}
		done := make(chan answer, 1)
		asked, err := v.declare(l, a, func(a answer) { done <- a })
		if err != nil {
			return fmt.Errorf("declare %q: %w", v.name, err)
		}
		if !asked {
			done = nil
		}
		var got answer
		select {
		case got = <-done:
		case <-l.gone:
			continue
		case <-ctx.Done():
			return fmt.Errorf("declare %q: %w", v.name, ctx.Err())
		}
		switch {
		case got.refused != nil:
			return fmt.Errorf("declare %q: %w", v.name, got.refused)
		case got.lost == nil:
			return nil
		}
	}
}

// declare sends an area to the server. It reports whether it could.
func (v *View) declare(l *link, a Area, then func(answer)) (bool, error) {
	c := v.client
	c.viewsMu.Lock()
	defer c.viewsMu.Unlock()
	if v.err != nil {
		return false, v.err
	}
	return v.asked == l && v.send(l, a, then), nil
}

// send sends an area to the server. The caller holds viewsMu.
func (v *View) send(l *link, a Area, then func(answer)) bool {
	params := struct {
		named
		sphere
	}{named{v.name}, a.sphere()}
	v.moved = true
	return l.request("aoi/declare", params, func(got answer) {
		if got.refused == nil && got.lost == nil {
			v.client.viewsMu.Lock()
			v.accepted = a
			v.client.viewsMu.Unlock()
		}
		then(got)
	})
}

// ask subscribes on a connection: to what has changed since, if the copy is good for that. The caller
// holds viewsMu.
func (v *View) ask(l *link) {
	area, since := v.resumable()
	params := struct {
		named
		AOI      *sphere  `json:"aoi,omitempty"`
		Since    *uint64  `json:"since,omitempty"`
		Encoding Encoding `json:"encoding,omitempty"`
		Batch    bool     `json:"batch,omitempty"`
	}{named: named{v.name}, Since: since, Batch: v.batch}
	if !area.Whole {
		s := area.sphere()
		params.AOI = &s
	}
	if v.encoding != JSON {
		params.Encoding = v.encoding
	}
	v.asked, v.askedArea = l, area
	if since == nil {
		v.moved = false
	}
	l.request("state/subscribe", params, v.answered)
	if area != v.accepted {
		v.move(l)
	}
}

// move declares the area that the view should have had when the connection was lost. The caller holds
// viewsMu.
func (v *View) move(l *link) {
	v.send(l, v.accepted, func(a answer) {
		if a.refused != nil && a.refused.Code == CodeCapacity {
			v.later(v.move)
		}
	})
}

// later does something again in a while, on the connection that there is now: the server had no room
// for it, because many views come back at once.
func (v *View) later(again func(*link)) {
	c := v.client
	l, _ := c.current()
	if l == nil {
		return
	}
	l.later(func() {
		c.viewsMu.Lock()
		defer c.viewsMu.Unlock()
		if v.err == nil && v.asked == l {
			again(l)
		}
	})
}

// resumable returns the area to subscribe to, and the tick that the copy has arrived at if it can be
// resumed. The server works out from the area what the copy holds, so it must be the one that the copy
// is of, which may not be the one that was declared last.
func (v *View) resumable() (Area, *uint64) {
	if v.copy == nil || !v.whole {
		return v.accepted, nil
	}
	tick := v.copy.Tick
	if v.told {
		return areaOf(v.copy.Area), &tick
	}
	if v.moved {
		return v.accepted, nil
	}
	return v.accepted, &tick
}

// answered takes the answer to state/subscribe.
func (v *View) answered(a answer) {
	c := v.client
	c.viewsMu.Lock()
	defer c.viewsMu.Unlock()
	switch {
	case v.err != nil, a.lost != nil:
	case a.refused != nil && a.refused.Code == CodeCapacity && v.isReady():
		v.later(v.ask)
	case a.refused != nil:
		delete(c.views, v.name)
		v.end(a.refused)
	case v.copy == nil:
		v.asked.end(violation("state/subscribe was answered before there was a snapshot"), closeFrame(websocket.CloseProtocolError, "no snapshot"))
	case !v.isReady():
		close(v.ready)
	}
}

// applyText applies a snapshot or delta in JSON.
func (c *Client) applyText(method string, params json.RawMessage) error {
	c.viewsMu.Lock()
	defer c.viewsMu.Unlock()
	u, err := c.copy.Notify(method, params)
	if err != nil {
		return c.spoiled(err)
	}
	return c.applied(&u)
}

// applyBinary applies a binary frame.
func (c *Client) applyBinary(content []byte) error {
	c.viewsMu.Lock()
	defer c.viewsMu.Unlock()
	updates, err := c.copy.Binary(content)
	if err != nil {
		return c.spoiled(err)
	}
	for i := range updates {
		if err := c.applied(&updates[i]); err != nil {
			return err
		}
	}
	return nil
}

// spoiled starts a new copy, after what came was good for nothing: views keep what they have to show, and
// are subscribed anew. The caller holds viewsMu.
func (c *Client) spoiled(err error) error {
	c.copy = &replica.Copy{}
	for _, v := range c.views {
		v.whole = false
	}
	return violation("%w", err)
}

// applied lets a view know what has changed in it. The caller holds viewsMu.
func (c *Client) applied(u *replica.Update) error {
	if c.leaving[u.View.Name] > 0 {
		return nil // of a view that has ended
	}
	v := c.views[u.View.Name]
	if v == nil {
		return c.spoiled(fmt.Errorf("a message of subscription %q, which there is not", u.View.Name))
	}
	return v.apply(u)
}
