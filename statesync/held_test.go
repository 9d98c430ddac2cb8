package statesync_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/world"
)

// row makes n entities at x = from, from+1 and so on.
func row(t *testing.T, w *world.World, from, n int) {
	t.Helper()
	update(t, w, func(tx *world.Tx) error {
		for i := range n {
			if _, err := tx.Create(world.Spec{Position: world.Vec3{float64(from + i), 0, 0}}); err != nil {
				return err
			}
		}
		return nil
	})
}

func refused(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestHeldOfAConnection subscribes and declares until the connection may see no more: what would be too much is refused and
// changes nothing, and what is given up makes room.
func TestHeldOfAConnection(t *testing.T) {
	w := world.New(world.Config{})
	hub := statesync.New(w, statesync.Config{MaxHeld: 250})
	row(t, w, 0, 100)
	feed := hub.Connect(nil)
	over := 0
	feed.OnOver(func() { over++; go feed.Close() })
	const full = "one connection may see 250 entities"
	a := subscribe(t, feed, statesync.Options{Name: "a", Area: statesync.Whole()})
	b := subscribe(t, feed, statesync.Options{Name: "b", Area: statesync.Whole()})
	_, _, err := feed.Subscribe(nil, statesync.Options{Name: "c", Area: statesync.Whole()})
	refused(t, err, full)
	c := subscribe(t, feed, statesync.Options{Name: "c", Area: statesync.Within(world.Vec3{}, 29.5)})
	_, err = c.Declare(nil, statesync.Within(world.Vec3{}, 60.5))
	refused(t, err, full)
	_, _, err = feed.Subscribe(nil, statesync.Options{Name: "c", Area: statesync.Within(world.Vec3{}, 60.5)})
	refused(t, err, full)
	if got := c.Area(); feed.View("c") != c || got.Radius != 29.5 {
		t.Errorf("what was refused has changed the subscription: %v", got)
	}
	if _, err := b.Declare(nil, statesync.Within(world.Vec3{}, 0.5)); err != nil {
		t.Error(err)
	}
	if _, err := c.Declare(nil, statesync.Within(world.Vec3{}, 60.5)); err != nil {
		t.Errorf("there is room again: %v", err)
	}
	if err := hub.Check(); err != nil || over != 0 {
		t.Errorf("%v; %d times over", err, over)
	}
	_ = a
}

// TestWorldGrowsIntoViews has a small world be seen by many views, and then grow: the connection that comes to hold too much is told
// to end, once, and others are not.
func TestWorldGrowsIntoViews(t *testing.T) {
	for name, config := range map[string]statesync.Config{"of one": {MaxHeld: 250}, "of all": {MaxAll: 300}} {
		t.Run(name, func(t *testing.T) {
			w := world.New(world.Config{})
			hub := statesync.New(w, config)
			row(t, w, 0, 10)
			many, one := hub.Connect(nil), hub.Connect(nil)
			over, others := 0, 0
			many.OnOver(func() { over++ })
			one.OnOver(func() { others++ })
			for _, n := range []string{"a", "b", "c"} {
				subscribe(t, many, statesync.Options{Name: n, Area: statesync.Whole()})
			}
			subscribe(t, one, statesync.Options{Area: statesync.Whole()})
			row(t, w, 10, 50)
			if over != 0 || others != 0 {
				t.Fatalf("at 60 entities they are over %d and %d times", over, others)
			}
			row(t, w, 60, 40)
			row(t, w, 100, 1)
			if over != 1 || others != 0 {
				t.Errorf("they are over %d and %d times, want 1 and 0", over, others)
			}
			many.Close()
			row(t, w, 101, 1)
			if err := hub.Check(); err != nil || over != 1 || others != 0 {
				t.Errorf("%v; over %d and %d times", err, over, others)
			}
			if config.MaxAll > 0 {
				feed := hub.Connect(nil)
				subscribe(t, feed, statesync.Options{Name: "a", Area: statesync.Whole()})
				_, _, err := feed.Subscribe(nil, statesync.Options{Name: "b", Area: statesync.Whole()})
				refused(t, err, "the subscriptions of everybody may see 300 entities together, this would be 306")
			}
		})
	}
}

func TestWhoIsToBeAskedIsThere(t *testing.T) {
	feed := statesync.New(world.New(world.Config{}), statesync.Config{}).Connect(nil)
	for want, set := range map[string]func(){
		"statesync: OnLarge: the function is nil": func() { feed.OnLarge(nil) },
		"statesync: OnOver: the function is nil":  func() { feed.OnOver(nil) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panicked with %v, want %s", got, want)
				}
			}()
			set()
		}()
	}
}

// TestReplacedAmongOthers has a connection replace its subscription by one that is as large, while another asks for the same room all the time:
// the room is never free for that one, and a subscription is not lost because of a new one that found none.
func TestReplacedAmongOthers(t *testing.T) {
	const n = 600 // more than are let go of at a time
	w := world.New(world.Config{})
	hub := statesync.New(w, statesync.Config{MaxAll: n + n/2})
	row(t, w, 0, n)
	feed := hub.Connect(nil)
	whole := statesync.Options{Area: statesync.Whole(), Encoding: statesync.Binary}
	subscribe(t, feed, whole)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		other := hub.Connect(nil)
		defer other.Close()
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, _, err := other.Subscribe(nil, whole); err == nil {
				t.Error("another connection got the room of what was being replaced")
				return
			}
		}
	}()
	for range 500 {
		_, v, err := feed.Subscribe(nil, whole)
		if err != nil || feed.View("") != v {
			t.Errorf("replaced by one that is as large: %v; now there is %v", err, feed.View(""))
			break
		}
	}
	close(stop)
	<-stopped
	if err := hub.Check(); err != nil {
		t.Error(err)
	}
}

// TestMovedAfterManyHaveLeft has most of what two views hold destroyed. What a new one in the place of one of them may hold, or the same one elsewhere, is
// worked out from what they hold now: 30 each, and 230 would be 260.
func TestMovedAfterManyHaveLeft(t *testing.T) {
	for name, try := range map[string]func(*statesync.Feed, *statesync.View) error{
		"a new one": func(feed *statesync.Feed, v *statesync.View) error {
			_, _, err := feed.Subscribe(nil, statesync.Options{Name: v.Name(), Area: statesync.Whole()})
			return err
		},
		"the same": func(_ *statesync.Feed, v *statesync.View) error {
			_, err := v.Declare(nil, statesync.Whole())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := world.New(world.Config{})
			hub := statesync.New(w, statesync.Config{MaxHeld: 250})
			row(t, w, 0, 200)
			feed := hub.Connect(nil)
			near := statesync.Within(world.Vec3{}, 99.5)
			subscribe(t, feed, statesync.Options{Name: "a", Area: near})
			v := subscribe(t, feed, statesync.Options{Name: "b", Area: near})
			update(t, w, func(tx *world.Tx) error {
				for id := range world.ID(70) {
					tx.Destroy(id + 1)
				}
				return nil
			})
			row(t, w, 200, 100)
			refused(t, try(feed, v), "one connection may see 250 entities in all its subscriptions together, this would be 260")
			if feed.View("b") != v || v.Area() != near {
				t.Errorf("what was refused has changed the subscription: %v", v.Area())
			}
		})
	}
}

// TestViewsOfAnOwner: however little they see, there are only so many views, of which an owner has as many as are left for others.
func TestViewsOfAnOwner(t *testing.T) {
	hub := statesync.New(world.New(world.Config{}), statesync.Config{AllViews: 10})
	connect := func(owner string) *statesync.Feed {
		f := hub.Connect(nil)
		f.For(owner)
		return f
	}
	first, second, ada, single := connect("fleet-*"), connect("fleet-*"), connect("ada"), connect("")
	for i := range 5 {
		subscribe(t, []*statesync.Feed{first, second}[i%2], statesync.Options{Name: string(rune('a' + i))})
	}
	full := func(f *statesync.Feed, want string) {
		t.Helper()
		_, _, err := f.Subscribe(nil, statesync.Options{Name: "x"})
		refused(t, err, want)
	}
	full(second, "you have 5 subscriptions over all your connections, and may have as many as are left for others")
	subscribe(t, first, statesync.Options{Name: "a"}) // in the place of another
	for _, name := range []string{"a", "b"} {
		subscribe(t, ada, statesync.Options{Name: name})
	}
	full(ada, "you have 2 subscriptions")
	for _, name := range []string{"a", "b", "c"} {
		subscribe(t, single, statesync.Options{Name: name})
	}
	full(single, "everybody together may have 10 subscriptions")
	single.Unsubscribe("c")
	first.Close()
	if err := hub.Check(); err != nil {
		t.Error(err)
	}
	subscribe(t, ada, statesync.Options{Name: "c"})
	ada.For("fleet-*")
	full(ada, "you have 5 subscriptions")
	if err := hub.Check(); err != nil {
		t.Error(err)
	}
}

// TestHeldOfAnOwner: whoever has many connections may see as much over all of them as is left for others, and of what the world grows into it is one of his that ends.
func TestHeldOfAnOwner(t *testing.T) {
	w := world.New(world.Config{})
	hub := statesync.New(w, statesync.Config{MaxAll: 1000})
	row(t, w, 0, 100)
	overs := map[string]int{}
	connect := func(owner string) *statesync.Feed {
		f := hub.Connect(nil)
		f.OnOver(func() { overs[owner]++; go f.Close() })
		f.For(owner)
		return f
	}
	var fleet []*statesync.Feed
	for range 5 {
		fleet = append(fleet, connect("fleet-*"))
		subscribe(t, fleet[len(fleet)-1], statesync.Options{Area: statesync.Whole()})
	}
	more := connect("fleet-*")
	_, _, err := more.Subscribe(nil, statesync.Options{Area: statesync.Whole()})
	refused(t, err, "your subscriptions over all your connections may see 500 entities together, as many as are left for others, this would be 600")
	subscribe(t, fleet[0], statesync.Options{Area: statesync.Within(world.Vec3{}, 59.5)}) // less than what it replaces
	subscribe(t, more, statesync.Options{Area: statesync.Within(world.Vec3{}, 39.5)})
	ada, single := connect("ada"), connect("")
	for _, name := range []string{"a", "b"} {
		subscribe(t, ada, statesync.Options{Name: name, Area: statesync.Whole()})
	}
	_, _, err = ada.Subscribe(nil, statesync.Options{Name: "c", Area: statesync.Within(world.Vec3{}, 59.5)})
	refused(t, err, "may see 250 entities together, as many as are left for others, this would be 260")
	subscribe(t, single, statesync.Options{Area: statesync.Whole()})
	if err := hub.Check(); err != nil {
		t.Error(err)
	}

	// Somebody else has the connection by now.
	_, _, err = more.Subscribe(nil, statesync.Options{Area: statesync.Within(world.Vec3{}, 49.5)})
	refused(t, err, "this would be 510")
	fleet[1].For("bob")
	_, _, err = more.Subscribe(nil, statesync.Options{Area: statesync.Within(world.Vec3{}, 49.5)})
	refused(t, err, "this would be 410")
	if err := hub.Check(); err != nil {
		t.Error(err)
	}
	fleet[1].For("fleet-*")

	// ada has the largest connection, but the fleet sees more.
	row(t, w, 100, 30)
	row(t, w, 130, 1)
	if overs["fleet-*"] != 1 || overs["ada"] != 0 || overs[""] != 0 {
		t.Errorf("who has to end a connection: %v, want one of the fleet", overs)
	}
	for _, f := range append(fleet, more, ada, single) {
		f.Close()
		f.Close()
		f.For("fleet-*")
	}
	if err := hub.Check(); err != nil || hub.Owners() != 0 {
		t.Errorf("%v; %d owners are known when all connections have ended", err, hub.Owners())
	}
}
