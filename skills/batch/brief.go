package batch

import (
	"bytes"
	"encoding/json"
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/listed"
)

// fewest is how many entries of each list inside its results a batch lists at least where its caller does not say: of results [listed.Usual], and so many entries
// in each that has a name, or in all others together.
const fewest = 4

// abridge leaves what a reader needs of the results: those that are listed, and of the others those that have a name or tell of something. Lists inside
// them are cut that nobody has asked for by itself: not of what only reads, and less of what has a name.
func (b *batch) abridge(out *Out) {
	most := listed.Usual
	if b.in.List != nil {
		most = *b.in.List
	}
	for i := range out.Results {
		r := &out.Results[i]
		if i >= most && r.As == "" && r.Error == nil && !notable(r.Result) {
			out.More++
			continue
		}
		r.shorten(b.inside(r))
		if i >= most {
			n := i
			noted := *r
			noted.Operation = &n
			out.Noted = append(out.Noted, noted)
		}
	}
	out.Results = out.Results[:min(most, len(out.Results))]
}

// inside is how many entries the lists of a result have at most.
func (b *batch) inside(r *Result) int {
	if b.in.List != nil {
		return *b.in.List
	}
	if r.As != "" {
		return listed.Usual
	}
	if k, ok := b.call.Registry().Lookup(r.Skill); ok && k.Info().Effect == registry.Reads {
		return math.MaxInt
	}
	return max(listed.Usual/len(b.in.Operations), fewest)
}

// notable reports whether a result says something that its reader should not miss.
func notable(result registry.Object) bool {
	if _, declined := declines(result); declined {
		return true
	}
	if !bytes.Contains(result, []byte(`"note`)) {
		return false
	}
	var said struct {
		Note  string `json:"note"`
		Notes []any  `json:"notes"`
	}
	return json.Unmarshal(result, &said) == nil && (said.Note != "" || len(said.Notes) > 0)
}

// shorten cuts the lists that are fields of a result, and says how many entries each has lost.
func (r *Result) shorten(most int) {
	if !bytes.Contains(r.Result, []byte{'['}) {
		return
	}
	fields, err := members(r.Result)
	if err != nil {
		return
	}
	var text []byte
	for i, f := range fields {
		if i > 0 {
			text = append(text, ',')
		}
		value, lost := cut(f.value, most)
		if lost > 0 {
			if r.More == nil {
				r.More = map[string]int{}
			}
			r.More[f.name] = lost
		}
		name, _ := json.Marshal(f.name)
		text = append(append(append(text, name...), ':'), value...)
	}
	if r.More != nil {
		r.Result = registry.Object("{" + string(text) + "}")
	}
}

// field is a member of an object.
type field struct {
	name  string
	value json.RawMessage
}

// members returns the members of an object, in their order.
func members(text []byte) (all []field, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		f := field{}
		f.name, _ = name.(string)
		if err := d.Decode(&f.value); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// cut returns a list without what follows its first entries, and how many those are; of three numbers or fewer, such as a place, and of what is no list it
// returns all.
func cut(value json.RawMessage, most int) (json.RawMessage, int) {
	if len(value) == 0 || value[0] != '[' {
		return value, 0
	}
	var entries []json.RawMessage
	if json.Unmarshal(value, &entries) != nil || len(entries) <= most || len(entries) <= fewest && isNumbers(entries) {
		return value, 0
	}
	var short []byte
	for i, e := range entries[:most] {
		if i > 0 {
			short = append(short, ',')
		}
		short = append(short, e...)
	}
	return json.RawMessage("[" + string(short) + "]"), len(entries) - most
}

// isNumbers reports whether a list is one of numbers: a place, a colour, a rotation.
func isNumbers(entries []json.RawMessage) bool {
	for _, e := range entries {
		if c := e[0]; c != '-' && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}
