package solid

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/limina-mcp/limina/world"
)

// Index finds the solids of a world by where they are. It costs nothing until it is first asked, and
// then follows the commits. Its methods read through a view, see what the transaction of the view has
// done so far, and may be called by whoever holds one, concurrently as far as views are.
type Index struct {
	w  *world.World
	of func(v *world.View, id world.ID) (Solid, bool)

	active atomic.Bool

	mu     sync.RWMutex // guards what follows against others who ask; commits are alone anyway
	tree   tree
	leaves map[world.ID]int32
	stale  []world.ID // what has changed since it was last looked at
	seen   world.Cursor
	maybe  []world.ID // what has been looked at in the transaction that seen follows: if that is taken back it is stale
}

// NewIndex returns an index of a world, whose solids are those that of returns.
func NewIndex(w *world.World, of func(v *world.View, id world.ID) (Solid, bool)) *Index {
	x := &Index{w: w, of: of}
	w.OnCommit(x.note)
	return x
}

// NewLooks returns an index of what entities look like, see [Of], whether they have a body or not.
func NewLooks(w *world.World) *Index {
	return NewIndex(w, func(v *world.View, id world.ID) (Solid, bool) { return Of(w, v, id) })
}

// note remembers what a commit has changed. If nobody has asked for long it forgets everything.
func (x *Index) note(_ *world.View, changes []world.Change) {
	if !x.active.Load() {
		return
	}
	if len(x.stale) > 1024+4*len(x.leaves) {
		x.active.Store(false)
		x.tree, x.leaves, x.stale = tree{}, nil, nil
		return
	}
	for i := range changes {
		x.stale = append(x.stale, changes[i].ID)
	}
}

// open makes the index what the view shows and locks it for reading.
func (x *Index) open(v *world.View) {
	x.mu.RLock()
	if x.active.Load() && len(x.stale) == 0 && !v.Behind(&x.seen) {
		return
	}
	x.mu.RUnlock()
	x.mu.Lock()
	x.follow(v)
	x.mu.Unlock()
	x.mu.RLock()
}

// follow makes the index what the view shows.
func (x *Index) follow(v *world.View) {
	if !x.active.Load() {
		x.fill(v)
		x.active.Store(true)
	}
	fresh := len(x.maybe)
	touched := func(id world.ID) {
		if last := len(x.maybe) - 1; last < fresh || x.maybe[last] != id { // one change has several records
			x.maybe = append(x.maybe, id)
		}
	}
	if v.Follow(&x.seen, touched) {
		x.stale = append(x.stale, x.maybe[:fresh]...)
		x.maybe = append(x.maybe[:0], x.maybe[fresh:]...)
		fresh = 0
	}
	for _, id := range x.stale {
		x.update(v, id)
	}
	for _, id := range x.maybe[fresh:] {
		x.update(v, id)
	}
	x.stale = x.stale[:0]
}

// fill makes the index from all that there is.
func (x *Index) fill(v *world.View) {
	n := v.Len()
	x.tree, x.leaves = tree{nodes: make([]node, 1, 2*n+1)}, make(map[world.ID]int32, n)
	seats := make([]seat, 0, n)
	for id := range v.All() {
		if s, ok := x.of(v, id); ok {
			leaf := x.tree.leaf(id, s)
			x.leaves[id] = leaf
			seats = append(seats, seat{x.tree.nodes[leaf].box.Center(), leaf})
		}
	}
	x.tree.root = x.tree.build(seats)
}

// update looks at one entity anew.
func (x *Index) update(v *world.View, id world.ID) {
	leaf, known := x.leaves[id]
	s, ok := x.of(v, id)
	switch {
	case !ok && known:
		x.tree.remove(leaf)
		delete(x.leaves, id)
	case ok && known:
		x.tree.set(leaf, s)
	case ok:
		leaf = x.tree.leaf(id, s)
		x.leaves[id] = leaf
		x.tree.insert(leaf)
	}
}

// Found is an entity that an index has found.
type Found struct {
	Entity world.ID
	Solid  Solid
	Bounds Bounds // of Solid
}

// In returns the entities whose bounds have a point in common with b, in id order.
func (x *Index) In(v *world.View, b Bounds) []Found {
	x.open(v)
	defer x.mu.RUnlock()
	var found []Found
	x.tree.walk(
		func(box *Bounds) bool { return box.Near(b, 0) },
		func(n *node) {
			if tight := n.solid.Bounds(); tight.Near(b, 0) {
				found = append(found, Found{n.id, n.solid, tight})
			}
		},
	)
	slices.SortFunc(found, func(p, q Found) int { return int(int64(p.Entity) - int64(q.Entity)) })
	return found
}

// Hit is where a ray meets an entity.
type Hit struct {
	Entity   world.ID
	Distance float64
	Point    world.Vec3
}

// Ray returns what a ray from a point along dir, which must have length 1, meets first within reach
// metres, and false if nothing. Of two at the same distance it is the older one. Those for which skip
// says yes are left out; nil leaves nothing out.
func (x *Index) Ray(v *world.View, from, dir world.Vec3, reach float64, skip func(world.ID) bool) (Hit, bool) {
	x.open(v)
	defer x.mu.RUnlock()
	best := Hit{Distance: math.Inf(1)}
	x.tree.along(
		func(box *Bounds) (float64, bool) { return raySlabs(from, dir, box.Lo, box.Hi) },
		func(n *node) float64 {
			d, ok := n.solid.Ray(from, dir)
			better := ok && d <= reach && (d < best.Distance || d == best.Distance && n.id < best.Entity)
			if better && (skip == nil || !skip(n.id)) {
				best = Hit{Entity: n.id, Distance: d}
			}
			return min(reach, best.Distance)
		},
		reach,
	)
	best.Point = from.Add(dir.Scale(best.Distance))
	return best, best.Entity != 0
}
