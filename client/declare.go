package client

import (
	"context"
	"fmt"
)

// Declare moves the view to another area. What of the new area is not in the copy comes soon after
// Declare has returned; what is outside it goes in the same moment.
//
// Declare waits while there is no connection, and starts again if the connection is lost. If the view ends before the server has
// answered, the error is why it did, see [View.Err]. An error
// leaves the view where it was, unless it is that of ctx: then it may have moved.
func (v *View) Declare(ctx context.Context, a Area) error {
	if err := a.check(); err != nil {
		return err
	}
	for {
		l, err := v.client.acquire(ctx, v.done)
		if err != nil {
			return fmt.Errorf("declare %q: %w", v.name, err)
		}
		if l == nil {
			return fmt.Errorf("declare %q: %w", v.name, v.Err())
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
		case <-v.done:
			return fmt.Errorf("declare %q: %w", v.name, v.Err())
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
	asked := l.request("aoi/declare", params, func(got answer) {
		v.client.viewsMu.Lock()
		v.declaring--
		if got.refused == nil && got.lost == nil {
			v.accepted = a
		}
		v.client.viewsMu.Unlock()
		then(got)
	})
	if asked {
		v.declaring++
	}
	return asked
}
