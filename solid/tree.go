package solid

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// tree is a binary tree of boxes, each around those below it. What is in which part of it depends on
// the order of changes, so those who ask it put what they find in an order of their own.
type tree struct {
	nodes []node
	free  []int32
	root  int32 // 0 for none: node 0 is not used
}

type node struct {
	box         Bounds
	up          int32
	left, right int32 // 0 in a leaf
	id          world.ID
	solid       Solid
}

// slack is how far a leaf's box reaches beyond its solid, in metres: what moves by less stays in its
// place in the tree.
const slack = 0.1

func (b Bounds) grown(m float64) Bounds {
	g := world.Vec3{m, m, m}
	return Bounds{b.Lo.Sub(g), b.Hi.Add(g)}
}

func (b Bounds) covers(o Bounds) bool { return b.Join(o) == b }

// cost is half of the surface: what a box costs those who ask is in proportion to it.
func (b Bounds) cost() float64 {
	s := b.Size()
	return float64(s[0]*s[1]) + float64(s[1]*s[2]) + float64(s[2]*s[0])
}

func (t *tree) node() int32 {
	if n := len(t.free); n > 0 {
		i := t.free[n-1]
		t.free = t.free[:n-1]
		return i
	}
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, node{})
	}
	t.nodes = append(t.nodes, node{})
	return int32(len(t.nodes) - 1)
}

// leaf makes a leaf that is in no tree yet.
func (t *tree) leaf(id world.ID, s Solid) int32 {
	i := t.node()
	t.nodes[i] = node{box: s.Bounds().grown(slack), id: id, solid: s}
	return i
}

// seat is a leaf that is to be built into a tree: beside each other they are gone through many times faster than the nodes.
type seat struct {
	centre world.Vec3 // of its box
	leaf   int32
}

// build makes a tree of leaves, half of them to each side of the middle, along the longest side.
func (t *tree) build(seats []seat) int32 {
	if len(seats) == 0 {
		return 0
	}
	if len(seats) == 1 {
		return seats[0].leaf
	}
	centres := Nothing()
	for i := range seats {
		centres = centres.Join(Bounds{seats[i].centre, seats[i].centre})
	}
	axis, size := 0, centres.Size()
	for i := range size {
		if size[i] > size[axis] {
			axis = i
		}
	}
	halve(seats, axis, 2*bits.Len(uint(len(seats))))
	left, right := t.build(seats[:len(seats)/2]), t.build(seats[len(seats)/2:])
	return t.join(left, right)
}

// halve has no seat of the first half behind one of the second along an axis. It is Hoare's selection (1961), which takes some steps for each
// seat, unless somebody has placed them so that it takes the square of their number: what is left after so many rounds is sorted.
func halve(seats []seat, axis, rounds int) {
	at := func(i int) float64 { return seats[i].centre[axis] }
	middle := len(seats) / 2
	lo, hi := 0, len(seats)-1
	for ; lo < hi; rounds-- {
		if rounds == 0 {
			slices.SortFunc(seats[lo:hi+1], func(a, b seat) int { return cmp.Compare(a.centre[axis], b.centre[axis]) })
			return
		}
		first, second, third := at(lo), at((lo+hi)/2), at(hi)
		pivot := max(min(first, second), min(max(first, second), third)) // the one between the other two
		i, j := lo, hi
		for i <= j {
			for at(i) < pivot {
				i++
			}
			for at(j) > pivot {
				j--
			}
			if i <= j {
				seats[i], seats[j] = seats[j], seats[i]
				i++
				j--
			}
		}
		switch {
		case middle <= j:
			hi = j
		case middle >= i:
			lo = i
		default:
			return
		}
	}
}

// join makes a node above two.
func (t *tree) join(left, right int32) int32 {
	i := t.node()
	t.nodes[i] = node{box: t.nodes[left].box.Join(t.nodes[right].box), left: left, right: right}
	t.nodes[left].up, t.nodes[right].up = i, i
	return i
}

// insert puts a leaf beside the one where the boxes above grow least.
func (t *tree) insert(leaf int32) {
	if t.root == 0 {
		t.root, t.nodes[leaf].up = leaf, 0
		return
	}
	box := t.nodes[leaf].box
	at := t.root
	for t.nodes[at].left != 0 {
		n := &t.nodes[at]
		whole := n.box.Join(box).cost()
		grows := whole - n.box.cost() // of this box, if the leaf goes below
		left, right := t.below(n.left, box)+grows, t.below(n.right, box)+grows
		if whole < left && whole < right {
			break
		}
		if left < right {
			at = n.left
		} else {
			at = n.right
		}
	}
	up := t.nodes[at].up
	above := t.join(at, leaf)
	t.nodes[above].up = up
	switch {
	case up == 0:
		t.root = above
	case t.nodes[up].left == at:
		t.nodes[up].left = above
	default:
		t.nodes[up].right = above
	}
	t.refit(up)
}

// below is what it costs to put a box under a node.
func (t *tree) below(i int32, box Bounds) float64 {
	n := &t.nodes[i]
	joined := n.box.Join(box).cost()
	if n.left == 0 {
		return joined
	}
	return joined - n.box.cost()
}

// refit works out the boxes from a node up.
func (t *tree) refit(i int32) {
	for ; i != 0; i = t.nodes[i].up {
		n := &t.nodes[i]
		box := t.nodes[n.left].box.Join(t.nodes[n.right].box)
		if box == n.box {
			return
		}
		n.box = box
	}
}

// remove takes a leaf out and gives its node back.
func (t *tree) remove(leaf int32) {
	t.unlink(leaf)
	t.nodes[leaf] = node{}
	t.free = append(t.free, leaf)
}

// unlink takes a leaf out of the tree.
func (t *tree) unlink(leaf int32) {
	up := t.nodes[leaf].up
	if up == 0 {
		t.root = 0
		return
	}
	other := t.nodes[up].left
	if other == leaf {
		other = t.nodes[up].right
	}
	above := t.nodes[up].up
	t.nodes[other].up = above
	switch {
	case above == 0:
		t.root = other
	case t.nodes[above].left == up:
		t.nodes[above].left = other
	default:
		t.nodes[above].right = other
	}
	t.nodes[up] = node{}
	t.free = append(t.free, up)
	t.refit(above)
}

// set gives a leaf another solid.
func (t *tree) set(leaf int32, s Solid) {
	n := &t.nodes[leaf]
	n.solid = s
	box := s.Bounds()
	if n.box.covers(box) {
		return
	}
	t.unlink(leaf)
	t.nodes[leaf].box = box.grown(slack)
	t.insert(leaf)
}

// walk visits the leaves whose boxes, and all those above them, wanted says yes to.
func (t *tree) walk(wanted func(b *Bounds) bool, visit func(i int32, n *node)) {
	if t.root == 0 {
		return
	}
	var room [64]int32
	stack := append(room[:0], t.root)
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		n := &t.nodes[i]
		stack = stack[:len(stack)-1]
		switch {
		case !wanted(&n.box):
		case n.left == 0:
			visit(i, n)
		default:
			stack = append(stack, n.left, n.right)
		}
	}
}

// along visits leaves on a way through the boxes, about as they come on it. entry returns how far along the way a box begins, false
// if it is not on the way; visit returns how far the way still is of interest, which is most at first. Boxes that begin at that
// very distance are looked into.
func (t *tree) along(entry func(b *Bounds) (float64, bool), visit func(n *node) float64, most float64) {
	type part struct {
		node int32
		far  float64
	}
	if t.root == 0 {
		return
	}
	far, ok := entry(&t.nodes[t.root].box)
	if !ok {
		return
	}
	var room [64]part
	stack := append(room[:0], part{t.root, far})
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &t.nodes[p.node]
		switch {
		case p.far > most:
		case n.left == 0:
			most = visit(n)
		default:
			l, onLeft := entry(&t.nodes[n.left].box)
			r, onRight := entry(&t.nodes[n.right].box)
			near, other := part{n.left, l}, part{n.right, r}
			if r < l {
				near, other, onLeft, onRight = other, near, onRight, onLeft
			}
			if onRight {
				stack = append(stack, other)
			}
			if onLeft {
				stack = append(stack, near)
			}
		}
	}
}
