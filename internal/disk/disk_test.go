package disk_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/internal/disk"
)

// It is tried after the wait and then after twice as long each time, up to a minute; who watches is told of each failure, and of the end of
// them.
func TestUntil(t *testing.T) {
	failing := errors.New("broken")
	tests := []struct {
		name  string
		wait  time.Duration
		ends  error // of the last try
		fails int
		at    []time.Duration // of each try
		told  []error
		want  bool
	}{
		{"at once", time.Second, nil, 0, []time.Duration{time.Second}, nil, true},
		{"without a wait", 0, nil, 2, []time.Duration{0, 100 * time.Millisecond, 300 * time.Millisecond}, []error{failing, failing, nil}, true},
		{"long", 25 * time.Second, nil, 3, []time.Duration{25 * time.Second, 75 * time.Second, 135 * time.Second, 195 * time.Second}, []error{failing, failing, failing, nil}, true},
		{"it is closed", time.Second, fmt.Errorf("x: %w", disk.ErrEnded), 1, []time.Duration{time.Second, 3 * time.Second}, []error{failing}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				var at []time.Duration
				var told []error
				got := disk.Until(t.Context(), tt.wait, func() error {
					if at = append(at, time.Since(begun)); len(at) > tt.fails {
						return tt.ends
					}
					return failing
				}, func(err error) { told = append(told, err) })
				if got != tt.want || !slices.Equal(at, tt.at) || !slices.Equal(told, tt.told) {
					t.Errorf("Until = %v, tried at %v, told %v", got, at, told)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if disk.Until(ctx, time.Second, func() error { return failing }, func(error) {}) {
			t.Error("it has succeeded")
		}
	})
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	if f, err := disk.Open(filepath.Join(dir, "x"), 0, 0); f != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open = %v, %v", f, err)
	}
	if err := disk.SyncDir(disk.Open, dir); err != nil {
		t.Error(err)
	}
	broken := errors.New("broken")
	if err := disk.SyncDir(func(string, int, fs.FileMode) (disk.File, error) { return nil, broken }, dir); !errors.Is(err, broken) {
		t.Errorf("SyncDir = %v", err)
	}
}

// TestMkdirAll makes folders in folders, for their owner only; those that are there stay as they are, and what is no folder is in the way.
func TestMkdirAll(t *testing.T) {
	at := t.TempDir()
	dir := filepath.Join(at, "a", "b", "c")
	for range 2 {
		if err := disk.MkdirAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, made := range []string{"a", "a/b", "a/b/c"} {
		s, err := os.Stat(filepath.Join(at, made))
		if err != nil || !s.IsDir() || runtime.GOOS != "windows" && s.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", made, s, err)
		}
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := disk.MkdirAll(filepath.Join(file, "d")); err == nil {
		t.Error("a folder is made in a file")
	}
}

// TestJoin: what has failed for one reason is said once.
func TestJoin(t *testing.T) {
	full := &os.PathError{Op: "write", Path: "a", Err: syscall.ENOSPC}
	also := &os.PathError{Op: "write", Path: "b", Err: syscall.ENOSPC}
	other := errors.New("other")
	err := disk.Join(nil, full, also, other, other)
	if !errors.Is(err, syscall.ENOSPC) || err.Error() != full.Error()+"\nother" {
		t.Errorf("%v", err)
	}
	if disk.Join(nil, nil) != nil {
		t.Error("nothing is an error")
	}
}
