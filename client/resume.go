package client

import "github.com/gorilla/websocket"

// ask subscribes on a connection: to what has changed since, if the copy is good for that. The caller
// holds viewsMu.
func (v *View) ask(l *link) {
	area, since := v.resumable()
	params := struct {
		named
		AOI      *sphere  `json:"aoi,omitempty"`
		Since    *uint64  `json:"since,omitempty"`
		Epoch    string   `json:"epoch,omitempty"`
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
	if since != nil {
		params.Epoch = v.copy.Epoch
	}
	v.asked, v.askedArea, v.fresh = l, area, true
	if since == nil { // the copy is of no use any more, even if the snapshot never comes
		v.moved, v.whole = false, false
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
		switch {
		case v.err != nil || v.asked != l:
		case v.declaring > 0: // what is done now would undo that
			v.later(again)
		default:
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
		c.copy.Forget(v.name) // what comes under the name is no longer of this view
		v.end(a.refused)
	case v.copy == nil:
		v.asked.end(violation("state/subscribe was answered before there was a snapshot"), closeFrame(websocket.CloseProtocolError, "no snapshot"))
	case !v.isReady():
		close(v.ready)
	}
}
