package catalogue

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/clip"
	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
)

// rank returns the skills that match a query and that may lets pass, best first; equals stay in the
// order of their registration.
//
// A skill matches if its name, description or category contains the query as it stands, whatever
// the case. Beside those, it matches by words of the query that are in its name, its keywords, its
// category or what is said of it, whole, as a beginning, in another form or as a synonym. Words that few
// skills have count more than those that many have, names and keywords more than categories and these more than what is
// said; a keyword that is the whole query is as good as a name that contains it. Who has more of the words comes further up, and who has much less than the best is no match. A
// skill's own name comes before all.
func (x *index) rank(text string, may func(registry.Skill) bool) []registry.Skill {
	q := parseQuery(text)
	scores := x.score(q.terms)
	have := make([]int, len(q.terms)) // how many skills have each word
	fits := make([]fit, 0, len(x.entries))
	for n, e := range x.entries {
		if !may(e.skill) {
			continue
		}
		f := q.fit(e)
		f.scores = scores[n*len(q.terms):][:len(q.terms)]
		for i, score := range f.scores {
			have[i] += min(score, 1)
		}
		fits = append(fits, f)
	}
	best := 1 // a skill without any of the words is no match
	for i := range fits {
		fits[i].weigh(have, len(fits))
		best = max(best, fits[i].score)
	}
	fits = slices.DeleteFunc(fits, func(f fit) bool { return f.score*100 < best*fair && !f.whole })
	slices.SortStableFunc(fits, func(a, b fit) int { return cmp.Compare(b.score, a.score) })
	found := make([]registry.Skill, len(fits))
	for i, f := range fits {
		found[i] = f.skill
	}
	return found
}

// score returns how well each word of a query is found in each skill: skill by skill, word by word.
func (x *index) score(terms []term) []int {
	scores := make([]int, len(x.entries)*len(terms))
	for i, t := range terms {
		for word, likeness := range x.words.like(t) {
			for _, p := range x.places[word] {
				at := &scores[p.entry*len(terms)+i]
				*at = max(*at, p.score*likeness)
			}
		}
	}
	return scores
}

// fair is how good a match is that is told beside the best, in hundredths of that.
const fair = 40

// query is a search.
type query struct {
	whole string // as it stands, in lower case
	key   string // that, as a keyword
	terms []term
}

// maxWords bounds the work that one search can ask for.
const maxWords = 16

// maxQuery is how much of the text of one is looked at, in bytes.
const maxQuery = 4 << 10

func parseQuery(text string) query {
	text = clip.Bytes(text, maxQuery)
	all := wire.Words(text)
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
	q.key = singular(q.whole)
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
	score  int
}

// The scores of one word by where it is found, to be multiplied by its likeness, and of a whole query.
const (
	scoreName        = 10
	scoreKeyword     = 10
	scoreCategory    = 5
	scoreText        = 4
	scoreWholeInName = 50
	scoreIsName      = 1_000_000
)

// fit says how well a skill fits a query as it stands.
func (q *query) fit(e *entry) fit {
	f := fit{skill: e.skill}
	inName := strings.Contains(e.name, q.whole) || slices.Contains(e.keys, q.key)
	f.isName = q.whole == e.name || q.whole == e.wire
	f.whole = f.isName || inName || strings.Contains(e.description, q.whole) || strings.Contains(e.category, q.whole)
	if inName {
		f.score = scoreWholeInName
	}
	return f
}

// weigh adds up the scores, each weighed by how rare its word is among so many skills, and the whole by how many
// of the words there are.
func (f *fit) weigh(have []int, skills int) {
	found := 0
	for i, score := range f.scores {
		if score > 0 {
			found++
			f.score += score * bits.Len(uint(skills/have[i]))
		}
	}
	f.score *= 1 + found
	if f.isName {
		f.score = scoreIsName
	}
}
