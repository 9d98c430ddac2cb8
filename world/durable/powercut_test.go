package durable

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/internal/disk"
	"github.com/limina-mcp/limina/internal/disk/baddisk"
	"github.com/limina-mcp/limina/world"
)

// leaky is a file of a disk that writes blocks in any order: before they are synced, cut is told what there is if the machine stops just then, without one
// block of those that are new.
type leaky struct {
	disk.File
	path string
	good int64
	cut  func(text []byte)
}

const block = 512

func (f *leaky) Sync() error {
	text, err := os.ReadFile(f.path)
	if err != nil {
		return err
	}
	for at := f.good; at < int64(len(text)); at = at/block*block + block {
		left := slices.Clone(text)
		clear(left[at:min(at/block*block+block, int64(len(text)))])
		f.cut(left)
	}
	if err := f.File.Sync(); err != nil {
		return err
	}
	f.good = int64(len(text))
	return nil
}

// Wherever the machine stops, and whichever blocks of what was being written are on the disk then, there is a world.
func TestPowerCut(t *testing.T) {
	dir, dead := t.TempDir(), t.TempDir()
	s := newSample()
	cuts, broken := 0, false
	d := &baddisk.Disk{Fail: func(what string) bool { return broken && what == "sync" }}
	cut := func(text []byte) {
		cuts++
		write(t, dead, text)
		after := newSample()
		store, err := Open(after.World, dead, Options{})
		if err != nil {
			t.Fatalf("where the power was cut the world is refused: %v", err)
		}
		after.note()
		if !slices.Contains(s.states, after.states[1]) {
			t.Error("where the power was cut there is another world")
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	open := func(name string, flag int, perm os.FileMode) (disk.File, error) {
		f, err := d.Open(name, flag, perm)
		if err != nil || filepath.Base(name) != fileName {
			return f, err
		}
		info, err := f.Stat()
		return &leaky{f, name, info.Size(), cut}, err
	}
	store, err := Open(s.World, dir, Options{open: open})
	if err != nil {
		t.Fatal(err)
	}
	change := func() {
		t.Helper()
		_, err := s.Update(context.Background(), func(tx *world.Tx) error {
			id, err := tx.Create(world.Spec{})
			if err != nil {
				return err
			}
			return s.secrets.Set(tx, id, strings.Repeat(fmt.Sprint(id), 2*block))
		})
		if err != nil {
			t.Fatal(err)
		}
		s.note()
	}
	change()
	if err := store.Sync(); err != nil {
		t.Fatal(err)
	}
	broken = true
	change()
	if err := store.Sync(); err == nil {
		t.Fatal("the disk is broken, and takes it")
	}
	change()
	if err := store.anewNow(); err == nil {
		t.Fatal("the disk is broken, and takes all of it")
	}
	broken = false
	change()
	if err := store.Sync(); err != nil {
		t.Fatal(err)
	}
	change()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if cuts < 20 {
		t.Errorf("the power was cut %d times", cuts)
	}
}
