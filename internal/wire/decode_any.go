package wire

import "math"

// any reads any value, as encoding/json would store it: nil, bool, float64, string,
// []any, map[string]any. A key given twice and a number beyond float64 are refused.
func (d *decoder) any(p pointer, i int) int {
	end := skip(d.text, i) // also bounds the depth of what follows
	if end < 0 {
		return end
	}
	*as[any](p), _ = d.tree(i)
	return end
}

// tree builds the value at i, which is known to be valid.
func (d *decoder) tree(i int) (any, int) {
	text := d.text
	switch text[i] {
	case 'n':
		return nil, i + len("null")
	case 't':
		return true, i + len("true")
	case 'f':
		return false, i + len("false")
	case '"':
		end, escaped := scanString(text, i+1)
		if escaped {
			return string(unescape(text[i+1 : end])), end + 1
		}
		return string(text[i+1 : end]), end + 1
	case '[':
		return d.treeArray(i)
	case '{':
		return d.treeObject(i)
	}
	n := readNumber(text, i)
	f := n.float(text[i:n.end])
	if math.IsInf(f, 0) {
		d.add("must be a number that 64 bits can hold, got " + show(text[i:n.end]))
	}
	return f, n.end
}

func (d *decoder) treeArray(i int) (any, int) {
	items := []any{}
	for i = space(d.text, i+1); d.text[i] != ']'; {
		if d.text[i] == ',' {
			i = space(d.text, i+1)
		}
		n := len(d.list)
		var item any
		item, i = d.tree(i)
		if len(d.list) != n {
			d.under(n, index(len(items)))
		}
		items = append(items, item)
		i = space(d.text, i)
	}
	return items, i + 1
}

func (d *decoder) treeObject(i int) (any, int) {
	members := map[string]any{}
	for i = space(d.text, i+1); d.text[i] != '}'; {
		if d.text[i] == ',' {
			i = space(d.text, i+1)
		}
		raw, at := readKey(d.text, i)
		name := string(raw)
		n := len(d.list)
		if _, twice := members[name]; twice {
			d.add("is given twice")
		}
		members[name], i = d.tree(at)
		if len(d.list) != n {
			d.under(n, keyStep(name))
		}
		i = space(d.text, i)
	}
	return members, i + 1
}
