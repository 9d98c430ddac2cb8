package catalogue

import (
	"iter"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
)

// filler are words that say nothing about what is searched, unless nothing else is said.
const filler = " a am an and another any anybody anyone anything are as at be been being by can could did do does everybody everyone five for four from get gets getting had has have he her here him his how i if in into is it its let lets like me my no not of on one or other others our please she should so some somebody someone something ten than that the their them then there these they this those three to two up use want wants was were what whatever where which while who whoever whose will with would you your "

// sweeping are words that nearly every description has, and that say much in a search: something is to be done when something
// happens, or to everything.
const sweeping = " all each every everything when "

func isSweeping(word string) bool { return strings.Contains(sweeping, " "+word+" ") }

// words takes a text apart into words in lower case and in the singular.
func words(text string) []string {
	list := wire.Words(text)
	for i, w := range list {
		list[i] = singular(w)
	}
	return list
}

// singular takes the ending of an English plural away; what it makes of other words it makes of them
// everywhere.
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

// How alike two words are.
const (
	same      = 4
	beginning = 3 // the word that is searched begins the other
	related   = 2 // a synonym, or of one stem: rotate and rotation
)

// minStem is how many letters words of one stem have in common at least.
const minStem = 4

// term is a word that is searched.
type term struct {
	word     string
	synonyms map[string]bool
}

func newTerm(word string) term { return term{word, synonyms(word)} }

// vocabulary is words, each once, in order.
type vocabulary []string

// startingWith yields the numbers of the words that begin so.
func (v vocabulary) startingWith(with string) iter.Seq[int] {
	return func(yield func(int) bool) {
		i, _ := slices.BinarySearch(v, with)
		for ; i < len(v) && strings.HasPrefix(v[i], with); i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// like yields the numbers of the words that are like a term, and how much each is. A word may come twice.
func (v vocabulary) like(t term) iter.Seq2[int, int] {
	return func(yield func(word, likeness int) bool) {
		for i := range v.startingWith(t.word) {
			likeness := beginning
			if v[i] == t.word {
				likeness = same
			}
			if !yield(i, likeness) {
				return
			}
		}
		if len(t.word) >= minStem {
			for i := range v.startingWith(t.word[:minStem]) {
				if oneStem(t.word, v[i]) && !yield(i, related) {
					return
				}
			}
		}
		for s := range t.synonyms {
			if i, ok := slices.BinarySearch(v, s); ok && !yield(i, related) {
				return
			}
		}
	}
}

// oneStem reports whether two words begin alike and differ in short endings only.
func oneStem(a, b string) bool {
	const maxEnding = 3
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= minStem && len(a)-n <= maxEnding && len(b)-n <= maxEnding
}
