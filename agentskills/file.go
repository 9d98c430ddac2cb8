package agentskills

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"
)

// directoryType is the MIME type of a directory.
const directoryType = "inode/directory"

// File is a file or a directory.
type File struct {
	URI      string
	Name     string // the last part of its URI
	MIMEType string
	Digest   string // "sha256:" and 64 digits of hex; "" for a directory
	Size     int    // in bytes
	data     []byte
}

// text reports whether the file is a text.
func (f *File) text() bool { return isText(f.data) }

func isText(data []byte) bool { return utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 }

// readTree reads all files, by path, and what stands in each directory, by its URI.
func readTree(fsys fs.FS, root string) (files []File, dirs map[string][]File, err error) {
	dirs = map[string][]File{}
	err = fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		f := File{URI: root + name, Name: path.Base(name), MIMEType: directoryType}
		if entry.IsDir() {
			dirs[f.URI] = []File{}
		} else {
			if f.data, err = fs.ReadFile(fsys, name); err != nil {
				return err
			}
			f.Size, f.MIMEType = len(f.data), typeOf(name, f.data)
			sum := sha256.Sum256(f.data)
			f.Digest = "sha256:" + hex.EncodeToString(sum[:])
			files = append(files, f)
		}
		if parent := path.Dir(name); parent != "." {
			dirs[root+parent] = append(dirs[root+parent], f)
		}
		return nil
	})
	return files, dirs, err
}

// types are the MIME types of what skills are mostly made of. Those of the system are not asked: they
// differ from one to the next. Nor is net/http, which goes by the first bytes: it would be linked, with TLS, by hosts that
// have no port.
var types = map[string]string{
	".md": "text/markdown", ".txt": "text/plain", ".csv": "text/csv", ".html": "text/html", ".css": "text/css",
	".json": "application/json", ".yaml": "application/yaml", ".yml": "application/yaml", ".toml": "application/toml", ".xml": "text/xml",
	".js": "text/javascript", ".mjs": "text/javascript", ".ts": "text/x-typescript", ".py": "text/x-python", ".sh": "text/x-shellscript",
	".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
	".pdf": "application/pdf", ".zip": "application/zip", ".gz": "application/gzip", ".wasm": "application/wasm",
	".glb": "model/gltf-binary", ".gltf": "model/gltf+json",
}

// typeOf is the type of a file by the end of its name; of others it says only whether they are text.
func typeOf(name string, data []byte) string {
	if t := types[strings.ToLower(path.Ext(name))]; t != "" {
		return t
	}
	if isText(data) {
		return "text/plain"
	}
	return "application/octet-stream"
}
