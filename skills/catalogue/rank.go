package catalogue

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/limina-mcp/limina/registry"
)

// rank returns the skills that match a query, best first; equals stay in the order they came in.
//
// A skill matches if its name, description or category contains the query as it stands, whatever
// the case. Beside those, it matches if it has all words of the query, each in its name, category
// or description, whole or as the beginning of a word; where no skill has all of them, those match
// that have the most. The singular stands for the plural. Names count more than categories, these
// more than descriptions, whole words more than beginnings; a skill's own name comes before all.
func rank(text string, skills []registry.Skill) []registry.Skill {
	q := parseQuery(text)
	fits := make([]fit, len(skills))
	most := 1 // a skill without any of the words is no match
	for i, k := range skills {
		fits[i] = q.fit(k)
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

// fit says how well a skill fits a query.
type fit struct {
	skill registry.Skill
	whole bool // it contains the query as it stands
	words int  // how many words of the query it has
	score int
}

// query is a search in lower case.
type query struct {
	whole string
	words []string
}

// maxWords bounds the work that one search can ask for.
const maxWords = 16

// filler are words that say nothing about what is searched, unless nothing else is said.
const filler = " a an and are at by can do for from how i in is it me my of on or that the this to want with "

func parseQuery(text string) query {
	q := query{whole: strings.ToLower(strings.TrimSpace(text))}
	all := split(text)
	said := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return strings.Contains(filler, " "+w+" ") })
	if len(said) == 0 {
		said = all
	}
	slices.Sort(said)
	said = slices.Compact(said)
	q.words = singulars(said[:min(len(said), maxWords)])
	return q
}

// The scores of one word, by where it is found, and of a whole query.
const (
	scoreName        = 10
	scoreCategory    = 5
	scoreDescription = 3
	scoreWholeInName = 20
	scoreIsName      = 1000
)

func (q query) fit(k registry.Skill) fit {
	i := k.Info()
	name, description, category := strings.ToLower(i.Name), strings.ToLower(i.Description), strings.ToLower(i.Category)
	f := fit{skill: k}
	switch {
	case q.whole == name || q.whole == strings.ToLower(k.WireName()):
		return fit{skill: k, whole: true, words: len(q.words), score: scoreIsName}
	case strings.Contains(name, q.whole):
		f.whole, f.score = true, scoreWholeInName
	default:
		f.whole = strings.Contains(description, q.whole) || strings.Contains(category, q.whole)
	}
	inName, inCategory, inDescription := singulars(split(i.Name)), singulars(split(i.Category)), singulars(split(i.Description))
	for _, w := range q.words {
		score := max(
			scoreName*likeness(w, inName),
			scoreCategory*likeness(w, inCategory),
			scoreDescription*likeness(w, inDescription),
		)
		if score > 0 {
			f.words++
			f.score += score
		}
	}
	return f
}

// likeness says how much word is like the most alike of among: 3 the same, 2 a beginning of it, 1
// longer than it by an ending such as the ing of a verb, 0 not at all.
func likeness(word string, among []string) int {
	const minStem, maxEnding = 4, 3
	best := 0
	for _, other := range among {
		switch {
		case word == other:
			return 3
		case strings.HasPrefix(other, word):
			best = max(best, 2)
		case len(other) >= minStem && len(word)-len(other) <= maxEnding && strings.HasPrefix(word, other):
			best = max(best, 1)
		}
	}
	return best
}

// split takes a text apart into words in lower case: at everything that is neither letter nor digit,
// and where a capital follows a small letter, as in createEntity.
func split(text string) []string {
	var list []string
	start, lower := -1, false
	for i, r := range text {
		isWord := unicode.IsLetter(r) || unicode.IsDigit(r)
		if start >= 0 && (!isWord || lower && unicode.IsUpper(r)) {
			list = append(list, strings.ToLower(text[start:i]))
			start = -1
		}
		if isWord && start < 0 {
			start = i
		}
		lower = unicode.IsLower(r)
	}
	if start >= 0 {
		list = append(list, strings.ToLower(text[start:]))
	}
	return list
}

// singulars takes the endings of English plurals away, in place; what it makes of other words it
// makes of them everywhere.
func singulars(words []string) []string {
	for i, w := range words {
		words[i] = singular(w)
	}
	return words
}

func singular(word string) string {
	const shortest = 4
	if stem, ok := strings.CutSuffix(word, "ies"); ok && len(word) > shortest {
		return stem + "y"
	}
	if stem, ok := strings.CutSuffix(word, "s"); ok && len(word) >= shortest && !strings.HasSuffix(stem, "s") {
		return stem
	}
	return word
}
