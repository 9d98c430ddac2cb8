package durable

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/internal/disk"
	"github.com/limina-mcp/limina/internal/disk/baddisk"
	"github.com/limina-mcp/limina/world"
)

// rear is what is kept ahead of a world: it knows how far the world was when it was synced last.
type rear struct {
	w      *world.World
	fail   func() bool
	found  Found
	synced uint64 // the tick
	ended  int    // how often
}

func (r *rear) Begin(f Found) error {
	r.found = f
	_, err := r.Sync()
	return err
}

func (r *rear) Sync() (uint64, error) {
	if r.fail() {
		return 0, baddisk.Err
	}
	r.synced = r.w.Tick()
	return r.synced, nil
}

func (r *rear) End(err error) error {
	r.ended++
	return err
}

// kept returns how far the world is that a folder holds.
func kept(t rapid.TB, dir string) uint64 {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, fileName))
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := read(f)
	if err != nil {
		t.Fatal(err)
	}
	return c.image.Tick
}

// Whatever is written, and whatever fails: what is on the disk of the world is never further than what is ahead of it, but when the
// store is closed, and then it is said not to be closed.
func TestAhead(t *testing.T) {
	base := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(base, "")
		if err != nil {
			t.Fatal(err)
		}
		broken := false
		fail := func(what string) bool { return broken && rapid.IntRange(0, 3).Draw(t, what) == 0 }
		s := newSample()
		r := &rear{w: s.World, fail: func() bool { return fail("ahead") }}
		d := &baddisk.Disk{Fail: fail}
		n := 0
		// Whatever is done on the disk, the world goes on meanwhile.
		open := func(name string, flag int, perm os.FileMode) (disk.File, error) {
			n++
			if n > 3 {
				s.change(t, n)
			}
			f, err := d.Open(name, flag, perm)
			if err != nil {
				return nil, err
			}
			return watched{f, func() {
				if at := kept(t, dir); at > r.synced {
					t.Fatalf("the world on the disk is at tick %d, what is ahead of it at %d", at, r.synced)
				}
			}}, nil
		}
		store, err := Open(s.World, dir, Options{Ahead: r, open: open})
		if err != nil {
			t.Fatal(err)
		}
		if !r.found.New || !r.found.Closed {
			t.Fatalf("in an empty folder it has found %+v", r.found)
		}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			s.change(t, n)
			broken = rapid.Bool().Draw(t, "broken")
			if rapid.IntRange(0, 3).Draw(t, "what") == 0 {
				_ = store.anewNow()
			} else {
				_ = store.Sync()
			}
			if at := kept(t, dir); at > r.synced {
				t.Fatalf("the world on the disk is at tick %d, what is ahead of it at %d", at, r.synced)
			}
		}
		broken = false
		late := rapid.Bool().Draw(t, "late")
		r.fail = func() bool { return late }
		if rapid.Bool().Draw(t, "changed") {
			s.change(t, n)
		}
		if late {
			r.synced = s.Tick() + 1000 // it may be behind now
		}
		if err := store.Close(); (err != nil) != late {
			t.Fatalf("Close = %v", err)
		}
		if err := store.Close(); err != nil || r.ended != 1 {
			t.Fatalf("Close again = %v, and what is ahead has ended %d times", err, r.ended)
		}
		next := newSample()
		again := &rear{w: next.World, fail: func() bool { return false }}
		store, err = Open(next.World, dir, Options{Ahead: again})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		if next.note(); next.states[1] != s.states[len(s.states)-1] {
			t.Fatal("what was closed is another world")
		}
		if f := again.found; f.New || f.Closed == late || f.Tick != s.Tick() || f.Damage(f.Tick) != nil {
			t.Fatalf("it has found %+v, want tick %d, closed %v", f, s.Tick(), !late)
		}
		if f := again.found; f.Mark > r.synced || !late && f.Mark != r.synced {
			t.Fatalf("it has found %+v, and of what is ahead %d was on the disk", f, r.synced)
		}
	})
}

// watched is a file that is looked at whenever something was written to it.
type watched struct {
	disk.File
	look func()
}

func (w watched) WriteAt(p []byte, at int64) (int, error) {
	defer w.look()
	return w.File.WriteAt(p, at)
}

// Where what is ahead cannot begin nothing is written, and the folder is free.
func TestAheadThatFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, fileName)
	for range 2 {
		before, _ := os.ReadFile(path)
		s := newSample()
		r := &rear{w: s.World, fail: func() bool { return true }}
		if _, err := Open(s.World, dir, Options{Ahead: r}); !errors.Is(err, baddisk.Err) || r.ended != 1 {
			t.Errorf("Open = %v, and it has ended %d times", err, r.ended)
		}
		if now, _ := os.ReadFile(path); !bytes.Equal(now, before) {
			t.Errorf("the file is now %s", now)
		}
		store, err := Open(newSample().World, dir, Options{Patience: -1})
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
