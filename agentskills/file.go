package agentskills

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
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
func (f *File) text() bool { return utf8.Valid(f.data) }

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
// differ from one to the next.
var types = map[string]string{
	".md": "text/markdown", ".txt": "text/plain", ".json": "application/json", ".yaml": "application/yaml",
	".js": "text/javascript", ".py": "text/x-python", ".sh": "text/x-shellscript", ".svg": "image/svg+xml",
}

func typeOf(name string, data []byte) string {
	if t := types[strings.ToLower(path.Ext(name))]; t != "" {
		return t
	}
	t, _, _ := strings.Cut(http.DetectContentType(data), ";")
	return t
}
