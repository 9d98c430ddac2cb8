package behavior

import (
	"cmp"
	"math"
	"slices"

	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// What finding foes costs at most.
const (
	// MaxHerd is how many entities with a tag count that somebody's goal names; the oldest do.
	MaxHerd = 16_384

	maxSights = 2 * MaxHerd // places that a step looks at for one author, where he is alone; all have twice as many, and one has as many as are left
	maxTests  = 64          // of those who are near so many are looked at by one, the nearest first, whether they are seen and a condition holds of them
	testCost  = 8           // places that such a look counts as
)

// sight is what was found last, for a look that asks several times.
type sight struct {
	goal   *goal
	from   world.Vec3
	radius float64
	foe    world.ID
	ok     bool
}

// guides reports whether a patrol waits for somebody.
func (g *goal) guides() bool { return g.Target != 0 || g.Players || g.Tag != "" }

// threat returns whom an entity flees from or shoots, 0 if nobody is within a radius.
func (m *Minds) threat(v *world.View, id world.ID, g *goal, at world.Vec3, radius float64, known world.ID) world.ID {
	if g.Target == 0 {
		return m.foe(v, id, g, at, radius, known)
	}
	s := search{m, v, id, g, known, 0}
	from, ok := v.Position(g.Target)
	if !ok || m.Ways.Apart(v, from, at) > radius {
		return 0
	}
	if g.Type == "turret" {
		return s.test(g.Target)
	}
	return g.Target
}

// foe returns the nearest to a place of an entity's foes who live and are within a radius, the older of two, 0 if there is none. known is whom it has noticed before.
func (m *Minds) foe(v *world.View, id world.ID, g *goal, from world.Vec3, radius float64, known world.ID) world.ID {
	if l := m.last; l.ok && l.goal == g && l.from == from && l.radius == radius {
		return l.foe
	}
	s := search{m, v, id, g, known, 0}
	list, _ := m.feelings.Get(v, id)
	var hostile herd
	for _, f := range list {
		if at, ok := v.Position(f.Toward); ok && f.Attitude == "hostile" {
			hostile.add(f.Toward, at)
		}
	}
	foe := s.nearest(from, radius, &hostile)
	m.last = sight{g, from, radius, foe, true}
	return foe
}

// led returns somebody whom an entity guides and who is within a radius of a place, 0 if nobody is.
func (m *Minds) led(v *world.View, id world.ID, g *goal, at world.Vec3, radius float64) world.ID {
	if g.Target != 0 {
		to, ok := v.Position(g.Target)
		if !ok || m.Ways.Apart(v, to, at) > radius {
			return 0
		}
		return g.Target
	}
	s := search{m, v, id, g, 0, 0}
	return s.nearest(at, radius, &herd{})
}

// search is one for the nearest of those whom a goal is about.
type search struct {
	m      *Minds
	v      *world.View
	id     world.ID
	goal   *goal
	known  world.ID // whom it has noticed before, and sees also behind itself
	tested int
}

// nearest returns the nearest of some, and of those whom the goal names.
func (s *search) nearest(from world.Vec3, radius float64, some *herd) world.ID {
	herds := []*herd{some}
	for _, h := range [...]struct {
		wanted bool
		key    string
	}{{s.goal.Players, ""}, {s.goal.Tag != "", s.goal.Tag}} {
		if !h.wanted {
			continue
		}
		found, ok := s.m.herd(s.v, s.goal.By, h.key)
		if !ok {
			s.m.blind = true
			return 0
		}
		herds = append(herds, found)
	}
	type near struct {
		d  float64
		id world.ID
	}
	var there []near
	looked := 0
	for inner, outer := -1.0, 4.0; ; inner, outer = outer, outer*2 {
		last := outer >= radius
		outer = min(outer, radius)
		there = there[:0]
		for _, h := range herds {
			looked += h.around(from, outer, func(id world.ID, at world.Vec3) {
				if at.Flat(from) > outer {
					return
				}
				if d := s.m.Ways.Apart(s.v, at, from); d > inner && d <= outer {
					there = append(there, near{d, id})
				}
			})
		}
		slices.SortFunc(there, func(a, b near) int { return cmp.Or(cmp.Compare(a.d, b.d), cmp.Compare(a.id, b.id)) })
		for i := range there {
			if i > 0 && there[i].id == there[i-1].id {
				continue
			}
			if foe := s.test(there[i].id); foe != 0 {
				s.pay(looked)
				return foe
			}
		}
		if last || s.tested >= maxTests {
			break
		}
	}
	s.pay(looked)
	return 0
}

// pay counts what a search has cost.
func (s *search) pay(looked int) {
	s.m.sights.spend(s.v.Holder(s.goal.By), looked+testCost*s.tested)
}

// test returns who is met where an entity is met, itself or what it is a part of, if the goal is about that one, who lives; else 0.
func (s *search) test(id world.ID) world.ID {
	if s.tested >= maxTests || s.v.Within(id, s.id) || s.v.Within(s.id, id) {
		return 0
	}
	is, ok := s.m.lives(s.v, id)
	if !ok || s.spares(is) {
		return 0
	}
	if s.goal.If != "" {
		s.tested++
		if !s.m.Does.Holds(s.v, &action.Kept{If: s.goal.If}, is) {
			return 0
		}
	}
	if s.goal.Sight > 0 || s.goal.Type == "turret" {
		s.tested++
		if !s.sees(is) {
			return 0
		}
	}
	return is
}

// spares reports whether somebody is no foe: whom it guards, or is friendly to, unless that is whom it is told to shoot. Who is guided may be.
func (s *search) spares(id world.ID) bool {
	switch s.goal.Type {
	case "patrol":
		return false
	case "guard":
		if s.goal.Target != 0 && (s.v.Within(id, s.goal.Target) || s.v.Within(s.goal.Target, id)) {
			return true
		}
	case "turret":
		if s.goal.Target != 0 {
			return false
		}
	}
	return s.m.friendly(s.v, s.id, id)
}

// sees reports whether somebody is before the eyes of who searches, or noticed before, and not behind a wall.
func (s *search) sees(id world.ID) bool {
	if s.goal.Sight > 0 && s.goal.Sight < 360 && id != s.known {
		at, _ := s.v.WorldTransform(s.id)
		to, _ := s.v.Position(id)
		ahead, way := at.Rotation.Rotate(world.Vec3{0, 0, 1}), to.Sub(at.Position)
		ahead[1], way[1] = 0, 0
		ahead, fine := ahead.Unit()
		way, apart := way.Unit()
		_, cos := world.Sincos(s.goal.Sight * (math.Pi / 360))
		if fine && apart && ahead.Dot(way) < cos {
			return false
		}
	}
	return s.m.Arena.Between(s.v, s.id, id) == 0
}

// lives returns who is met where an entity is: itself, or what it is a part of that has health; false if it is not there, or has none left.
func (m *Minds) lives(v *world.View, id world.ID) (world.ID, bool) {
	for up := range v.Up(id) {
		if alive, has := m.Stats.Alive(v, up); has {
			return up, alive
		}
	}
	return id, v.Exists(id)
}

// friendly reports whether an entity is friendly to another.
func (m *Minds) friendly(v *world.View, id, toward world.ID) bool {
	list, _ := m.feelings.Get(v, id)
	i, there := slices.BinarySearchFunc(list, toward, func(f Feeling, id world.ID) int { return cmp.Compare(f.Toward, id) })
	return there && list[i].Attitude == "friendly"
}

// herd is where some entities are, in a grid.
type herd struct {
	ids []world.ID
	at  []world.Vec3

	lo         [2]float64 // x and z of its corner
	cell       float64    // metres
	cols, rows int        // 0: it is few
	starts     []int32    // of each cell in order, and the end
	order      []int32
}

func (h *herd) add(id world.ID, at world.Vec3) { h.ids, h.at = append(h.ids, id), append(h.at, at) }

// herd returns those who have a tag, or who play, for the key "": as they are when a step first asks. It is false where an author has looked at as much as he may.
func (m *Minds) herd(v *world.View, by, key string) (*herd, bool) {
	if h, has := m.herds[key]; has {
		return h, m.sights.spend(v.Holder(by), 1)
	}
	if !m.sights.spend(v.Holder(by), 1) {
		return nil, false
	}
	h, ids := &herd{}, v.AllTagged(key)
	if key == "" {
		ids = slices.Values(m.Players(v))
	}
	for id := range ids {
		if len(h.ids) == MaxHerd {
			break
		}
		if at, ok := v.Position(id); ok {
			h.add(id, at)
		}
	}
	h.settle()
	m.sights.spend(v.Holder(by), len(h.ids))
	if m.herds == nil {
		m.herds = map[string]*herd{}
	}
	m.herds[key] = h
	return h, true
}

// settle puts a herd that is not small into a grid with about a cell for each.
func (h *herd) settle() {
	const few, wide = 32, 256
	if len(h.ids) <= few {
		return
	}
	lo, hi := h.at[0], h.at[0]
	for _, p := range h.at {
		lo, hi = lo.Min(p), hi.Max(p)
	}
	w, d := hi[0]-lo[0], hi[2]-lo[2]
	h.lo = [2]float64{lo[0], lo[2]}
	h.cell = max(1, math.Sqrt(w*d/float64(len(h.ids))), max(w, d)/wide)
	h.cols, h.rows = int(w/h.cell)+1, int(d/h.cell)+1
	h.starts, h.order = make([]int32, h.cols*h.rows+1), make([]int32, len(h.ids))
	for _, p := range h.at {
		h.starts[h.of(p)+1]++
	}
	for i := range h.cols * h.rows {
		h.starts[i+1] += h.starts[i]
	}
	next := slices.Clone(h.starts)
	for i, p := range h.at {
		c := h.of(p)
		h.order[next[c]] = int32(i) //nolint:gosec // at most MaxHerd
		next[c]++
	}
}

// of returns the cell that a place is in.
func (h *herd) of(p world.Vec3) int {
	return h.along(p[2], 1, h.rows)*h.cols + h.along(p[0], 0, h.cols)
}

// along returns in which of n columns or rows a coordinate is, or which is nearest.
func (h *herd) along(x float64, axis, n int) int {
	return int(min(max((x-h.lo[axis])/h.cell, 0), float64(n-1)))
}

// around has visit get those who may be within a radius as seen from above, and returns how many these were.
func (h *herd) around(from world.Vec3, radius float64, visit func(id world.ID, at world.Vec3)) (looked int) {
	if h.cols == 0 {
		for i, id := range h.ids {
			visit(id, h.at[i])
		}
		return len(h.ids)
	}
	x0, x1 := h.along(from[0]-radius, 0, h.cols), h.along(from[0]+radius, 0, h.cols)
	for z := h.along(from[2]-radius, 1, h.rows); z <= h.along(from[2]+radius, 1, h.rows); z++ {
		for _, i := range h.order[h.starts[z*h.cols+x0]:h.starts[z*h.cols+x1+1]] {
			visit(h.ids[i], h.at[i])
			looked++
		}
	}
	return looked
}
