package main

import (
	"flag"
	"slices"
	"strings"
)

// choice is a flag that takes one of a few words, and whose error says which.
type choice struct {
	value *string
	words []string
}

var _ flag.Value = choice{}

// newChoice sets value to the first of the words, which is the default.
func newChoice(value *string, words ...string) choice {
	*value = words[0]
	return choice{value, words}
}

// words is a flag that takes several words, with spaces between, and may be given more than once: a variable of the
// environment may not.
type words []string

var _ flag.Value = (*words)(nil)

func (w *words) String() string { return strings.Join(*w, " ") }

func (w *words) Set(value string) error {
	*w = append(*w, strings.Fields(value)...)
	return nil
}

// names is a flag that takes names, with commas between. It is nil until it is given, and then not: nobody is named
// by "", which is another thing than not to say who is.
type names []string

var _ flag.Value = (*names)(nil)

func (n *names) String() string { return strings.Join(*n, ",") }

func (n *names) Set(value string) error {
	*n = names{}
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.TrimSpace(name); name != "" {
			*n = append(*n, name)
		}
	}
	return nil
}

func (c choice) String() string { return *c.value }

func (c choice) Set(word string) error {
	if !slices.Contains(c.words, word) {
		return &wordError{word, "one of " + strings.Join(c.words, ", ")}
	}
	*c.value = word
	return nil
}

// wordError is of a word that is none of those that a choice takes.
type wordError struct {
	word string
	want string // what it may be
}

func (e *wordError) Error() string { return "must be " + e.want }
