package catalogue

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/limina-mcp/limina/registry"
)

// index is what is searched: the skills of a registry, and which of them has which words.
type index struct {
	entries []*entry // in the order of registration
	byName  map[string]*entry
	words   vocabulary
	places  [][]place // of each word
}

// entry is one skill.
type entry struct {
	skill                             registry.Skill
	name, wire, description, category string // in lower case
	keys                              []string
	said                              []string // the words of what is said of it; while the index is made
}

// place is that a skill has a word.
type place struct {
	entry int // its number
	score int // by what of it has the word
}

// newIndex reads the skills' words. A clause of a description that names another skill, as in "to
// turn it use three.setTransform", tells of that skill and is counted as a text of that skill's.
func newIndex(skills []registry.Skill) *index {
	x := &index{byName: map[string]*entry{}}
	for _, k := range skills {
		i := k.Info()
		e := &entry{
			skill: k, name: strings.ToLower(i.Name), wire: strings.ToLower(k.WireName()), description: strings.ToLower(i.Description), category: strings.ToLower(i.Category),
			keys: words(i.Keywords),
		}
		x.entries = append(x.entries, e)
		x.byName[i.Name] = e
	}
	for _, e := range x.entries {
		x.read(e)
	}
	x.place()
	return x
}

// place notes which skill has which words.
func (x *index) place() {
	in := map[string][]place{}
	for n, e := range x.entries {
		add := func(list []string, score int) {
			for _, w := range list {
				in[w] = append(in[w], place{n, score})
			}
		}
		i := e.skill.Info()
		add(words(i.Name), scoreName)
		add(e.keys, scoreKeyword)
		add(words(i.Category), scoreCategory)
		slices.Sort(e.said)
		add(slices.Compact(e.said), scoreText)
		e.said = nil
	}
	x.words = slices.Sorted(maps.Keys(in))
	x.places = make([][]place, len(x.words))
	for i, w := range x.words {
		x.places[i] = in[w]
	}
}

// Compiled by the first search: most processes never make one.
var (
	clauseEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[,.;:!?()](\s|$)|\s\(`) })
	skillName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[a-zA-Z0-9_-]+(\.[a-zA-Z0-9_-]+)+`) })
)

// read gives the words of a skill's description to whom they tell of. What stands behind the word
// Example is left out: it is made of what happened to be at hand. So are the words of
// sweeping: they are looked for in keywords.
func (x *index) read(e *entry) {
	text, _, _ := strings.Cut(e.skill.Info().Description, "Example")
	for _, clause := range clauseEnd().Split(text, -1) {
		told := slices.DeleteFunc(words(skillName().ReplaceAllString(clause, " ")), isSweeping)
		others := false
		for _, name := range skillName().FindAllString(clause, -1) {
			if other := x.byName[name]; other != nil && other != e {
				other.said = append(other.said, told...)
				others = true
			}
		}
		if !others {
			e.said = append(e.said, told...)
		}
	}
}

// kept is what was made of the skills of a registry, as long as their set stays the same.
type kept[T any] struct {
	mu         sync.Mutex // guards all below
	of         *registry.Registry
	generation uint64
	value      T
}

// get returns what is kept for a registry, made anew where its skills are others.
func (k *kept[T]) get(r *registry.Registry, anew func(r *registry.Registry) T) T {
	k.mu.Lock()
	defer k.mu.Unlock()
	if generation := r.Generation(); k.of != r || k.generation != generation {
		k.of, k.generation, k.value = r, generation, anew(r)
	}
	return k.value
}

// indexOf is a new index of all skills of a registry.
func indexOf(r *registry.Registry) *index { return newIndex(r.List(registry.Filter{})) }
