package durable

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/internal/disk"
	"github.com/limina-mcp/limina/internal/disk/baddisk"
	"github.com/limina-mcp/limina/internal/goroutine"
	"github.com/limina-mcp/limina/world"
)

// gated is a file whose Sync waits for a gate.
type gated struct {
	disk.File
	begun, gate chan struct{}
}

func (g gated) Sync() error {
	g.begun <- struct{}{}
	<-g.gate
	return g.File.Sync()
}

// Who waits has what was committed before on the disk, and all who wait at a time wait for one write.
func TestAwait(t *testing.T) {
	dir := t.TempDir()
	begun, gate := make(chan struct{}, 100), make(chan struct{}, 100)
	for range cap(gate) {
		gate <- struct{}{}
	}
	s := newSample()
	store, err := Open(s.World, dir, Options{open: func(name string, flag int, perm os.FileMode) (disk.File, error) {
		f, err := disk.Open(name, flag, perm)
		if err != nil || name == dir {
			return f, err
		}
		return gated{f, begun, gate}, nil
	}, Interval: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [...]chan struct{}{begun, gate} {
		for len(c) > 0 {
			<-c
		}
	}
	if err := store.Await(t.Context()); err != nil || len(begun) != 0 {
		t.Errorf("Await = %v, and there were %d writes, of nothing", err, len(begun))
	}
	done := make(chan error)
	wait := func() { done <- store.Await(t.Context()) }
	s.change(t, 1)
	go wait()
	<-begun // with the first change only
	for n := range 7 {
		s.change(t, n)
		go wait()
	}
	select {
	case <-done:
		t.Error("somebody has not waited")
	default:
	}
	gate <- struct{}{}
	<-begun // with all the others
	if err := <-done; err != nil {
		t.Error(err)
	}
	gate <- struct{}{}
	for range 7 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if len(begun) != 0 {
		t.Errorf("%d writes for eight who wait, want two", len(begun)+2)
	}
	dead := t.TempDir()
	copied(t, dir, dead)
	n := newSample()
	next, err := Open(n.World, dead, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if n.note(); n.states[1] != s.states[len(s.states)-1] {
		t.Error("who is killed then has another world")
	}
	close(gate)
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	if err := store.Await(t.Context()); err != nil {
		t.Errorf("Await of what Close has written = %v", err)
	}
	s.change(t, 1)
	if err := store.Await(t.Context()); !errors.Is(err, disk.ErrEnded) {
		t.Errorf("Await of what is not kept any more = %v", err)
	}
}

// While the disk takes nothing Await waits, until it does or nobody wants to know any more.
func TestAwaitOfBadDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var broken atomic.Bool
		d := &baddisk.Disk{Fail: func(what string) bool { return broken.Load() && what == "sync" }}
		s := newSample()
		store, err := Open(s.World, t.TempDir(), Options{open: d.Open})
		if err != nil {
			t.Fatal(err)
		}
		broken.Store(true)
		s.change(t, 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		began := time.Now()
		if err := store.Await(ctx); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), baddisk.Err.Error()) || time.Since(began) != time.Hour {
			t.Errorf("after %v Await = %v", time.Since(began), err)
		}
		done := make(chan error)
		go func() { done <- store.Await(t.Context()) }()
		time.Sleep(time.Second)
		synctest.Wait()
		broken.Store(false)
		if err := <-done; err != nil {
			t.Error(err)
		}
		if store.Unsaved() != 0 {
			t.Error("something is not saved")
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestAwaitInside has who waits have the world locked, so that nothing could be written before he is done: he is told so at once, also while somebody else who writes
// waits for the world, and the store goes on.
func TestAwaitInside(t *testing.T) {
	if goroutine.ID() == 0 {
		t.Skip("goroutines cannot be told apart here")
	}
	dir := t.TempDir()
	s := newSample()
	store, err := Open(s.World, dir, Options{Interval: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for name, wait := range map[string]func() error{
		"Await": func() error { return store.Await(ctx) }, "Sync": store.Sync, "SyncAhead": store.SyncAhead, "Close": store.Close,
	} {
		refused := func(where string) {
			t.Helper()
			if err := wait(); err == nil || !strings.Contains(err.Error(), "when it has ended") {
				t.Errorf("%s in %s: %v", name, where, err)
			}
		}
		others := make(chan error, 1)
		s.View(func(*world.View) { refused("a view") })
		s.change(t, 1) // for the other one to write
		if _, err := s.Update(ctx, func(tx *world.Tx) error {
			_, err := tx.Create(world.Spec{})
			go func() { others <- store.Sync() }()
			for store.mu.TryLock() { // until that one has the store, and waits for the world
				store.mu.Unlock()
				runtime.Gosched()
			}
			refused("a transaction")
			return err
		}); err != nil {
			t.Error(err)
		}
		if err := errors.Join(<-others, store.Await(ctx)); err != nil {
			t.Errorf("after %s: %v", name, err)
		}
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}
