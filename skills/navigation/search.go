package navigation

import "slices"

// What a step costs. Integers, so that sums are exact and equal ways are equal.
const (
	straight = 1_000_000
	diagonal = 1_414_214
)

// way returns the cells of a shortest way between two cells, both included, and false if there is
// none. It is A* (Hart, Nilsson, Raphael 1968) with the octile distance, which never is too long, so
// a cell is final when it is taken off the queue.
func (g *Grid) way(from, to int) (cells []int, ok bool) {
	if !g.walkable(from) || !g.walkable(to) {
		return nil, false
	}
	s := search{g: g, to: to, cost: make([]int64, g.len()), back: make([]int32, g.len()), done: make([]bool, g.len())}
	s.reach(from, from, 1) // a cost of 0 means that the cell was not reached, so all are one too many
	for len(s.queue) > 0 {
		cell := s.queue.pop().cell
		if s.done[cell] {
			continue
		}
		s.done[cell] = true
		if cell == to {
			return s.cells(from), true
		}
		s.expand(cell)
	}
	return nil, false
}

// search is one search.
type search struct {
	g     *Grid
	to    int
	cost  []int64
	back  []int32 // the cell before
	done  []bool
	queue queue
}

// neighbours are the steps from a cell, in the order in which they are tried.
var neighbours = [8][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}

// expand tries the steps from a cell.
func (s *search) expand(cell int) {
	g := s.g
	col, row := cell%g.Cols, cell/g.Cols
	steps := neighbours[:4]
	if g.Diagonal {
		steps = neighbours[:]
	}
	for i, d := range steps {
		c, r := col+d[0], row+d[1]
		if c < 0 || c >= g.Cols || r < 0 || r >= g.Rows {
			continue
		}
		next := r*g.Cols + c
		switch {
		case s.done[next]:
		case i < 4:
			if g.open(cell, next, false) {
				s.reach(next, cell, s.cost[cell]+straight)
			}
		case g.slips(cell, next, row*g.Cols+c, r*g.Cols+col):
			s.reach(next, cell, s.cost[cell]+diagonal)
		}
	}
}

// slips reports whether one can go diagonally from a cell to another between the two beside them.
func (g *Grid) slips(from, to, a, b int) bool {
	return g.open(from, to, true) && g.open(from, a, false) && g.open(a, to, false) && g.open(from, b, false) && g.open(b, to, false)
}

// reach notes a way to a cell, if it is the shortest so far.
func (s *search) reach(cell, from int, cost int64) {
	if s.cost[cell] != 0 && s.cost[cell] <= cost {
		return
	}
	s.cost[cell], s.back[cell] = cost, int32(from)
	s.queue.push(entry{cost + s.ahead(cell), cell})
}

// ahead returns what the way from a cell to the goal costs at least.
func (s *search) ahead(cell int) int64 {
	n := s.g.Cols
	dx, dz := distance(cell%n, s.to%n), distance(cell/n, s.to/n)
	if !s.g.Diagonal {
		return (dx + dz) * straight
	}
	return max(dx, dz)*straight + min(dx, dz)*(diagonal-straight)
}

func distance(a, b int) int64 { return int64(max(a, b) - min(a, b)) }

// cells returns the way that was found.
func (s *search) cells(from int) []int {
	way := []int{s.to}
	for cell := s.to; cell != from; {
		cell = int(s.back[cell])
		way = append(way, cell)
	}
	slices.Reverse(way)
	return way
}

// entry is a cell in the queue, by what a way over it costs at least.
type entry struct {
	f    int64
	cell int
}

func (e entry) before(o entry) bool { return e.f < o.f || e.f == o.f && e.cell < o.cell }

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
