package backlog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/internal/backlog"
)

// rig returns what holds bytes of a bound of ten, and what compares how many are held with what is right, and the names of those that were dropped since.
func rig(t *testing.T) (hold func(name string, n int) *backlog.Load, want func(step string, held int, names ...string)) {
	t.Helper()
	b := backlog.New(10)
	var dropped []string
	hold = func(name string, n int) *backlog.Load {
		owner, _, mine := strings.Cut(name, "'s ")
		if !mine {
			owner = ""
		}
		return b.Hold(owner, n, func() { dropped = append(dropped, name) })
	}
	want = func(step string, held int, names ...string) {
		t.Helper()
		if b.Held() != held || !slices.Equal(dropped, names) {
			t.Errorf("%s: %d bytes are held and %q were dropped, want %d and %q", step, b.Held(), dropped, held, names)
		}
		dropped = nil
	}
	return hold, want
}

func TestBound(t *testing.T) {
	hold, want := rig(t)
	alone := hold("alone", 25)
	want("one alone", 25)
	a := hold("a", 4)
	want("one more", 4, "alone")
	alone.Resize(100)
	alone.Release()
	want("what was dropped counts no more", 4)
	c, d := hold("c", 3), hold("d", 3)
	want("as much as there may be", 10)
	a.Release()
	a.Release()
	want("one has gone", 6)
	d.Resize(7)
	want("one has grown", 10)
	hold("e", 8)
	want("the oldest go", 8, "c", "d")
	c.Release()
	(*backlog.Load)(nil).Release()
	want("in the end", 8)
}

// What is kept counts and is not dropped; what there is no room for beside it is.
func TestKeep(t *testing.T) {
	hold, want := rig(t)
	a := hold("a", 6)
	for _, l := range []*backlog.Load{a, a, nil} {
		if !l.Keep() {
			t.Error("what was not dropped cannot be kept")
		}
	}
	c := hold("c", 3)
	want("there is room", 9)
	d := hold("d", 4)
	want("the oldest that is not kept goes", 10, "c")
	if c.Keep() {
		t.Error("what was dropped is kept")
	}
	d.Resize(5)
	want("there is no room for one alone", 6, "d")
	a.Resize(20)
	want("what is kept stays as it is", 6)
	a.Release()
	a.Release()
	want("it is over", 0)
	hold("e", 25)
	want("one alone", 25)
}

// Of who holds most the oldest goes, however long others have held what they do.
func TestOwners(t *testing.T) {
	hold, want := rig(t)
	hold("ada's a", 3)
	first := hold("eve's a", 2)
	hold("eve's b", 2)
	hold("eve's c", 2)
	want("as much as there may be", 9)
	hold("eve's d", 2)
	want("eve's oldest", 9, "eve's a")
	hold("bob's a", 2)
	want("another one's room", 9, "eve's b")
	hold("ada's b", 2)
	want("now ada has most", 8, "ada's a")
	first.Release()
	hold("cid's a", 3)
	want("of as much that which is oldest", 9, "eve's c")
	hold("cid's b", 9)
	want("one for whom there is no room beside others", 6, "cid's a", "cid's b")
}
