package statesync

import (
	"cmp"
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// What a view holds of an entity is some 70 bytes. So the entities in all views are counted, of each connection and of all: a
// subscription or an area that would be too much is refused. Who has many connections counts once, see [Feed.For]: of what there may be in all he has as much as is
// left for all others. Where the world grows into views, or things move into them, nobody can
// be refused; the connection has to end then.
//
// They are not counted one by one, as they enter and leave: that would be a tenth of the work of a small delta. Each view is counted
// when its area has been read, and all are when many have entered since.

// holder is for whom feeds count, see [Feed.For].
type holder struct {
	name  string
	feeds int
	views int // of all of them
	held  int // as Feed.held, likewise
}

// For has what the connection sees count for an owner, with all other connections that do: together they may have as many views, and see as many entities, as are left for
// everybody else, and where there are too many it is of who sees the most that a connection has to end. "", which holds before the first call, is for the
// connection by itself. It may be called again, when somebody else has it by now, and does nothing once the feed is closed.
func (f *Feed) For(owner string) {
	h := f.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if f.closed || f.by != nil && f.by.name == owner {
		return
	}
	f.unown()
	if owner == "" {
		return
	}
	f.by = h.holders[owner]
	if f.by == nil {
		f.by = &holder{name: owner}
		if h.holders == nil {
			h.holders = map[string]*holder{}
		}
		h.holders[owner] = f.by
	}
	f.by.feeds++
	f.by.views += len(f.views)
	f.by.held += f.held
}

// unown has the feed count for itself. The hub is locked.
func (f *Feed) unown() {
	if f.by == nil {
		return
	}
	f.by.views -= len(f.views)
	f.by.held -= f.held
	if f.by.feeds--; f.by.feeds == 0 {
		delete(f.hub.holders, f.by.name)
	}
	f.by = nil
}

// ofAll is how many entities the views hold of all feeds of the owner, or, where it counts for itself, of this one.
func (f *Feed) ofAll() int {
	if f.by == nil {
		return f.held
	}
	return f.by.held
}

// OnOver sets what is done when the views of the connection have come to hold too much without its doing, or those of all
// connections, and this one holds the most of who holds the most. over is called once, in the middle of a commit, so that it must not block or call the hub.
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
	if by := v.feed.by; by != nil {
		by.held += more
	}
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

// another refuses one view more, if there would be too many. The hub is locked.
func (f *Feed) another() error {
	most, all := f.hub.config.AllViews, len(f.hub.views)
	switch {
	case f.by != nil && f.by.views+1 > most-all-1:
		return &world.Error{Code: "capacity_exceeded", Message: fmt.Sprintf("you have %d subscriptions over all your connections, and may have as many as are left for others: unsubscribe from some first", f.by.views)}
	case all >= most:
		return &world.Error{Code: "capacity_exceeded", Message: fmt.Sprintf("everybody together may have %d subscriptions: try again later", most)}
	}
	return nil
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
	if f.held+more() > c.MaxHeld || f.by != nil && f.by.held+more() > c.MaxAll-h.held-more() || h.held+more() > c.MaxAll {
		h.recount() // many may have left since
	}
	switch n := more(); {
	case f.held+n > c.MaxHeld:
		return &world.Error{Code: "capacity_exceeded", Message: fmt.Sprintf("one connection may see %d entities in all its subscriptions together, this would be %d: take smaller areas, or unsubscribe from some first", c.MaxHeld, f.held+n)}
	case n > 0 && f.by != nil && f.by.held+n > c.MaxAll-h.held-n:
		return &world.Error{Code: "capacity_exceeded", Message: fmt.Sprintf("your subscriptions over all your connections may see %d entities together, as many as are left for others, this would be %d: take a smaller area, or unsubscribe on another connection first", max(c.MaxAll-h.held+f.by.held, 0)/2, f.by.held+n)}
	case h.held+n > c.MaxAll:
		return &world.Error{Code: "capacity_exceeded", Message: fmt.Sprintf("the subscriptions of everybody may see %d entities together, this would be %d: take a smaller area, or try again later", c.MaxAll, h.held+n)}
	}
	return nil
}

// overfull returns the feeds that are to be told that they hold too much, if so many entities have entered views since they
// were counted last that it is worth a look. Of all that hold too much together it is the one that holds the most of the owner who does, and another one once that
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
		if most == nil || cmp.Or(cmp.Compare(v.feed.ofAll(), most.ofAll()), cmp.Compare(v.feed.held, most.held)) > 0 {
			most = v.feed
		}
	}
	if h.held > h.config.MaxAll && h.overs == 0 && most != nil {
		exceed(most)
	}
	return over
}
