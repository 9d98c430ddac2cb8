package transcript

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Names stand in a transcript for what a server makes up and its peer sends back: the first requestState
// that it hands out is state_1, the first task task_1.
type Names struct {
	values map[string]string // by name
	known  map[string]string // names, by value
	count  map[string]int    // of names, by kind
}

// NewNames returns names for one conversation.
func NewNames() *Names {
	return &Names{values: map[string]string{}, known: map[string]string{}, count: map[string]int{}}
}

// madeUp are the members whose values are named, and kinds what they are called.
var (
	madeUp = regexp.MustCompile(`"(requestState|taskId|elicitationId)":"([^"]+)"`)
	kinds  = map[string]string{"requestState": "state", "taskId": "task", "elicitationId": "elicitation"}
)

// Hide puts names in the place of what was made up.
func (n *Names) Hide(said string) string {
	for _, found := range madeUp.FindAllStringSubmatch(said, -1) {
		kind, value := kinds[found[1]], found[2]
		if n.known[value] != "" {
			continue
		}
		n.count[kind]++
		name := fmt.Sprintf("%s_%d", kind, n.count[kind])
		n.known[value], n.values[name] = name, value
	}
	return replaced(said, n.known)
}

// Fill puts what was made up in the place of names.
func (n *Names) Fill(text string) string { return replaced(text, n.values) }

// replaced replaces the keys of what by its values, the longest first: state_12 is not state_1.
func replaced(text string, what map[string]string) string {
	keys := slices.SortedFunc(maps.Keys(what), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for _, key := range keys {
		text = strings.ReplaceAll(text, key, what[key])
	}
	return text
}
