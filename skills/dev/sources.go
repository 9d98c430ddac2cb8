package dev

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/limina-mcp/limina/registry"
)

// Target says what sort of thing a source rebuilds.
type Target string

// The targets.
const (
	TargetSkill Target = "skill"
	TargetScene Target = "scene"
	TargetData  Target = "data"
)

// Source rebuilds one thing.
type Source interface {
	// Reload rebuilds it and returns the names of what is no longer as it was. What it changes in
	// a world it changes in the transaction of the call, so that a failure undoes it; what it
	// changes elsewhere it should change last.
	Reload(c *registry.Call) (invalidated []string, err error)
}

// SourceFunc is a function as a [Source].
type SourceFunc func(c *registry.Call) (invalidated []string, err error)

// Reload calls the function.
func (f SourceFunc) Reload(c *registry.Call) ([]string, error) { return f(c) }

// SkillSource is a source that replaces a skill, in the registry that runs dev.reload, by what build
// returns. It must be of the same name.
func SkillSource(name string, build func() (registry.Skill, error)) Source {
	return SourceFunc(func(c *registry.Call) ([]string, error) {
		k, err := build()
		if err != nil {
			return nil, fmt.Errorf("build skill %s: %w", name, err)
		}
		if k.Name() != name {
			return nil, fmt.Errorf("build skill %s: its source made %q", name, k.Name())
		}
		return []string{name}, c.Registry().Replace(k)
	})
}

// Sources are the things that can be reloaded. All methods may be called concurrently.
type Sources struct {
	mu   sync.Mutex
	list []entry // ordered by target and name
}

type entry struct {
	target Target
	name   string
	source Source
}

func (e entry) String() string { return string(e.target) + " " + e.name }

func compare(a, b entry) int {
	return cmp.Or(cmp.Compare(a.target, b.target), cmp.Compare(a.name, b.name))
}

// NewSources returns no sources.
func NewSources() *Sources { return &Sources{} }

// Add says how one thing is rebuilt. It fails if there is a source of this target and name, or if
// one of the three is missing.
func (s *Sources) Add(target Target, name string, source Source) error {
	switch {
	case target != TargetSkill && target != TargetScene && target != TargetData:
		return fmt.Errorf("dev: target %q: want skill, scene or data", target)
	case name == "" || source == nil:
		return fmt.Errorf("dev: a source of target %s needs a name and a Source", target)
	}
	e := entry{target, name, source}
	s.mu.Lock()
	defer s.mu.Unlock()
	at, taken := slices.BinarySearchFunc(s.list, e, compare)
	if taken {
		return fmt.Errorf("dev: %v has a source already", e)
	}
	s.list = slices.Insert(s.list, at, e)
	return nil
}

// find returns the source of a target and name; without a name the target's only one.
func (s *Sources) find(target Target, name string) (entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var of []entry
	for _, e := range s.list {
		if e.target == target && (name == "" || e.name == name) {
			of = append(of, e)
		}
	}
	switch {
	case len(of) == 1:
		return of[0], nil
	case len(s.list) == 0:
		return entry{}, registry.Failf("nothing can be reloaded here: the operator has registered no source")
	case len(of) > 1:
		return entry{}, registry.Invalidf("name: there is more than one %s, say which: %s", target, join(of))
	default:
		return entry{}, registry.Failf("there is no source for %v; what can be reloaded: %s",
			strings.TrimSpace(entry{target: target, name: name}.String()), join(s.list))
	}
}

func join(list []entry) string {
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = e.String()
	}
	return strings.Join(names, ", ")
}
