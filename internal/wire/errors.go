package wire

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Problem is one thing that is wrong with a value.
type Problem struct {
	Path    string // "position[1]", "style.title.align"; "" is the whole value
	Message string // "must be at most 50, got 70"

	topic topic
}

// String is the path and the message.
func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

// topic is what a problem with a key is about, for those who have more to say of it than an object can; see [Errors.Elsewhere].
type topic struct {
	missing bool   // the key is required, and not there
	allowed string // the key is unknown, and these are known: "allowed: a, b"
	meant   string // the field that was meant, of an unknown key; "" if there is no telling
	fits    bool   // the value is of the kind of that field
}

// unknown is what is said of a key that is unknown: what the object itself has to say.
func (t topic) unknown() string {
	if t.meant == "" {
		return t.allowed
	}
	return `did you mean "` + t.meant + `"? ` + t.allowed
}

// MaxProblems is how many problems of one value are reported.
const MaxProblems = 8

// Errors are the problems of one value, in the order in which they were met; at
// least one, at most [MaxProblems]. It is the type of every error that
// [Plan.Decode], [Plan.Check], [Plan.Append] and [Unmarshal] return because of the
// value. Each is written for a model, which should need one more call and no more.
type Errors []Problem

// Error joins the problems with "; ", and says so where there may be more than [MaxProblems]. Which fields are allowed instead of unknown ones it says
// once: at the first of those that have the same to choose from.
func (e Errors) Error() string {
	var b strings.Builder
	var listed []string
	for i, p := range e {
		if i > 0 {
			b.WriteString("; ")
		}
		if rest, fields, ok := strings.Cut(p.Message, allowedFields); ok && strings.HasPrefix(p.Message, unknownField) {
			if slices.Contains(listed, fields) {
				p.Message = strings.TrimRight(rest, " ,:")
			}
			listed = append(listed, fields)
		}
		b.WriteString(p.String())
	}
	if len(e) >= MaxProblems {
		b.WriteString("; no more than " + strconv.Itoa(MaxProblems) + " are listed")
	}
	return b.String()
}

// problems collects. Nobody keeps track of the path while all is well: a problem is
// added without one, and each level on the way out puts its own name in front of
// those that were added below it.
type problems struct{ list Errors }

// add adds a problem of the value at hand.
func (p *problems) add(message string) { p.addTopic(message, topic{}) }

// addTopic adds a problem with what it is about.
func (p *problems) addTopic(message string, t topic) {
	if !p.full() {
		p.list = append(p.list, Problem{Message: message, topic: t})
	}
}

// full reports whether what else there may be is not listed.
func (p *problems) full() bool { return len(p.list) >= MaxProblems }

// addError adds what a type's own method said about its value.
func (p *problems) addError(err error) {
	var list Errors
	if !errors.As(err, &list) {
		p.add(err.Error())
		return
	}
	p.list = append(p.list, list[:min(len(list), MaxProblems-len(p.list))]...)
}

// under puts a name or an index in front of the paths from the n-th problem on.
func (p *problems) under(n int, step string) {
	for i := n; i < len(p.list); i++ {
		path := &p.list[i].Path
		if *path != "" && (*path)[0] != '[' {
			*path = step + "." + *path
		} else {
			*path = step + *path
		}
	}
}

// index is the step of a path to an item.
func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// keyStep is the step of a path to a key that the caller chose, which may be
// anything: shortened, and quoted where it does not look like a name.
func keyStep(key string) string {
	for _, c := range []byte(key) {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if !isDigit(c) && c != '_' && c != '-' && c != '$' {
				return "[" + show(AppendString(nil, key)) + "]"
			}
		}
	}
	if key == "" || len(key) > maxShown {
		return "[" + show(AppendString(nil, key)) + "]"
	}
	return key
}
