package durable

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/internal/disk"
	"github.com/limina-mcp/limina/world"
)

var errFull = errors.New("no space left on device")

// smallDisk is one that has room for so many bytes; 0: for any number.
type smallDisk struct {
	dir  string
	room int64
}

// free returns how many bytes more there is room for.
func (d *smallDisk) free() int64 {
	left := d.room
	entries, _ := os.ReadDir(d.dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			left -= info.Size()
		}
	}
	return max(left, 0)
}

func (d *smallDisk) open(name string, flag int, perm os.FileMode) (disk.File, error) {
	f, err := disk.Open(name, flag, perm)
	return &onSmallDisk{f, d}, err
}

type onSmallDisk struct {
	disk.File
	d *smallDisk
}

// WriteAt writes as much as there is room for. All is new: nothing is overwritten.
func (f *onSmallDisk) WriteAt(p []byte, at int64) (int, error) {
	if free := f.d.free(); f.d.room > 0 && int64(len(p)) > free {
		n, err := f.File.WriteAt(p[:free], at)
		return n, errors.Join(errFull, err)
	}
	return f.File.WriteAt(p, at)
}

// A disk that has no room for all of the world once more has room for what changes: what was written of it in vain does not take it up, neither now nor
// once a process was killed at it.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	d := &smallDisk{dir: dir}
	s := newSample()
	var told []string
	store, err := Open(s.World, dir, Options{open: d.open, Told: func(what string, _ error) { told = append(told, what) }})
	if err != nil {
		t.Fatal(err)
	}
	set := func(entity world.ID, bytes int) {
		t.Helper()
		_, err := s.Update(context.Background(), func(tx *world.Tx) error {
			if !tx.Exists(entity) {
				if _, err := tx.Create(world.Spec{}); err != nil {
					return err
				}
			}
			return s.secrets.Set(tx, entity, strings.Repeat("x", bytes+int(tx.Tick())))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	const large = 1 << 20
	set(1, 1)
	for store.size <= 2*store.need+small {
		set(2, large)
		if err := store.Sync(); err != nil {
			t.Fatal(err)
		}
	}
	d.room = store.size + large/2
	for range 3 {
		set(1, 1)
		if err := store.Sync(); err != nil {
			t.Fatalf("there is room for half a megabyte, and a change is not taken: %v; it tells %q", err, told)
		}
	}
	if len(told) != 1 || !strings.Contains(told[0], "cannot be written anew") {
		t.Errorf("it tells %q, want once that it cannot be written anew", told)
	}
	left := filepath.Join(dir, newName)
	if err := errors.Join(store.Close(), os.WriteFile(left, make([]byte, large/4), 0o600)); err != nil {
		t.Fatal(err)
	}
	if now := opened(t, dir); now.Hash() != s.Hash() {
		t.Error("it is another world")
	}
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what somebody who was killed has left is still there: %v", err)
	}
}
