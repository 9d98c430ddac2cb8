package physics

import (
	"cmp"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// parted are two bodies that do not meet each other, because both are fixed to the same: nothing but the joints could give way if they pressed on each other,
// and a machine of such parts would shake and creep. The engine has a joint that holds nothing.
type parted struct {
	One, Other world.ID
	A, B       Handle
	Hold       Handle
}

// beside is how near two parts of a thing are that are kept from meeting, in metres: others cannot.
const beside = 0.05

// part keeps bodies from meeting each other that are fixed to the same thing, directly or by others between, see [Physics.bonds], and are in each other or near. It is called
// when the engine has the joints that it is to have.
func (p *Physics) part(roots map[world.ID]world.ID) error {
	want := p.wantParted(roots)
	old := p.parted
	p.parted = want
	for i := range want {
		w := &want[i]
		for len(old) > 0 && old[0].compare(w) < 0 {
			if err := p.engine.Part(old[0].Hold); err != nil {
				return err
			}
			old = old[1:]
		}
		if len(old) > 0 && old[0].compare(w) == 0 {
			have := old[0]
			old = old[1:]
			if have.A == w.A && have.B == w.B {
				w.Hold = have.Hold
				continue
			}
			if err := p.engine.Part(have.Hold); err != nil {
				return err
			}
		}
		var err error
		if w.Hold, err = p.engine.Join(w.A, w.B, &Hold{Kind: Unheld, A: Frame{Turn: world.NoRotation()}, B: Frame{Turn: world.NoRotation()}}); err != nil {
			return err
		}
	}
	for i := range old {
		if err := p.engine.Part(old[i].Hold); err != nil {
			return err
		}
	}
	return nil
}

func (a *parted) compare(b *parted) int {
	return cmp.Or(cmp.Compare(a.One, b.One), cmp.Compare(a.Other, b.Other))
}

// wantParted returns what is to be kept from meeting, by id. What a joint holds directly is already.
func (p *Physics) wantParted(roots map[world.ID]world.ID) (all []parted) {
	pieces, held := p.welded(roots)
	for i := range pieces {
		a := &pieces[i]
		for j := i + 1; j < len(pieces) && pieces[j].root == a.root && pieces[j].room.Lo[0] <= a.room.Hi[0]+beside; j++ {
			b := &pieces[j]
			if a.body.made.Kind != Dynamic && b.body.made.Kind != Dynamic || !a.room.Near(b.room, beside) {
				continue
			}
			one, other := a.body, b.body
			if one.id > other.id {
				one, other = other, one
			}
			if !held[[2]world.ID{one.id, other.id}] {
				all = append(all, parted{One: one.id, Other: other.id, A: one.handle, B: other.handle})
			}
		}
	}
	slices.SortFunc(all, func(a, b parted) int { return a.compare(&b) })
	return all
}

// piece is a body that is fixed to others.
type piece struct {
	root world.ID // the least of those that are fixed to each other
	body *body
	room solid.Bounds
}

// welded returns what is fixed to others, directly or by what is between, sorted by root and by where along x it begins, and the pairs that a joint
// holds, the lesser id first.
func (p *Physics) welded(roots map[world.ID]world.ID) (pieces []piece, held map[[2]world.ID]bool) {
	held = map[[2]world.ID]bool{}
	for i := range p.links {
		l := &p.links[i]
		if l.To == 0 {
			continue
		}
		held[[2]world.ID{min(l.ID, l.To), max(l.ID, l.To)}] = true
	}
	if len(roots) < 3 {
		return nil, held
	}
	for id, root := range roots {
		if b := p.bodies[id]; b != nil && b.live && b.made.Ground == nil {
			pieces = append(pieces, piece{root, b, p.solid(&b.made).Bounds()})
		}
	}
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.root, b.root), cmp.Compare(a.room.Lo[0], b.room.Lo[0]))
	})
	return pieces, held
}

// welds reports whether a link fixes two bodies to each other.
func (l *link) welds() bool { return l.Made.Kind == Weld && !l.Made.Collide && l.To != 0 }

// bonds returns of each body that is fixed to others the least of those that it is fixed to, directly or by what is between.
func (p *Physics) bonds() map[world.ID]world.ID {
	above := map[world.ID]world.ID{} // a lesser one that it is fixed to, or itself
	find := func(id world.ID) world.ID {
		for above[id] != 0 && above[id] != id {
			id = above[id]
		}
		return id
	}
	for i := range p.links {
		if l := &p.links[i]; l.welds() {
			a, b := find(l.ID), find(l.To)
			above[max(a, b)], above[min(a, b)] = min(a, b), min(a, b)
		}
	}
	for id := range above {
		above[id] = find(id)
	}
	return above
}
