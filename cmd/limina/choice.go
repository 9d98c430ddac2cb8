package main

import (
	"flag"
	"fmt"
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

func (c choice) String() string { return *c.value }

func (c choice) Set(word string) error {
	if !slices.Contains(c.words, word) {
		return fmt.Errorf("must be one of %s", strings.Join(c.words, ", "))
	}
	*c.value = word
	return nil
}
