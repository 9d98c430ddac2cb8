// Package disk has what those share who keep something in a folder: what they need of a file, and how they go on when a disk fails.
package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// File is what is needed of an *os.File.
type File interface {
	io.Reader
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Stat() (os.FileInfo, error)
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

// Join is errors.Join of what has failed as something ends: what has failed for the same reason of the system's, such as a disk that is full, is said once.
func Join(errs ...error) error {
	var all []error
	for _, err := range errs {
		if err == nil {
			continue
		}
		var why syscall.Errno
		known := errors.As(err, &why)
		if !slices.ContainsFunc(all, func(other error) bool {
			var its syscall.Errno
			return err.Error() == other.Error() || known && errors.As(other, &its) && its == why
		}) {
			all = append(all, err)
		}
	}
	return errors.Join(all...)
}

// At reports whether a file is still what is found at path: neither removed nor moved, nor another in its place. What cannot be told is said
// to be so.
func At(f File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return true
	}
	return Same(open, path)
}

// missing reports whether there is nothing at path, not even a folder for it to be in.
func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// Same is At of a file of which info was got by its Stat.
func Same(info os.FileInfo, path string) bool {
	there, err := os.Lstat(path)
	if err != nil {
		return !missing(path)
	}
	return os.SameFile(info, there)
}

// Aside gives what is at path another name, which nothing has yet, and returns that; "" if there is nothing.
func Aside(path string) (string, error) {
	if missing(path) {
		return "", nil
	}
	const most = 1000
	for n := 1; n <= most; n++ {
		if to := fmt.Sprintf("%s.aside%d", path, n); missing(to) {
			return to, os.Rename(path, to)
		}
	}
	return "", fmt.Errorf("%s: it is none of ours, and %d others were put aside before it", path, most)
}

// MkdirAll makes a folder and those that it is in, as os.MkdirAll does, for its owner only, and has it on the disk that they are there: else all that
// is written in a new folder may be gone after a power cut. Folders above that may not be read are left to the system.
func MkdirAll(dir string) error {
	var made []string
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		made = append(made, at)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, at := range made {
		if err := SyncDir(Open, filepath.Dir(at)); err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	return nil
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
