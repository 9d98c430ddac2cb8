package world

// rowed is state that consists of rows.
type rowed interface {
	eachRow(fn func(key, value []byte))
	eachTouched(fn func(key, value []byte))
}

func (w *World) rowed(name string) rowed {
	s := w.byName[name]
	t, ok := s.(rowed)
	if !ok || s.base().private {
		return nil
	}
	return t
}

// Rows calls fn with every row of a table that viewers get: its key, as a JSON string, and its JSON.
// Both are fn's only while it runs. It reports false if viewers get no table of that name.
func (v *View) Rows(name string, fn func(key, value []byte)) bool {
	t := v.w.rowed(name)
	if t == nil {
		return false
	}
	t.eachRow(fn)
	return true
}

// Rows calls fn with every row of a table that the commit has touched: its key, as a JSON string, and
// its JSON, which is nil if the row is gone. Both are fn's only while it runs, and a row may come
// more than once. It reports false if viewers get no table of that name. Like [Commit.View] it is for
// an observer, while it runs.
func (c *Commit) Rows(name string, fn func(key, value []byte)) bool {
	t := c.view.w.rowed(name)
	if t == nil {
		return false
	}
	t.eachTouched(fn)
	return true
}

func (t *Table[K, T]) eachRow(fn func(key, value []byte)) {
	var buf []byte
	for i := range t.keys {
		buf = t.showRow(buf, t.keys[i], fn)
	}
}

// eachTouched finds the rows by the inverses that the transaction keeps of them.
func (t *Table[K, T]) eachTouched(fn func(key, value []byte)) {
	var buf []byte
	for i := range t.olds {
		buf = t.showRow(buf, t.olds[i].key, fn)
	}
}

func (t *Table[K, T]) showRow(buf []byte, k K, fn func(key, value []byte)) []byte {
	buf = t.keying.appendKey(buf[:0], &k)
	n := len(buf)
	v, ok := t.rows[k]
	if !ok {
		fn(buf, nil)
		return buf
	}
	buf = t.codec.append(buf, &v)
	fn(buf[:n:n], buf[n:])
	return buf
}
