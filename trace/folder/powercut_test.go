package folder

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/limina-mcp/limina/internal/disk"
)

// lazyDisk is a disk on which a file is shorter only once it is synced.
type lazyDisk struct {
	broken bool              // nothing is synced
	longer map[string][]byte // what a file has after a power cut, where that is more than it has
}

type lazyFile struct {
	disk.File
	path string
	d    *lazyDisk
}

func (d *lazyDisk) open(name string, flag int, perm os.FileMode) (disk.File, error) {
	f, err := disk.Open(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &lazyFile{f, name, d}, nil
}

func (f *lazyFile) Truncate(size int64) error {
	before, err := os.ReadFile(f.path)
	if err != nil {
		return err
	}
	if _, noted := f.d.longer[f.path]; !noted && int64(len(before)) > size {
		f.d.longer[f.path] = before
	}
	return f.File.Truncate(size)
}

func (f *lazyFile) Sync() error {
	if f.d.broken {
		return errors.New("the disk is broken")
	}
	delete(f.d.longer, f.path)
	return f.File.Sync()
}

// What was cut off a file does not come back by a power cut once another file goes on from there: the two would not fit together, and no process would begin
// with them.
func TestPowerCut(t *testing.T) {
	for name, tear := range map[string]func(*testing.T, *lazyDisk, *Folder){
		"a line that was not written to its end": func(t *testing.T, _ *lazyDisk, f *Folder) {
			t.Helper()
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			file, err := os.OpenFile(f.path(1), os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, err = file.WriteString(`{"id":"evt_3","ty`)
				err = errors.Join(err, file.Close())
			}
			if err != nil {
				t.Fatal(err)
			}
		},
		"a line that could not be synced": func(t *testing.T, d *lazyDisk, f *Folder) {
			t.Helper()
			say(t, f.log, 3, 300)
			d.broken = true
			if err := f.Sync(); err == nil {
				t.Fatal("the disk is broken, and takes it")
			}
			d.broken = false
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, dead := filepath.Join(t.TempDir(), "trace"), filepath.Join(t.TempDir(), "dead")
			d := &lazyDisk{longer: map[string][]byte{}}
			o := Options{size: 3000, open: d.open}
			log := newLog()
			f, err := Open(log, dir, o)
			if err != nil {
				t.Fatal(err)
			}
			for n := range 3 {
				say(t, log, n, 300)
			}
			if err := f.Sync(); err != nil {
				t.Fatal(err)
			}
			if tear(t, d, f); f.closed {
				log = newLog()
				if f, err = Open(log, dir, o); err != nil {
					t.Fatal(err)
				}
			}
			say(t, log, 4, 2000)
			if err := f.Sync(); err != nil {
				t.Fatal(err)
			}
			if paths, err := Files(dir); err != nil || len(paths) != 2 {
				t.Fatalf("it is in the files %q, %v, want two", paths, err)
			}
			copied(t, dir, dead)
			for path, text := range d.longer {
				if err := os.WriteFile(filepath.Join(dead, filepath.Base(path)), text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			next := newLog()
			again, err := Open(next, dead, Options{size: o.size})
			if err != nil {
				t.Fatalf("after the power was cut: %v", err)
			}
			if want, _ := log.Head(); verified(t, dead).Last != want-1 {
				t.Errorf("after the power was cut there is %+v, want up to %v", verified(t, dead), want-1)
			}
			if err := errors.Join(again.Close(), f.Close()); err != nil {
				t.Fatal(err)
			}
		})
	}
}
