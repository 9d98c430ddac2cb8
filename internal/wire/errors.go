package wire

import "strings"

// Problem is one thing that is wrong with a value.
type Problem struct {
	Path    string // "position[1]", "style.title.align"; "" is the whole value
	Message string // "must be at most 50, got 70"
}

func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

// MaxProblems is how many problems of one value are reported.
const MaxProblems = 8

// Errors are the problems of one value, in the order in which they were met; at
// least one, at most [MaxProblems]. It is the type of every error that
// [Plan.Decode], [Plan.Check] and [Unmarshal] return because of the value.
type Errors []Problem

// Error joins the problems with "; ".
func (e Errors) Error() string {
	var b strings.Builder
	for i, p := range e {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(p.String())
	}
	return b.String()
}
