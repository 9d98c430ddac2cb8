package exchange

import (
	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/skills/internal/files"
	"github.com/limina-mcp/limina/skills/material"
)

// folder is where files are read and written.
func (d *Deps) folder() files.Folder { return files.Folder(d.Dir) }

// read reads a file that a field names, if it has no more bytes than it may.
func (d *Deps) read(field, name string, most int) ([]byte, error) {
	return d.folder().Read(field, name, most, func() string { return d.instead(name) })
}

// instead says what there is where a file of a name is not: the same with the ending of a GLB file, or a log; else what GLB files there are.
func (d *Deps) instead(name string) string {
	switch glb := name + ".glb"; {
	case d.folder().Has(glb):
		return ", but there is " + glb
	case d.folder().Has(name + logSuffix):
		return `, but a log of that name: set form to "log" or "events", as it was exported`
	}
	if names, err := d.folder().List(".glb"); err == nil && len(names) > 0 {
		return "; of GLB files there are " + files.Some(names)
	}
	return ""
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
