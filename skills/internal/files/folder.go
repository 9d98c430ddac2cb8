package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/registry"
)

// Folder is the one in which the server reads and writes files for callers; "" is none, of which each method says so but Has.
type Folder string

// Open opens the folder. What is opened in it stays in it, whatever links are there.
func (f Folder) Open() (*os.Root, error) {
	if f == "" {
		return nil, registry.Failf("the server has no folder for files: its operator gives one with --files DIR; leave file out")
	}
	root, err := os.OpenRoot(string(f))
	if err != nil { // at the start the log has said why
		return nil, registry.Failf("the server cannot open its folder for files, which only its operator can mend; leave file out")
	}
	return root, nil
}

// Write writes files: all of them, or what was there stays.
func (f Folder) Write(list ...File) (err error) {
	root, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return Replace(root, list...)
}

// Of is a file that holds data.
func Of(name string, data []byte) File {
	return File{Name: name, Write: func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}}
}

// Read reads a file that a field names, if it has no more bytes than it may. Where there is none the error says what instead answers, too.
func (f Folder) Read(field, name string, most int, instead func() string) (data []byte, err error) {
	root, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	info, err := root.Stat(name) // first: to open a pipe waits for somebody who writes into it
	if errors.Is(err, fs.ErrNotExist) {
		return nil, registry.Failf("%s: there is no file %s on the server%s", field, name, instead())
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, registry.Failf("%s: %s is no file", field, name)
	}
	if err == nil {
		data, err = readAll(root, name, most)
	}
	if err != nil {
		return nil, registry.Under(field, Refused("read", name, err))
	}
	if len(data) > most {
		err = registry.Errorf(registry.CodeCapacityExceeded, "%s: %s has more than %d bytes, which is what is allowed", field, name, most)
	}
	return data, err
}

// readAll reads a file, but no more than a byte more than it may have.
func readAll(root *os.Root, name string, most int) (data []byte, err error) {
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, int64(most)+1))
}

// Has reports whether there is a file of a name.
func (f Folder) Has(name string) bool {
	root, err := f.Open()
	if err != nil {
		return false
	}
	_, err = root.Lstat(name)
	return errors.Join(err, root.Close()) == nil
}

// List returns the names of the files that end in one of these, in order.
func (f Folder) List(endings ...string) (names []string, err error) {
	root, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	all, err := fs.Glob(root.FS(), "*")
	for _, name := range all {
		if slices.Contains(endings, path.Ext(name)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}

// Some names files for a message.
func Some(names []string) string {
	const most = 20
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > most:
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
