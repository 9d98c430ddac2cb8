package spatial

import (
	"cmp"
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
)

// part is a solid and the box around it.
type part struct {
	solid.Solid
	box solid.Bounds
}

func partOf(s solid.Solid) part { return part{s, s.Bounds()} }

// node is a tree of parts by where they are, so that to find the one that is nearest takes no look at most of them: a group
// may have as many as a world has entities.
type node struct {
	box         solid.Bounds
	parts       []part // of a leaf; nil of others, which have both branches
	left, right *node
}

// leafful is how many parts a leaf has at most.
const leafful = 4

// plant makes a tree of at least one part. It orders the list anew, and keeps it.
func plant(list ...part) *node {
	n := &node{box: solid.Nothing()}
	for i := range list {
		n.box = n.box.Join(list[i].box)
	}
	if len(list) <= leafful {
		n.parts = list
		return n
	}
	size, axis := n.box.Size(), 0
	for i := range size {
		if size[i] > size[axis] {
			axis = i
		}
	}
	slices.SortStableFunc(list, func(a, b part) int { return cmp.Compare(a.Center[axis], b.Center[axis]) })
	half := len(list) / 2
	n.left, n.right = plant(list[:half]...), plant(list[half:]...)
	return n
}

// nearest returns how the part of the tree that is nearest to p, or deepest in it, is to it; least, if none is nearer than that.
func (n *node) nearest(p *part, least solid.Contact) solid.Contact {
	if apart(n.box, p.box) >= least.Gap {
		return least
	}
	for i := range n.parts {
		if apart(n.parts[i].box, p.box) >= least.Gap {
			continue
		}
		if c := solid.Between(n.parts[i].Solid, p.Solid); c.Gap < least.Gap {
			least = c
		}
	}
	if n.parts != nil {
		return least
	}
	first, second := n.left, n.right
	if apart(second.box, p.box) < apart(first.box, p.box) {
		first, second = second, first
	}
	return second.nearest(p, first.nearest(p, least))
}

// apart returns how far boxes are from each other, which is no more than what is in them; minus infinity if they meet, because
// nobody knows how deep what is in them is in each other.
func apart(a, b solid.Bounds) float64 {
	var way [3]float64
	meet := true
	for i := range way {
		way[i] = max(b.Lo[i]-a.Hi[i], a.Lo[i]-b.Hi[i], 0)
		meet = meet && way[i] == 0
	}
	if meet {
		return math.Inf(-1)
	}
	return math.Hypot(math.Hypot(way[0], way[1]), way[2])
}
