package terrain

import "sync"

// Cache remembers tiles, so that they are computed once. The zero Cache is empty and ready. It may be used
// concurrently.
type Cache struct {
	mu    sync.Mutex // guards what follows
	tiles map[key]*Tile
	order []key // oldest first
}

type key struct {
	land   Land
	tx, tz int
	lod    int
}

// remembered is how many tiles a cache keeps: about 20 kB each.
const remembered = 1024

// Tile returns what [Land.Tile] does.
func (c *Cache) Tile(l Land, tx, tz, lod int) *Tile {
	k := key{l, tx, tz, min(max(lod, 0), MaxLOD)}
	c.mu.Lock()
	t := c.tiles[k]
	c.mu.Unlock()
	if t != nil {
		return t
	}
	t = l.Tile(tx, tz, lod) // two may do so at a time; both get the same
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.tiles[k]; known != nil {
		return known
	}
	if c.tiles == nil {
		c.tiles = map[key]*Tile{}
	}
	if len(c.order) == remembered {
		delete(c.tiles, c.order[0])
		c.order = append(c.order[:0], c.order[1:]...)
	}
	c.tiles[k] = t
	c.order = append(c.order, k)
	return t
}
