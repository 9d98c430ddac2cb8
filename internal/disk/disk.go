// Package disk has what those share who keep something in a folder: what they need of a file, and how they go on when a disk fails.
package disk

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"time"
)

// File is what is needed of an *os.File.
type File interface {
	io.Reader
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Sync() error
}

// Opener opens files as os.OpenFile does. Tests have others.
type Opener func(name string, flag int, perm os.FileMode) (File, error)

// Open is the Opener of the system.
func Open(name string, flag int, perm os.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err // and no File that holds a nil pointer
	}
	return f, nil
}

// SyncDir has it on the disk which files a folder holds. Windows has no such thing.
func SyncDir(open Opener, dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := open(dir, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// How long Until waits before it tries again, at least and at most.
const (
	minWait = time.Second / 10
	maxWait = time.Minute
)

// ErrEnded is what a try of Until returns when there is nothing more to be tried, ever.
var ErrEnded = errors.New("it is closed")

// Until tries to write, first when wait has passed, then after twice as long each time, but a minute at most, until that succeeds. It
// returns false if there is no more to do: ctx has ended, or try returned [ErrEnded]. told gets every error of try, and nil
// when it succeeds after one.
func Until(ctx context.Context, wait time.Duration, try func() error, told func(error)) bool {
	failed := false
	for ; ; wait = min(max(2*wait, minWait), maxWait) {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(wait):
		}
		switch err := try(); {
		case errors.Is(err, ErrEnded):
			return false
		case err != nil:
			failed = true
			told(err)
		default:
			if failed {
				told(nil)
			}
			return true
		}
	}
}
