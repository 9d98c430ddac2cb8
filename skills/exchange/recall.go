package exchange

import (
	"crypto/sha256"
	"image"
	"sync"

	"github.com/limina-mcp/limina/skills/material"
)

// mostRecalled is how many images a recall knows before it begins anew.
const mostRecalled = 4096

// recall knows what became of the images of models that were read, by the sha256 of how they are in their files: who places a model a second time
// does not wait for them to be decoded again. Its methods may be called concurrently; nil knows nothing.
type recall struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]recalled
}

// recalled is an image as the world keeps it, without its bytes.
type recalled struct {
	hash     string
	mean     uint32
	had, has image.Point // its pixels, in the file and here
}

func (r *recall) get(sum [sha256.Size]byte) (recalled, bool) {
	if r == nil {
		return recalled{}, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	k, ok := r.known[sum]
	return k, ok
}

func (r *recall) keep(sum [sha256.Size]byte, img material.Image, had, has image.Point) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil || len(r.known) >= mostRecalled {
		r.known = map[[sha256.Size]byte]recalled{}
	}
	r.known[sum] = recalled{img.Hash, img.Mean, had, has}
}
