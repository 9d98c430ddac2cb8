// Package files writes files into a folder so that there is all of them or what was there before, also where the machine
// loses its power.
package files

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/limina-mcp/limina/registry"
)

// File is a file to be written.
type File struct {
	Name  string // in the folder
	Write func(io.Writer) error
}

// Replace writes files, in place of those of their names. Each is written under another name, and is on the disk before the
// first gets its own, so that whatever fails before leaves all that was there: a file that cannot be written, a full disk,
// a process that is stopped, power that fails. A stop between the names of two files leaves one new and one old.
//
// What the file system does not do is told the caller, in its words and with the file's name; an error of Write's is returned
// as it is. Any number of goroutines and processes may replace the same files: each file is then one of theirs.
func Replace(root *os.Root, files ...File) (err error) {
	drafts := make([]string, 0, len(files))
	defer func() {
		for _, draft := range drafts { // those that have not got their names
			if gone := root.Remove(draft); err == nil && !errors.Is(gone, fs.ErrNotExist) {
				err = gone
			}
		}
	}()
	for _, f := range files {
		sweep(root, f.Name)
		draft := "." + f.Name + "." + rand.Text()[:draftLength] + ".part"
		file, err := root.OpenFile(draft, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err != nil {
			return Refused("write", f.Name, err)
		}
		drafts = append(drafts, draft)
		err = f.Write(file)
		if err == nil {
			err = file.Sync()
		}
		if err = errors.Join(err, file.Close()); err != nil {
			return Refused("write", f.Name, err)
		}
	}
	if err := fits(root, files, drafts); err != nil {
		return err
	}
	for i, f := range files {
		if err := root.Rename(drafts[i], f.Name); err != nil {
			return Refused("write", f.Name, err)
		}
	}
	if folder, err := root.Open("."); err == nil {
		_ = folder.Sync() // not every system can; then it is the names that may be the old ones, never what is in the files
		_ = folder.Close()
	}
	return nil
}

// What a folder holds at most with what is written into it: else who may have files written fills the disk, on which the world is kept, too. Variables are for tests.
var (
	MaxFiles       = 10_000
	MaxBytes int64 = 8 << 30
)

// fits refuses files, of which there are drafts, for which a folder has no room: capacity_exceeded. One in the place of another of its name needs only what it has more.
func fits(root *os.Root, files []File, drafts []string) error {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return Refused("read the folder of", files[0].Name, err)
	}
	sizes := map[string]int64{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			sizes[e.Name()] = info.Size()
		}
	}
	before := len(sizes)
	grows := int64(0)
	for i, f := range files {
		grows += sizes[drafts[i]] - sizes[f.Name]
		sizes[f.Name] = sizes[drafts[i]]
		delete(sizes, drafts[i])
	}
	all := int64(0)
	for _, n := range sizes {
		all += n
	}
	before -= len(drafts)
	switch {
	case len(sizes) > MaxFiles && len(sizes) > before:
		return registry.Errorf(registry.CodeCapacityExceeded, "the server's folder would have %d files, and may have %d: name one that is there, which is replaced; only its operator can take others away", len(sizes), MaxFiles)
	case all > MaxBytes && grows > 0:
		return registry.Errorf(registry.CodeCapacityExceeded, "the files in the server's folder would have %d bytes together, and may have %d: name one that is there, which is replaced; only its operator can take others away", all, MaxBytes)
	}
	return nil
}

// Drafts of which nobody has written anything for abandoned are nobody's any more. Their names have so many random letters.
const (
	abandoned   = time.Hour
	draftLength = 8
)

// sweep removes abandoned drafts of a file. What cannot be removed stays.
func sweep(root *os.Root, name string) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), "."+name+".")
		letters, part := strings.CutSuffix(rest, ".part")
		if !ok || !part || len(letters) != draftLength || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = root.Remove(e.Name())
		}
	}
}

// Refused tells the caller that the file system has refused to read or write a file, as verb says; everything else it returns as it is.
func Refused(verb, name string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	default:
		return err
	}
	return registry.Failf("the server cannot %s the file %s: %v; only its operator can mend that", verb, name, err)
}
