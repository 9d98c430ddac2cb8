package world

// RowFunc is called with a row of a table: its key, as a JSON string, its JSON, which is nil if the row is gone, and where
// it is; at is nil if rows of the table have no places, see [Table.Locate]. All are its only while it runs.
type RowFunc func(key, value []byte, at *Place)

// rowed is state that consists of rows.
type rowed interface {
	table() any // the Table
	eachRow(fn RowFunc)
	eachTouched(fn RowFunc)
	mark()                          // marks the rows that the open transaction has touched, for a Tracker
	unmark()                        // forgets which are marked
	appendMarked(dst []byte) []byte // those that are marked, as an ImageTable, and unmarks them
	appendTable(dst []byte) []byte  // all of them, as an ImageTable
	count() uint64                  // the counter
	countTo(tx *Tx, n uint64)
	setCounter(n uint64)
}

func (w *World) rowed(name string) rowed {
	s := w.byName[name]
	t, ok := s.(rowed)
	if !ok || s.base().private {
		return nil
	}
	return t
}

// Rows calls fn with every row of a table that viewers get. It reports false if viewers get no table of that name.
func (v *View) Rows(name string, fn RowFunc) bool {
	t := v.w.rowed(name)
	if t == nil {
		return false
	}
	t.eachRow(fn)
	return true
}

// Rows calls fn with every row of a table that the commit has touched; one may come more than once. It reports false if
// viewers get no table of that name. Like [Commit.View] it is for an observer, while it runs.
func (c *Commit) Rows(name string, fn RowFunc) bool {
	t := c.view.w.rowed(name)
	if t == nil {
		return false
	}
	t.eachTouched(fn)
	return true
}
