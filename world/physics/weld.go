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

// part keeps bodies from meeting each other that are fixed to the same thing, directly or by others between, and are in each other or near. It is called
// when the engine has the joints that it is to have.
func (p *Physics) part() error {
	want := p.wantParted()
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
func (p *Physics) wantParted() (all []parted) {
	root := map[world.ID]world.ID{} // of the tree that an entity is in; the least id
	find := func(id world.ID) world.ID {
		for root[id] != 0 && root[id] != id {
			id = root[id]
		}
		return id
	}
	held := map[[2]world.ID]bool{}
	for i := range p.links {
		l := &p.links[i]
		if l.To == 0 {
			continue
		}
		held[[2]world.ID{min(l.ID, l.To), max(l.ID, l.To)}] = true
		if l.Made.Kind == Weld && !l.Made.Collide {
			a, b := find(l.ID), find(l.To)
			root[max(a, b)], root[min(a, b)] = min(a, b), min(a, b)
		}
	}
	if len(root) < 3 {
		return nil
	}
	type piece struct {
		root world.ID
		body *body
		room solid.Bounds
	}
	pieces := make([]piece, 0, len(root))
	for id := range root {
		if b := p.bodies[id]; b != nil && b.live && b.made.Ground == nil {
			pieces = append(pieces, piece{find(id), b, p.solid(&b.made).Bounds()})
		}
	}
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Or(cmp.Compare(a.root, b.root), cmp.Compare(a.body.id, b.body.id)) })
	for i := range pieces {
		a := &pieces[i]
		for j := i + 1; j < len(pieces) && pieces[j].root == a.root; j++ {
			b := &pieces[j]
			if a.body.made.Kind != Dynamic && b.body.made.Kind != Dynamic || !a.room.Near(b.room, beside) || held[[2]world.ID{a.body.id, b.body.id}] {
				continue
			}
			all = append(all, parted{One: a.body.id, Other: b.body.id, A: a.body.handle, B: b.body.handle})
		}
	}
	slices.SortFunc(all, func(a, b parted) int { return a.compare(&b) })
	return all
}
