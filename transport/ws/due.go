package ws

// due are the connections that are to be pushed to, in the order in which they are: of all owners who have some that wait he comes first whose turn was longest ago,
// and of his connections that to which something was pushed longest ago. So who has thousands gets as much as who has one, as long as that one has something
// to be pushed, and neither who asks first nor who asks often gets more: whoever was served since the last commit asks at the next one, all at once and always in the
// same order. It belongs to who pushes.
type due struct {
	n      int    // connections that wait
	turns  uint64 // given so far
	owners queue[*line]
	lines  map[uint32]*line // by Conn.whose
	sweep  int              // how many lines there are when those are looked for of which none wait
}

// line is the connections of one owner that wait.
type line struct {
	had   uint64 // his last turn, a number of due.turns
	conns queue[*Conn]
}

// add has a connection wait for its turn.
func (d *due) add(c *Conn) {
	whose := c.whose.Load()
	l := d.lines[whose]
	if l == nil {
		l = &line{had: c.served} // at the latest, should he have been forgotten
		d.grow()
		d.lines[whose] = l
	}
	l.conns.push(c.served, c)
	if len(l.conns) == 1 {
		d.owners.push(l.had, l)
	}
	d.n++
}

// next takes the one whose turn it is, and numbers the turn. Some wait.
func (d *due) next() *Conn {
	l := d.owners[0].of
	c := l.conns.pop()
	d.n--
	d.turns++
	l.had = d.turns
	if len(l.conns) > 0 {
		d.owners.put(0, item[*line]{l.had, l})
	} else {
		d.owners.pop()
	}
	return c
}

// grow makes room for one more owner.
func (d *due) grow() {
	if d.lines == nil {
		d.lines = map[uint32]*line{}
	}
	if len(d.lines) < d.sweep {
		return
	}
	for whose, l := range d.lines {
		if len(l.conns) == 0 {
			delete(d.lines, whose)
		}
	}
	d.sweep = max(2*len(d.lines), 64)
}

// queue is a heap: the lowest key comes first.
type queue[T any] []item[T]

type item[T any] struct {
	key uint64
	of  T
}

func (q *queue[T]) push(key uint64, of T) {
	*q = append(*q, item[T]{})
	s := *q
	at := len(s) - 1
	for at > 0 {
		up := (at - 1) / 2
		if s[up].key <= key {
			break
		}
		s[at] = s[up]
		at = up
	}
	s[at] = item[T]{key, of}
}

func (q *queue[T]) pop() T {
	s := *q
	first, last := s[0].of, s[len(s)-1]
	s[len(s)-1] = item[T]{}
	if *q = s[:len(s)-1]; len(*q) > 0 {
		q.put(0, last)
	}
	return first
}

// put puts an item in the place of another, or below that.
func (q *queue[T]) put(at int, it item[T]) {
	s := *q
	for {
		down := 2*at + 1
		if down >= len(s) {
			break
		}
		if down+1 < len(s) && s[down+1].key < s[down].key {
			down++
		}
		if it.key <= s[down].key {
			break
		}
		s[at] = s[down]
		at = down
	}
	s[at] = it
}
