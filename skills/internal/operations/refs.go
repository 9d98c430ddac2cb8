package operations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
)

// IsName reports whether an operation may be called this.
func IsName(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if letter := c >= 'a' && c <= 'z'; !letter && (i == 0 || s[i] != '_' && (s[i] < '0' || s[i] > '9')) {
			return false
		}
	}
	return s != ""
}

// fill returns an input with the results of earlier operations in the place of what stands for them.
// The input is valid JSON; everything else in it stays as it is, to the byte.
func (r *Run) fill(input []byte) ([]byte, error) {
	if bytes.IndexByte(input, '$') < 0 {
		return input, nil
	}
	var out []byte
	var open []byte // the brackets around what is at i
	from := 0       // what of the input is in out
	for i := 0; i < len(input); i++ {
		switch input[i] {
		case '{', '[':
			open = append(open, input[i])
			continue
		case '}', ']':
			open = open[:len(open)-1]
			continue
		case '"':
		default:
			continue
		}
		end := stringEnd(input, i)
		token := input[i:end]
		switch {
		case isKey(input, end) || bytes.IndexByte(token, '$') < 0:
		case !bytes.HasPrefix(token, []byte(`"$`)):
			text, err := r.text(token)
			if err != nil {
				return nil, err
			}
			out = append(append(out, input[from:i]...), text...)
			from = end
		default:
			element := open[len(open)-1] == '['
			value, err := r.value(token, element)
			if err != nil {
				return nil, err
			}
			out = append(append(out, input[from:i]...), value...)
			if len(out) > maxInput {
				return nil, registry.Errorf(registry.CodeCapacityExceeded, "with what %q and others stand for the input has more than %d bytes: name the fields that are needed", quote.Clip(string(token[1:len(token)-1])), maxInput)
			}
			from = end
			if len(value) == 0 {
				out, from = closeGap(out, input, end)
			}
		}
		i = end - 1
	}
	return append(out, input[from:]...), nil
}

// closeGap takes away the comma before or behind an element of a list that stands for nothing. It returns what is before the
// element, and where what is behind it begins in the input.
func closeGap(out, input []byte, end int) ([]byte, int) {
	const blank = " \t\r\n"
	if before, ok := bytes.CutSuffix(bytes.TrimRight(out, blank), []byte(",")); ok {
		return before, end
	}
	if rest, ok := bytes.CutPrefix(bytes.TrimLeft(input[end:], blank), []byte(",")); ok {
		return out, len(input) - len(rest)
	}
	return out, end
}

// stringEnd returns the index behind the string that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// isKey reports whether a string that ends before i is the key of a member.
func isKey(text []byte, i int) bool {
	rest := bytes.TrimLeft(text[i:], " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}

// text returns a string that does not begin with a dollar sign, with what is mentioned in it.
func (r *Run) text(token []byte) ([]byte, error) {
	var text string
	if err := json.Unmarshal(token, &text); err != nil {
		return nil, err
	}
	written, err := r.written(text)
	if err != nil || written == text {
		return token, err
	}
	return json.Marshal(written)
}

// value returns what a string that begins with a dollar sign stands for. Where it is an element of a list, that may be several elements, or
// none.
func (r *Run) value(token []byte, element bool) ([]byte, error) {
	var text string
	if err := json.Unmarshal(token, &text); err != nil {
		return nil, err
	}
	if strings.HasPrefix(text, "$$") {
		return json.Marshal(text[1:])
	}
	switch {
	case IsForLater(text):
		written, err := r.written(text)
		if err != nil {
			return nil, err
		}
		return json.Marshal(written)
	case r.Arithmetic && strings.HasPrefix(text, "$("):
		return r.compute(text)
	}
	name, path, _ := strings.Cut(text[1:], ".")
	if !IsName(name) {
		if isForeign(text) {
			return nil, registry.Invalidf("%q: results are named, not counted, and stand without braces: give the operation \"as\":\"a\" and write \"$a.entity\" for the field entity of its result; %s. %s",
				quote.Clip(text), r.named(), twice)
		}
		return token, nil // a price, perhaps
	}
	if _, known := r.Values[name]; !known && IsWord(text) || r.own[name] {
		return token, nil
	}
	value, err := r.lookUp(text, name, path)
	switch {
	case err != nil && r.lost == "" && !isPath(path): // "$self.entity: open"
		written, wrong := r.written(text)
		if wrong != nil {
			return nil, err
		}
		return json.Marshal(written)
	case err != nil:
		return nil, err
	case element && hasEach(path):
		return bytes.TrimSpace(value[1 : len(value)-1]), nil
	case path != "" && bytes.HasPrefix(value, []byte("[")):
		r.list, r.element = text, element
	}
	return value, nil
}

// words are the texts that stand for an entity in what is done later, on an event: they are for actions to fill in, unless an operation is called so.
var words = [...]string{"$entity", "$actor"}

// IsForLater reports whether a text is an expression of the game, which has names in quotes, as "$(counter(\"wave\") * 5)", or draws, as "$(random(6))": it is
// worked out when an action is done.
func IsForLater(text string) bool {
	return strings.HasPrefix(text, "$(") && (strings.ContainsAny(text, `"'`) || strings.Contains(text, "random("))
}

// IsWord reports whether a text is one of those.
func IsWord(text string) bool { return slices.Contains(words[:], text) }

// each is the part of a path that stands for every element of a list.
const each = "*"

// isPath reports whether a path is one of names, numbers and [each], and no text that goes on behind them.
func isPath(path string) bool {
	for _, part := range strings.Split(path, ".") {
		if part != each && !IsName("a"+part) && !strings.Contains(part, "[") {
			return false
		}
	}
	return true
}

func hasEach(path string) bool { return slices.Contains(strings.Split(path, "."), each) }

// twice ends what is said of a text that was taken for a reference.
const twice = "A text that begins with a dollar sign is written with two"

// isForeign reports whether a text that begins with a dollar sign and no name refers to a result as others have it:
// "$0.entity", "$[0].entity", "${a.entity}", "$results[0].entity". "$5.00" does not.
func isForeign(text string) bool {
	rest := text[1:]
	if digits := len(rest) - len(strings.TrimLeft(rest, "0123456789")); digits > 0 && digits < len(rest) {
		field, dotted := strings.CutPrefix(rest[digits:], ".")
		return dotted && field != "" && IsName(field[:1])
	}
	begin, _, subscript := strings.Cut(rest, "[")
	return strings.HasPrefix(rest, "{") && strings.HasSuffix(rest, "}") || subscript && (begin == "" || IsName(begin))
}

// compute works out the expression of a text.
func (r *Run) compute(text string) ([]byte, error) {
	x, err := Compute(text, func(name string) (float64, error) {
		first, path, _ := strings.Cut(name, ".")
		value, err := r.lookUp(name, first, path)
		if err != nil {
			return 0, err
		}
		x, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			return 0, registry.Invalidf("%q: %s is no number: %s", quote.Clip(text), name, quote.Clip(string(value)))
		}
		return x, nil
	})
	if err != nil {
		return nil, err
	}
	return strconv.AppendFloat(nil, x, 'g', -1, 64), nil
}

// lookUp returns what a name, or something in it, stands for.
func (r *Run) lookUp(text, name, path string) ([]byte, error) {
	result, ok := r.Values[name]
	if !ok {
		r.lost = text
		return nil, registry.Invalidf("%q: nothing before it is named %q; %s. %s", text, name, r.named(), twice)
	}
	if path == "" {
		if bytes.HasPrefix(result, []byte("{")) {
			r.whole = name
		}
		return result, nil
	}
	found, has, missing := pick(result, strings.Split(path, "."))
	if found == nil {
		if strings.ContainsRune(missing, '[') {
			has += fmt.Sprintf(`; an element is written "$%s.%s"`, name, strings.NewReplacer("[", ".", "]", "").Replace(path))
		}
		return nil, registry.Invalidf("%q: there is no %q in the result of %q; %s", text, missing, name, has)
	}
	return found, nil
}

// pick returns what is at a path in a value. Behind a part that stands for every element it is a list, of what is at the rest of the
// path in each. If there is nothing it returns nil, and of the first part that leads nowhere what is there instead.
func pick(value json.RawMessage, path []string) (found json.RawMessage, has, missing string) {
	for i, part := range path {
		if part != each {
			next, has := member(value, part)
			if next == nil {
				return nil, has, part
			}
			value = next
			continue
		}
		var list []json.RawMessage
		if json.Unmarshal(value, &list) != nil || list == nil {
			_, has := member(value, part)
			return nil, has, part
		}
		all := []byte("[")
		for _, v := range list {
			next, has, missing := pick(v, path[i+1:])
			if next == nil {
				return nil, has, missing
			}
			if behind := path[i+1:]; slices.Contains(behind, each) { // all of theirs in one list
				next = bytes.TrimSpace(next[1 : len(next)-1])
			}
			if len(all) > 1 && len(next) > 0 {
				all = append(all, ',')
			}
			all = append(all, next...)
		}
		return append(all, ']'), "", ""
	}
	return value, "", ""
}

// own returns the names that are known inside an input which has operations itself, as that of prefab.define: of its operations and parameters, and
// self. Nil for any other.
func own(input []byte) map[string]bool {
	if !bytes.Contains(input, []byte(`"operations"`)) {
		return nil
	}
	var in struct {
		Operations []struct {
			As string `json:"as"`
		} `json:"operations"`
		Parameters []struct {
			Name string `json:"name"`
		} `json:"parameters"`
	}
	if json.Unmarshal(input, &in) != nil || in.Operations == nil {
		return nil
	}
	names := map[string]bool{"self": true}
	for _, op := range in.Operations {
		names[op.As] = true
	}
	for _, p := range in.Parameters {
		names[p.Name] = true
	}
	return names
}

// inner is the error of an operation with a name that stands for nothing, where the input has operations itself, as that of
// prefab.define: the name is theirs, most likely.
func (r *Run) inner(op *Operation, err error) error {
	if r.lost == "" || r.own == nil {
		return err
	}
	delete(r.own, "")
	return registry.Invalidf("%q: nothing before it in the batch has that name, nor has anything that %s is given: that is %s. A dollar sign that stands for itself there is written with two",
		quote.Clip(r.lost), op.Skill, strings.Join(slices.Sorted(maps.Keys(r.own)), ", "))
}

// explained is the error of an operation whose input was refused: who has written "$wall" may not know what it
// stood for there.
func (r *Run) explained(input []byte, err error) error {
	e := Refused(err)
	if e == nil || e.Code != registry.CodeInvalidInput {
		return err
	}
	if bytes.Contains(input, []byte(`"{{`)) {
		said := *e
		said.Message = strings.TrimSuffix(e.Message, ".") + `. A field of the result of the operation with "as":"a" is written "$a.entity", without braces`
		return &said
	}
	for _, word := range words {
		if _, known := r.Values[word[1:]]; !known && bytes.Contains(input, fmt.Appendf(nil, "%q", word)) && strings.Contains(e.Message, word) {
			said := *e
			said.Message = fmt.Sprintf("%s. %q stands for an entity in the data of an action only, and nothing before it is named %q; %s", strings.TrimSuffix(e.Message, "."), word, word[1:], r.named())
			return &said
		}
	}
	if r.list != "" && strings.Contains(e.Message, "got an array") {
		said := *e
		said.Message = fmt.Sprintf("%s. %q is a list: its first element is %q", strings.TrimSuffix(e.Message, "."), quote.Clip(r.list), quote.Clip(r.list)+".0")
		if r.element {
			said.Message = fmt.Sprintf("%s. %q is a list in a list: to have its elements there write %q", strings.TrimSuffix(e.Message, "."), quote.Clip(r.list), quote.Clip(r.list)+".*")
		}
		return &said
	}
	if r.whole == "" {
		return err
	}
	fields := keys(r.Values[r.whole])
	if len(fields) == 0 {
		return err
	}
	said := *e
	said.Message = fmt.Sprintf("%s. \"$%s\" is the whole result of %q; it has %s: write \"$%s.%s\"",
		strings.TrimSuffix(e.Message, "."), r.whole, r.whole, strings.Join(fields, ", "), r.whole, fields[0])
	return &said
}

// named says what operations have names, for a message.
func (r *Run) named() string {
	var names []string
	for name := range r.Values {
		names = append(names, name)
	}
	if len(names) == 0 {
		return "none before it has a name, which as gives"
	}
	slices.Sort(names)
	return "named are " + strings.Join(names, ", ")
}

// member returns an element of a list or a member of an object; if there is none, nil and what there
// is.
func member(value json.RawMessage, part string) (found json.RawMessage, has string) {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil && list != nil {
		if i, err := strconv.Atoi(part); err == nil && i >= 0 && i < len(list) {
			return list[i], ""
		}
		if len(list) == 0 {
			return nil, "it is an empty list"
		}
		return nil, "it has the elements 0 to " + strconv.Itoa(len(list)-1)
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(value, &object) != nil || object == nil {
		return nil, "it is " + string(value)
	}
	if v, ok := object[part]; ok {
		return v, ""
	}
	return nil, "it has " + strings.Join(keys(value), ", ")
}

// keys returns the names of an object's members, sorted; none if it is no object.
func keys(value json.RawMessage) []string {
	var object map[string]json.RawMessage
	_ = json.Unmarshal(value, &object)
	return slices.Sorted(maps.Keys(object))
}
