// Package baddisk is a disk for tests, which fails when it is told to.
package baddisk

import (
	"errors"
	"os"

	"github.com/limina-mcp/limina/internal/disk"
)

// Err is what a disk fails with.
var Err = errors.New("the disk is broken")

// Disk is a disk that fails. What of a file was not synced is lost when that fails, as on some systems.
type Disk struct {
	Fail func(what string) bool // asked before what is done: "open", "write", "truncate" or "sync"
}

// Open is a [disk.Opener].
func (d *Disk) Open(name string, flag int, perm os.FileMode) (disk.File, error) {
	if d.Fail("open") {
		return nil, Err
	}
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &file{f, d, info.Size()}, nil
}

type file struct {
	*os.File
	d    *Disk
	good int64 // bytes that are on the disk
}

// WriteAt writes half of it when it fails.
func (f *file) WriteAt(p []byte, at int64) (int, error) {
	if f.d.Fail("write") {
		n, _ := f.File.WriteAt(p[:len(p)/2], at)
		return n, Err
	}
	return f.File.WriteAt(p, at)
}

func (f *file) Truncate(size int64) error {
	if f.d.Fail("truncate") {
		return Err
	}
	return f.File.Truncate(size)
}

func (f *file) Sync() error {
	info, err := f.Stat()
	if !f.d.Fail("sync") {
		f.good = info.Size()
		return err
	}
	if err == nil && !info.IsDir() && info.Size() > f.good {
		err = f.File.Truncate(f.good)
	}
	return errors.Join(Err, err)
}
