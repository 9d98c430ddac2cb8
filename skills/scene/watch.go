package scene

import (
	"slices"
	"sync"

	"github.com/limina-mcp/limina/world"
)

// watch tells who follows an entity, or the whole world, that it has changed. It observes the world
// only while somebody does.
type watch struct {
	w *world.World

	mu    sync.Mutex // guards what follows; held by commits, so nobody waits under it
	seq   int
	byID  map[world.ID]map[int]func()
	whole map[int]func()
	stop  func() // ends the observation, nil if there is none
}

func newWatch(w *world.World) *watch {
	return &watch{w: w, byID: map[world.ID]map[int]func(){}, whole: map[int]func(){}}
}

// entity has changed called after every commit that created, moved, changed or destroyed an entity.
func (t *watch) entity(id world.ID, changed func()) (stop func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byID[id] == nil {
		t.byID[id] = map[int]func(){}
	}
	n := t.nextLocked()
	t.byID[id][n] = changed
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.byID[id], n)
		if len(t.byID[id]) == 0 {
			delete(t.byID, id)
		}
		t.restLocked()
	}
}

// world has changed called after every commit that viewers can see something of.
func (t *watch) world(changed func()) (stop func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.nextLocked()
	t.whole[n] = changed
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.whole, n)
		t.restLocked()
	}
}

// nextLocked counts one more who follows something, and observes the world if that was the first.
func (t *watch) nextLocked() int {
	if t.stop == nil {
		t.stop = t.w.Observe(t.observe)
	}
	t.seq++
	return t.seq
}

// restLocked stops observing the world if nobody follows anything.
func (t *watch) restLocked() {
	if len(t.byID) == 0 && len(t.whole) == 0 && t.stop != nil {
		t.stop()
		t.stop = nil
	}
}

// observe is told of a commit. It looks at what is followed or at what has changed, whichever is less.
func (t *watch) observe(c *world.Commit) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(c.Changes) > 0 || len(c.World) > 0 {
		tell(t.whole)
	}
	if len(c.Changes) <= len(t.byID) {
		for i := range c.Changes {
			tell(t.byID[c.Changes[i].ID])
		}
		return
	}
	for id, followers := range t.byID {
		_, found := slices.BinarySearchFunc(c.Changes, id, func(ch world.Change, id world.ID) int {
			switch {
			case ch.ID < id:
				return -1
			case ch.ID > id:
				return 1
			}
			return 0
		})
		if found {
			tell(followers)
		}
	}
}

func tell(followers map[int]func()) {
	for _, changed := range followers {
		changed()
	}
}
