package solid

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/limina-mcp/limina/world"
)

// Index finds the solids of a world by where they are. It costs nothing until it is first asked, and
// then follows the commits. Its methods read through a view, see what the transaction of the view has
// done so far, and may be called by whoever holds one, concurrently as far as views are.
type Index struct {
	of    func(v *world.View, id world.ID) (Solid, bool)
	trail *world.Trail

	mu     sync.RWMutex // guards what follows against others who ask; commits are alone anyway
	tree   tree
	leaves map[world.ID]int32
	fields int // how many of the leaves are ground
}

// NewIndex returns an index of a world, whose solids are those that of returns.
func NewIndex(w *world.World, of func(v *world.View, id world.ID) (Solid, bool)) *Index {
	x := &Index{of: of}
	x.trail = w.NewTrail(func() int { return 1024 + 4*len(x.leaves) }, func() { x.tree, x.leaves, x.fields = tree{}, nil, 0 })
	return x
}

// NewLooks returns an index of what entities look like, see [Of], whether they have a body or not.
func NewLooks(w *world.World) *Index {
	return NewIndex(w, func(v *world.View, id world.ID) (Solid, bool) { return Of(w, v, id) })
}

// open makes the index what the view shows and locks it for reading.
func (x *Index) open(v *world.View) {
	x.mu.RLock()
	if x.trail.Current(v) {
		return
	}
	x.mu.RUnlock()
	x.mu.Lock()
	x.trail.Follow(v, func() { x.fill(v) }, func(id world.ID) { x.update(v, id) })
	x.mu.Unlock()
	x.mu.RLock()
}

// fill makes the index from all that there is.
func (x *Index) fill(v *world.View) {
	n := v.Len()
	x.tree, x.leaves, x.fields = tree{nodes: make([]node, 1, 2*n+1)}, make(map[world.ID]int32, n), 0
	seats := make([]seat, 0, n)
	for id := range v.All() {
		if s, ok := x.of(v, id); ok {
			leaf := x.tree.leaf(id, s)
			x.leaves[id] = leaf
			x.counts(&s, 1)
			seats = append(seats, seat{x.tree.nodes[leaf].box.Center(), leaf})
		}
	}
	x.tree.root = x.tree.build(seats)
}

// update looks at one entity anew.
func (x *Index) update(v *world.View, id world.ID) {
	leaf, known := x.leaves[id]
	s, ok := x.of(v, id)
	if known {
		x.counts(&x.tree.nodes[leaf].solid, -1)
	}
	if ok {
		x.counts(&s, 1)
	}
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

// counts notes that a solid comes, or goes.
func (x *Index) counts(s *Solid, by int) {
	if s.Kind == Field {
		x.fields += by
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
	type at struct {
		id   world.ID
		node int32
	}
	var usual [64]at // what is found is large, so it is put in order before it is made
	order := usual[:0]
	x.tree.walk(
		func(box *Bounds) bool { return box.Near(b, 0) },
		func(i int32, n *node) { order = append(order, at{n.id, i}) },
	)
	if len(order) == 0 {
		return nil
	}
	slices.SortFunc(order, func(p, q at) int { return cmp.Compare(p.id, q.id) })
	found := make([]Found, 0, len(order))
	for _, o := range order {
		n := &x.tree.nodes[o.node]
		if tight := n.solid.Bounds(); tight.Near(b, 0) {
			found = append(found, Found{n.id, n.solid, tight})
		}
	}
	return found
}

// Each visits the entities whose bounds have a point in common with b, in no order that anything may depend on, until visit says that it is enough: false. What visit
// is given is for the time of the call, in which nobody may ask the index.
func (x *Index) Each(v *world.View, b Bounds, visit func(f *Found) (on bool)) {
	x.open(v)
	defer x.mu.RUnlock()
	on := true
	var f Found
	x.tree.walk(
		func(box *Bounds) bool { return on && box.Near(b, 0) },
		func(_ int32, n *node) {
			if f = (Found{n.id, n.solid, n.solid.Bounds()}); f.Bounds.Near(b, 0) {
				on = visit(&f)
			}
		},
	)
}

// Toward visits entities by how far their bounds are from b, about the nearest first, as far as they are of interest: most metres at first, and then what visit
// returns, which is no more than before. Those at that very distance are visited, and, by a billionth of it, farther ones. What visit is given is for the time of the call, in which nobody may ask the index.
func (x *Index) Toward(v *world.View, b Bounds, most float64, visit func(f *Found) (most float64)) {
	const rounded = 1 - 1e-9 // so that none is passed by that is as near as another
	x.open(v)
	defer x.mu.RUnlock()
	var f Found
	x.tree.along(
		func(box *Bounds) (float64, bool) { return apart(box, &b) * rounded, true },
		func(n *node) float64 {
			f = Found{n.id, n.solid, n.solid.Bounds()}
			if apart(&f.Bounds, &b)*rounded <= most {
				most = visit(&f)
			}
			return most
		},
		most,
	)
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
