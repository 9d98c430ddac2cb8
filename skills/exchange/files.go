package exchange

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/files"
	"github.com/limina-mcp/limina/skills/material"
)

// open opens the folder of files. What is opened in it stays in it, whatever links are there.
func (d *Deps) open() (*os.Root, error) {
	if d.Dir == "" {
		return nil, registry.Failf("the server has no folder for files: its operator gives one with --files DIR; leave file out")
	}
	root, err := os.OpenRoot(d.Dir)
	if err != nil { // at the start the log has said why
		return nil, registry.Failf("the server cannot open its folder for files, which only its operator can mend; leave file out")
	}
	return root, nil
}

// write writes files: all of them, or what was there stays.
func (d *Deps) write(list ...files.File) (err error) {
	root, err := d.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return files.Replace(root, list...)
}

// file is one that holds data.
func file(name string, data []byte) files.File {
	return files.File{Name: name, Write: func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}}
}

// read reads a file that a field names, if it has no more bytes than it may.
func (d *Deps) read(field, name string, most int) (data []byte, err error) {
	root, err := d.open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	info, err := root.Stat(name) // first: to open a pipe waits for somebody who writes into it
	if errors.Is(err, fs.ErrNotExist) {
		return nil, registry.Failf("%s: there is no file %s on the server%s", field, name, d.instead(name))
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, registry.Failf("%s: %s is no file", field, name)
	}
	if err == nil {
		data, err = readAll(root, name, most)
	}
	if err != nil {
		return nil, registry.Under(field, files.Refused("read", name, err))
	}
	if len(data) > most {
		err = registry.Errorf(registry.CodeCapacityExceeded, "%s: %s has more than %d bytes, which is what is allowed", field, name, most)
	}
	return data, err
}

// readAll reads a file, but no more than a byte more than it may have.
func readAll(root *os.Root, name string, most int) (data []byte, err error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(most)+1))
}

// instead says what there is where a file of a name is not: the same with the ending of a GLB file, or a log; else what GLB files there are.
func (d *Deps) instead(name string) string {
	switch glb := name + ".glb"; {
	case d.has(glb):
		return ", but there is " + glb
	case d.has(name + logSuffix):
		return `, but a log of that name: set form to "log" or "events", as it was exported`
	}
	if names, err := d.list(".glb"); err == nil && len(names) > 0 {
		return "; of GLB files there are " + some(names)
	}
	return ""
}

// has reports whether there is a file of a name.
func (d *Deps) has(name string) bool {
	root, err := d.open()
	if err != nil {
		return false
	}
	_, err = root.Lstat(name)
	return errors.Join(err, root.Close()) == nil
}

// list returns the names of the files that end in one of these, in order.
func (d *Deps) list(endings ...string) (names []string, err error) {
	root, err := d.open()
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

// some names files for a message.
func some(names []string) string {
	const most = 20
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > most:
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// limits bound what is imported.
func limits() gltf.Limits {
	return gltf.Limits{Bytes: 16 << 20, Nodes: 100_000, Vertices: 200_000, Triangles: 400_000, Images: material.MaxBytes}
}

// fileLimits bound what is imported of a GLB file. Its images are made smaller where they have to be.
func fileLimits() gltf.Limits {
	l := limits()
	l.Bytes, l.Images = 64<<20, 64<<20
	return l
}
