package wire

import "math"

// Free reports what is wrong with a text that may be any JSON value and goes on as it is: what [Valid] refuses, keys
// that are given twice, and numbers beyond 64 bits, of which its readers would not all make the same. Its error is an
// [Errors]. It keeps no part of data, and allocates nothing for a value of plain keys, few to an object.
func Free(data []byte) error {
	d := decoder{text: data}
	return d.whole(d.free(space(data, 0), MaxDepth))
}

// free passes over any value as skip does, with levels more arrays and objects inside each other, and adds what is wrong
// with it otherwise.
func (d *decoder) free(i, levels int) int {
	text := d.text
	if i >= len(text) {
		return ^i
	}
	switch c := text[i]; c {
	case '"', 't', 'f', 'n':
		return skip(text, i)
	case '[', '{':
		if levels == 0 {
			return ^i
		}
		if c == '[' {
			return d.freeItems(i, levels-1)
		}
		return d.freeMembers(i, levels-1)
	}
	n := readNumber(text, i)
	if n.end >= 0 && math.IsInf(n.float(text[i:n.end]), 0) {
		d.add("must be a number that 64 bits can hold, got " + show(text[i:n.end]))
	}
	return n.end
}

func (d *decoder) freeItems(i, levels int) int {
	text := d.text
	for count := 0; ; count++ {
		if i = space(text, i+1); count == 0 && i < len(text) && text[i] == ']' {
			return i + 1
		}
		n := len(d.list)
		if i = d.free(i, levels); i < 0 {
			return i
		}
		if len(d.list) != n {
			d.under(n, index(count))
		}
		if i = space(text, i); i < len(text) && text[i] == ']' {
			return i + 1
		}
		if i >= len(text) || text[i] != ',' {
			return ^i
		}
	}
}

func (d *decoder) freeMembers(i, levels int) int {
	text := d.text
	var keys names
	for count := 0; ; count++ {
		if i = space(text, i+1); count == 0 && i < len(text) && text[i] == '}' {
			return i + 1
		}
		name, at := readKey(text, i)
		if at < 0 {
			return at
		}
		n := len(d.list)
		if !keys.add(name) {
			d.add("is given twice")
		}
		if i = d.free(at, levels); i < 0 {
			return i
		}
		if len(d.list) != n {
			d.under(n, keyStep(string(name)))
		}
		if i = space(text, i); i < len(text) && text[i] == '}' {
			return i + 1
		}
		if i >= len(text) || text[i] != ',' {
			return ^i
		}
	}
}

// names is a set of keys.
type names struct {
	few  [8][]byte
	n    int                 // how many of few there are
	more map[string]struct{} // all of them, if they are more
}

// add reports whether the name is new.
func (s *names) add(name []byte) bool {
	if s.more != nil {
		_, twice := s.more[string(name)]
		s.more[string(name)] = struct{}{}
		return !twice
	}
	for _, other := range s.few[:s.n] {
		if string(other) == string(name) {
			return false
		}
	}
	if s.n < len(s.few) {
		s.few[s.n] = name
		s.n++
		return true
	}
	s.more = make(map[string]struct{}, 2*len(s.few))
	for _, other := range s.few {
		s.more[string(other)] = struct{}{}
	}
	s.more[string(name)] = struct{}{}
	return true
}
