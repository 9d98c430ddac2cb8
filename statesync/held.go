package statesync

import (
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// What a view holds of an entity is some 70 bytes. So the entities in all views are counted, of each connection and of all: a
// subscription or an area that would be too much is refused. Where the world grows into views, or things move into them, nobody can
// be refused; the connection has to end then.
//
// They are not counted one by one, as they enter and leave: that would be a tenth of the work of a small delta. Each view is counted
// when its area has been read, and all are when many have entered since.

// OnOver sets what is done when the views of the connection have come to hold too much without its doing, or those of all
// connections, and this one holds the most. over is called once, in the middle of a commit, so that it must not block or call the hub.
// It has the feed closed soon. Call it before the first Subscribe.
func (f *Feed) OnOver(over func()) {
	if over == nil { // a commit would call it
		panic("statesync: OnOver: the function is nil")
	}
	f.onOver = over
}

// count says how many entities the view holds from now on.
func (v *View) count(n int) {
	more := n - int(v.counted)
	v.counted = int32(n)
	v.feed.held += more
	v.feed.hub.held += more
}

// recount counts what the view holds, and is yet to be given of its area; nothing once it is closed. The hub is locked.
func (v *View) recount() {
	switch {
	case v.closed:
		v.count(0)
	case v.unread != nil:
		v.count(int(v.live) + v.unread.promised)
	default:
		v.count(int(v.live))
	}
}

// recount counts all views. The hub is locked.
func (h *Hub) recount() {
	h.entered = 0
	for _, v := range h.views {
		v.recount()
	}
}

// fits refuses n entities in a view, in place of what it has, or in a new one in place of that, nil for none, if the connection would hold too many.
// The hub is locked.
func (f *Feed) fits(n int, v *View) error {
	h, c := f.hub, &f.hub.config
	more := func() int {
		if v == nil {
			return n
		}
		return n - int(v.counted)
	}
	if f.held+more() > c.MaxHeld || h.held+more() > c.MaxAll {
		h.recount() // many may have left since
	}
	switch n := more(); {
	case f.held+n > c.MaxHeld:
		return &world.Error{Code: "capacity_exceeded", Message: fmt.Sprintf("one connection may see %d entities in all its subscriptions together, this would be %d: take smaller areas, or unsubscribe from some first", c.MaxHeld, f.held+n)}
	case h.held+n > c.MaxAll:
		return &world.Error{Code: "capacity_exceeded", Message: fmt.Sprintf("the subscriptions of everybody may see %d entities together, this would be %d: take a smaller area, or try again later", c.MaxAll, h.held+n)}
	}
	return nil
}

// overfull returns the feeds that are to be told that they hold too much, if so many entities have entered views since they
// were counted last that it is worth a look. Of all that hold too much together it is the one that holds the most, and another one once that
// is closed.
func (h *Hub) overfull() []*Feed {
	if h.entered <= min(1<<16, h.config.MaxHeld/8, h.config.MaxAll/8) {
		return nil
	}
	h.recount()
	var over []*Feed
	exceed := func(f *Feed) {
		if !f.over && !f.closed {
			f.over = true
			h.overs++
			over = append(over, f)
		}
	}
	var most *Feed
	for _, v := range h.views {
		if v.feed.held > h.config.MaxHeld {
			exceed(v.feed)
		}
		if most == nil || v.feed.held > most.held {
			most = v.feed
		}
	}
	if h.held > h.config.MaxAll && h.overs == 0 && most != nil {
		exceed(most)
	}
	return over
}
