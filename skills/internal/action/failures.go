package action

import (
	"sync"

	"github.com/limina-mcp/limina/registry"
)

// Failures are what of a rule could not be done since this process has the world.
type Failures struct {
	Count int    // how often
	Last  string // why, the last time
}

// maxFailing is how many rules that fail are remembered: as many as there can be of one kind. Of more, one of the others is forgotten.
const maxFailing = 4096

// failures decide nothing, and so are no part of the world: whoever reads the rules is told, and nobody else. They are safe for concurrent use.
type failures struct {
	mu sync.Mutex
	of map[ruleName]*Failures
}

type ruleName struct{ kind, rule string }

// Fails notes that something of a rule could not be done: of a kind and a rule as [Cause] has them.
func (a *Actions) Fails(kind, rule string, why error) {
	f := &a.failures
	f.mu.Lock()
	defer f.mu.Unlock()
	name := ruleName{kind, rule}
	if f.of[name] == nil {
		if f.of == nil {
			f.of = map[ruleName]*Failures{}
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

// Failures returns what of a rule could not be done.
func (a *Actions) Failures(kind, rule string) Failures {
	f := &a.failures
	f.mu.Lock()
	defer f.mu.Unlock()
	if of := f.of[ruleName{kind, rule}]; of != nil {
		return *of
	}
	return Failures{}
}
