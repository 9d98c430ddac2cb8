package wire

import (
	"reflect"
	"strconv"
)

func (d *decoder) array(v *value, p pointer, i int) int {
	text := d.text
	if text[i] != '[' {
		return d.mismatch(v, i)
	}
	count := 0
	for i = space(text, i+1); ; i = space(text, i+1) {
		if count == 0 && i < len(text) && text[i] == ']' {
			break
		}
		n := len(d.list)
		if count < v.count {
			i = d.value(v.elem, p.at(uintptr(count)*v.elem.size), i)
		} else {
			i = skip(text, i)
		}
		if i < 0 {
			return i
		}
		if len(d.list) != n {
			d.under(n, index(count))
		}
		count++
		if i = space(text, i); i < len(text) && text[i] == ']' {
			break
		}
		if i >= len(text) || text[i] != ',' {
			return ^i
		}
	}
	if count != v.count {
		d.add("must have " + v.bounds() + ", got " + strconv.Itoa(count))
	}
	return i + 1
}

func (d *decoder) slice(v *value, p pointer, i int) int {
	text := d.text
	if text[i] != '[' {
		return d.mismatch(v, i)
	}
	p.setEmpty()
	into := reflected(v.typ, p)
	before := len(d.list)
	count := 0
	for i = space(text, i+1); ; i = space(text, i+1) {
		if count == 0 && i < len(text) && text[i] == ']' {
			break
		}
		n := len(d.list)
		if count < v.limits.length.hi && n < MaxProblems {
			if count == into.Cap() { // doubled, and filled with zeros
				into.Grow(min(max(count, 4), v.limits.length.hi-count))
			}
			into.SetLen(count + 1)
			first, _ := p.slice()
			at := i
			if i = d.value(v.elem, first.at(uintptr(count)*v.elem.size), at); i >= 0 && len(d.list) != n {
				d.foreign(v.elem, at, n)
			}
		} else { // it only has to be counted: what is refused must not fill the memory
			i = skip(text, i)
		}
		if i < 0 {
			return i
		}
		if len(d.list) != n {
			d.under(n, index(count))
		}
		count++
		if i = space(text, i); i < len(text) && text[i] == ']' {
			break
		}
		if i >= len(text) || text[i] != ',' {
			return ^i
		}
	}
	if !v.limits.length.has(count) {
		d.add(v.faultLength(count))
	}
	if v.limits.rest != nil && len(d.list) == before {
		d.rest(v, p)
	}
	return i + 1
}

func (d *decoder) mapping(v *value, p pointer, i int) int {
	text := d.text
	if text[i] != '{' {
		return d.mismatch(v, i)
	}
	made := reflect.MakeMap(v.typ)
	before := len(d.list)
	count := 0
	for i = space(text, i+1); ; i = space(text, i+1) {
		if count == 0 && i < len(text) && text[i] == '}' {
			break
		}
		raw, at := readKey(text, i)
		if at < 0 {
			return at
		}
		name := string(raw)
		n := len(d.list)
		key := reflect.ValueOf(name).Convert(v.typ.Key())
		if made.MapIndex(key).IsValid() {
			i = skip(text, at)
			d.add("is given twice")
		} else if n < MaxProblems {
			item := reflect.New(v.elem.typ).Elem()
			i = d.value(v.elem, address(item), at)
			made.SetMapIndex(key, item)
			count++
		} else {
			i = skip(text, at)
		}
		if i < 0 {
			return i
		}
		if len(d.list) != n {
			d.under(n, keyStep(name))
		}
		if i = space(text, i); i < len(text) && text[i] == '}' {
			break
		}
		if i >= len(text) || text[i] != ',' {
			return ^i
		}
	}
	reflected(v.typ, p).Set(made)
	if !v.limits.length.has(count) {
		d.add(v.faultLength(count))
	}
	if v.limits.rest != nil && len(d.list) == before {
		d.rest(v, p)
	}
	return i + 1
}

// readKey reads the key at i and returns the index of its value.
func readKey(text []byte, i int) (name []byte, value int) {
	if i >= len(text) || text[i] != '"' {
		return nil, ^i
	}
	end, escaped := scanString(text, i+1)
	if end < 0 {
		return nil, end
	}
	name = text[i+1 : end]
	if escaped {
		name = unescape(name)
	}
	if end = space(text, end+1); end >= len(text) || text[end] != ':' {
		return nil, ^end
	}
	return name, space(text, end+1)
}
