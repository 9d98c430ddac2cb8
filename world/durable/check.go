package durable

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/limina-mcp/limina/world"
)

// Check has w become what a folder holds, as [Open] would, and says what was found; w must be as for Open. Nothing is changed there, and no lock is needed: another process may have the folder
// meanwhile. It is for who wants to know whether a world, or a copy of one, can be opened. A folder without one is an error, os.ErrNotExist.
func Check(w *world.World, dir string) (Found, error) {
	path := filepath.Join(dir, fileName)
	f, err := os.Open(path)
	if err != nil {
		return Found{}, err
	}
	defer f.Close()
	c, err := read(f)
	if err == nil {
		err = w.Load(&c.image)
	}
	if err != nil {
		return Found{}, fmt.Errorf("%s: %w", path, err)
	}
	return c.found(path), nil
}

// found is what the file at path says of how it was left.
func (c *contents) found(path string) Found {
	return Found{Closed: c.ended, Tick: c.image.Tick, Mark: c.mark, Torn: c.torn, path: path, size: c.size, ends: c.ends, end: c.end}
}
