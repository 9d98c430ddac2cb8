package catalogue

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/limina-mcp/limina/registry"
)

// index is what is searched: the skills of a registry with their words.
type index struct {
	entries []*entry // in the order of registration
	byName  map[string]*entry
}

// entry is one skill.
type entry struct {
	skill                               registry.Skill
	name, wire, description             string // in lower case
	inName, inKeys, inCategory, inTexts []string
}

// newIndex reads the skills' words. A clause of a description that names another skill, as in "to
// turn it use three.setTransform", tells of that skill and is counted as a text of that skill's.
func newIndex(skills []registry.Skill) *index {
	x := &index{byName: map[string]*entry{}}
	for _, k := range skills {
		i := k.Info()
		e := &entry{
			skill: k, name: strings.ToLower(i.Name), wire: strings.ToLower(k.WireName()), description: strings.ToLower(i.Description),
			inName: words(i.Name), inKeys: words(i.Keywords), inCategory: words(i.Category),
		}
		x.entries = append(x.entries, e)
		x.byName[i.Name] = e
	}
	for _, e := range x.entries {
		x.read(e)
	}
	for _, e := range x.entries {
		slices.Sort(e.inTexts)
		e.inTexts = slices.Compact(e.inTexts)
	}
	return x
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
				other.inTexts = append(other.inTexts, told...)
				others = true
			}
		}
		if !others {
			e.inTexts = append(e.inTexts, told...)
		}
	}
}

// indexes keeps the newest index, as long as the set of skills stays the same.
type indexes struct {
	mu         sync.Mutex // guards all below
	of         *registry.Registry
	generation uint64
	index      *index
}

func (m *indexes) get(r *registry.Registry) *index {
	m.mu.Lock()
	defer m.mu.Unlock()
	if generation := r.Generation(); m.index == nil || m.of != r || m.generation != generation {
		m.of, m.generation = r, generation
		m.index = newIndex(r.List(registry.Filter{}))
	}
	return m.index
}
