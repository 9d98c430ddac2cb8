package navigation

import (
	"math"
	"slices"
)

// What a step costs. Integers, so that sums are exact and equal ways are equal.
const (
	straight = 1_000_000
	diagonal = 1_414_214
	swum     = 1000 // times as much as walked: who can go round by land does
)

// way returns the places of a way between two places that is shortest along its slopes, both included, and false if there is
// none. It is A* (Hart, Nilsson, Raphael 1968) with the octile distance as seen from above, which never is too long, so
// a place is final when it is taken off the queue.
func (g *Grid) way(from, to int) (places []int, ok bool) {
	if !g.walkable(from) || !g.walkable(to) {
		return nil, false
	}
	n := g.places()
	s := search{g: g, cost: make([]int64, n), back: make([]int32, n), done: make([]bool, n)}
	s.col, s.row = g.at(to)
	col, row := g.at(from)
	s.reach(from, from, 1, col, row) // a cost of 0 means that the place was not reached, so all are one too many
	for len(s.queue) > 0 {
		place := s.queue.pop().place
		if s.done[place] {
			continue
		}
		s.done[place] = true
		if place == to {
			return s.places(from, to), true
		}
		s.expand(place)
	}
	return nil, false
}

// search is one search.
type search struct {
	g        *Grid
	col, row int // of the goal
	cost     []int64
	back     []int32 // the place before
	done     []bool
	queue    queue
}

// neighbours are the steps from a cell, in the order in which they are tried.
var neighbours = [8][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}

// at returns in which column and row a place is.
func (g *Grid) at(place int) (col, row int) {
	cell := g.cell(place)
	return cell % g.Cols, cell / g.Cols
}

// step returns the place that one gets to by one of the first four steps, from a place in a column and row, and false if it cannot be done.
func (g *Grid) step(place, col, row, i int) (next int, ok bool) {
	col, row = col+neighbours[i][0], row+neighbours[i][1]
	if col < 0 || col >= g.Cols || row < 0 || row >= g.Rows {
		return 0, false
	}
	cell := row*g.Cols + col
	if g.Floors == nil {
		return cell, g.open(place, cell, false)
	}
	if g.Floors.Links[place]&(1<<i) == 0 {
		return 0, false
	}
	return g.nearestIn(cell, g.Heights[place]), true
}

// nearestIn returns the place of a cell, which has one at least, that is nearest to a height. Of two it is the lower one.
func (g *Grid) nearestIn(cell int, height float64) (best int) {
	best, end := g.in(cell)
	for place := best + 1; place < end; place++ {
		if math.Abs(g.Heights[place]-height) < math.Abs(g.Heights[best]-height) {
			best = place
		}
	}
	return best
}

// expand tries the steps from a place.
func (s *search) expand(place int) {
	g, cost := s.g, s.cost[place]
	col, row := g.at(place)
	for i, d := range neighbours[:4] {
		if next, ok := g.step(place, col, row, i); ok {
			s.reach(next, place, cost+g.cost(place, next, straight), col+d[0], row+d[1])
		}
	}
	if !g.Diagonal {
		return
	}
	for _, d := range neighbours[4:] {
		if next, ok := g.slips(place, col, row, d); ok {
			s.reach(next, place, cost+g.cost(place, next, diagonal), col+d[0], row+d[1])
		}
	}
}

// cost returns what a step from a place to another costs that costs so much on the level.
func (g *Grid) cost(from, to int, level int64) int64 {
	if g.deep(to) {
		level *= swum
	}
	rise := g.height(to) - g.height(from)
	if rise == 0 {
		return level
	}
	up, along := float64(rise/g.CellSize*straight), float64(level)
	return int64(math.Round(math.Sqrt(float64(up*up) + float64(along*along))))
}

// slips returns the place that one gets to diagonally, and false if it cannot be done: both ways there, by the one cell beside it and by the other,
// must be open.
func (g *Grid) slips(place, col, row int, d [2]int) (next int, ok bool) {
	x, z := 0, 2
	if d[0] < 0 {
		x = 1
	}
	if d[1] < 0 {
		z = 3
	}
	a, ok := g.step(place, col, row, x)
	if !ok {
		return 0, false
	}
	if next, ok = g.step(a, col+d[0], row, z); !ok {
		return 0, false
	}
	b, ok := g.step(place, col, row, z)
	if !ok {
		return 0, false
	}
	again, ok := g.step(b, col, row+d[1], x)
	return next, ok && again == next && (g.Floors != nil || g.open(place, next, true))
}

// reach notes a way to a place in a column and row, if it is the shortest so far.
func (s *search) reach(place, from int, cost int64, col, row int) {
	if s.done[place] || s.cost[place] != 0 && s.cost[place] <= cost {
		return
	}
	s.cost[place], s.back[place] = cost, int32(from)
	s.queue.push(entry{cost + s.ahead(col, row), place})
}

// ahead returns what the way from a column and row to the goal costs at least.
func (s *search) ahead(col, row int) int64 {
	dx, dz := distance(col, s.col), distance(row, s.row)
	if !s.g.Diagonal {
		return (dx + dz) * straight
	}
	return max(dx, dz)*straight + min(dx, dz)*(diagonal-straight)
}

func distance(a, b int) int64 { return int64(max(a, b) - min(a, b)) }

// places returns the way that was found.
func (s *search) places(from, to int) []int {
	way := []int{to}
	for place := to; place != from; {
		place = int(s.back[place])
		way = append(way, place)
	}
	slices.Reverse(way)
	return way
}

// entry is a place in the queue, by what a way over it costs at least.
type entry struct {
	f     int64
	place int
}

func (e entry) before(o entry) bool { return e.f < o.f || e.f == o.f && e.place < o.place }

// queue is a binary heap.
type queue []entry

func (q *queue) push(e entry) {
	h := append(*q, e)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !e.before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
	*q = h
}

func (q *queue) pop() entry {
	h := *q
	first, e := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	if len(h) == 0 {
		return first
	}
	i := 0
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1].before(h[c]) {
			c++
		}
		if !h[c].before(e) {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = e
	return first
}
