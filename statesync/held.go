package statesync

import (
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// What a view holds of an entity is some 70 bytes. So the entities in all views are counted, of each connection and of all: a
// subscription or an area that would be too much is refused. Where the world grows into views, or things move into them, nobody can
// be refused; the connection has to end then.

// OnOver sets what is done when the views of the connection have come to hold too much without its doing, or those of all
// connections, and this one holds the most. over is called once, in the middle of a commit, so that it must not block or call the hub.
// It has the feed closed soon. Call it before the first Subscribe.
func (f *Feed) OnOver(over func()) { f.onOver = over }

// fits refuses n more entities than the connection holds, if they are too many. The hub is locked.
func (f *Feed) fits(n int) error {
	h := f.hub
	if f.held+n > h.config.MaxHeld {
		return &world.Error{Code: "capacity_exceeded", Message: fmt.Sprintf("one connection may see %d entities in all its subscriptions together, this would be %d: take smaller areas, or unsubscribe from some first", h.config.MaxHeld, f.held+n)}
	}
	if h.held+n > h.config.MaxAll {
		return &world.Error{Code: "capacity_exceeded", Message: fmt.Sprintf("the subscriptions of everybody may see %d entities together, this would be %d: take a smaller area, or try again later", h.config.MaxAll, h.held+n)}
	}
	return nil
}

// replaces refuses an area for a new view in place of an old one, if that would be too much.
func (f *Feed) replaces(old *View, a *Area) (err error) {
	f.hub.read(func(wv *world.View) {
		_, n := within(wv, a)
		err = f.fits(n - int(old.live))
	})
	return err
}

// holds counts entities that a view holds from now on, or no more.
func (v *View) holds(n int) {
	f := v.feed
	f.held += n
	f.hub.held += n
	if n > 0 && f.held > f.hub.config.MaxHeld {
		f.exceed()
	}
}

// keepPromise has n of the entities that are to be read not be counted as such any more.
func (v *View) keepPromise(n int) {
	if u := v.unread; u != nil {
		n = min(n, u.promised)
		u.promised -= n
		v.holds(-n)
	}
}

// exceed notes that a feed is to be closed.
func (f *Feed) exceed() {
	if f.over || f.closed {
		return
	}
	f.over = true
	f.hub.overs++
	f.hub.over = append(f.hub.over, f)
}

// overfull returns the feeds that are to be told that they hold too much. Of all that hold too much together it is the one that
// holds the most, and another one once that is closed.
func (h *Hub) overfull() []*Feed {
	if h.held > h.config.MaxAll && h.overs == 0 {
		var most *Feed
		for _, v := range h.views {
			if most == nil || v.feed.held > most.held {
				most = v.feed
			}
		}
		if most != nil {
			most.exceed()
		}
	}
	over := h.over
	h.over = nil
	return over
}
