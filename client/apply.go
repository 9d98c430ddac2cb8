package client

import (
	"fmt"

	"github.com/limina-mcp/limina/statesync/replica"
)

// applyText applies a message in JSON that has come on a connection. What comes after the connection was given up is
// passed over: whoever has subscribed or taken leave since then was not heard on it, so it may be of something else than
// what goes by the same name now. The next connection begins with what is missing.
func (c *Client) applyText(l *link, text []byte) error {
	c.viewsMu.Lock()
	defer c.viewsMu.Unlock()
	if l.reason() != nil {
		return nil
	}
	return c.applyAll(c.copy.Text(text))
}

// applyBinary is applyText for a binary frame.
func (c *Client) applyBinary(l *link, content []byte) error {
	c.viewsMu.Lock()
	defer c.viewsMu.Unlock()
	if l.reason() != nil {
		return nil
	}
	return c.applyAll(c.copy.Binary(content))
}

// applyAll lets views know what messages have changed in the copy. The caller holds viewsMu.
func (c *Client) applyAll(updates []replica.Update, err error) error {
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
