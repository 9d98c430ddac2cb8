package operations

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
)

// mention is a dollar sign with a name behind it, somewhere in a text.
type mention struct {
	from, to int    // where it is: from the first dollar sign to behind the name
	name     string // what is named
	twice    bool   // two dollar signs: it is meant as it stands there
	dotted   bool   // a field is named, too
}

// next returns the first mention in a text from an index on.
func next(text string, from int) (m mention, ok bool) {
	for i := from; i < len(text); i++ {
		if text[i] != '$' {
			continue
		}
		m = mention{from: i}
		if i++; i < len(text) && text[i] == '$' {
			m.twice = true
			i++
		}
		end := i
		for end < len(text) && IsName(text[i:end+1]) {
			end++
		}
		if end == i {
			i--
			continue
		}
		m.name, m.to = text[i:end], end
		m.dotted = field(text[end:]) != ""
		return m, true
	}
	return mention{}, false
}

// field returns the name, or the number, of a field at the beginning of what is behind a name, without its dot; "" if there is none.
func field(rest string) string {
	rest, ok := strings.CutPrefix(rest, ".")
	n := 0
	for ok && n < len(rest) && IsName("a"+rest[n:n+1]) {
		n++
	}
	return rest[:n]
}

// Mentioned returns the names of which a text, that does not begin with one, mentions a field, as "flap of $self.entity" does.
func Mentioned(text string) (names []string) {
	for m, ok := next(text, 0); ok; m, ok = next(text, m.to) {
		if m.dotted && !m.twice {
			names = append(names, m.name)
		}
	}
	return names
}

// written returns a text with what is mentioned in it: "flap of $self.entity" is "flap of ent_7". Fields are named as far as they lead: "$self.entity.on" is
// "ent_7.on". A name without a field is left as it is unless it stands for a text, a number or a yes or no, as parameters of prefabs do: "$5", "$player".
func (r *Run) written(text string) (string, error) {
	var out strings.Builder
	from := 0
	for m, ok := next(text, 0); ok; m, ok = next(text, m.to) {
		value, known := r.Values[m.name]
		if !m.dotted && (!known || !scalar(value)) || !m.twice && r.own[m.name] {
			continue
		}
		out.WriteString(text[from:m.from])
		from = m.to
		if m.twice {
			out.WriteString(text[m.from+1 : m.to])
			continue
		}
		if !known {
			r.lost = text[m.from:m.to]
			return "", registry.Invalidf("%q: nothing before it is named %q; %s. A dollar sign that stands for itself is written with two", quote.Clip(text), m.name, r.named())
		}
		for part := field(text[from:]); part != "" && !scalar(value); part = field(text[from:]) {
			inside, has := member(value, part)
			if inside == nil {
				return "", registry.Invalidf("%q: there is no %q in the result of %q; %s", quote.Clip(text), part, m.name, has)
			}
			value, from = inside, from+1+len(part)
		}
		if !scalar(value) {
			return "", registry.Invalidf("%q: %q is not one value, which could be written there: name a field of it, or an element, such as 0", quote.Clip(text), text[m.from:from])
		}
		m.to = from
		if value[0] != '"' {
			out.Write(value)
			continue
		}
		var said string
		if err := json.Unmarshal(value, &said); err != nil {
			return "", err
		}
		out.WriteString(said)
	}
	out.WriteString(text[from:])
	return out.String(), nil
}

// scalar reports whether a value is a text, a number, or a yes or no.
func scalar(value json.RawMessage) bool {
	value = bytes.TrimSpace(value)
	return len(value) > 0 && value[0] != '{' && value[0] != '[' && value[0] != 'n'
}
