package durable

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"github.com/limina-mcp/limina/internal/disk/baddisk"
)

// Whatever somebody does to the folder while a process has it, all of the world is there again with the next Sync, or with Close; it is told once, and what
// somebody has put there is kept.
func TestStray(t *testing.T) {
	move := func(dir string) error { return os.Rename(dir, dir+" moved") }
	mine := func(name string) func(string) error {
		return func(dir string) error {
			return errors.Join(os.WriteFile(filepath.Join(dir, "new"), []byte("mine"), 0o600), os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, name)))
		}
	}
	for _, tt := range []struct {
		name string
		do   func(dir string) error
		why  string
		kept bool // what somebody has put there
	}{
		{"the folder removed", os.RemoveAll, "the folder was removed or moved", false},
		{"the folder moved", move, "the folder was removed or moved", false},
		{"another in its place", func(dir string) error {
			return errors.Join(move(dir), os.Mkdir(dir, 0o700), mine(fileName)(dir))
		}, "the folder was removed or moved", true},
		{"the file removed", func(dir string) error { return os.Remove(filepath.Join(dir, fileName)) }, "the file was removed, moved or replaced", false},
		{"the file replaced", mine(fileName), "the file was removed, moved or replaced", true},
		{"the file overwritten", func(dir string) error { return os.WriteFile(filepath.Join(dir, fileName), []byte("mine"), 0o600) }, "the file was overwritten", true},
		{"the lock removed", func(dir string) error { return os.Remove(filepath.Join(dir, lockName)) }, "", false},
		{"nothing", func(string) error { return nil }, "", false},
	} {
		for _, changed := range []bool{true, false} {
			name := tt.name + ", and nothing has changed"
			if changed {
				name = tt.name + ", and something has changed"
			}
			t.Run(name, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "town")
				var told, why []string
				s := newSample()
				store, err := Open(s.World, dir, Options{
					Told: func(what string, err error) { told = append(told, what) },
					Anew: func(what string) { why = append(why, what) },
				})
				if err != nil {
					t.Fatal(err)
				}
				s.change(t, 1)
				if err := store.Sync(); err != nil {
					t.Fatal(err)
				}
				if err := tt.do(dir); err != nil {
					t.Fatal(err)
				}
				end := store.Close
				if changed {
					s.change(t, 2)
					end = store.Sync
				}
				if err := end(); err != nil {
					t.Fatal(err)
				}
				if want := []string{tt.why}; tt.why != "" && (!slices.Equal(why, want) || len(told) != 1) || tt.why == "" && len(why)+len(told) > 0 {
					t.Errorf("why it is written anew: %q, want %q; told %q", why, want, told)
				}
				aside, _ := os.ReadFile(filepath.Join(dir, fileName+".aside1"))
				if (string(aside) == "mine") != tt.kept {
					t.Errorf("what somebody has put there is %q now", aside)
				}
				if changed { // nobody else gets in
					lock := flock.New(filepath.Join(dir, lockName))
					if held, err := lock.TryLock(); held || err != nil {
						t.Errorf("another process has the folder: %v, %v", held, err)
					}
					_ = lock.Close()
				}
				s.change(t, 3)
				if changed {
					if err := store.Close(); err != nil {
						t.Fatal(err)
					}
				}
				s.note()
				if now := opened(t, dir); !changed && now.Hash() == s.Hash() || changed && now.Hash() != s.Hash() {
					t.Error("it is another world than it was at the end")
				}
			})
		}
	}
}

// What cannot be made anew is told, and is written when it can be. Another process that has come to have the folder keeps it.
func TestStrayThatStays(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "town")
	s := newSample()
	store, err := Open(s.World, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+" moved"); err != nil {
		t.Fatal(err)
	}
	other := newSample()
	theirs, err := Open(other.World, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	other.change(t, 5)
	s.change(t, 1)
	for range 2 {
		if err := store.Sync(); err == nil || !strings.Contains(err.Error(), "another process keeps its world there") {
			t.Errorf("Sync = %v", err)
		}
	}
	if store.Unsaved() == 0 {
		t.Error("nothing is unsaved")
	}
	if err := theirs.Close(); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if opened(t, dir).Hash() != s.Hash() {
		t.Error("it is another world")
	}
	kept, err := os.ReadFile(filepath.Join(dir, fileName+".aside1"))
	if err != nil {
		t.Fatal(err)
	}
	again := t.TempDir()
	write(t, again, kept)
	if opened(t, again).Hash() != other.Hash() {
		t.Error("the other's world is lost")
	}
}

// While nothing changes it is noticed within a minute. While the disk fails as well what waits does not grow.
func TestStrayIsLookedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "town")
		s := newSample()
		var broken atomic.Bool
		d := &baddisk.Disk{Fail: func(what string) bool { return broken.Load() && what == "sync" }}
		store, err := Open(s.World, dir, Options{open: d.Open})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go store.Run(ctx)
		synctest.Wait()
		broken.Store(true)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if late := store.Unsaved(); late < 50*time.Minute {
			t.Errorf("unsaved for %v", late)
		}
		store.mu.Lock()
		if len(store.pending) > 0 {
			t.Errorf("%d bytes wait for a file that is not there", len(store.pending))
		}
		store.mu.Unlock()
		broken.Store(false)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		to := t.TempDir()
		copied(t, dir, to)
		if store.Unsaved() != 0 || opened(t, to).states[0] != s.states[0] {
			t.Error("it is not there again")
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// remover removes the folder whenever it is synced, so often.
type remover struct {
	dir   string
	times int
}

func (*remover) Begin(Found) error { return nil }

func (r *remover) End(err error) error { return err }

func (r *remover) Sync() (uint64, error) {
	if r.times--; r.times < 0 {
		return 0, nil
	}
	return 0, os.RemoveAll(r.dir)
}

// What is removed while it is written is written again, at once; if it is removed then, too, it is not said to be on the disk.
func TestStrayMeanwhile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "town")
	r := &remover{dir: dir}
	s := newSample()
	store, err := Open(s.World, dir, Options{Ahead: r})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, times := range []int{1, 9} {
		s.change(t, times)
		r.times = times
		if err := store.Sync(); (err != nil) != (times > 1) {
			t.Errorf("removed %d times, Sync = %v", times, err)
		}
		if now, err := os.ReadFile(filepath.Join(dir, fileName)); (err == nil) != (times == 1) || err == nil && len(now) == 0 {
			t.Errorf("removed %d times, the file: %v", times, err)
		}
	}
}
