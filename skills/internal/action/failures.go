package action

import (
	"fmt"
	"hash/fnv"
	"io"
	"sync"

	"github.com/limina-mcp/limina/registry"
)

// Failures are how an action of a rule could not be done since this process has the world.
type Failures struct {
	Count int    // how often
	Last  string // why, the last time
}

// maxFailing is how many actions that fail are remembered. Of more, one of the others is forgotten.
const maxFailing = 4096

// failures decide nothing, and so are no part of the world: whoever reads the rules is told, and nobody else. They are safe for concurrent use.
type failures struct {
	mu sync.Mutex
	of map[string]*Failures
}

// failing names an action of a rule of a kind, of all that have been attached.
func (k *Kept) failing(kind, rule string) string {
	h := fnv.New64a()
	for _, part := range [...]string{k.Type, "\x00", k.Target, "\x00", k.If, "\x00", k.By, "\x00", string(k.Data)} {
		_, _ = io.WriteString(h, part)
	}
	return fmt.Sprintf("%s %s %x", kind, rule, h.Sum64())
}

// Fails notes that an action could not be done, of a kind and a rule as [Cause] has them.
func (a *Actions) Fails(kind, rule string, k *Kept, why error) {
	a.failures.note(k.failing(kind, rule), why)
}

func (f *failures) note(name string, why error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of[name] == nil {
		if f.of == nil {
			f.of = map[string]*Failures{}
		}
		for other := range f.of {
			if len(f.of) < maxFailing {
				break
			}
			delete(f.of, other)
		}
		f.of[name] = &Failures{}
	}
	f.of[name].Count++
	f.of[name].Last = registry.Said(why)
}

// Failures returns what of an action could not be done.
func (a *Actions) Failures(kind, rule string, k *Kept) Failures {
	f := &a.failures
	f.mu.Lock()
	defer f.mu.Unlock()
	if of := f.of[k.failing(kind, rule)]; of != nil {
		return *of
	}
	return Failures{}
}
