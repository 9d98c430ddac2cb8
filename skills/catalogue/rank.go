package catalogue

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/registry"
)

// rank returns the skills that match a query and that may lets pass, best first; equals stay in the
// order of their registration.
//
// A skill matches if its name, description or category contains the query as it stands, whatever
// the case. Beside those, it matches if it has all words of the query, each in its name, its
// category or what is said of it, whole, as a beginning, in another form or as a synonym; where no
// skill has all of them, those match that have the most. Words that few skills have count more
// than those that many have, names more than categories and these more than what is said; a skill's
// own name comes before all.
func (x *index) rank(text string, may func(registry.Skill) bool) []registry.Skill {
	q := parseQuery(text)
	var fits []fit
	have := make([]int, len(q.terms)) // how many skills have each word
	for _, e := range x.entries {
		if !may(e.skill) {
			continue
		}
		f := q.fit(e)
		for i, score := range f.scores {
			have[i] += min(score, 1)
		}
		fits = append(fits, f)
	}
	most := 1 // a skill without any of the words is no match
	for i := range fits {
		fits[i].weigh(have, len(fits))
		most = max(most, fits[i].words)
	}
	fits = slices.DeleteFunc(fits, func(f fit) bool { return f.words < most && !f.whole })
	slices.SortStableFunc(fits, func(a, b fit) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(b.score, a.score))
	})
	found := make([]registry.Skill, len(fits))
	for i, f := range fits {
		found[i] = f.skill
	}
	return found
}

// query is a search.
type query struct {
	whole string // as it stands, in lower case
	terms []term
}

// maxWords bounds the work that one search can ask for.
const maxWords = 16

func parseQuery(text string) query {
	all := split(text)
	said := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return strings.Contains(filler, " "+w+" ") })
	if len(said) == 0 {
		said = all
	}
	for i, w := range said {
		said[i] = singular(w)
	}
	slices.Sort(said)
	said = slices.Compact(said)
	q := query{whole: strings.ToLower(strings.TrimSpace(text))}
	for _, w := range said[:min(len(said), maxWords)] {
		q.terms = append(q.terms, newTerm(w))
	}
	return q
}

// fit says how well a skill fits a query.
type fit struct {
	skill  registry.Skill
	whole  bool  // it contains the query as it stands
	isName bool  // it is called as the query says
	scores []int // of each word
	words  int   // how many words it has
	score  int
}

// The scores of one word by where it is found, to be multiplied by its likeness, and of a whole query.
const (
	scoreName        = 10
	scoreCategory    = 5
	scoreText        = 4
	scoreWholeInName = 100
	scoreIsName      = 100_000
)

func (q query) fit(e *entry) fit {
	f := fit{skill: e.skill, scores: make([]int, len(q.terms))}
	inName := strings.Contains(e.name, q.whole)
	f.isName = q.whole == e.name || q.whole == e.wire
	f.whole = f.isName || inName || strings.Contains(e.description, q.whole) ||
		strings.Contains(strings.ToLower(e.skill.Info().Category), q.whole)
	if inName {
		f.score = scoreWholeInName
	}
	for i, t := range q.terms {
		f.scores[i] = max(scoreName*t.likeness(e.inName), scoreCategory*t.likeness(e.inCategory), scoreText*t.likeness(e.inTexts))
	}
	return f
}

// weigh adds up the scores, each weighed by how rare its word is among so many skills.
func (f *fit) weigh(have []int, skills int) {
	for i, score := range f.scores {
		if score > 0 {
			f.words++
			f.score += score * bits.Len(uint(skills/have[i]))
		}
	}
	if f.isName {
		f.words, f.score = len(f.scores), scoreIsName
	}
}
